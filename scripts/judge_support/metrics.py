"""How well scores tell dependencies from the rest, with intervals over source notes."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_BINS = 10


class Scored(NamedTuple):
    """One row that a judge has answered."""

    #: The dependent: rows of one note are not independent, and are drawn together.
    note: str
    score: float
    label: bool


class Quality(NamedTuple):
    """The figures of one judge on one set of rows; ``nan`` where a figure has no meaning."""

    roc_auc: float
    pr_auc: float
    precision: float
    recall: float
    brier: float
    ece: float


class Interval(NamedTuple):
    """The middle 95 % of a figure over the draws."""

    low: float
    high: float


def measure(rows: Sequence[Scored], cutoff: float) -> Quality:
    """Return the figures on ``rows``, kept from ``cutoff`` up."""
    order = sorted(rows, key=lambda row: -row.score)
    return _measure(order, [1] * len(order), cutoff)


def intervals(
    rows: Sequence[Scored], cutoff: float, *, draws: int, seed: int = 0
) -> tuple[Interval, ...]:
    """Return an interval for each figure, from ``draws`` draws of as many notes as there are."""
    order = sorted(rows, key=lambda row: -row.score)
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, row in enumerate(order):
        places[row.note].append(at)
    notes = [places[note] for note in sorted(places)]
    generator = random.Random(seed)  # noqa: S311 -- a bootstrap, not a secret
    drawn: list[Quality] = []
    for _ in range(draws):
        times = [0] * len(order)
        for number, count in Counter(generator.choices(range(len(notes)), k=len(notes))).items():
            for at in notes[number]:
                times[at] = count
        drawn.append(_measure(order, times, cutoff))
    return tuple(_middle(values) for values in zip(*drawn, strict=True))


def _middle(values: Sequence[float]) -> Interval:
    known = sorted(value for value in values if not math.isnan(value))
    if not known:
        return Interval(math.nan, math.nan)
    last = len(known) - 1
    return Interval(known[round(0.025 * last)], known[round(0.975 * last)])


def _measure(order: Sequence[Scored], times: Sequence[int], cutoff: float) -> Quality:
    """Return the figures where each row, by falling score, counts so many times."""
    positives = sum(n for n, row in zip(times, order, strict=True) if row.label)
    negatives = sum(times) - positives
    true = false = tied_true = tied_false = kept_true = kept_false = 0
    pairs = area = squares = 0.0
    bins = [[0.0, 0.0] for _ in range(_BINS)]
    last = len(order) - 1
    for at, (n, row) in enumerate(zip(times, order, strict=True)):
        score, label = row.score, row.label
        if label:
            tied_true += n
        else:
            tied_false += n
        squares += n * (score - label) ** 2
        held = bins[min(int(score * _BINS), _BINS - 1)]
        held[0] += n * score
        held[1] += n * label
        if at < last and order[at + 1].score == score:
            continue
        # Rows of one score come in together: each such pair is half won.
        pairs += tied_false * (true + tied_true / 2)
        true += tied_true
        false += tied_false
        if tied_true:
            area += tied_true * true / (true + false)
        if score >= cutoff:
            kept_true, kept_false = true, false
        tied_true = tied_false = 0
    total = positives + negatives
    return Quality(
        roc_auc=_ratio(pairs, positives * negatives),
        pr_auc=_ratio(area, positives),
        precision=_ratio(kept_true, kept_true + kept_false),
        recall=_ratio(kept_true, positives),
        brier=_ratio(squares, total),
        ece=_ratio(math.fsum(abs(told - was) for told, was in bins), total),
    )


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
