"""What a sample says about its population: never a number without interval, n and population.

Strata are put together by their posteriors: each one's share is drawn from Beta(k + ½, n - k + ½)
20,000 times, and the interval is the middle part of what comes out. A stratum of which every unit
was labelled is known, and is not drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.audit.chance import Chance
from vaultgraph.audit.intervals import wilson

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_DRAWS = 20_000


class Counted(NamedTuple):
    """One stratum as it was labelled."""

    name: str
    #: Units it has, units that count, and those of them that are a hit.
    units: int
    n: int
    k: int
    #: Whether every unit of it was labelled: then nothing is left to guess.
    is_census: bool
    #: Labelled units that do not count: so the stratum holds fewer that do than it has units.
    excluded: int = 0


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


class _Part(NamedTuple):
    """A stratum as it is, or as one draw of its posterior has it."""

    #: How many units count, and what share of them are hits.
    units: float
    share: float


def estimate_share(what: str, strata: Sequence[Counted], confidence: float, seed: str) -> Estimate:
    """Return the share of hits over all strata, each weighted by the units of it that count."""
    n, population, sampled = _sampled(strata)
    if any(stratum.n == 0 for stratum in sampled) or not sampled:
        return Estimate(what, None, None, None, n, population, confidence, "nothing counted")
    if len(sampled) == 1 and not sampled[0].is_census:
        (only,) = sampled
        low, high = wilson(only.k, only.n, confidence) or (0.0, 1.0)
        value = only.k / only.n
        return Estimate(what, value, low, high, n, population, confidence, "Wilson score")
    return _estimate(what, sampled, _share_of, population, confidence, seed)


def estimate_recall(
    strata: Sequence[Counted], confidence: float, seed: str, *, kept: int = 1
) -> Estimate:
    """Return which part of all hits the first ``kept`` strata hold.

    A stratum without a hit still adds what its posterior allows for, so the interval never says
    that nothing was missed unless everything was looked at.
    """
    n, population, sampled = _sampled(strata)
    none = (None, None, None)
    if any(stratum.n == 0 for stratum in sampled) or not sampled:
        return Estimate("recall", *none, n, population, confidence, "nothing counted")
    if not any(stratum.k for stratum in sampled):
        return Estimate("recall", *none, n, population, confidence, "no hit found")
    first = sum(_counts(stratum) for stratum in strata[:kept])

    def recall(parts: list[_Part]) -> float:
        hits = [part.units * part.share for part in parts]
        return sum(hits[:first]) / total if (total := sum(hits)) else 0.0

    return _estimate("recall", sampled, recall, population, confidence, seed)


def _sampled(strata: Sequence[Counted]) -> tuple[int, int, list[Counted]]:
    """Return how many units count, how many there are, and the strata that hold any."""
    sampled = [stratum for stratum in strata if _counts(stratum)]
    return sum(s.n for s in strata), sum(s.units for s in strata), sampled


def _counts(stratum: Counted) -> bool:
    """Whether a stratum may hold units that count; in a census we know."""
    return stratum.n > 0 if stratum.is_census else stratum.units > 0


def _share_of(parts: list[_Part]) -> float:
    units = sum(part.units for part in parts)
    return sum(part.units * part.share for part in parts) / units


def _estimate(
    what: str,
    sampled: Sequence[Counted],
    of: Callable[[list[_Part]], float],
    population: int,
    confidence: float,
    seed: str,
) -> Estimate:
    n = sum(stratum.n for stratum in sampled)
    value = of([_found(stratum) for stratum in sampled])
    if all(stratum.is_census for stratum in sampled):
        return Estimate(what, value, value, value, n, population, confidence, "census")
    chance = Chance(seed)
    draws = sorted(of([_drawn(stratum, chance) for stratum in sampled]) for _ in range(_DRAWS))
    low, high = middle_part(draws, confidence)
    # Where the posteriors lean away from what was found, as at 0 of n, the number still belongs
    # to what may be said.
    low, high = min(low, value), max(high, value)
    return Estimate(what, value, low, high, n, population, confidence, "Jeffreys, stratified")


def _found(stratum: Counted) -> _Part:
    labelled = stratum.n + stratum.excluded
    return _Part(stratum.units * stratum.n / labelled, stratum.k / stratum.n)


def _drawn(stratum: Counted, chance: Chance) -> _Part:
    if stratum.is_census:
        return _found(stratum)
    counting = 1.0
    if stratum.excluded:
        counting = chance.beta(stratum.n + 0.5, stratum.excluded + 0.5)
    share = chance.beta(stratum.k + 0.5, stratum.n - stratum.k + 0.5)
    return _Part(stratum.units * counting, share)


def middle_part(draws: Sequence[float], confidence: float) -> tuple[float, float]:
    """Return the middle part of sorted draws."""
    tail = (1 - confidence) / 2
    low = draws[round(tail * (len(draws) - 1))]
    return low, draws[round((1 - tail) * (len(draws) - 1))]
