"""Reads what changed in a vault and makes its survey anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.candidates.evidence import gather
from vaultgraph.candidates.names import collect_names
from vaultgraph.vault.resolve import LinkIndex
from vaultgraph.vault.scope import decide_scope, title_of

if TYPE_CHECKING:
    from vaultgraph.domain.notes import Listing
    from vaultgraph.domain.ports import NotesPort
    from vaultgraph.domain.settings import AppSettings, Settings
    from vaultgraph.domain.survey import Survey


def build_survey(
    listing: Listing, app: AppSettings, notes: NotesPort, settings: Settings
) -> Survey:
    """Return the survey of the files listed: read, name, search, resolve, in this order."""
    scope = decide_scope(listing, settings, app)
    facts = notes.read(scope.notes, settings)
    titles = [title_of(file.path) for file in scope.notes]
    aliases = {number: fact.aliases for number, fact in enumerate(facts) if fact.aliases}
    names = collect_names(titles, aliases, settings.names)
    mentions = notes.find_mentions(
        tuple(name.folded for name in names.names), [name.owners for name in names.names]
    )
    index = LinkIndex(file.path for file in listing.files)
    return gather(scope, facts, names, mentions, index, settings)
