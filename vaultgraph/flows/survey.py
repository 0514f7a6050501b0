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
    """Return the survey of a vault as it is now; where nothing changed, the one kept before."""
    listing = vault.list_files()
    app = vault.read_app_settings()
    key = survey_key(listing, settings, app)
    kept = notes.recall(key)
    if kept is not None:
        return kept
    # What parses notes takes a tenth of a second to import, and most runs find nothing changed.
    from vaultgraph.flows.build_survey import build_survey  # noqa: PLC0415

    survey = build_survey(listing, app, notes, settings)
    notes.keep(key, survey)
    return survey


def survey_key(listing: Listing, settings: Settings, app: AppSettings) -> bytes:
    """Return a hash that changes with anything that a survey depends on."""
    files = [(path, stamp) for path, _, stamp in listing.files]
    skipped = [tuple(skip) for skip in listing.skipped]
    # Version 2 of the format depends on the values alone, not on which of them are one object.
    data = marshal.dumps((files, skipped, listing.nested, repr(settings), repr(app)), 2)
    return blake2b(data, digest_size=16).digest()
