"""Candidate pairs as a judge is given them: bodies, names, and where each speaks of the other."""

from __future__ import annotations

from collections import defaultdict
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.domain.judging import JudgedNote, JudgedPair
from vaultgraph.flows.note_bytes import NoteBytes
from vaultgraph.judge.cleaning import clean_body
from vaultgraph.text.frontmatter import split_note
from vaultgraph.vault.note import body_hash
from vaultgraph.vault.scope import title_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultgraph.domain.notes import NoteId
    from vaultgraph.domain.survey import Survey
    from vaultgraph.flows.context import Context

#: (first, second, hash of what first holds, of what second holds) of a pair as it stands.
Judged = tuple[str, str, str, str]

#: Notes kept at a time; pairs come sorted by their first note.
_KEPT = 4096


class _Body(NamedTuple):
    """A note's text as it stands in the file."""

    note: NoteId
    text: str
    body_hash: str
    #: Lines of the file before it.
    lines_before: int


class PairMaker:
    """Makes judged pairs from a survey; notes are read, and cleaned, when first asked for.

    With ``only``, none but pairs of these notes are asked for.
    """

    def __init__(
        self, context: Context, survey: Survey, *, only: Collection[int] | None = None
    ) -> None:
        self._context = context
        self._survey = survey
        self._read = NoteBytes(context.vault).read
        self._bodies: dict[int, _Body] = {}
        self._notes: dict[int, JudgedNote] = {}
        self._aliases: defaultdict[int, list[str]] = defaultdict(list)
        for alias, number in survey.aliases:
            self._aliases[number].append(alias)
        #: Lines of each note about each other, in the file.
        self._lines: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
        for rows in (survey.links, survey.mentions):
            for row in rows:
                if only is not None and (row[0] not in only or row[1] not in only):
                    continue
                # A link's line is its third number, a mention's its fourth.
                self._lines[row[0], row[1]].add(row[2] if rows is survey.links else row[3])

    def judged(self, first: int, second: int) -> Judged | None:
        """Return what a verdict on a pair is about, or ``None`` where one cannot be read."""
        one, other = self._body(first), self._body(second)
        if one is None or other is None:
            return None
        return (one.note, other.note, one.body_hash, other.body_hash)

    def looked_at(self, first: int, second: int) -> Judged | None:
        """Return the same with hashes of all that is in a pair, names and places included."""
        one, other = self._body(first), self._body(second)
        if one is None or other is None:
            return None
        return (
            one.note,
            other.note,
            self._digest(one, first, self._body_lines(first, second, one)),
            self._digest(other, second, self._body_lines(second, first, other)),
        )

    def pair(self, first: int, second: int) -> JudgedPair | None:
        """Return a pair by the numbers of its notes, ``first`` < ``second``."""
        one, other = self._body(first), self._body(second)
        if one is None or other is None:
            return None
        return JudgedPair(
            self._note(first, one),
            self._note(second, other),
            self._body_lines(first, second, one),
            self._body_lines(second, first, other),
        )

    def _body_lines(self, note: int, of: int, body: _Body) -> tuple[int, ...]:
        before = body.lines_before
        lines = self._lines.get((note, of), ())
        return tuple(sorted(line - before for line in lines if line > before))

    def _digest(self, body: _Body, number: int, lines: tuple[int, ...]) -> str:
        parts = (body.body_hash, self._aliases[number], lines, self._context.settings.status.keys)
        return sha256(repr(parts).encode("utf-8", "replace")).hexdigest()

    def _note(self, number: int, body: _Body) -> JudgedNote:
        if number not in self._notes:
            if len(self._notes) >= _KEPT:
                self._notes.clear()
            self._notes[number] = JudgedNote(
                body.note,
                title_of(body.note),
                tuple(self._aliases[number]),
                clean_body(body.text, self._context.settings.status.keys),
                body.body_hash,
            )
        return self._notes[number]

    def _body(self, number: int) -> _Body | None:
        if number in self._bodies:
            return self._bodies[number]
        note: NoteId = self._survey.notes[number]
        if not self._survey.can_pair(number):
            return None
        try:
            data = self._read(note)
            text = split_note(data.decode())
        except (OSError, UnicodeDecodeError):
            return None
        if len(self._bodies) >= _KEPT:
            self._bodies.clear()
        lines_before = text.block.count("\n") + 2 if text.opening else 0
        self._bodies[number] = _Body(note, text.body, body_hash(data), lines_before)
        return self._bodies[number]
