"""The arithmetic against numbers that others published or that can be worked out by hand."""

from __future__ import annotations

import pytest

from vaultgraph.audit.estimates import (
    Counted,
    cohen_kappa,
    estimate_agreement,
    estimate_recall,
    estimate_share,
    exact_upper,
    size_for_bound,
    size_for_width,
    wilson,
)
from vaultgraph.audit.rules import parse_rule
from vaultgraph.errors import InputError


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        (13, 20, 0.433, 0.819),
        # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson(k, n, low, high):
    assert wilson(k, n, 0.95) == pytest.approx((low, high), abs=0.0005)


def test_nothing_of_nothing_gives_no_number():
    assert wilson(0, 0, 0.95) is None
    assert estimate_share("x", [Counted("a", 9, 0, 0, is_census=False)], 0.95, "s").value is None


def test_the_exact_bound_is_the_rule_of_three():
    assert exact_upper(0, 20, 0.95) == pytest.approx(0.1391, abs=0.0001)
    assert exact_upper(0, 300, 0.95) == pytest.approx(0.01, abs=0.0001)
    # P(X <= 2 | n = 20, p) = 0.05 at p = 0.28262.
    assert exact_upper(2, 20, 0.95) == pytest.approx(0.28262, abs=0.0001)
    assert exact_upper(5, 5, 0.95) == 1


def test_sizes_are_the_smallest_that_do():
    assert size_for_bound(0.01, 0.95) == 299
    assert size_for_width(0.2, 0.95) == 93


def test_a_census_is_exact():
    strata = [Counted("kept", 4, 4, 3, is_census=True), Counted("below", 6, 6, 1, is_census=True)]
    share = estimate_share("x", strata, 0.95, "s")
    assert (share.value, share.low, share.high) == (0.4, 0.4, 0.4)
    recall = estimate_recall(strata, 0.95, "s")
    assert (recall.value, recall.low, recall.high) == (0.75, 0.75, 0.75)


def test_recall_allows_for_what_was_not_seen():
    strata = [
        Counted("kept", 80, 20, 18, is_census=False),
        Counted("below", 300, 40, 0, is_census=False),
    ]
    recall = estimate_recall(strata, 0.95, "seed")
    assert recall.value == 1
    assert recall.low is not None
    assert recall.low < 0.9
    assert recall == estimate_recall(strata, 0.95, "seed")


def test_strata_are_weighted_by_their_units():
    strata = [
        Counted("a", 90, 10, 10, is_census=False),
        Counted("b", 10, 10, 0, is_census=False),
    ]
    assert estimate_share("x", strata, 0.95, "s").value == pytest.approx(0.9)


def test_kappa():
    # Cohen's kappa of 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no is 0.4.
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert cohen_kappa(pairs) == pytest.approx(0.4)
    found = estimate_agreement(pairs, 50, 0.95, "s")
    assert found.share.value == 0.7
    low, high = found.kappa.low, found.kappa.high
    assert low is not None
    assert high is not None
    assert low < 0.4 < high
    assert estimate_agreement([("y", "y")] * 9, 9, 0.95, "s").kappa.value is None


def test_a_rule_is_read_and_applied():
    rule = parse_rule("share(stale, dead) > 0.5", ["live", "stale", "dead"])
    assert rule.labels == ("stale", "dead")
    assert rule.holds(0.65)
    assert not rule.holds(0.5)
    assert parse_rule("recall >= 0.8", ["a"]).holds(0.8)


@pytest.mark.parametrize("text", ["share(gone) > 0.5", "recall > 2", "import os", "share() > 0.1"])
def test_another_rule_is_refused(text):
    with pytest.raises(InputError):
        parse_rule(text, ["live", "stale"])
