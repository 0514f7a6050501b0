from __future__ import annotations

import pytest

from vaultgraph.judge.estimates import Estimate, cost_of, estimate_run, estimate_tokens


def test_ten_thousand_pairs_of_jev_cost_cents_and_minutes():
    sampled = [(b"x" * 4200,), (b"x" * 5600,)]
    found = estimate_run(10_000, sampled, price=0.042, concurrency=8, is_local=False)
    assert found.calls == 10_000
    assert found.tokens == 10_000 * (1400 + 250)
    assert found.cost == pytest.approx(0.693)
    assert 4 < found.minutes < 8


def test_two_calls_a_pair():
    found = estimate_run(10, [(b"x" * 35, b"x" * 35)], price=None, concurrency=2, is_local=True)
    assert (found.calls, found.tokens, found.cost) == (20, 20 * 260, None)
    assert found.minutes == pytest.approx(0.5)


def test_nothing_to_ask():
    nothing = estimate_run(0, [], price=0.042, concurrency=8, is_local=False)
    assert nothing == Estimate(0, 0, 0.0, 0.0)
    assert cost_of(10, None) is None
    assert estimate_tokens(0) == 250
