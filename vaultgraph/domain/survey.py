"""All that a scan found, as columns of numbers over one sorted list of notes.

A vault of 50,000 notes holds hundreds of thousands of links; as columns they take a few
megabytes, are stored and read back in milliseconds, and every report is a pass over them.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.domain.notes import Closing, EntryList, NoteId, Problem, Skip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Bits of ``Survey.flags``.
UNREADABLE, RECORD, PRIVATE, REPORT = 1, 2, 4, 8

#: Bytes of one note in ``Survey.body_hashes``.
HASH_SIZE = 32
NO_HASH = bytes(HASH_SIZE)

#: Stored in place of a note that an entry does not reach.
NOWHERE = 0xFFFFFFFF


class Link(NamedTuple):
    """A link that reached a note; notes are numbers in ``Survey.notes``."""

    note: int
    to: int
    line: int
    kind: str


class MentionRow(NamedTuple):
    """A name of the note ``of``, in the prose of ``note``."""

    note: int
    of: int
    #: Number in ``Survey.names``.
    name: int
    line: int


class EntryRow(NamedTuple):
    """An item of one of the three lists; ``to`` is ``None`` where it reaches no note."""

    note: int
    to: int | None
    in_list: EntryList
    target: str
    line: int


class Columns:
    """Rows of four numbers each, compact; the order of rows is the order they were added in."""

    __slots__ = ("columns",)

    def __init__(self) -> None:
        self.columns = (array("I"), array("I"), array("I"), array("I"))

    @classmethod
    def of(cls, numbers: list[int]) -> Columns:
        """Return the rows whose numbers follow one another in ``numbers``."""
        rows = cls()
        for first, column in enumerate(rows.columns):
            column.extend(numbers[first::4])
        return rows

    def with_rows_of(self, firsts: Sequence[int], rows: Columns) -> Columns:
        """Return these rows, but ``rows`` for all that begin with one of ``firsts``, growing.

        Both are sorted by their first number, and so is the result.
        """
        result = Columns()
        at = new_at = 0
        for first in (*firsts, None):
            if first is None:
                start, end, new_end = len(self), len(self), len(rows)
            else:
                start = bisect_left(self.columns[0], first, at)
                end = bisect_right(self.columns[0], first, start)
                new_end = bisect_right(rows.columns[0], first, new_at)
            for column, old, new in zip(result.columns, self.columns, rows.columns, strict=True):
                column.extend(old[at:start])
                column.extend(new[new_at:new_end])
            at, new_at = end, new_end
        return result

    def __len__(self) -> int:
        return len(self.columns[0])

    def __iter__(self) -> Iterator[tuple[int, int, int, int]]:
        return zip(*self.columns, strict=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Columns) and self.columns == other.columns

    __hash__ = None  # type: ignore[assignment] # columns grow while they are built

    def to_plain(self) -> tuple[bytes, ...]:
        """Return the columns as bytes in this machine's byte order."""
        return tuple(column.tobytes() for column in self.columns)

    @classmethod
    def from_plain(cls, plain: tuple[bytes, ...]) -> Columns:
        """Return what ``to_plain`` gave."""
        rows = cls()
        for column, data in zip(rows.columns, plain, strict=True):
            column.frombytes(data)
        return rows


