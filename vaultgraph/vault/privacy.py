"""Masks private notes' names wherever another note's text or an unresolved link is shown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultgraph.text.prose import fold, goes_on, to_nfc

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MASK = "[private]"
_LINK = re.compile(r"!?\[\[[^\[\]\n]*\]\]|!?\[[^\]\n]*\]\([^)\n]*\)")


class Masker:
    """Masks a fixed list of folded names, whole stretches at a time.

    It fails closed: where a name is still there after masking, in whatever spelling, the whole
    text is masked.
    """

    def __init__(self, folded_names: Iterable[str]) -> None:
        names = sorted((name for name in folded_names if name), key=len, reverse=True)
        self._names = names
        #: The most words, and so the most lines, that one of the names takes up.
        self.most_words = max((name.count(" ") + 1 for name in names), default=0)
        words = (r"\s+".join(map(re.escape, name.split(" "))) for name in names)
        self._pattern = re.compile("|".join(words), re.IGNORECASE)

    def mask(self, text: str) -> str:
        """Return ``text`` with every private name, and every link that holds one, masked.

        Of a name broken over lines each line is masked, so that lines keep their numbers unless
        all of the text is masked.
        """
        if not self._names:
            return text
        nfc = to_nfc(text)
        if not self._holds(nfc):
            return text
        shown = _LINK.sub(lambda link: MASK if self._holds(link.group()) else link.group(), nfc)
        # A note may be called "private": what is masked is not looked at again.
        shown = MASK.join(self._pattern.sub(_mask_word, part) for part in shown.split(MASK))
        return MASK if self._holds(shown.replace(MASK, " ")) else shown

    def _holds(self, text: str) -> bool:
        """Whether a private name stands in ``text``, perhaps percent-encoded."""
        if self._stands_in(text):
            return True
        return "%" in text and self._stands_in(to_nfc(_decoded(text)))

    def _stands_in(self, text: str) -> bool:
        folded = " ".join(fold(text).split())
        return any(
            not _is_part_of_a_word(folded, at, at + len(name))
            for name in self._names
            for at in _places(name, folded)
        )


def _places(name: str, folded: str) -> Iterator[int]:
    at = folded.find(name)
    while at >= 0:
        yield at
        at = folded.find(name, at + 1)


def _is_part_of_a_word(text: str, start: int, end: int) -> bool:
    return (start > 0 and goes_on(text[start - 1], text[start])) or (
        end < len(text) and goes_on(text[end], text[end - 1])
    )


def _mask_word(found: re.Match[str]) -> str:
    if _is_part_of_a_word(found.string, *found.span()):
        return found.group()
    return "\n".join([MASK] * (found.group().count("\n") + 1))


def _decoded(text: str) -> str:
    from urllib.parse import unquote  # noqa: PLC0415 - 4 ms, and few texts need it

    return unquote(text)
