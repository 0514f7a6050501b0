"""A slow and plain judge of mentions, and notes whose prose is known by the way they are made.

Nothing here uses our own parsing: a note is put together from prose and from stretches that are
not, and every name is tried at every place of the prose.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_CJK_NAMES = ("CJK UNIFIED", "HIRAGANA LETTER", "KATAKANA LETTER", "HANGUL SYLLABLE")


def same(text: str) -> str:
    """Return the one form of all spellings that count as the same."""
    composed = unicodedata.normalize("NFC", text)
    folded = unicodedata.normalize("NFC", composed.casefold())
    return re.sub(r"\s+", " ", folded)


def is_cjk(character: str) -> bool:
    return unicodedata.name(character, "").startswith(_CJK_NAMES)


def carries_on(outside: str, edge: str) -> bool:
    """Whether a word goes on from ``edge``, a name's first or last character, to ``outside``."""
    kind = unicodedata.category(outside)[0]
    if kind == "M":
        return True
    return kind in "LN" and not is_cjk(outside) and not is_cjk(edge)


@dataclass
class Sheet:
    """A note in the making: its text, and its prose, each stretch of it with line numbers."""

    text: str = ""
    stretches: list[list[tuple[str, int]]] = field(default_factory=lambda: [[]])

    def add_prose(self, text: str, before_lines: str = "") -> None:
        """Add prose; every line after the first is written behind ``before_lines``."""
        for character in text:
            line = self.text.count("\n") + 1
            self.stretches[-1].append((character, line))
            self.text += character
            if character == "\n":
                self.text += before_lines

    def add_other(self, text: str) -> None:
        """Add what is no prose: nobody reads on over it."""
        self.stretches.append([])
        self.text += text


def naive_mentions(names: Sequence[str], sheet: Sheet) -> list[tuple[str, int]]:
    """Return every name that stands in the prose of ``sheet``, and the line it begins in."""
    found: list[tuple[str, int]] = []
    for stretch in sheet.stretches:
        found += _in_stretch(names, _composed(stretch))
    return found


def _composed(stretch: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    by_line: dict[int, str] = {}
    for character, line in stretch:
        by_line[line] = by_line.get(line, "") + character
    return [
        (character, line)
        for line, text in by_line.items()
        for character in unicodedata.normalize("NFC", text)
    ]


def _in_stretch(names: Sequence[str], stretch: list[tuple[str, int]]) -> list[tuple[str, int]]:
    text = "".join(character for character, _ in stretch)
    places: list[tuple[int, int, int, str]] = []
    for start in range(len(text)):
        for name in names:
            end = _end_of(same(name), text, start)
            if end is not None:
                places.append((-len(same(name)), start, end, name))
    taken: set[int] = set()
    kept: list[tuple[int, str]] = []
    # The longest name wins wherever names overlap; of two that are equally long, the earlier.
    for _, start, end, name in sorted(places):
        if taken.isdisjoint(range(start, end)):
            taken.update(range(start, end))
            kept.append((start, name))
    return [(name, stretch[start][1]) for start, name in sorted(kept)]


def _end_of(wanted: str, text: str, start: int) -> int | None:
    """Return where ``wanted`` ends if it stands at ``start`` as whole words, else ``None``."""
    if text[start].isspace() or (start > 0 and carries_on(text[start - 1], text[start])):
        return None
    for end in range(start + 1, min(len(text), start + 3 * len(wanted) + 8) + 1):
        if text[end - 1].isspace():
            continue
        if same(text[start:end]) == wanted:
            if end < len(text) and carries_on(text[end], text[end - 1]):
                return None
            return end
    return None
