"""How many units to draw for what one wants to be able to say."""

from __future__ import annotations

from math import ceil, log

from vaultgraph.audit.intervals import exact_upper, wilson


def width_of(share: float, n: int, confidence: float) -> float:
    """Return how wide the interval will be if ``share`` of n are hits, as near as n allows."""
    low, high = wilson(round(share * n), n, confidence) or (0.0, 1.0)
    return high - low


def size_for_width(width: float, confidence: float, share: float = 0.5) -> int:
    """Return an n whose interval near ``share`` is at most ``width`` wide, and with n - 1 wider.

    Hits come in whole numbers, so now and then a smaller n would do as well.
    """
    n = 1
    while width_of(share, n, confidence) > width:
        n += max(1, n // 50)
    while n > 1 and width_of(share, n - 1, confidence) <= width:
        n -= 1
    return n


def size_for_bound(bound: float, confidence: float) -> int:
    """Return the smallest n that without a hit bounds a share by ``bound``."""
    # 1 - (1 - confidence)^(1/n) <= bound, solved for n; the bound itself settles a tie.
    n = max(1, ceil(log(1 - confidence) / log(1 - bound)) - 1)
    while exact_upper(0, n, confidence) > bound:
        n += 1
    return n
