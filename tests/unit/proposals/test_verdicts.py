"""Which verdicts count now, and what a line of a verdict file may say."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from vaultgraph.domain.judging import Verdict
from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import LedgerEvent
from vaultgraph.proposals.verdicts import (
    current_verdicts,
    ordered_verdict,
    parse_imported,
    read_verdict,
    verdict_event,
)

A, B, C = NoteId("A.md"), NoteId("B.md"), NoteId("C.md")
AT = datetime(2026, 11, 30, 12, tzinfo=UTC)


def verdict(score: float, first_hash="a1", second_hash="b1", first=A, second=B, judge="j"):
    return Verdict(first, second, score, 0.1, judge, "m", "", "", first_hash, second_hash, "")


class TestCurrent:
    def test_the_latest_of_a_pair_counts(self):
        current = current_verdicts([verdict(0.9), verdict(0.2)], {A: "a1", B: "b1"})
        assert current == ([verdict(0.2)], [])

    def test_whoever_judged(self):
        current = current_verdicts([verdict(0.9, judge="x"), verdict(0.2)], {A: "a1", B: "b1"})
        assert [row.judge for row in current.valid] == ["j"]

    @pytest.mark.parametrize("hashes", [{A: "a2", B: "b1"}, {A: "a1", B: "b2"}, {A: "a1"}, {}])
    def test_a_body_that_changed_or_went(self, hashes):
        assert current_verdicts([verdict(0.9)], hashes) == ([], [verdict(0.9)])

    def test_a_body_that_was_changed_back(self):
        old, new = verdict(0.9, "a1"), verdict(0.2, "a2")
        assert current_verdicts([old, new], {A: "a2", B: "b1"}) == ([new], [])
        assert current_verdicts([old, new], {A: "a1", B: "b1"}) == ([old], [])
        assert current_verdicts([old, new], {A: "a3", B: "b1"}) == ([], [new])

    def test_sorted_by_pair(self):
        rows = [verdict(0.9, first=B, second=C), verdict(0.9), verdict(0.9, second=C)]
        current = current_verdicts(rows, {A: "a1", B: "b1", C: "b1"})
        assert [row[:2] for row in current.valid] == [(A, B), (A, C)]
        assert [row[:2] for row in current.outdated] == [(B, C)]


def event(payload: dict[str, Any], kind="verdict") -> LedgerEvent:
    return LedgerEvent(AT, "device", kind, payload)


class TestLedger:
    def test_there_and_back(self):
        kept = verdict_event(verdict(0.25))
        assert kept.kind == "verdict"
        assert "at" not in kept.payload
        read = read_verdict(event({**kept.payload}))
        assert read == verdict(0.25)._replace(at="2026-11-30T12:00:00+00:00")

    def test_other_events_are_none(self):
        assert read_verdict(event(dict(verdict_event(verdict(0.5)).payload), "proposed")) is None

    @pytest.mark.parametrize(
        "change",
        [
            {"first": 1},
            {"second_hash": None},
            {"judge": ["x"]},
            {"first_depends": "0.9"},
            {"first_depends": True},
            {"second_depends": 1.5},
            {"second_depends": -0.1},
            {"first_depends": float("nan")},
            {"first_depends": None},
        ],
        ids=str,
    )
    def test_damaged_ones_are_none(self, change):
        payload = {**verdict_event(verdict(0.5)).payload, **change}
        assert read_verdict(event(payload)) is None

    def test_what_a_later_version_adds_is_passed_over(self):
        payload = {**verdict_event(verdict(0.5)).payload, "asked": "alias", "reasons": []}
        assert read_verdict(event(payload)) is not None


class TestImported:
    def test_a_tools_line(self):
        line = {"first": "b", "second": "a", "first_depends": 1, "second_depends": 0.25}
        assert parse_imported(line) == ("b", "a", 1.0, 0.25, "imported", "", "")

    def test_who_judged(self):
        line = {"first": "a", "second": "b", "first_depends": 0, "second_depends": 0}
        more = {"judge": "me", "model": "x-1", "questions": "mine", "cost": 3}
        assert parse_imported({**line, **more})[4:] == ("me", "x-1", "mine")

    def test_a_persons_line(self):
        assert parse_imported({"dependent": "a", "basis": "b"})[:4] == ("a", "b", 1.0, 0.0)
        line = {"dependent": "a", "basis": "b", "probability": 0.6}
        assert parse_imported(line)[:4] == ("a", "b", 0.6, 0.0)

    @pytest.mark.parametrize(
        ("line", "text"),
        [
            ([], "not a JSON object"),
            ("A", "not a JSON object"),
            (None, "not a JSON object"),
            ({}, "needs first and second, or dependent and basis, as text"),
            ({"first": "A"}, "needs first and second, or dependent and basis, as text"),
            ({"dependent": "A"}, "needs first and second, or dependent and basis, as text"),
            (
                {"dependent": "A", "basis": 3},
                "needs first and second, or dependent and basis, as text",
            ),
            ({"first": "A", "second": "B"}, "needs probabilities from 0 to 1"),
            (
                {"dependent": "A", "basis": "B", "judge": 7},
                "judge, model and questions must be text",
            ),
        ],
        ids=str,
    )
    def test_refused(self, line, text):
        with pytest.raises(ValueError, match=f"^{text}$"):
            parse_imported(line)

    @pytest.mark.parametrize(
        "number",
        [True, False, None, "0.9", 1.5, -0.001, float("nan"), float("inf"), 10**400, [0.5]],
        ids=str,
    )
    def test_no_probability(self, number):
        with pytest.raises(ValueError, match=r"^needs probabilities from 0 to 1$"):
            parse_imported({"dependent": "A", "basis": "B", "probability": number})
        line = {"first": "A", "second": "B", "first_depends": 0.5, "second_depends": number}
        with pytest.raises(ValueError, match=r"^needs probabilities from 0 to 1$"):
            parse_imported(line)

    @pytest.mark.parametrize(
        ("first", "second", "scores"), [(A, B, (0.9, 0.2)), (B, A, (0.2, 0.9))]
    )
    def test_the_order_of_the_pair_does_not_matter(self, first, second, scores):
        line = {"first": "x", "second": "y", "first_depends": 0.9, "second_depends": 0.2}
        made = ordered_verdict(parse_imported(line), first, second, {A: "a1", B: "b1"})
        assert made[:4] == (A, B, *scores)
        assert (made.first_hash, made.second_hash) == ("a1", "b1")
