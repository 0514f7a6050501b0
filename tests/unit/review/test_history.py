from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.kit.reviewing import log_line
from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import LedgerEvent
from vaultgraph.review.history import read_history

START = datetime(2026, 12, 1, tzinfo=UTC)
A, B, C = NoteId("A.md"), NoteId("B.md"), NoteId("C.md")


def events(*rows: tuple[str, dict]) -> list[LedgerEvent]:
    return [
        LedgerEvent(START + timedelta(minutes=n), "d", kind, payload)
        for n, (kind, payload) in enumerate(rows)
    ]


def pair(**more: object) -> dict:
    return {"dependent": A, "basis": B, **more}


def test_a_proposal_its_decision_and_its_undoing():
    known = read_history(events(("proposed", pair(probability=0.8, judge="j", model="m"))))
    assert known.pairs[A, B].state == "proposed"
    known = read_history(events(("proposed", pair()), ("decided", pair(decision="accepted"))))
    assert known.pairs[A, B].state == "accepted"
    assert known.pairs[A, B].was_proposed
    known = read_history(
        events(
            ("proposed", pair()),
            ("decided", pair(decision="accepted")),
            ("decided", pair(decision="undone")),
        )
    )
    assert known.pairs[A, B].state == "proposed"


def test_what_was_not_written_after_all_leaves_what_was_before():
    known = read_history(
        events(
            ("proposed", pair()),
            ("decided", pair(decision="reset")),
            ("proposed", pair()),
            ("unwritten", pair()),
        )
    )
    assert known.pairs[A, B].state is None
    assert (
        not read_history(events(("proposed", pair()), ("unwritten", pair())))
        .pairs[A, B]
        .was_proposed
    )


def test_a_skip_counts_until_something_happens():
    rows = [("proposed", pair()), ("skipped", pair())]
    assert read_history(events(*rows)).pairs[A, B].is_skipped
    rows.append(("decided", pair(decision="accepted")))
    assert not read_history(events(*rows)).pairs[A, B].is_skipped


def test_a_rename_takes_along_what_is_known():
    known = read_history(
        events(
            ("proposed", pair()),
            ("decided", pair(decision="rejected", dependent_hash="h")),
            ("renamed", {"was": A, "note": C}),
        )
    )
    assert known.pairs.keys() == {(C, B)}
    assert known.pairs[C, B].state == "rejected"
    assert known.hashes[C] == "h"
    assert known.name_now(A) == C


def test_renamed_there_and_back():
    known = read_history(
        events(
            ("proposed", pair()),
            ("renamed", {"was": A, "note": C}),
            ("renamed", {"was": C, "note": A}),
        )
    )
    assert known.pairs.keys() == {(A, B)}
    assert known.name_now(C) == A
    assert known.name_now(A) == A


def test_a_logged_decision_counts_from_when_it_was_made():
    made = (START - timedelta(minutes=1)).isoformat()
    line = log_line(A, B, "accepted", made)
    known = read_history(
        events(
            ("decided", pair(decision="undone")),
            ("decided", {**line, "decided_at": made, "seconds": 3.0}),
        )
    )
    assert known.pairs[A, B].state == "proposed"
    assert [one.seconds for one in known.paced] == [3.0]


def test_the_clock_of_a_phone_may_be_ahead():
    ahead = (START + timedelta(days=1)).isoformat()
    known = read_history(
        events(
            ("decided", pair(decision="accepted", decided_at=ahead)),
            ("decided", pair(decision="undone")),
        )
    )
    assert known.pairs[A, B].state == "proposed"


def test_events_that_make_no_sense_change_nothing():
    known = read_history(
        events(
            ("decided", pair(decision="maybe")),
            ("decided", {"dependent": 3}),
            ("renamed", {"was": 3}),
            ("verdict", {}),
            ("decided", pair(decision="accepted", decided_at="never", seconds="x")),
        )
    )
    assert known.pairs[A, B].state == "accepted"
    assert known.paced == []
