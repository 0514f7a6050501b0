"""The sections of a note's body, so that it can be said later which of them changed.

A section is a heading (``#`` to ``######``, as in CommonMark 4.2) and what stands below it up to
the next heading of any level; what stands before the first heading is one, too. The ledger keeps
hashes of them and never text, so that it may be synced: a section that is gone has no name.
"""

from __future__ import annotations

import re
from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: (hash of the heading, hash of the section's text) of each section, in order.
SectionHashes = tuple[tuple[str, str], ...]

#: What stands for the sections that have no heading to be named by.
BEGINNING, GONE = "(before the first heading)", "(a section that is gone)"

#: In place of a heading's hash.
_NO_HEADING = ""

_HEADING = re.compile(r" {0,3}#{1,6}(?=[ \t]|\Z)")
_OPENS = re.compile(r" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})")
_CLOSES = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*\Z")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
#: Of a SHA-256, in hexadecimal: sections are told apart within one note only.
_DIGITS = 12


def hash_sections(body: str) -> SectionHashes:
    """Return the hashes of a body's sections; headings that are alike are counted."""
    return tuple((key, digest) for _, key, digest in _sections(body))


def changed_sections(was: Sequence[tuple[str, str]], body: str) -> tuple[str, ...]:
    """Return the headings of the sections that were changed or added since, in their order.

    After them comes ``GONE`` where a section of then is not there any more. Empty where there
    was no heading and is none: then there are no sections to be told apart.
    """
    before = dict(was)
    now = list(_sections(body))
    if {*before, *(key for _, key, _ in now)} <= {_NO_HEADING}:
        return ()
    changed = [heading for heading, key, digest in now if before.get(key) != digest]
    gone = before.keys() - {key for _, key, _ in now}
    return (*changed, *([GONE] if gone else []))


def _sections(body: str) -> Iterator[tuple[str, str, str]]:
    """Yield (heading, its hash, hash of the text) of each section."""
    met: Counter[str] = Counter()
    for heading, text in _cut(body):
        if heading is None and not text.strip():
            continue
        key = _NO_HEADING if heading is None else _short(f"{met[heading]}\n{heading}")
        if heading is not None:
            met[heading] += 1
        yield BEGINNING if heading is None else heading, key, _short(text)


def _cut(body: str) -> Iterator[tuple[str | None, str]]:
    """Yield (heading, text below it), the first without a heading; none begins in fenced code."""
    heading: str | None = None
    lines: list[str] = []
    fence = ""
    for line in _LINE.findall(body):
        bare = line.rstrip("\r\n")
        if fence:
            closes = _CLOSES.match(bare)
            fence = "" if closes and closes[1].startswith(fence) else fence
        elif found := _HEADING.match(bare):
            yield heading, "".join(lines)
            heading, lines = _heading_text(bare[found.end() :]), []
            continue
        elif found := _OPENS.match(bare):
            fence = found[1]
        lines.append(line)
    yield heading, "".join(lines)


def _heading_text(rest: str) -> str:
    """Return a heading without the marks that may close it."""
    text = rest.strip(" \t")
    without = text.rstrip("#")
    return without.rstrip(" \t") if without[-1:] in {"", " ", "\t"} else text


def _short(text: str) -> str:
    return sha256(text.encode(errors="surrogatepass")).hexdigest()[:_DIGITS]
