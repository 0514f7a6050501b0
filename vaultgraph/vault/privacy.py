"""Masks private notes' names wherever another note's text or an unresolved link is shown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultgraph.text.prose import fold, to_nfc

if TYPE_CHECKING:
    from collections.abc import Iterable

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
        words = (r"\s+".join(map(re.escape, name.split(" "))) for name in names)
        self._pattern = re.compile(f"(?<!\\w)(?:{'|'.join(words)})(?!\\w)", re.IGNORECASE)

    def mask(self, text: str) -> str:
        """Return ``text`` with every private name, and every link that holds one, masked."""
        if not self._names:
            return text
        text = to_nfc(text)
        folded = fold(text)
        if not any(name in folded for name in self._names):
            return text
        text = _LINK.sub(lambda link: MASK if self._holds(link.group()) else link.group(), text)
        text = self._pattern.sub(MASK, text)
        return MASK if self._holds(text.replace(MASK, "")) else text

    def _holds(self, text: str) -> bool:
        """Whether a private name stands in ``text`` as no part of a longer word."""
        folded = " ".join(fold(text).split())
        return any(
            re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", folded) is not None
            for name in self._names
            if name in folded
        )
