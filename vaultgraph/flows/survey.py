"""The zero-AI pass: a vault goes in, a survey comes out."""

from __future__ import annotations

import marshal
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultgraph.domain.notes import Listing
    from vaultgraph.domain.ports import NotesPort, VaultPort
    from vaultgraph.domain.settings import AppSettings, Settings
    from vaultgraph.domain.survey import Survey


def survey_vault(vault: VaultPort, notes: NotesPort, settings: Settings) -> Survey:
    """Return the survey of a vault as it is now; only what changed since the last is done anew."""
    listing = vault.list_files()
    app = vault.read_app_settings()
    made_with = made_with_of(listing, settings, app)
    kept = notes.recall(listing, made_with)
    if kept is not None and not kept.changed:
        return kept.survey
    # What parses notes takes a tenth of a second to import, and most runs find nothing changed.
    from vaultgraph.flows.build_survey import build_survey, update_survey  # noqa: PLC0415

    made = update_survey(kept, listing, app, notes, settings) if kept is not None else None
    survey, names = made or build_survey(listing, app, vault, notes, settings)
    notes.keep(listing, made_with, survey, names)
    return survey


def made_with_of(listing: Listing, settings: Settings, app: AppSettings) -> bytes:
    """Return a hash of all that a survey depends on besides the files themselves."""
    skipped = [tuple(skip) for skip in listing.skipped]
    # Version 2 of the format depends on the values alone, not on which of them are one object.
    data = marshal.dumps((skipped, listing.nested, repr(settings), repr(app)), 2)
    return blake2b(data, digest_size=16).digest()
