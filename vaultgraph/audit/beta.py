"""The beta distribution: its cumulative share, and what share lies below a point."""

from __future__ import annotations

from math import exp, lgamma, log, log1p

#: More than any sample here needs; the fraction converges in about the root of the larger one.
_MOST_TERMS = 10_000
_TINY = 1e-300
_EXACT = 1e-15


def beta_share(x: float, a: float, b: float) -> float:
    """Return the share of Beta(a, b) below ``x``: the regularised incomplete beta function.

    By its continued fraction (DLMF 8.17.22), evaluated as Lentz does; good to about 1e-13.
    """
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    # The fraction converges fast on this side of the mean; the other is its mirror image.
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_share(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    return front / _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """Return 1 + d1/(1 + d2/(1 + …)) with the d of DLMF 8.17.23."""
    value, above, below = 1.0, 1.0, 0.0
    for term in range(1, _MOST_TERMS):
        m, is_odd = divmod(term, 2)
        top = -(a + m) * (a + b + m) * x if is_odd else m * (b - m) * x
        step = top / ((a + 2 * m) * (a + 2 * m + (1 if is_odd else -1)))
        below = 1 / ((1 + step * below) or _TINY)
        above = (1 + step / above) or _TINY
        value *= above * below
        if abs(above * below - 1) < _EXACT:
            break
    return value


def beta_quantile(share: float, a: float, b: float) -> float:
    """Return the point below which ``share`` of Beta(a, b) lies, by halving."""
    low, high = 0.0, 1.0
    while True:
        middle = (low + high) / 2
        if middle in (low, high) or high - low < _EXACT * high:
            return middle
        low, high = (middle, high) if beta_share(middle, a, b) < share else (low, middle)