@dataclass(frozen=True, slots=True)
class Survey:
    """The notes, links, mentions, entries and problems of a vault."""

    #: Every note found, private ones included, sorted; all numbers refer to this.
    notes: tuple[NoteId, ...]
    #: One byte of flags a note.
    flags: bytes
    #: 32 bytes a note: SHA-256 of its body, zeros where it could not be opened.
    body_hashes: bytes = field(repr=False)
    #: How the closed notes closed, by number.
    closings: dict[int, Closing]
    #: ``reviewed:`` as written, of the notes that have it.
    reviewed: dict[int, str]
    #: (note, to, line, kind), the kind a number in ``kinds``.
    links: Columns
    kinds: tuple[str, ...]
    #: (note, target as written, line).
    unresolved: tuple[tuple[int, str, int], ...]
    entries: tuple[EntryRow, ...]
    #: (note, of, name, line).
    mentions: Columns
    names: tuple[str, ...]
    #: (folded alias, note) each, for finding a note by what it is called.
    aliases: tuple[tuple[str, int], ...]
    #: Names that more than one note has: (name, owners, whether it still makes evidence).
    ambiguous: tuple[tuple[str, tuple[int, ...], bool], ...]
    #: Names and titles of private notes, folded, to be masked wherever text is shown.
    private_names: tuple[str, ...]
    skipped: tuple[Skip, ...]
    problems: tuple[Problem, ...]

    def number_of(self, note: NoteId) -> int | None:
        """Return a note's number, or ``None`` where there is no such note."""
        number = bisect_left(self.notes, note)
        return number if number < len(self.notes) and self.notes[number] == note else None

    def is_private(self, note: int) -> bool:
        """Whether the note's name may stand nowhere."""
        return self.flags[note] & PRIVATE != 0

    def body_hash(self, note: int) -> str:
        """Return the SHA-256, hex, of the note's body; empty where it could not be opened."""
        digest = self.body_hashes[HASH_SIZE * note : HASH_SIZE * (note + 1)]
        return digest.hex() if any(digest) else ""

    def hash_of(self, note: NoteId) -> str:
        """Return a note's body hash by its id; empty where there is none."""
        number = self.number_of(note)
        return "" if number is None else self.body_hash(number)

    def reviewed_notes(self) -> dict[NoteId, str]:
        """Return ``reviewed:``, as written, of the notes that have it."""
        return {self.notes[number]: text for number, text in self.reviewed.items()}

    def is_record(self, note: int) -> bool:
        """Whether the note says what was true then, and cannot go stale."""
        return self.flags[note] & RECORD != 0

    def can_pair(self, note: int) -> bool:
        """Whether the note takes part in candidate pairs."""
        return self.flags[note] == 0

    def iter_links(self) -> Iterator[Link]:
        """Yield the resolved links."""
        kinds = self.kinds
        for note, to, line, kind in self.links:
            yield Link(note, to, line, kinds[kind])

    def iter_mentions(self) -> Iterator[MentionRow]:
        """Yield the mentions."""
        for note, of, name, line in self.mentions:
            yield MentionRow(note, of, name, line)

    def to_plain(self) -> tuple[Any, ...]:
        """Return the survey as tuples, text, bytes and numbers only."""
        return (
            self.notes,
            self.flags,
            self.body_hashes,
            tuple(
                (number, (c.how, c.sign, c.words, c.on, c.successors))
                for number, c in self.closings.items()
            ),
            tuple(self.reviewed.items()),
            self.links.to_plain(),
            self.kinds,
            self.unresolved,
            tuple(map(tuple, self.entries)),
            self.mentions.to_plain(),
            self.names,
            self.aliases,
            self.ambiguous,
            self.private_names,
            tuple(map(tuple, self.skipped)),
            tuple(map(tuple, self.problems)),
        )

    @classmethod
    def from_plain(cls, plain: tuple[Any, ...]) -> Survey:
        """Return what ``to_plain`` gave."""
        (notes, flags, body_hashes, closings, reviewed, links, kinds, unresolved, *rest) = plain
        (entries, mentions, names, aliases, ambiguous, private_names, skipped, problems) = rest
        return cls(
            notes=notes,
            flags=flags,
            body_hashes=body_hashes,
            closings={number: Closing(*fields) for number, fields in closings},
            reviewed=dict(reviewed),
            links=Columns.from_plain(links),
            kinds=kinds,
            unresolved=unresolved,
            entries=tuple(map(EntryRow._make, entries)),
            mentions=Columns.from_plain(mentions),
            names=names,
            aliases=aliases,
            ambiguous=ambiguous,
            private_names=private_names,
            skipped=tuple(map(Skip._make, skipped)),
            problems=tuple(map(Problem._make, problems)),
        )
