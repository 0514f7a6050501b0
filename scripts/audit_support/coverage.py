"""How often an interval holds the true share: not simulated but summed, over every outcome."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Interval = Callable[[int, int, float], tuple[float, float] | None]


def coverage(interval: Interval, share: float, n: int, confidence: float) -> float:
    """Return the probability that the interval of a sample of ``n`` holds ``share``."""
    return sum(
        comb(n, k) * share**k * (1 - share) ** (n - k)
        for k, (low, high) in enumerate(_intervals(interval, n, confidence))
        if low <= share <= high
    )


@lru_cache(maxsize=64)
def _intervals(interval: Interval, n: int, confidence: float) -> list[tuple[float, float]]:
    return [interval(k, n, confidence) or (0.0, 1.0) for k in range(n + 1)]
