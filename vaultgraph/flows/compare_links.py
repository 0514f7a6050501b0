"""Our links held against the app's own table of resolved links, every difference named."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vaultgraph.errors import InputError
from vaultgraph.vault.properties import UNQUOTED_LINK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from vaultgraph.domain.notes import NoteFacts, Skip, VaultFile
    from vaultgraph.vault.resolve import LinkIndex

#: How often each note links to each file.
LinkTable = dict[str, Counter[str]]

_NO_NOTE, _GONE = "no Markdown note", "not in this vault now"


@dataclass(frozen=True, slots=True, order=True)
class Difference:
    """A link that only one of the two sees, or sees another number of times."""

    note: str
    to: str
    ours: int
    theirs: int


@dataclass(frozen=True, slots=True, order=True)
class NotRead:
    """A file whose links the app counts and we do not read, with the reason."""

    note: str
    reason: str
    links: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """All in which our links and the app's differ; both lists are sorted."""

    differences: list[Difference]
    not_read: list[NotRead]


def parse_resolved_links(data: bytes) -> LinkTable:
    """Return the app's ``metadataCache.resolvedLinks``, saved as JSON.

    Raises:
        InputError: ``data`` is no such table.
    """
    hint = (
        'make it with: obsidian eval code="JSON.stringify(app.metadataCache.resolvedLinks)"'
        " > resolved.json"
    )
    try:
        table = json.loads(data)
    except (ValueError, RecursionError):
        raise InputError("the file to compare with is not JSON", hint=hint) from None
    if not _is_table(table):
        raise InputError("the file to compare with is no table of resolved links", hint=hint)
    return {note: Counter(targets) for note, targets in table.items()}


def _is_table(table: Any) -> bool:  # noqa: ANN401 - whatever JSON holds
    return isinstance(table, dict) and all(
        isinstance(targets, dict) and all(isinstance(count, int) for count in targets.values())
        for targets in table.values()
    )


def count_links(
    files: Sequence[VaultFile], facts: Sequence[NoteFacts], index: LinkIndex
) -> LinkTable:
    """Return our links as the app counts them: our own lists included, unquoted entries not."""
    links: LinkTable = {}
    for file, fact in zip(files, facts, strict=True):
        unquoted = {line for line, code, _ in fact.faults if code == UNQUOTED_LINK}
        targets = [target for target, _, _ in fact.links]
        targets += [target for _, target, line in fact.entries if line not in unquoted]
        reached = (index.resolve(target, file.path) for target in targets)
        links[file.path] = Counter(path for path in reached if path is not None)
    return links


def compare_links(
    ours: LinkTable,
    theirs: LinkTable,
    public: Mapping[Any, int],
    skipped: Iterable[Skip],
    show: Callable[[str], str],
) -> Comparison:
    """Return every difference in ``public`` notes, and which files of the app's are not read.

    ``ours`` holds all notes read; ``show`` masks the path of a private one.
    """
    differences = [
        Difference(note, show(to), links[to], theirs.get(note, Counter())[to])
        for note, links in ours.items()
        if note in public
        for to in {*links, *theirs.get(note, ())}
        # The app counts links to headings of the note itself, which join no two notes.
        if to != note and links[to] != theirs.get(note, Counter())[to]
    ]
    reasons = {skip.path: skip.reason for skip in skipped}
    not_read = [
        NotRead(show(note), reasons.get(note) or _why_unknown(note), links.total())
        for note, links in theirs.items()
        if note not in ours
    ]
    return Comparison(sorted(differences), sorted(not_read))


def _why_unknown(path: str) -> str:
    return _GONE if path[-3:].lower() == ".md" else _NO_NOTE
