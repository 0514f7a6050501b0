"""The sentence around a pointer, without the names that stand in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultgraph.judge.embedded.pointers import Pointer
    from vaultgraph.judge.embedded.profile import NoteProfile

#: How far to look for where a sentence begins and ends, in characters.
_REACH = 400
#: Stands for each link and name: titles hold words such as "extension" that say nothing here.
NAME = "\x01"
#: Where a sentence, list item, table row, heading or paragraph ends.
_END = re.compile(
    r"[.!?](?=\s+(?:[^\W\da-z_]|[\[(*\"'`\x00])|\s*\Z)"
    "|[\u3002\uff01\uff1f]"
    r"|\n[ \t]*\n"
    r"|\n(?=[ \t]*(?:[-*+#>|]|[0-9]{1,9}[.)]))"
)
_SPACE = re.compile(r"\s+")


class Passage(NamedTuple):
    """One sentence that points at the other note, however often."""

    #: Before the first pointer in it, and after that pointer.
    before: str
    after: str
    #: How many further notes it links to.
    companions: int

    @property
    def text(self) -> str:
        """The whole sentence."""
        return self.before + NAME + self.after


def find_passages(
    note: NoteProfile, other: NoteProfile, pointers: Sequence[Pointer]
) -> list[Passage]:
    """Return the sentences of ``note`` that hold its ``pointers`` at ``other``; code has none."""
    passages: list[Passage] = []
    end = -1
    for pointer in pointers:
        if pointer.is_code or pointer.start < end:
            continue
        start, end = _bounds(note.text, pointer)
        inside = note.links_between(start, end)
        companions = {link.title for link in inside}.difference(other.names)
        names = sorted(
            [(link.start, link.end) for link in inside]
            + [(p.start, p.end) for p in pointers if start <= p.start < end and not p.is_link]
        )
        passages.append(
            Passage(
                before=_without(note.text, start, pointer.start, names),
                after=_without(note.text, pointer.end, end, names),
                companions=len(companions),
            )
        )
    return passages


def _bounds(text: str, pointer: Pointer) -> tuple[int, int]:
    """Return where the sentence around ``pointer`` begins and ends."""
    start = max(0, pointer.start - _REACH)
    for match in _END.finditer(text, start, pointer.start):
        start = match.end()
    ending = _END.search(text, pointer.end, pointer.end + _REACH)
    return start, ending.end() if ending else min(len(text), pointer.end + _REACH)


def _without(text: str, start: int, end: int, names: Sequence[tuple[int, int]]) -> str:
    parts: list[str] = []
    for name_start, name_end in names:
        if start <= name_start and name_end <= end:
            parts += (text[start:name_start], NAME)
            start = name_end
    parts.append(text[start:end])
    return _SPACE.sub(" ", "".join(parts))
