from __future__ import annotations

from datetime import UTC, datetime, timedelta

from vaultgraph.review.history import PacedDecision
from vaultgraph.review.pace import find_sittings

START = datetime(2026, 12, 1, tzinfo=UTC)


def decisions(*rows: tuple[float, float]) -> list[PacedDecision]:
    return [PacedDecision(START + timedelta(minutes=at), seconds) for at, seconds in rows]


def test_a_gap_of_half_an_hour_ends_a_sitting():
    found = find_sittings(decisions((0, 4), (29, 2), (59, 8)))
    assert [(s.decisions, s.seconds) for s in found] == [(2, 3), (1, 8)]
    assert found[0].ended == START + timedelta(minutes=29)


def test_the_order_of_the_ledger_does_not_matter():
    rows = decisions((0, 4), (5, 2), (59, 8))
    assert find_sittings(rows) == find_sittings(reversed(rows))


def test_the_trend_is_told_by_halves():
    (sitting,) = find_sittings(decisions(*((n, 8 if n < 3 else 2) for n in range(7))))
    assert (sitting.first_half, sitting.second_half) == (8, 2)


def test_too_few_decisions_have_no_trend():
    (sitting,) = find_sittings(decisions((0, 8), (1, 4), (2, 2), (3, 1), (4, 1)))
    assert sitting.first_half is None
    assert find_sittings([]) == []
