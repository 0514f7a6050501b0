"""Chance from a seed: the distributions it should have, and the same numbers always."""

from __future__ import annotations

from collections import Counter

import pytest
from scipy import stats

from vaultgraph.audit.chance import Chance


@pytest.mark.parametrize(("a", "b"), [(0.5, 20.5), (13.5, 7.5), (0.5, 0.5), (100.5, 900.5)])
def test_beta_draws_are_beta(a, b):
    chance = Chance(f"{a} {b}")
    draws = [chance.beta(a, b) for _ in range(20_000)]
    assert stats.kstest(draws, stats.beta(a, b).cdf).pvalue > 0.001


def test_resampling_is_uniform():
    chance = Chance("seed")
    counts = Counter(item for _ in range(2000) for item in chance.resample("abcde"))
    assert stats.chisquare(list(counts.values())).pvalue > 0.001
    assert len(counts) == 5


def test_a_seed_gives_the_same_numbers():
    chance = Chance("seed")
    draws = [chance.beta(13.5, 7.5) for _ in range(3)]
    # The last digits are those of the machine's own logarithm.
    expected = [0.5839588952668671, 0.6552625425530155, 0.3634891354619818]
    assert draws == pytest.approx(expected, abs=1e-14)
    assert chance.resample("abcdefgh") == list("faghdgcb")
