"""Whether scores mean what they say, and from which score on one may rely on them."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.audit.estimates import Counted, Estimate, estimate_recall
from vaultgraph.audit.intervals import exact_lower, wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Of equal width; a bin holds its lower edge, the last one both.
BINS = 10
#: Which cutoffs are tested, from the top down: fixed before any label is seen.
CUTOFFS = tuple(number / 20 for number in range(19, 0, -1))


class Labelled(NamedTuple):
    """A score, and whether a person found a dependency there."""

    score: float
    depends: bool


class Bin(NamedTuple):
    """The labels whose scores lie in one stretch."""

    low: float
    high: float
    n: int
    k: int
    #: The mean score, and the share that depends with its interval; ``None`` where n is 0.
    told: float | None
    share: float | None
    share_low: float | None
    share_high: float | None


class Reliability(NamedTuple):
    """Scores against labels, over the labels as they are."""

    n: int
    k: int
    bins: tuple[Bin, ...]
    #: Mean square of score minus label (Brier, Monthly Weather Review 78, 1950).
    brier: float
    #: Mean distance of score and share over the bins, by their labels (Naeini et al., AAAI 2015).
    calibration_error: float


class ScoredStratum(NamedTuple):
    """One stratum of an audit with the scores of its units."""

    name: str
    #: Of every unit it has.
    scores: tuple[float, ...]
    #: Of those drawn and labelled.
    labelled: tuple[Labelled, ...]


class Step(NamedTuple):
    """One cutoff that was tested."""

    cutoff: float
    #: Units at or above it; how many were labelled, and of those how many depend.
    units: int
    n: int
    k: int
    #: Precision, and its lower bound.
    precision: float
    bound: float


class CutoffTest(NamedTuple):
    """The cutoffs tested, from the top down to the first that failed."""

    wanted: float
    confidence: float
    steps: tuple[Step, ...]
    #: The lowest that passed; ``None`` where none did.
    cutoff: float | None


def find_reliability(rows: Sequence[Labelled], confidence: float) -> Reliability | None:
    """Return how scores and labels agree; ``None`` where there are none."""
    if not rows:
        return None
    groups: list[list[Labelled]] = [[] for _ in range(BINS)]
    for row in rows:
        groups[min(int(row.score * BINS), BINS - 1)].append(row)
    bins = tuple(_bin(at, group, confidence) for at, group in enumerate(groups))
    apart = (abs(fsum(row.score for row in group) - _hits(group)) for group in groups)
    return Reliability(
        n=len(rows),
        k=_hits(rows),
        bins=bins,
        brier=fsum((row.score - row.depends) ** 2 for row in rows) / len(rows),
        calibration_error=fsum(apart) / len(rows),
    )


def _bin(at: int, group: Sequence[Labelled], confidence: float) -> Bin:
    n, k = len(group), _hits(group)
    low, high = wilson(k, n, confidence) or (None, None)
    told = fsum(row.score for row in group) / n if n else None
    return Bin(at / BINS, (at + 1) / BINS, n, k, told, k / n if n else None, low, high)


def _hits(rows: Sequence[Labelled]) -> int:
    return sum(row.depends for row in rows)


def find_cutoff(
    strata: Sequence[ScoredStratum], wanted: float, confidence: float, lowest: float
) -> CutoffTest:
    """Return the lowest cutoff whose precision is at least ``wanted``, with ``confidence``.

    None below ``lowest`` is tested: the strata hold no unit there. Cutoffs are tested from the
    top down, and the first that fails ends it: so each may be tested at the whole error rate,
    however many there are (a fixed sequence; Bauer, Statistics in Medicine 10, 1991). Where it
    begins rests on how many labels there are, never on what they say. A cutoff passes by exact
    lower bounds; where it takes in several strata each has its share of the error rate
    (Bonferroni), for they were not drawn alike.
    """
    steps: list[Step] = []
    passed: float | None = None
    for cutoff in (cutoff for cutoff in CUTOFFS if cutoff >= lowest):
        above = [_above(stratum, cutoff) for stratum in strata]
        if not steps and _bound(above, confidence, best=True) < wanted:
            continue  # too few labels yet, even if all were right
        step = _step(cutoff, above, confidence)
        steps.append(step)
        if step.bound < wanted:
            break
        passed = cutoff
    return CutoffTest(wanted, confidence, tuple(steps), passed)


def estimate_recall_at(
    strata: Sequence[ScoredStratum], cutoff: float, confidence: float, seed: str
) -> Estimate:
    """Return which part of all dependencies among the units the cutoff keeps.

    Each stratum is split at the cutoff; how many units lie on either side is known.
    """
    kept = [_above(stratum, cutoff) for stratum in strata]
    left = [_below(stratum, cutoff) for stratum in strata]
    cells = [*map(_counted, kept), *map(_counted, left)]
    return estimate_recall(cells, confidence, seed, kept=len(kept))


def _counted(cell: ScoredStratum) -> Counted:
    units, n = len(cell.scores), len(cell.labelled)
    return Counted(cell.name, units, n, _hits(cell.labelled), is_census=n == units)


def _above(stratum: ScoredStratum, cutoff: float) -> ScoredStratum:
    scores = tuple(score for score in stratum.scores if score >= cutoff)
    labelled = tuple(row for row in stratum.labelled if row.score >= cutoff)
    return ScoredStratum(stratum.name, scores, labelled)


def _below(stratum: ScoredStratum, cutoff: float) -> ScoredStratum:
    scores = tuple(score for score in stratum.scores if score < cutoff)
    labelled = tuple(row for row in stratum.labelled if row.score < cutoff)
    return ScoredStratum(stratum.name, scores, labelled)


def _step(cutoff: float, above: Sequence[ScoredStratum], confidence: float) -> Step:
    units = sum(len(cell.scores) for cell in above)
    precision = sum(
        len(cell.scores) * _hits(cell.labelled) / len(cell.labelled)
        for cell in above
        if cell.labelled
    )
    return Step(
        cutoff,
        units,
        sum(len(cell.labelled) for cell in above),
        sum(_hits(cell.labelled) for cell in above),
        precision / units,
        _bound(above, confidence, best=False),
    )


def _bound(above: Sequence[ScoredStratum], confidence: float, *, best: bool) -> float:
    """Return the lower bound of precision; with ``best`` as if every label were right."""
    there = [cell for cell in above if cell.scores]
    units = sum(len(cell.scores) for cell in there)
    return sum(
        len(cell.scores) / units * _lower(cell, 1 - (1 - confidence) / len(there), best=best)
        for cell in there
    )


def _lower(cell: ScoredStratum, confidence: float, *, best: bool) -> float:
    n = len(cell.labelled)
    k = n if best else _hits(cell.labelled)
    if n == len(cell.scores):
        return k / n
    return exact_lower(k, n, confidence)
