"""The draw of unordered pairs of notes that are no candidates, without listing them.

There are over a billion such pairs in a vault of 50,000 notes. For the counter 0, 1, 2 … the
digest SHA-256(seed, newline, counter in decimal) is read as four 64-bit numbers, big-endian. The
first two make a pair of notes, the last two another: a number stands for the note at that number
modulo N in the sorted list. Numbers at or above the largest multiple of N are rejected, since
they would favour the first notes; with a rejected number its pair is. What is left are ordered
pairs, each as likely as any other, and every unordered one stands for two of them. A note beside
itself, a candidate and a pair that was drawn already are passed over.
"""

from __future__ import annotations

from hashlib import sha256
from itertools import count, islice
from struct import unpack
from typing import TYPE_CHECKING

from vaultgraph.audit.units import UnitId, pair_unit
from vaultgraph.domain.notes import NoteId

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_RANGE = 1 << 64


def iter_pairs(seed: str, notes: int) -> Iterator[tuple[int, int]]:
    """Yield unordered pairs of numbers below ``notes``, uniform and with repeats, for ever."""
    limit = _RANGE - _RANGE % notes
    for counter in count():
        digest = sha256(f"{seed}\n{counter}".encode("utf-8", "surrogatepass")).digest()
        one, other, third, fourth = unpack(">4Q", digest)
        for a, b in ((one, other), (third, fourth)):
            if a < limit and b < limit and a % notes != b % notes:
                first, second = sorted((a % notes, b % notes))
                yield first, second


def count_others(notes: int, candidates: int) -> int:
    """Return how many unordered pairs of ``notes`` notes are no candidates."""
    return notes * (notes - 1) // 2 - candidates


def draw_pairs(
    seed: str, notes: Sequence[UnitId], candidates: Collection[UnitId], size: int
) -> tuple[UnitId, ...]:
    """Return ``size`` different pairs that are no candidates, in the order they are drawn.

    ``notes`` is sorted. Memory grows with ``size`` alone.

    Raises:
        ValueError: there are not so many.
    """
    if size > count_others(len(notes), len(candidates)):
        raise ValueError(f"there are no {size} pairs to draw")
    drawn: dict[UnitId, None] = {}
    pairs = (
        pair_unit(NoteId(notes[first]), NoteId(notes[second]))
        for first, second in (iter_pairs(seed, len(notes)) if size else ())
    )
    fresh = (pair for pair in pairs if pair not in candidates and pair not in drawn)
    for pair in islice(fresh, size):
        drawn[pair] = None
    return tuple(drawn)
