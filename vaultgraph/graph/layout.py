"""Where each note of a picture stands: layers from left to right, no two boxes over each other.

A dependent stands left of what it rests on. Notes that hang together are laid out as Sugiyama,
Tagawa and Toda do (1981): layers by the longest chain, crossings lessened by ordering each layer
by its neighbours' middle, then heights as near to the neighbours as the order allows. Parts that
do not hang together are set in rows, the largest first.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from math import ceil, sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from vaultgraph.domain.notes import NoteId

_SWEEPS = 8
#: A layer with more notes than this, and than its part's share, is set in several columns.
_TALLEST = 12
#: How wide all parts together are, by their height.
_ASPECT = 1.5


class Spacing(NamedTuple):
    """How large boxes are, and how far apart, in whole pixels."""

    width: int
    across: int
    down: int
    #: Between two parts that do not hang together.
    between: int


class _Part(NamedTuple):
    places: dict[NoteId, tuple[int, int]]
    width: int
    height: int


def lay_out(
    heights: Mapping[NoteId, int], arrows: Iterable[tuple[NoteId, NoteId]], spacing: Spacing
) -> dict[NoteId, tuple[int, int]]:
    """Return the left upper corner of each note's box.

    ``heights`` has every note; an arrow goes from a note to one that stands right of it. The
    same notes and arrows give the same places, in whatever order they come.
    """
    ahead: dict[NoteId, list[NoteId]] = {note: [] for note in sorted(heights)}
    beside: dict[NoteId, list[NoteId]] = {note: [] for note in ahead}
    for left, right in sorted(set(arrows)):
        if left != right:
            ahead[left].append(right)
            beside[left].append(right)
            beside[right].append(left)
    parts = [
        _lay_out_part(part, ahead, beside, heights, spacing)
        for part in _parts(list(ahead), beside)
    ]
    return _in_rows(parts, spacing)


def _parts(
    notes: Sequence[NoteId], beside: Mapping[NoteId, Sequence[NoteId]]
) -> list[list[NoteId]]:
    """Return the notes that hang together, sorted, each part sorted."""
    seen: set[NoteId] = set()
    parts: list[list[NoteId]] = []
    for start in notes:
        if start in seen:
            continue
        seen.add(start)
        part = [start]
        for note in part:  # grows as it is walked
            fresh = [other for other in beside[note] if other not in seen]
            seen.update(fresh)
            part += dict.fromkeys(fresh)
        parts.append(sorted(part))
    return sorted(parts, key=lambda part: (-len(part), part))


def layers_of(
    notes: Sequence[NoteId], ahead: Mapping[NoteId, Sequence[NoteId]]
) -> dict[NoteId, int]:
    """Return how many steps each note's longest chain takes; arrows that close a ring count not.

    Depth first and without recursion, since a chain may be as long as a vault is large.
    """
    layer: dict[NoteId, int] = {}
    on_path: set[NoteId] = set()
    for start in notes:
        stack = [start]
        while stack:
            note = stack[-1]
            if note in layer:
                stack.pop()
                continue
            on_path.add(note)
            waiting = [n for n in ahead[note] if n not in layer and n not in on_path]
            if waiting:
                stack.append(waiting[0])
                continue
            layer[note] = max((layer[n] + 1 for n in ahead[note] if n in layer), default=0)
            on_path.discard(note)
            stack.pop()
    return layer


def _lay_out_part(
    notes: list[NoteId],
    ahead: Mapping[NoteId, Sequence[NoteId]],
    beside: Mapping[NoteId, Sequence[NoteId]],
    heights: Mapping[NoteId, int],
    spacing: Spacing,
) -> _Part:
    columns = _columns(notes, layers_of(notes, ahead), beside)
    tops = _tops(columns, beside, heights, spacing.down)
    least = min(tops.values())
    step = spacing.width + spacing.across
    places = {
        note: (number * step, round(tops[note] - least))
        for number, column in enumerate(columns)
        for note in column
    }
    height = max(y + heights[note] for note, (_, y) in places.items())
    return _Part(places, len(columns) * step - spacing.across, height)


def _columns(
    notes: list[NoteId], layer: Mapping[NoteId, int], beside: Mapping[NoteId, Sequence[NoteId]]
) -> list[list[NoteId]]:
    """Return the notes by column, left to right, each from top to bottom."""
    by_layer: defaultdict[int, list[NoteId]] = defaultdict(list)
    for note in notes:
        by_layer[layer[note]].append(note)
    layers = [by_layer[number] for number in sorted(by_layer, reverse=True)]
    place: dict[NoteId, float] = {}

    def set_places(column: list[NoteId]) -> None:
        # The middle of each layer is 0, whatever the number of its notes.
        place.update((note, at - (len(column) - 1) / 2) for at, note in enumerate(column))

    for column in layers:
        set_places(column)
    for sweep in range(_SWEEPS):
        for column in layers if sweep % 2 else reversed(layers):
            means = {note: _mean([place[n] for n in beside[note]], place[note]) for note in column}
            column.sort(key=lambda note: (means[note], note))
            set_places(column)
    tallest = max(_TALLEST, ceil(1.5 * sqrt(len(notes))))
    return [part for column in layers for part in _split(column, tallest)]


def _split(column: list[NoteId], tallest: int) -> list[list[NoteId]]:
    """Return a layer as columns of nearly equal length, read across."""
    count = ceil(len(column) / tallest)
    return [column[number::count] for number in range(count)]


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _tops(
    columns: list[list[NoteId]],
    beside: Mapping[NoteId, Sequence[NoteId]],
    heights: Mapping[NoteId, int],
    gap: int,
) -> dict[NoteId, float]:
    """Return the upper edge of each box: near its neighbours, in order, ``gap`` apart at least."""
    middle: dict[NoteId, float] = {}
    for column in columns:
        total = sum(heights[note] + gap for note in column) - gap
        at = -total / 2
        for note in column:
            middle[note] = at + heights[note] / 2
            at += heights[note] + gap
    for sweep in range(_SWEEPS):
        for column in columns if sweep % 2 else reversed(columns):
            wanted = [_mean([middle[n] for n in beside[note]], middle[note]) for note in column]
            offsets = [0.0]
            for above, below in itertools.pairwise(column):
                offsets.append(offsets[-1] + (heights[above] + heights[below]) / 2 + gap)
            starts = isotonic([want - off for want, off in zip(wanted, offsets, strict=True)])
            for note, start, offset in zip(column, starts, offsets, strict=True):
                middle[note] = start + offset
    return {note: at - heights[note] / 2 for note, at in middle.items()}


def isotonic(values: Sequence[float]) -> list[float]:
    """Return the never-falling numbers nearest to ``values`` in squares.

    Pool adjacent violators: Ayer et al., 1955.
    """
    pools: list[tuple[float, int]] = []
    for value in values:
        mean, count = value, 1
        while pools and pools[-1][0] > mean:
            before, size = pools.pop()
            mean = (before * size + mean * count) / (size + count)
            count += size
        pools.append((mean, count))
    return [mean for mean, count in pools for _ in range(count)]


def _in_rows(parts: list[_Part], spacing: Spacing) -> dict[NoteId, tuple[int, int]]:
    """Return every note's place, the parts set in rows."""
    gap = spacing.between
    area = sum((part.width + gap) * (part.height + gap) for part in parts)
    limit = max([round(sqrt(area * _ASPECT)), *(part.width for part in parts)])
    places: dict[NoteId, tuple[int, int]] = {}
    left = top = row_height = 0
    for part in sorted(parts, key=lambda part: (-part.height, min(part.places))):
        if left and left + part.width > limit:
            left, top, row_height = 0, top + row_height + gap, 0
        places |= {note: (x + left, y + top) for note, (x, y) in part.places.items()}
        left += part.width + gap
        row_height = max(row_height, part.height)
    return places
