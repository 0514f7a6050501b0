"""Prose made comparable: folded, its white space collapsed, its breaks known.

Folding is NFC, case folding, NFC again: two spellings of one text fold to the same string.
"""

from __future__ import annotations

import itertools
import re
from unicodedata import category, is_normalized, normalize

_QUOTE = re.compile(r"[ \t]*>[> \t]*")
_QUOTES = re.compile(r"^[ \t]*>[> \t]*", re.MULTILINE)
_STANDS_ALONE = re.compile(r"[ \t]*(?:#{1,6}(?:[ \t]|\r?\Z)|\|)")
_BEGINS_ANEW = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)]|\[\^[^\]]*\]:)(?:[ \t]|\r?\Z)")

#: Scripts written without spaces between words, by first and last code point.
_CJK = re.compile(
    "[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c"
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30ff\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff\uff66-\uffdc"
    "\U00016ff0-\U0001b2ff\U00020000-\U000323af]"
)


def to_nfc(text: str) -> str:
    """Return ``text`` in Unicode form NFC."""
    if text.isascii() or is_normalized("NFC", text):
        return text
    return normalize("NFC", text)


def fold(text: str) -> str:
    """Return ``text`` as compared: equal for all spellings that differ in case or composition."""
    if text.isascii():
        return text.lower()
    return to_nfc(to_nfc(text).casefold())


def fold_name(name: str) -> str:
    """Return a name as it would stand in folded prose."""
    return " ".join(fold(name).split())


def unquote(text: str) -> str:
    """Return ``text`` without the quotation marks at its lines' starts."""
    return _QUOTES.sub("", text) if ">" in text else text


def reads_on(lines: list[str]) -> bool:
    """Whether a reader would read on through ``lines``: they are one paragraph or item.

    Not over a blank line, out of or into a heading or table row, into the next list item, or
    from one quotation into another.
    """
    for line, following in itertools.pairwise(lines):
        depth, text = _unquote(line)
        next_depth, next_text = _unquote(following)
        if depth != next_depth or not text.strip() or not next_text.strip():
            return False
        if _STANDS_ALONE.match(text) or _STANDS_ALONE.match(next_text):
            return False
        if _BEGINS_ANEW.match(next_text):
            return False
    return True


def _unquote(line: str) -> tuple[int, str]:
    quote = _QUOTE.match(line)
    return (quote.group().count(">"), line[quote.end() :]) if quote else (0, line)


def is_cjk(character: str) -> bool:
    """Whether a letter belongs to a script written without spaces between words."""
    return _CJK.match(character) is not None


def has_cjk(text: str) -> bool:
    """Whether ``text`` holds such a letter."""
    return not text.isascii() and _CJK.search(text) is not None


def joins_words(character: str) -> bool:
    """Whether a name next to ``character`` would be only part of a word.

    Letters, marks and digits do; ``_`` and CJK letters do not, so ``_Rate Limiter_`` and a name
    in Japanese text stand free.
    """
    if character.isascii():
        return character.isalnum()
    if category(character)[0] == "M":
        return True
    return character.isalnum() and not is_cjk(character)
