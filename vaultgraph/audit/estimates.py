"""What a sample says about its population: never a number without interval, n and population."""

from __future__ import annotations

import random  # noqa: TID251 - seeded from the registration
from dataclasses import dataclass
from hashlib import sha256
from math import ceil, comb, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: Draws from the posterior, and resamples of a bootstrap.
_DRAWS = 20_000
_RESAMPLES = 2_000


class Counted(NamedTuple):
    """One stratum as it was labelled."""

    name: str
    #: Units it has, units that count, and those of them that are a hit.
    units: int
    n: int
    k: int
    #: Whether every unit of it was labelled: then nothing is left to guess.
    is_census: bool


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number that never stands alone."""

    what: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    #: Units that it speaks about.
    population: int
    confidence: float
    method: str


def wilson(k: int, n: int, confidence: float) -> tuple[float, float] | None:
    """Return the score interval of k in n (Wilson, JASA 22, 1927); ``None`` where n is 0."""
    if n == 0:
        return None
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    centre = (k + z * z / 2) / (n + z * z)
    half = z * sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
    # At the ends the interval touches 0 or 1; rounding would miss it by a hair.
    return (0.0 if k == 0 else centre - half), (1.0 if k == n else centre + half)


def exact_upper(k: int, n: int, confidence: float) -> float:
    """Return the one-sided exact upper bound of k in n (Clopper and Pearson, Biometrika 26, 1934).

    With k = 0 it is about 3/n at 95 %: the rule of three.
    """
    if k >= n:
        return 1.0
    if k == 0:
        return float(1 - (1 - confidence) ** (1 / n))
    low, high = k / n, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        tail = sum(comb(n, i) * middle**i * (1 - middle) ** (n - i) for i in range(k + 1))
        low, high = (middle, high) if tail > 1 - confidence else (low, middle)
    return high


def size_for_width(width: float, confidence: float, share: float = 0.5) -> int:
    """Return the smallest n whose interval is at most ``width`` wide at a share near ``share``."""
    n = 1
    while _width(share, n, confidence) > width:
        n += max(1, n // 50)
    while n > 1 and _width(share, n - 1, confidence) <= width:
        n -= 1
    return n


def _width(share: float, n: int, confidence: float) -> float:
    low, high = wilson(round(share * n), n, confidence) or (0.0, 1.0)
    return high - low


def size_for_bound(bound: float, confidence: float) -> int:
    """Return the smallest n that without a hit bounds a share below ``bound``."""
    n = max(1, ceil(1 / bound))
    while exact_upper(0, n, confidence) > bound:
        n += 1
    return n


def estimate_share(what: str, strata: Sequence[Counted], confidence: float, seed: str) -> Estimate:
    """Return the share of hits over all strata, each weighted by the units it has."""
    population = sum(stratum.units for stratum in strata)
    n = sum(stratum.n for stratum in strata)
    sampled = [stratum for stratum in strata if stratum.units]
    if any(stratum.n == 0 for stratum in sampled) or not sampled:
        return Estimate(what, None, None, None, n, population, confidence, "nothing counted")
    weights = [stratum.units / population for stratum in sampled]
    value = sum(w * s.k / s.n for w, s in zip(weights, sampled, strict=True))
    if all(stratum.is_census for stratum in sampled):
        return Estimate(what, value, value, value, n, population, confidence, "census")
    if len(sampled) == 1:
        low, high = wilson(sampled[0].k, n, confidence) or (0.0, 1.0)
        return Estimate(what, value, low, high, n, population, confidence, "Wilson score")

    def share(ps: list[float]) -> float:
        return sum(w * p for w, p in zip(weights, ps, strict=True))

    low, high = _interval(sampled, share, confidence, seed)
    return Estimate(what, value, low, high, n, population, confidence, "Jeffreys, stratified")


def estimate_recall(strata: Sequence[Counted], confidence: float, seed: str) -> Estimate:
    """Return which part of all hits the first stratum holds.

    A stratum without a hit still adds what its posterior allows for, so the interval never says
    that nothing was missed unless everything was looked at.
    """
    population = sum(stratum.units for stratum in strata)
    n = sum(stratum.n for stratum in strata)
    sampled = [stratum for stratum in strata if stratum.units]
    what, none = "recall", (None, None, None)
    if not sampled or any(stratum.n == 0 for stratum in sampled):
        return Estimate(what, *none, n, population, confidence, "nothing counted")
    kept = sampled[0] is strata[0]

    def recall(ps: list[float]) -> float:
        hits = [s.units * p for s, p in zip(sampled, ps, strict=True)]
        return hits[0] / sum(hits) if kept and any(hits) else 0.0

    shares = [stratum.k / stratum.n for stratum in sampled]
    if not any(shares):
        return Estimate(what, *none, n, population, confidence, "no hit found")
    value = recall(shares)
    if all(stratum.is_census for stratum in sampled):
        return Estimate(what, value, value, value, n, population, confidence, "census")
    low, high = _interval(sampled, recall, confidence, seed)
    return Estimate(what, value, low, high, n, population, confidence, "Jeffreys, stratified")


def _interval(
    strata: Sequence[Counted],
    of: Callable[[list[float]], float],
    confidence: float,
    seed: str,
) -> tuple[float, float]:
    """Return the middle part of ``of`` over draws from each stratum's Jeffreys posterior."""
    generator = random.Random(int.from_bytes(sha256(seed.encode()).digest()))  # noqa: S311
    draws = sorted(
        of(
            [
                s.k / s.n if s.is_census else generator.betavariate(s.k + 0.5, s.n - s.k + 0.5)
                for s in strata
            ]
        )
        for _ in range(_DRAWS)
    )
    return _middle(draws, confidence)


