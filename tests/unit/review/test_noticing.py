from __future__ import annotations

import pytest

from vaultgraph.domain.notes import NoteId
from vaultgraph.review.history import History, PairHistory
from vaultgraph.review.noticing import EMPTY_BODY, find_decisions, find_renamed

A, B = NoteId("A.md"), NoteId("B.md")


def found(known, standing, *, unsure=(), comparable=(A, B)):
    history = History(pairs={(A, B): PairHistory(known)})
    rows = find_decisions(history, {(A, B): set(standing)}, comparable, unsure)
    return [(row.decision, row.was) for row in rows]


@pytest.mark.parametrize(
    ("known", "standing", "expected"),
    [
        ("proposed", ["accepted"], [("accepted", "proposed")]),
        ("proposed", ["rejected"], [("rejected", "proposed")]),
        ("proposed", ["proposed"], []),
        ("proposed", [], []),
        ("accepted", ["proposed"], [("undone", "accepted")]),
        ("accepted", ["rejected"], [("rejected", "accepted")]),
        ("rejected", [], [("reset", "rejected")]),
        (None, ["accepted"], [("accepted", None)]),
        (None, ["proposed"], []),
        (None, [], []),
        ("proposed", ["proposed", "accepted"], [("accepted", "proposed")]),
    ],
)
def test_what_the_notes_say_otherwise(known, standing, expected):
    assert found(known, standing) == expected


def test_what_is_missing_in_a_note_that_cannot_be_read_says_nothing():
    assert found("rejected", [], unsure={A}) == []
    assert found("proposed", ["accepted"], unsure={A}) == [("accepted", "proposed")]


def test_a_note_that_is_gone_is_not_compared():
    assert found("rejected", [], comparable=(A,)) == []
    assert found("rejected", [], comparable=(B,)) == []


def test_renames_are_found_by_unique_bodies_only():
    old = {NoteId("old.md"): "1", NoteId("x.md"): "2", NoteId("y.md"): "2"}
    assert find_renamed(old, {A: "1", B: "2"}) == [("old.md", A)]
    assert find_renamed(old, {A: "1", B: "1"}) == []
    assert find_renamed({A: EMPTY_BODY}, {B: EMPTY_BODY}) == []
