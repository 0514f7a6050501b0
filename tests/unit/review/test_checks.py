"""Attention checks: where they stand, and what of the answers is kept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import LedgerEvent
from vaultgraph.review.checks import checked_event, plant, read_checks
from vaultgraph.review.history import PacedDecision
from vaultgraph.review.pace import find_sittings
from vaultgraph.review.queue import Item

START = datetime(2026, 12, 1, tzinfo=UTC)


def item(name: str, kind: Any = "dependency") -> Item:
    return Item(NoteId(name), NoteId("Basis.md"), None, is_skipped=False, kind=kind)


def answer(name: str, decision: Any, minute: float, seconds: float | None = 2.0) -> LedgerEvent:
    event = checked_event((NoteId(name), NoteId("Basis.md")), decision, seconds)
    return LedgerEvent(START + timedelta(minutes=minute), "device", event.kind, event.payload)


@given(st.integers(0, 30), st.integers(0, 10), st.text())
def test_planting_keeps_everything_and_every_order(proposals, checks, seed):
    items = [item(f"{number}.md") for number in range(proposals)]
    planted = [item(f"check {number}.md", "check") for number in range(checks)]
    queue = plant(items, planted, seed)
    assert [one for one in queue if one.kind == "dependency"] == items
    assert [one for one in queue if one.kind == "check"] == planted
    assert queue == plant(items, planted, seed)


def test_every_place_is_as_likely():
    items, check = [item(f"{number}.md") for number in range(4)], item("check.md", "check")
    places = [plant(items, [check], str(seed)).index(check) for seed in range(1000)]
    # 200 each, with a standard deviation of 12.6.
    assert all(150 < places.count(place) < 250 for place in range(5))


def test_answers_are_read_and_what_was_taken_back_is_not():
    events = [
        answer("A.md", "accepted", 0),
        answer("B.md", "rejected", 1),
        answer("A.md", "undone", 2, None),
        answer("A.md", "rejected", 3, 4.5),
        answer("C.md", "undone", 4, None),
        LedgerEvent(START, "device", "checked", {"dependent": 1, "basis": "x"}),
        LedgerEvent(START, "device", "checked", {"dependent": "D.md", "basis": "E.md"}),
        LedgerEvent(START, "device", "decided", {"dependent": "D.md", "basis": "E.md"}),
    ]
    found = read_checks(events)
    assert [(one.direction[0], one.was_accepted, one.seconds) for one in found] == [
        ("B.md", False, 2.0),
        ("A.md", False, 4.5),
    ]


def test_they_are_counted_in_their_sitting():
    decisions = [
        PacedDecision(START + timedelta(minutes=at), seconds)
        for at, seconds in ((0, 4.0), (5, 6.0), (100, 1.0))
    ]
    checks = read_checks([answer("A.md", "accepted", 2), answer("B.md", "rejected", 101)])
    first, second = find_sittings(decisions, checks)
    # Their seconds count: whoever answers does not know them from the others.
    assert (first.decisions, first.checks, first.checks_accepted, first.seconds) == (2, 1, 1, 4)
    assert (second.decisions, second.checks, second.checks_accepted) == (1, 1, 0)
