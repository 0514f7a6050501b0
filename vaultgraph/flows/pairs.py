"""Candidate pairs as a judge is given them: bodies, names, and where each speaks of the other."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from vaultgraph.domain.judging import JudgedNote, JudgedPair
from vaultgraph.judge.cleaning import clean_body
from vaultgraph.text.frontmatter import split_note
from vaultgraph.vault.note import body_hash
from vaultgraph.vault.scope import title_of

if TYPE_CHECKING:
    from vaultgraph.domain.notes import NoteId, VaultFile
    from vaultgraph.domain.survey import Survey
    from vaultgraph.flows.context import Context

#: Notes kept at a time; pairs come sorted by their first note.
_KEPT = 4096


class PairMaker:
    """Makes judged pairs from a survey; notes are read when first asked for."""

    def __init__(self, context: Context, survey: Survey) -> None:
        self._context = context
        self._survey = survey
        self._files: dict[str, VaultFile] = {
            file.path: file for file in context.vault.list_files().files if file.stamp is not None
        }
        self._notes: dict[int, tuple[JudgedNote, int]] = {}
        self._aliases: defaultdict[int, list[str]] = defaultdict(list)
        for alias, number in survey.aliases:
            self._aliases[number].append(alias)
        #: Lines of each note about each other, in the file.
        self._lines: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
        for rows in (survey.links, survey.mentions):
            for row in rows:
                # A link's line is its third number, a mention's its fourth.
                self._lines[row[0], row[1]].add(row[2] if rows is survey.links else row[3])

    def note(self, number: int) -> JudgedNote | None:
        """Return one note as a judge may see it, or ``None`` where it cannot be read."""
        read = self._read(number)
        return None if read is None else read[0]

    def pair(self, first: int, second: int) -> JudgedPair | None:
        """Return a pair by the numbers of its notes, ``first`` < ``second``."""
        one, other = self._read(first), self._read(second)
        if one is None or other is None:
            return None
        return JudgedPair(
            one[0],
            other[0],
            self._body_lines(first, second, one[1]),
            self._body_lines(second, first, other[1]),
        )

    def _body_lines(self, note: int, of: int, lines_before: int) -> tuple[int, ...]:
        lines = self._lines.get((note, of), ())
        return tuple(sorted(line - lines_before for line in lines if line > lines_before))

    def _read(self, number: int) -> tuple[JudgedNote, int] | None:
        if number in self._notes:
            return self._notes[number]
        note: NoteId = self._survey.notes[number]
        file = self._files.get(note)
        if file is None or not self._survey.can_pair(number):
            return None
        try:
            data = self._context.vault.read_bytes(file)
            text = split_note(data.decode())
        except (OSError, UnicodeDecodeError):
            return None
        body = clean_body(text.body, self._context.settings.status.keys)
        aliases = tuple(self._aliases[number])
        judged = JudgedNote(note, title_of(note), aliases, body, body_hash(data))
        if len(self._notes) >= _KEPT:
            self._notes.clear()
        lines_before = text.block.count("\n") + 2 if text.opening else 0
        self._notes[number] = (judged, lines_before)
        return self._notes[number]
