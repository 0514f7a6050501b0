"""Reads what changed in a vault and makes its survey anew."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from vaultgraph.candidates.evidence import gather, gather_again, has_same_standing
from vaultgraph.candidates.names import Names, collect_names
from vaultgraph.domain.notes import Listing
from vaultgraph.text.links import link_value
from vaultgraph.vault.note import NoteReader, unreadable_facts
from vaultgraph.vault.resolve import LinkIndex
from vaultgraph.vault.scope import decide_scope, hide_private, title_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from vaultgraph.domain.notes import Name, NoteFacts, VaultFile
    from vaultgraph.domain.ports import Kept, NotesPort, VaultPort
    from vaultgraph.domain.settings import AppSettings, Settings
    from vaultgraph.domain.survey import Survey


def build_survey(
    listing: Listing, app: AppSettings, vault: VaultPort, notes: NotesPort, settings: Settings
) -> tuple[Survey, tuple[Name, ...]]:
    """Return the survey of the files listed, and the names that were looked for.

    Read, name, search, resolve, in this order.
    """
    scope = decide_scope(listing, settings, app)
    scope = hide_private(scope, listing, _facts_reader(vault, settings))
    facts = notes.read(scope.notes, settings)
    titles = [title_of(file.path) for file in scope.notes]
    aliases = {number: fact.aliases for number, fact in enumerate(facts) if fact.aliases}
    names = collect_names(titles, aliases, settings.names)
    folded = tuple([name.folded for name in names.names])
    mentions = notes.find_mentions(folded, names.own(range(len(titles))))
    index = LinkIndex(file.path for file in listing.files)
    return gather(scope, facts, names, mentions, index, settings), names.names


def _facts_reader(vault: VaultPort, settings: Settings) -> Callable[[VaultFile], NoteFacts]:
    """Return what reads a note that is left out, for no more than whether it may be named."""
    reader = NoteReader(settings)

    def facts_of(file: VaultFile) -> NoteFacts:
        try:
            return reader.read(vault.read_bytes(file)).facts
        except OSError as error:
            return unreadable_facts(str(error.strerror))

    return facts_of


def update_survey(
    kept: Kept, listing: Listing, app: AppSettings, notes: NotesPort, settings: Settings
) -> tuple[Survey, tuple[Name, ...]] | None:
    """Return an earlier survey with the notes that changed read anew, and the names in it.

    ``None`` where more depends on what changed than these notes' own links and mentions.
    """
    files = [listing.files[position] for position in kept.changed]
    scope = decide_scope(Listing(tuple(files), ()), settings, app)
    if len(scope.notes) < len(files):
        return None
    facts = notes.read(scope.notes, settings)
    if not all(map(has_same_standing, kept.changed.values(), facts)):
        return None
    numbers = [bisect_left(kept.survey.notes, file.path) for file in scope.notes]
    names = Names(kept.names)
    folded = tuple([name.folded for name in kept.names])
    mentions = notes.find_mentions(folded, names.own(numbers))
    paths = (file.path for file in listing.files)
    index = LinkIndex.for_targets(paths, _targets_in(facts))
    survey = gather_again(kept.survey, numbers, scope, facts, names, mentions, index, settings)
    return survey, kept.names


def _targets_in(facts: Sequence[NoteFacts]) -> Iterator[str]:
    """Yield whatever the notes may want resolved."""
    for fact in facts:
        yield from (target for target, _, _ in fact.links)
        yield from (target for _, target, _ in fact.entries)
        yield from (link_value(text) or text for text in fact.superseded_by)
