"""Lines of notes as they are shown: private names masked, a name broken over lines in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.flows.note_bytes import NoteBytes
from vaultgraph.judge.masking import mask_stretch
from vaultgraph.text.prose import fold_name, unquote
from vaultgraph.vault.privacy import MASK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultgraph.domain.notes import NoteId
    from vaultgraph.flows.context import Context
    from vaultgraph.vault.privacy import Masker


def passage_in(lines: Sequence[str], number: int, name: str, masker: Masker) -> str:
    """Return the line, 1-based, where a name begins, and those that the name goes on in.

    Private names are masked, also where they begin or end on another line.
    """
    more = masker.most_words
    words = len(name.split())
    start = max(number - 1 - more, 0)
    stretch = "\n".join(lines[start : number + words + more])
    masked = mask_stretch(stretch, masker).split("\n")
    if len(masked) <= stretch.count("\n"):
        return MASK
    here = [unquote(line).strip() for line in masked[number - 1 - start :]]
    wanted = fold_name(name)
    passages = (" ".join(here[:count]) for count in range(1, words + 1))
    found = (text for text in passages if wanted in fold_name(text))
    return next(found, here[0] if here else "")


class NoteTexts:
    """The texts of a vault's notes, read when first asked for."""

    def __init__(self, context: Context, masker: Masker) -> None:
        self._read = NoteBytes(context.vault).read
        self._masker = masker
        self._last: tuple[NoteId, str] | None = None
        self._lines: tuple[NoteId, list[str]] | None = None

    def text(self, note: NoteId) -> str:
        """Return a note's text; empty where it cannot be read."""
        if self._last is not None and self._last[0] == note:
            return self._last[1]
        try:
            data = self._read(note)
        except OSError:
            data = b""
        text = data.decode(errors="replace")
        self._last = (note, text)
        return text

    def passage(self, note: NoteId, number: int, name: str) -> str:
        """Return the line, 1-based, where a name begins, and those that the name goes on in.

        Private names are masked, also where they begin or end on another line.
        """
        if self._lines is None or self._lines[0] != note:
            self._lines = (note, self.text(note).split("\n"))
        return passage_in(self._lines[1], number, name, self._masker)
