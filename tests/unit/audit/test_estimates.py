"""Shares and recall over strata: worked out by hand, exact on a census, the same everywhere."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultgraph.audit.estimates import Counted, estimate_recall, estimate_share
from vaultgraph.audit.intervals import jeffreys, wilson


def counted(name: str, units: int, n: int, k: int, excluded: int = 0) -> Counted:
    return Counted(name, units, n, k, is_census=n + excluded == units, excluded=excluded)


def test_nothing_counted_gives_no_number():
    for strata in ([], [counted("a", 9, 0, 0)], [counted("a", 9, 5, 5), counted("b", 9, 0, 0)]):
        assert estimate_share("x", strata, 0.95, "s").value is None
        found = estimate_recall(strata, 0.95, "s")
        assert (found.value, found.low, found.high) == (None, None, None)
        assert found.method == "nothing counted"


def test_one_stratum_is_wilson():
    found = estimate_share("stale", [counted("all", 34, 20, 13)], 0.95, "s")
    assert (found.value, found.n, found.population) == (0.65, 20, 34)
    assert (found.low, found.high) == wilson(13, 20, 0.95)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.integers(0, 30).flatmap(
            lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(0, 5))
        ),
        min_size=1,
        max_size=4,
    )
)
def test_every_estimator_is_exact_on_a_census(rows):
    strata = [counted(str(at), n + out, n, k, out) for at, (n, k, out) in enumerate(rows)]
    counting, hits = sum(row[0] for row in rows), sum(row[1] for row in rows)
    share = estimate_share("x", strata, 0.95, "s")
    recall = estimate_recall(strata, 0.95, "s")
    if counting:
        assert share.value == pytest.approx(hits / counting)
        assert share.low == share.value == share.high
    if hits:
        assert recall.value == pytest.approx(rows[0][1] / hits)
        assert recall.low == recall.value == recall.high
        assert recall.method == "census"
    else:
        assert recall.value is None


def test_strata_are_weighted_by_their_units():
    strata = [counted("a", 90, 10, 10), counted("b", 10, 9, 0)]
    assert estimate_share("x", strata, 0.95, "s").value == pytest.approx(0.9)


def test_units_that_do_not_count_leave_the_weight():
    # Of 100 units in b half do not count, so it weighs as much as a.
    strata = [counted("a", 50, 10, 10), counted("b", 100, 10, 0, excluded=10)]
    assert estimate_share("x", strata, 0.95, "s").value == pytest.approx(0.5)


def test_a_stratum_looked_at_as_a_whole_adds_no_doubt():
    known = counted("known", 50, 50, 25)
    found = estimate_share("x", [known, counted("b", 50, 20, 10)], 0.95, "s")
    low, high = jeffreys(10, 20, 0.95) or (0, 0)
    assert found.low == pytest.approx((0.5 + low) / 2, abs=0.004)
    assert found.high == pytest.approx((0.5 + high) / 2, abs=0.004)


def test_recall_allows_for_what_was_not_seen():
    strata = [counted("kept", 80, 20, 18), counted("below", 300, 40, 0)]
    recall = estimate_recall(strata, 0.95, "seed")
    assert recall.value == recall.high == 1
    # Beta(1/2, 40 1/2) of 300 units may hold 18 more; about 72 were found.
    assert recall.low == pytest.approx(72 / (72 + 18), abs=0.02)


def test_recall_by_hand():
    strata = [
        counted("kept", 100, 20, 18),
        counted("middle", 200, 20, 4),
        counted("below", 900, 30, 1),
    ]
    # 90, 40 and 30 hits.
    assert estimate_recall(strata, 0.95, "s").value == pytest.approx(90 / 160)
    assert estimate_recall(strata, 0.95, "s", kept=2).value == pytest.approx(130 / 160)


def test_an_empty_kept_stratum_holds_nothing():
    strata = [counted("kept", 0, 0, 0), counted("below", 100, 50, 10)]
    assert estimate_recall(strata, 0.95, "s").value == 0


RECALL = (0.5533647804755597, 0.9484630172017496)
SHARE = (0.1427580967684986, 0.2799068464838265)


def test_the_same_seed_gives_the_same_interval_anywhere():
    strata = [counted("kept", 80, 20, 15), counted("below", 300, 40, 2)]
    recall = estimate_recall(strata, 0.95, "a seed 🌱")
    share = estimate_share("x", strata, 0.95, "a seed 🌱")
    assert (recall.low, recall.high) == pytest.approx(RECALL, abs=1e-12)
    assert (share.low, share.high) == pytest.approx(SHARE, abs=1e-12)
    assert estimate_recall(strata, 0.95, "another").low != recall.low
