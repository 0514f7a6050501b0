"""What is shown of a long note: its head, and windows around the lines that name the other.

Cut at paragraphs; a paragraph too long for its share is cut at words. Sizes are in bytes of
UTF-8, as servers' budgets are in tokens and a token is about 3.5 bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

#: Stands where paragraphs were left out; a cut inside one is marked by its last character alone.
GAP = "[…]"
_CUT = "…"
_BETWEEN = "\n\n"
#: What a paragraph costs beside its own bytes: the break before it, and a gap.
_OVERHEAD = len(f"{_BETWEEN}{GAP}{_BETWEEN}".encode())
#: A piece shorter than this says nothing.
_SHORTEST_PIECE = 60
#: How far from a cut a space is looked for.
_SNAP = 40


class Paragraph(NamedTuple):
    """Lines without a blank one between them."""

    #: 1-based, within the body.
    first_line: int
    text: str


def size(text: str) -> int:
    """Return how many bytes of UTF-8 a text takes."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def split_paragraphs(body: str) -> list[Paragraph]:
    """Return the paragraphs of ``body``, cut at blank lines."""
    paragraphs: list[Paragraph] = []
    lines: list[str] = []
    for number, line in enumerate([*body.split("\n"), ""], start=1):
        if line and not line.isspace():
            lines.append(line.rstrip())
        elif lines:
            paragraphs.append(Paragraph(number - len(lines), "\n".join(lines)))
            lines = []
    return paragraphs


def join_excerpt(texts: Sequence[str], marked: Mapping[int, int], limit: int) -> str:
    """Return paragraphs within ``limit`` bytes: all where they fit, else the best of them.

    ``marked`` maps the paragraphs that name the other note, by number, to the offset in them
    where they do.
    """
    whole = _BETWEEN.join(texts)
    if size(whole) <= limit:
        return whole
    if limit < size(GAP):
        return ""
    chosen = _choose(texts, marked, limit)
    out: list[str] = []
    following = 0
    for number in sorted(chosen):
        if number > following:
            out.append(GAP)
        out.append(chosen[number])
        following = number + 1
    if following < len(texts):
        out.append(GAP)
    return _BETWEEN.join(out)


def _choose(texts: Sequence[str], marked: Mapping[int, int], limit: int) -> dict[int, str]:
    chosen: dict[int, str] = {}
    room = limit - _OVERHEAD
    for number, most in _by_worth(len(texts), marked, room):
        if number in chosen:
            continue
        share = min(room - _OVERHEAD, most)
        if share < min(_SHORTEST_PIECE, size(texts[number])):
            continue
        piece = cut_around(texts[number], marked.get(number, 0), share)
        chosen[number] = piece
        room -= size(piece) + _OVERHEAD
        if room < _SHORTEST_PIECE:
            break
    return chosen


def _by_worth(count: int, marked: Mapping[int, int], room: int) -> Iterator[tuple[int, int]]:
    """Yield (paragraph, most bytes it may take), the best first."""
    head = room // 3 if marked else room
    yield 0, head
    share = max(room // 4, (room - head) // max(1, len(marked)))
    for number in sorted(marked):
        yield number, share
    for distance in (1, 2):
        for number in sorted(marked):
            for near in (number - distance, number + distance):
                if 0 <= near < count:
                    yield near, room // 4
    for number in range(count):
        yield number, room


def cut_around(text: str, focus: int, limit: int) -> str:
    """Return the stretch of ``text`` about the character at ``focus``, within ``limit`` bytes."""
    data = text.encode("utf-8", "replace")
    if len(data) <= limit:
        return text
    room = max(0, limit - 2 * size(_CUT))
    middle = len(text[:focus].encode("utf-8", "replace"))
    start = min(max(0, middle - room // 2), len(data) - room)
    end = start + room
    piece = data[start:end].decode("utf-8", "ignore")
    if start > 0:
        piece = _from_word(piece)
    if end < len(data):
        piece = _from_word(piece[::-1])[::-1]
    return f"{_CUT if start else ''}{piece.strip()}{_CUT if end < len(data) else ''}"


def _from_word(piece: str) -> str:
    """Return ``piece`` from its first space on, if one is near; some scripts have none."""
    for at, character in enumerate(piece[:_SNAP]):
        if character.isspace():
            return piece[at:]
    return piece
