"""Intervals against scipy, statsmodels, published tables, and their own promise of coverage."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats
from statsmodels.stats.proportion import proportion_confint

from scripts.audit_support.coverage import coverage
from vaultgraph.audit.beta import beta_quantile, beta_share
from vaultgraph.audit.intervals import exact, exact_lower, exact_upper, jeffreys, wilson

KINDS = {"wilson": wilson, "beta": exact, "jeffreys": jeffreys}
SHARES = [number / 50 for number in range(1, 50)]


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(
    ("k", "n"), [(0, 1), (1, 1), (0, 20), (13, 20), (20, 20), (7, 34), (1, 2000), (3, 100_000)]
)
@pytest.mark.parametrize("kind", KINDS)
def test_every_interval_is_that_of_statsmodels(kind, k, n, confidence):
    expected = proportion_confint(k, n, alpha=1 - confidence, method=kind)
    found = KINDS[kind](k, n, confidence)
    if kind == "jeffreys":
        # Brown, Cai and DasGupta let it touch the end where k is 0 or n; statsmodels does not.
        expected = (0.0 if k == 0 else expected[0], 1.0 if k == n else expected[1])
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


# Newcombe, Statistics in Medicine 17 (1998), table I: methods 3 and 5.
@pytest.mark.parametrize(
    ("k", "n", "score", "exact_one"),
    [
        (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
        (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
        (0, 20, (0.0, 0.1611), (0.0, 0.1684)),
        (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
    ],
)
def test_published_examples(k, n, score, exact_one):
    assert wilson(k, n, 0.95) == pytest.approx(score, abs=0.00006)
    assert exact(k, n, 0.95) == pytest.approx(exact_one, abs=0.00006)


def known(interval):
    assert interval is not None
    return interval


def test_thirteen_of_twenty():
    low, high = known(wilson(13, 20, 0.95))
    assert (f"{low:.0%}", f"{high:.0%}") == ("43%", "82%")


def test_nothing_of_nothing_gives_no_number():
    assert wilson(0, 0, 0.95) is None
    assert exact(0, 0, 0.95) is None
    assert jeffreys(0, 0, 0.95) is None
    assert (exact_lower(0, 0, 0.95), exact_upper(0, 0, 0.95)) == (0, 1)


def test_no_hit_bounds_by_the_rule_of_three():
    assert exact_upper(0, 20, 0.95) == pytest.approx(1 - 0.05 ** (1 / 20), rel=1e-12)
    for n in (100, 300, 1000):
        assert exact_upper(0, n, 0.95) == pytest.approx(3 / n, rel=0.02)


@settings(max_examples=50)
@given(st.floats(0.001, 0.999), st.floats(0.5, 500), st.floats(0.5, 500))
def test_the_beta_distribution_is_that_of_scipy(x, a, b):
    assert beta_share(x, a, b) == pytest.approx(special.betainc(a, b, x), rel=1e-9, abs=1e-13)
    assert beta_quantile(x, a, b) == pytest.approx(stats.beta.ppf(x, a, b), rel=1e-8)


def test_the_ends_of_the_beta_distribution():
    assert beta_share(0, 2, 3) == 0
    assert beta_share(1, 2, 3) == 1
    # A share of 1 in 100,000 at most, from an enormous sample.
    assert beta_quantile(0.5, 1, 99_999) == pytest.approx(stats.beta.ppf(0.5, 1, 99_999))


@settings(max_examples=50)
@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_intervals_mirror_and_hold_the_share(counts):
    k, n = counts
    for interval in KINDS.values():
        low, high = known(interval(k, n, 0.95))
        assert 0 <= low <= k / n <= high <= 1
        assert interval(n - k, n, 0.95) == pytest.approx((1 - high, 1 - low), abs=1e-9)
    assert exact_lower(k, n, 0.95) >= known(exact(k, n, 0.95))[0]
    assert exact_upper(k, n, 0.95) <= known(exact(k, n, 0.95))[1]


def test_wilson_covers_on_average_and_never_dips_far():
    grid = [coverage(wilson, share, n, 0.95) for n in range(10, 201, 10) for share in SHARES]
    assert sum(grid) / len(grid) >= 0.95
    assert min(grid) >= 0.95 - 0.06


@pytest.mark.parametrize("n", [10, 33, 100])
def test_exact_bounds_never_dip(n):
    for share in SHARES:
        assert coverage(exact, share, n, 0.95) >= 0.95
        assert coverage(_below_upper, share, n, 0.95) >= 0.95
        assert coverage(_above_lower, share, n, 0.95) >= 0.95


def _below_upper(k, n, confidence):
    return 0.0, exact_upper(k, n, confidence)


def _above_lower(k, n, confidence):
    return exact_lower(k, n, confidence), 1.0
