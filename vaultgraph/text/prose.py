"""Prose made comparable: folded, its white space collapsed, its breaks known.

Folding is NFC, case folding, NFC again: two spellings of one text fold to the same string.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from unicodedata import category, is_normalized, normalize

_QUOTE = re.compile(r"[ \t]*>[> \t]*")
_QUOTES = re.compile(r"^[ \t]*>[> \t]*", re.MULTILINE)
_STANDS_ALONE = re.compile(r"[ \t]*(?:#{1,6}(?:[ \t]|\r?\Z)|\|)")
_BEGINS_ANEW = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)]|\[\^[^\]]*\]:)(?:[ \t]|\r?\Z)")


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
    for line, following in pairwise(lines):
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


@cache
def _cjk() -> re.Pattern[str]:
    """Return what matches a letter of the scripts written without spaces between words."""
    # Made when first needed: it takes five milliseconds, and most notes are ASCII.
    return re.compile(
        "[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c"
        "\u3041-\u3096\u309d-\u309f\u30a1-\u30ff\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff"
        "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff\uff66-\uffdc"
        "\U00016ff0-\U0001b2ff\U00020000-\U000323af]"
    )


def is_cjk(character: str) -> bool:
    """Whether a letter belongs to a script written without spaces between words."""
    return _cjk().match(character) is not None


def has_cjk(text: str) -> bool:
    """Whether ``text`` holds such a letter."""
    return not text.isascii() and _cjk().search(text) is not None


def goes_on(outside: str, edge: str) -> bool:
    """Whether a word goes on over the edge of a name, from its last character to the next one.

    It does where the character outside is a letter, mark or digit. ``_`` and CJK letters are none
    of these, so ``_Rate Limiter_`` and a name in Japanese text stand free; and a name that begins
    or ends with a CJK letter stands free beside Latin letters as well, since people write
    ``obsidian双链笔记`` without a space. A mark always belongs to the letter before it.
    """
    if outside.isascii():
        return outside.isalnum() and (edge.isascii() or not is_cjk(edge))
    if category(outside)[0] == "M":
        return True
    return outside.isalnum() and not is_cjk(outside) and not is_cjk(edge)
