"""Calibration: figures worked out by hand, and the promise of the cutoff kept."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from scipy import stats

from vaultgraph.audit.calibration import (
    Labelled,
    ScoredStratum,
    estimate_recall_at,
    find_cutoff,
    find_reliability,
)
from vaultgraph.audit.intervals import wilson

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def rows(*pairs: tuple[float, int]) -> list[Labelled]:
    return [Labelled(score, bool(depends)) for score, depends in pairs]


def stratum(name: str, scores: Iterable[float], labelled: Iterable[Labelled]) -> ScoredStratum:
    return ScoredStratum(name, tuple(scores), tuple(labelled))


def test_reliability_by_hand():
    found = find_reliability(rows((0.9, 1), (0.95, 1), (1.0, 0), (0.1, 0), (0.3, 1)), 0.95)
    assert found is not None
    assert (found.n, found.k) == (5, 3)
    assert found.brier == pytest.approx((0.01 + 0.0025 + 1 + 0.01 + 0.49) / 5)
    # |2.85 - 2| in the last bin, |0.1 - 0| and |0.3 - 1| in two others, over five labels.
    assert found.calibration_error == pytest.approx((0.85 + 0.1 + 0.7) / 5)
    last, second = found.bins[9], found.bins[1]
    assert (last.low, last.high, last.n, last.k) == (0.9, 1.0, 3, 2)
    assert last.told == pytest.approx(0.95)
    assert (last.share_low, last.share_high) == wilson(2, 3, 0.95)
    # A bin holds its lower edge.
    assert (second.n, second.told) == (1, 0.1)
    assert (found.bins[5].n, found.bins[5].share, found.bins[5].share_low) == (0, None, None)


def test_scores_that_are_right_are_calibrated():
    found = find_reliability(rows((0, 0), (1, 1), *[(0.5, 1), (0.5, 0)] * 3), 0.95)
    assert found is not None
    assert found.calibration_error == 0
    assert found.brier == pytest.approx(6 * 0.25 / 8)


def test_nothing_labelled_says_nothing():
    assert find_reliability([], 0.95) is None
    test = find_cutoff([stratum("all", [0.9] * 50, [])], 0.8, 0.95, 0.0)
    assert (test.cutoff, test.steps) == (None, ())


def test_it_begins_where_a_cutoff_could_pass_and_ends_at_the_first_that_fails():
    # 0.8^13 = 0.055 and 0.8^14 = 0.044: fourteen right ones are the fewest that bear out 0.8.
    labelled = rows(*[(0.97, 1)] * 13, *[(0.91, 1)] * 10, *[(0.86, 0)] * 8, *[(0.81, 1)] * 90)
    everyone = [row.score for row in labelled] * 40
    test = find_cutoff([stratum("all", everyone, labelled)], 0.8, 0.95, 0.0)
    assert [step.cutoff for step in test.steps] == [0.9, 0.85]
    assert test.cutoff == 0.9
    first, second = test.steps
    assert (first.n, first.k, first.units) == (23, 23, 920)
    assert first.bound == pytest.approx(0.05 ** (1 / 23))
    # 113 of 121 from 0.8 on would pass, but the test has ended.
    assert (second.n, second.k, second.precision) == (31, 23, 23 / 31)
    assert second.bound == pytest.approx(stats.beta.ppf(0.05, 23, 9))


def test_no_cutoff_below_where_units_were_drawn():
    labelled = rows(*[(0.8, 1)] * 40)
    test = find_cutoff([stratum("proposed", [0.8] * 90, labelled)], 0.8, 0.95, 0.7)
    assert test.cutoff == 0.7
    assert [step.cutoff for step in test.steps] == [0.8, 0.75, 0.7]


def test_strata_that_were_not_drawn_alike_are_weighted():
    kept = stratum("kept", [0.9] * 40, rows(*[(0.9, 1)] * 40))
    middle = stratum("middle", [0.6] * 960, rows(*[(0.6, 1)] * 10, *[(0.6, 0)] * 10))
    test = find_cutoff([kept, middle], 0.8, 0.95, 0.0)
    # 50 of 60 labels are right, but only 52 % of the units.
    assert test.steps[-1].cutoff == 0.6
    assert test.steps[-1].precision == pytest.approx(0.04 + 0.96 / 2)
    assert test.cutoff == 0.65
    # Every unit of the first is labelled: its precision is known.
    assert test.steps[0].bound == 1


def test_recall_at_a_cutoff_by_hand():
    kept = stratum(
        "kept", [0.9] * 60 + [0.7] * 40, rows(*[(0.9, 1)] * 10, *[(0.7, 1), (0.7, 0)] * 5)
    )
    below = stratum("below", [0.2] * 300, rows(*[(0.2, 1)] * 2, *[(0.2, 0)] * 18))
    found = estimate_recall_at([kept, below], 0.8, 0.95, "s")
    # 60 kept; 20 and 30 not.
    assert found.value == pytest.approx(60 / 110)
    assert found.population == 400
    assert found.low is not None
    assert found.high is not None
    assert found.low < 60 / 110 < found.high


def test_recall_is_exact_on_a_census():
    labelled = rows((0.9, 1), (0.8, 0), (0.6, 1), (0.1, 1), (0.0, 0))
    everything = stratum("all", [row.score for row in labelled], labelled)
    found = estimate_recall_at([everything], 0.5, 0.95, "s")
    assert (found.value, found.low, found.high) == (2 / 3, 2 / 3, 2 / 3)


@pytest.mark.parametrize(
    "chance_of",
    [lambda score: score, lambda score: 0.4 + 0.5 * score, lambda score: score**3],
    ids=["calibrated", "flat", "bold"],
)
def test_a_cutoff_breaks_its_promise_no_more_often_than_it_says(
    chance_of: Callable[[float], float],
):
    chance = random.Random(7)
    vaults, draws, broken, found = 6, 60, 0, 0
    for _ in range(vaults):
        scores = [chance.random() for _ in range(600)]
        units = sorted((Labelled(s, chance.random() < chance_of(s)) for s in scores), reverse=True)
        parts = {"kept": units[:150], "below": units[150:]}
        for _ in range(draws):
            strata = [
                stratum(name, [row.score for row in part], chance.sample(part, 40))
                for name, part in parts.items()
            ]
            cutoff = find_cutoff(strata, 0.7, 0.9, 0.0).cutoff
            if cutoff is not None:
                found += 1
                kept = [row.depends for row in units if row.score >= cutoff]
                broken += sum(kept) / len(kept) < 0.7
    # One in ten may; more than 52 of 360 would come about once in 200 times if one in ten did.
    assert broken <= stats.binom.ppf(0.995, vaults * draws, 0.1)
    # A test that never dares to name a cutoff keeps any promise.
    assert found >= vaults * draws / 4
