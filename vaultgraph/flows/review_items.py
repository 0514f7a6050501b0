"""What a reviewer is shown of a proposal: both notes as they are now, and where they meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.domain.notes import PROPERTY, NoteId
from vaultgraph.flows.context import masker_of
from vaultgraph.text.frontmatter import is_near_miss, split_note
from vaultgraph.vault.note import NoteReader, body_hash

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vaultgraph.domain.notes import EntryList, VaultFile
    from vaultgraph.domain.survey import Survey
    from vaultgraph.flows.context import Context
    from vaultgraph.review.queue import Item
    from vaultgraph.vault.resolve import LinkIndex

#: So much of a long note is laid out around the first place that speaks of the other one.
_LINES_BEFORE, _LINES_AFTER, _LONGEST_LINE = 200, 800, 4000


class Page(NamedTuple):
    """One note without its frontmatter, private names masked."""

    note: NoteId
    lines: list[str]
    #: Which of these lines link to or name the other note; 0-based.
    marked: frozenset[int]
    #: Lines of the body that are left out above and below.
    above: int
    below: int


class NoteNow(NamedTuple):
    """A note as it is at this moment."""

    data: bytes
    is_private: bool
    #: Its entries: in which lists each basis stands.
    entries: Mapping[str, set[EntryList]]

    @property
    def hash(self) -> str:
        """The hash of its body."""
        return body_hash(self.data)


class ItemReader:
    """Reads the notes of a queue again and again; the vault is surveyed once."""

    def __init__(
        self,
        context: Context,
        survey: Survey,
        files: Mapping[NoteId, VaultFile],
        index: LinkIndex,
        items: Sequence[Item],
    ) -> None:
        self._context = context
        self._files = files
        self._index = index
        self._reader = NoteReader(context.settings)
        self._mask = masker_of(survey).mask
        self._lines = _evidence_lines(survey, items)
        #: How many lines stood before each body when it was first read: as in the survey. Our own
        #: edits move the body, and the survey's line numbers with it.
        self._lines_before: dict[NoteId, int] = {}

    def read(self, note: NoteId) -> NoteNow | None:
        """Return a note as it is now; ``None`` where it cannot be read."""
        try:
            data = self._context.vault.read_bytes(self._files[note])
            text = data.decode()
        except (KeyError, OSError, UnicodeDecodeError):
            return None
        parts = split_note(text)
        head = text[: parts.body_start] if parts.opening or not is_near_miss(parts) else text
        facts = self._reader.read(head.encode()).facts
        entries: dict[str, set[EntryList]] = {}
        for in_list, target, _ in facts.entries:
            reached = self._index.resolve(target, note)
            if reached is not None:
                entries.setdefault(reached, set()).add(in_list)
        self._lines_before.setdefault(note, parts.block.count("\n") + 2 if parts.opening else 0)
        return NoteNow(data, facts.is_private, entries)

    def page(self, note: NoteId, of: NoteId, now: NoteNow) -> Page:
        """Return what is shown of ``note`` beside ``of``."""
        before = self._lines_before.get(note, 0)
        marked = [line - before - 1 for line in self._lines.get((note, of), ()) if line > before]
        whole = split_note(now.data.decode()).body.split("\n")
        start = max(0, marked[0] - _LINES_BEFORE) if marked else 0
        end = start + _LINES_BEFORE + _LINES_AFTER
        lines = [self._shown(line) for line in whole[start:end]]
        joined = "\n".join(lines)
        masked = self._mask(joined)
        if masked != joined:
            # A private name over a line break: what is hidden may have moved the lines.
            lines, marked = masked.split("\n"), []
        return Page(
            note,
            lines,
            frozenset(line - start for line in marked if line < end),
            above=start,
            below=max(0, len(whole) - end),
        )

    def sentence(self, note: NoteId, of: NoteId) -> tuple[int, str] | None:
        """Return the first line of a body that speaks of the other note, and its number."""
        now = self.read(note)
        if now is None:
            return None
        page = self.page(note, of, now)
        if not page.marked:
            return None
        first = min(page.marked)
        return first + page.above + self._lines_before[note] + 1, page.lines[first].strip()

    def _shown(self, line: str) -> str:
        line = line.removesuffix("\r")
        if len(line) > _LONGEST_LINE:
            line = f"{line[:_LONGEST_LINE]}…"
        return self._mask(line)


def _evidence_lines(
    survey: Survey, items: Sequence[Item]
) -> dict[tuple[NoteId, NoteId], list[int]]:
    """Return, for the pairs asked about, the lines of each note about the other."""
    numbers = {note: number for number, note in enumerate(survey.notes)}
    wanted = {
        pair
        for item in items
        for one, other in ((numbers[item.dependent], numbers[item.basis]),)
        for pair in ((one, other), (other, one))
    }
    found: dict[tuple[int, int], set[int]] = {}
    properties = {n for n, kind in enumerate(survey.kinds) if kind.startswith(f"{PROPERTY}:")}
    for note, to, line, kind in survey.links:
        if (note, to) in wanted and kind not in properties:
            found.setdefault((note, to), set()).add(line)
    for note, of, _, line in survey.mentions:
        if (note, of) in wanted:
            found.setdefault((note, of), set()).add(line)
    notes = survey.notes
    return {(notes[a], notes[b]): sorted(lines) for (a, b), lines in found.items()}
