"""Where one note points at another: its links to it, and its names in running text."""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.text.prose import goes_on

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from vaultgraph.judge.embedded.profile import NoteProfile


#: More say nothing more, and a hostile note may hold a hundred thousand.
_MOST = 300


class Pointer(NamedTuple):
    """A place in a note's visible text that points at the other note of the pair."""

    start: int
    end: int
    is_link: bool
    #: A number such as ``EIP-20`` in code; it has no sentence.
    is_code: bool = False


def find_pointers(
    note: NoteProfile, other: NoteProfile, lines: Collection[int] | None
) -> list[Pointer]:
    """Return where ``note`` points at ``other``, in order.

    Code counts only where nothing else does, and only for numbers such as ``RFC 2119``.
    ``lines`` are those on which a scan found links to and names of ``other``, or ``None`` where
    nobody has looked. They decide between notes of one title, and stand for what the names
    cannot find, such as a link to a title with its date.
    """
    places = [
        Pointer(link.start, link.end, is_link=True)
        for name in dict.fromkeys(other.names)
        for link in note.links_to.get(name, ())[:_MOST]
    ]
    for wording, is_scanned in other.wordings:
        for start, end in _find(note.flat, wording):
            if not note.is_in_link(start, end) and not _overlaps(places, start, end):
                places.append(Pointer(start, end, is_link=False))
        if is_scanned and lines is not None:
            places = [p for p in places if p.is_link or _is_on(note, p, wording, lines)]
    if lines is not None:
        places = _as_scanned(note, places, lines)
    return sorted(places or _in_code(note, other))


def _as_scanned(note: NoteProfile, places: list[Pointer], lines: Collection[int]) -> list[Pointer]:
    """Return the places that agree with a scan, and those that it alone has found."""
    # Sorting the lines keeps the result free of their order.
    places = [place for place in places if not place.is_link or _line(note, place) in lines]
    return [*places, *_further(note, places, sorted(lines))]


def _find(flat: str, wording: str) -> Iterator[tuple[int, int]]:
    """Yield where ``wording`` stands as no part of a longer word."""
    start, size, left = flat.find(wording), len(flat), _MOST
    while start >= 0 and left > 0:
        left -= 1
        end = start + len(wording)
        begins_free = start == 0 or not goes_on(flat[start - 1], flat[start])
        if begins_free and (end == size or not goes_on(flat[end], flat[end - 1])):
            yield start, end
        start = flat.find(wording, end)


def _in_code(note: NoteProfile, other: NoteProfile) -> Iterator[Pointer]:
    """Yield where code holds a number of ``other``: at the start of its line."""
    for wording, is_scanned in other.wordings:
        if is_scanned:
            continue
        for start, _ in _find(note.code, wording):
            line = bisect_right(note.code_lines, start, key=itemgetter(0)) - 1
            place = note.code_lines[line][1]
            yield Pointer(place, place, is_link=False, is_code=True)


def _overlaps(places: list[Pointer], start: int, end: int) -> bool:
    return any(place.start < end and place.end > start for place in places)


def _line(note: NoteProfile, place: Pointer) -> int:
    return note.text.count("\n", 0, place.start) + 1


def _is_on(note: NoteProfile, place: Pointer, wording: str, lines: Collection[int]) -> bool:
    """Whether a place that a scan would have found was found; other wordings always count."""
    is_wording = note.flat[place.start : place.end] == wording
    return not is_wording or _line(note, place) in lines


def _further(note: NoteProfile, places: list[Pointer], lines: list[int]) -> Iterator[Pointer]:
    """Yield one pointer for each line that points in a way the names do not show."""
    shown = {_line(note, place) for place in places}
    missing = [line for line in lines if line not in shown]
    if not missing:
        return
    starts = [0, *(at + 1 for at, character in enumerate(note.text) if character == "\n")]
    for line in missing:
        if 1 <= line <= len(starts):
            start = starts[line - 1]
            end = starts[line] - 1 if line < len(starts) else len(note.text)
            links = note.links_between(start, end + 1)
            if links:
                yield Pointer(links[0].start, links[0].end, is_link=True)
            elif start < end:
                yield Pointer(start, start, is_link=False)
