"""How often two labellers say the same, and how much of that is more than chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.audit.chance import Chance
from vaultgraph.audit.estimates import Estimate, middle_part
from vaultgraph.audit.intervals import wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

_RESAMPLES = 2_000


class Agreement(NamedTuple):
    """How often two labellers say the same, and Cohen's kappa."""

    share: Estimate
    #: Without a value where it is undefined: only one label occurs.
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
    method = "Wilson score" if n else "nothing counted"
    share = Estimate("agreement", value, low, high, n, population, confidence, method)
    return Agreement(share, _kappa(pairs, population, confidence, seed))


def _kappa(
    pairs: Sequence[tuple[str, str]], population: int, confidence: float, seed: str
) -> Estimate:
    kappa = cohen_kappa(pairs)
    if kappa is None:
        method = "undefined: one label only occurs" if pairs else "nothing counted"
        none = (None, None, None)
        return Estimate("kappa", *none, len(pairs), population, confidence, method)
    chance = Chance(seed)
    resampled = (cohen_kappa(chance.resample(pairs)) for _ in range(_RESAMPLES))
    # Where a resample holds one label only, all in it agree.
    draws = sorted(1.0 if found is None else found for found in resampled)
    bounds = middle_part(draws, confidence)
    return Estimate("kappa", kappa, *bounds, len(pairs), population, confidence, "bootstrap")


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