def _middle(draws: Sequence[float], confidence: float) -> tuple[float, float]:
    tail = (1 - confidence) / 2
    low = draws[round(tail * (len(draws) - 1))]
    return low, draws[round((1 - tail) * (len(draws) - 1))]


class Agreement(NamedTuple):
    """How often two labellers say the same, and Cohen's kappa."""

    share: Estimate
    #: ``None`` where it is undefined: only one label occurs.
    kappa: Estimate


def estimate_agreement(
    pairs: Sequence[tuple[str, str]], population: int, confidence: float, seed: str
) -> Agreement:
    """Return the agreement of two lists of labels of the same units.

    Kappa's interval is a percentile bootstrap over units.
    """
    n, same = len(pairs), sum(one == other for one, other in pairs)
    low, high = wilson(same, n, confidence) or (None, None)
    value = same / n if n else None
    share = Estimate("agreement", value, low, high, n, population, confidence, "Wilson score")
    kappa = cohen_kappa(pairs)
    if kappa is None:
        undefined = "undefined: one label only occurs"
        return Agreement(
            share, Estimate("kappa", None, None, None, n, population, confidence, undefined)
        )
    generator = random.Random(int.from_bytes(sha256(seed.encode()).digest()))  # noqa: S311
    resampled = (cohen_kappa(generator.choices(pairs, k=n)) for _ in range(_RESAMPLES))
    draws = sorted(1.0 if found is None else found for found in resampled)
    bounds = _middle(draws, confidence)
    return Agreement(
        share, Estimate("kappa", kappa, *bounds, n, population, confidence, "bootstrap")
    )


def cohen_kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Return kappa (Cohen, EPM 20, 1960); ``None`` where one label only occurs."""
    n = len(pairs)
    labels = {label for pair in pairs for label in pair}
    if len(labels) < 2:  # nothing to agree about
        return None
    same = sum(one == other for one, other in pairs) / n
    ones, others = [one for one, _ in pairs], [other for _, other in pairs]
    chance = sum(ones.count(label) * others.count(label) for label in labels) / (n * n)
    return (same - chance) / (1 - chance)
