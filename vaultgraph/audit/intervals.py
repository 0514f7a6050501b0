"""Intervals of a share: k hits in n.

Three kinds, compared by Brown, Cai and DasGupta (Statistical Science 16, 2001). Wilson's is right
on average; the exact one is never too bold, and is used where a claim must not be; Jeffreys' is
what strata are put together from.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from vaultgraph.audit.beta import beta_quantile


def wilson(k: int, n: int, confidence: float) -> tuple[float, float] | None:
    """Return the score interval of k in n (Wilson, JASA 22, 1927); ``None`` where n is 0."""
    if n == 0:
        return None
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    centre = (k + z * z / 2) / (n + z * z)
    half = z * sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
    # At the ends the interval touches 0 or 1; rounding would miss it by a hair.
    return (0.0 if k == 0 else centre - half), (1.0 if k == n else centre + half)


def exact(k: int, n: int, confidence: float) -> tuple[float, float] | None:
    """Return the exact interval (Clopper and Pearson, Biometrika 26, 1934); ``None`` for n = 0."""
    if n == 0:
        return None
    # Half of what may be missed on either side.
    one_sided = (1 + confidence) / 2
    return exact_lower(k, n, one_sided), exact_upper(k, n, one_sided)


def exact_lower(k: int, n: int, confidence: float) -> float:
    """Return the one-sided exact lower bound of k in n; 0 where n is 0."""
    return 0.0 if k == 0 else beta_quantile(1 - confidence, k, n - k + 1)


def exact_upper(k: int, n: int, confidence: float) -> float:
    """Return the one-sided exact upper bound of k in n; 1 where n is 0.

    With k = 0 it is about 3/n at 95 %: the rule of three.
    """
    return 1.0 if k == n else beta_quantile(confidence, k + 1, n - k)


def jeffreys(k: int, n: int, confidence: float) -> tuple[float, float] | None:
    """Return the middle part of Beta(k + ½, n - k + ½); it touches 0 or 1 where k is 0 or n.

    ``None`` where n is 0.
    """
    if n == 0:
        return None
    tail = (1 - confidence) / 2
    low = 0.0 if k == 0 else beta_quantile(tail, k + 0.5, n - k + 0.5)
    return low, (1.0 if k == n else beta_quantile(1 - tail, k + 0.5, n - k + 0.5))
