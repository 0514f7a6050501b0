"""The zero-AI pass: a vault goes in, a survey comes out."""

from __future__ import annotations

import marshal
from hashlib import blake2b
from typing import TYPE_CHECKING

from vaultgraph.candidates.evidence import gather
from vaultgraph.candidates.names import collect_names
from vaultgraph.vault.resolve import LinkIndex
from vaultgraph.vault.scope import decide_scope, title_of

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
    scope = decide_scope(listing, settings, app)
    facts = notes.read(scope.notes, settings)
    titles = [title_of(file.path) for file in scope.notes]
    aliases = {number: fact.aliases for number, fact in enumerate(facts) if fact.aliases}
    names = collect_names(titles, aliases, settings.names)
    mentions = notes.find_mentions(
        tuple(name.folded for name in names.names), [name.owners for name in names.names]
    )
    index = LinkIndex(file.path for file in listing.files)
    survey = gather(scope, facts, names, mentions, index, settings)
    notes.keep(key, survey)
    return survey


def survey_key(listing: Listing, settings: Settings, app: AppSettings) -> bytes:
    """Return a hash that changes with anything that a survey depends on."""
    files = [(file.path, file.stamp and tuple(file.stamp)) for file in listing.files]
    skipped = [tuple(skip) for skip in listing.skipped]
    # Version 2 of the format depends on the values alone, not on which of them are one object.
    data = marshal.dumps((files, skipped, repr(settings), repr(app)), 2)
    return blake2b(data, digest_size=16).digest()
