from __future__ import annotations

from datetime import UTC, datetime, timedelta

from vaultgraph.audit.later import find_same_sitting, read_decided
from vaultgraph.audit.units import UnitId
from vaultgraph.domain.writing import LedgerEvent

START = datetime(2026, 12, 1, tzinfo=UTC)
A, B = UnitId("a"), UnitId("b")


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def test_half_an_hour_without_a_decision_ends_a_sitting():
    decided = {A: [at(0)], B: [at(20)]}
    assert find_same_sitting(decided, [(A, at(49)), (B, at(49))]) == {A, B}
    assert find_same_sitting(decided, [(A, at(50)), (B, at(50))]) == set()


def test_labels_keep_a_sitting_going():
    labelled = [(B, at(25)), (A, at(50))]
    assert find_same_sitting({A: [at(0)]}, labelled) == {A}


def test_a_decision_after_the_label_says_nothing():
    assert find_same_sitting({A: [at(5)]}, [(A, at(0))]) == set()


def test_only_decisions_whose_time_is_known_count():
    def event(decision: str, where: str, **more: str) -> LedgerEvent:
        payload = {"dependent": "x", "basis": "y", "decision": decision, "where": where, **more}
        return LedgerEvent(at(60), "device", "decided", payload)

    events = [
        event("accepted", "terminal"),
        event("undone", "terminal"),
        event("rejected", "file"),
        event("rejected", "obsidian", decided_at=at(10).isoformat()),
        # A phone's clock may be ahead.
        event("accepted", "obsidian", decided_at=at(90).isoformat()),
    ]
    assert read_decided(events) == {UnitId("x\ny"): [at(60), at(10), at(60)]}
