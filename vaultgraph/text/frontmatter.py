r"""Where Obsidian sees a note's frontmatter, and where it only seems to be.

The block opens where the text begins with exactly ``---`` and a line end, and closes at the
next line that is exactly ``---``, or at the end of the file. Anything that looks nearly so
(``----``, a blank line first, a trailing space, no closing fence) is body text to Obsidian;
see https://obsidian.md/help/properties and the rule read from the app.
"""

from __future__ import annotations

import re
from typing import NamedTuple

BOM = "\ufeff"

_NEAR_MISS = re.compile(r"\s*---")


class NoteText(NamedTuple):
    """A note's text cut at the fences; the four parts joined are the text again."""

    bom: str
    #: ``---`` with its line end, or empty where there is no frontmatter.
    opening: str
    #: The YAML between the fences.
    block: str
    #: The closing fence and everything after it; the whole text where there is no frontmatter.
    rest: str

    @property
    def has_frontmatter(self) -> bool:
        """Whether Obsidian sees a frontmatter block here."""
        return self.opening != ""

    @property
    def body_start(self) -> int:
        """The offset, in the whole text, of the first character of the body."""
        head = len(self.bom) + len(self.opening) + len(self.block)
        if not self.opening:
            return head
        newline = self.rest.find("\n")
        return head + (len(self.rest) if newline < 0 else newline + 1)

    @property
    def body(self) -> str:
        """What stands after the closing fence's line, or everything but the byte order mark."""
        if not self.opening:
            return self.rest
        newline = self.rest.find("\n")
        return "" if newline < 0 else self.rest[newline + 1 :]


def split_note(text: str) -> NoteText:
    """Return ``text`` cut at the fences Obsidian sees."""
    bom = BOM if text.startswith(BOM) else ""
    start = len(bom)
    if text.startswith("---\n", start):
        opened = start + 4
    elif text.startswith("---\r\n", start):
        opened = start + 5
    else:
        return NoteText(bom, "", "", text[start:])
    at = _find_closing(text, opened)
    if at < 0:
        return NoteText(bom, "", "", text[start:])
    return NoteText(bom, text[start:opened], text[opened:at], text[at:])


def _find_closing(text: str, opened: int) -> int:
    """Return where the first line from ``opened`` on begins that is exactly ``---``, or -1."""
    at = text.find("\n---", opened - 1)
    while at >= 0:
        after = text[at + 4 : at + 6]
        if not after or after[0] == "\n" or after == "\r\n":
            return at + 1
        at = text.find("\n---", at + 1)
    return -1


def is_near_miss(note: NoteText) -> bool:
    """Whether the text begins with something a person may take for frontmatter, and Obsidian not.

    Such a note is read as all body, and is never written: a second block on top of what its
    owner thinks is the first would hide it.
    """
    return not note.opening and _NEAR_MISS.match(note.rest) is not None
