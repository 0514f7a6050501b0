"""What the ledger says of the bases that an owner has seen, and since when entries stand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from vaultgraph.domain.dependencies import Seen
from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import LedgerEvent
from vaultgraph.review.decisions import Score, decided_event, renamed_event
from vaultgraph.review.seen import BasisNow, acked_event, noted_event, read_seen
from vaultgraph.review.sources import EntrySource, read_sources

START = datetime(2026, 12, 1, tzinfo=UTC)
A, B, C, N = (NoteId(f"{name}.md") for name in "ABCN")
HASHES = {A: "a" * 64, B: "b" * 64}


def events(*new) -> list[LedgerEvent]:
    return [
        LedgerEvent(START + timedelta(days=n), "d", kind, payload)
        for n, (kind, payload) in enumerate(new)
    ]


def seen_in(all_events, reviewed="2026-12-31"):
    """Return what was seen, every note having been reviewed on a day."""
    return read_seen(all_events, dict.fromkeys((A, B, C, N), reviewed))


def decided(decision="accepted", **more):
    return decided_event((A, B), decision, "terminal", was="proposed", hashes=HASHES, **more)


def test_an_acceptance_saw_the_basis_as_it_was():
    assert seen_in(events(decided())) == {(A, B): Seen(START, "b" * 64, None)}
    more = {"basis_state": "ended", "basis_sections": [["h", "x"], "odd"]}
    assert seen_in(events(decided(**more))) == {
        (A, B): Seen(START, "b" * 64, "ended", (("h", "x"),))
    }


def test_what_is_decided_otherwise_is_forgotten():
    for decision in ("rejected", "undone", "reset"):
        assert seen_in(events(decided(), decided(decision))) == {}


def test_an_acceptance_without_hashes_saw_nothing():
    assert seen_in(events(decided_event((A, B), "accepted", "file", was=None))) == {}


def test_an_ack_is_read_back_and_counts_as_one():
    sections = (("h", "x"), ("", "y"))
    bases = [BasisNow(B, "b" * 64, "superseded", sections), BasisNow(C, "", "live", ())]
    assert seen_in(events(acked_event(A, bases, "2026-12-01"))) == {
        (A, B): Seen(START, "b" * 64, "superseded", sections, is_acknowledged=True),
        (A, C): Seen(START, "", "live", is_acknowledged=True),
    }


@pytest.mark.parametrize(
    ("reviewed", "counts"),
    [
        ("", False), ("2026-12-01", False), ("2026-12-02", True), ("2026-12-02T10:00", True),
        ("[[2026-12-03]]", True), ("soon", False),
    ],
)  # fmt: skip
def test_an_ack_holds_while_the_note_says_reviewed(reviewed: str, counts: bool):
    one, other = BasisNow(B, "c" * 64, "ended", ()), BasisNow(C, "d" * 64, "live", ())
    seen = seen_in(events(decided(), acked_event(A, [one, other], "2026-12-02")), reviewed)
    # Taken back, what the acceptance saw counts again.
    assert (seen[A, B].basis_hash, seen[A, B].is_acknowledged) == (
        ("c" * 64, True) if counts else ("b" * 64, False)
    )
    assert ((A, C) in seen) is counts


def test_what_was_met_is_noted_for_all_that_rest_on_it():
    noted = noted_event(BasisNow(B, "b" * 64, "live", (("h", "x"),)), [A, N])
    again = noted_event(BasisNow(B, "d" * 64, "live", ()), [A, C])
    first = Seen(START, "b" * 64, "live", (("h", "x"),))
    later = Seen(START + timedelta(days=1), "d" * 64, "live")
    # Two devices may meet it, and the first of them saw it before it changed.
    assert seen_in(events(noted, again)) == {(A, B): first, (N, B): first, (C, B): later}
    assert seen_in(events(noted, decided("rejected"))).keys() == {(N, B)}
    assert seen_in(events(noted, decided()))[A, B].at == START + timedelta(days=1)


def test_the_last_one_counts():
    ack = acked_event(A, [BasisNow(B, "c" * 64, "live", ())], "2026-12-01")
    assert seen_in(events(decided(), ack))[A, B].is_acknowledged
    assert not seen_in(events(ack, decided()))[A, B].is_acknowledged


def test_what_was_seen_follows_a_note_to_its_new_name():
    assert seen_in(events(decided(), renamed_event(B, N))).keys() == {(A, N)}
    assert seen_in(events(decided(), renamed_event(A, N))).keys() == {(N, B)}
    own = decided_event((A, N), "accepted", "file", was=None, hashes={N: "n" * 64})
    seen = seen_in(events(decided(), own, renamed_event(B, N)))
    assert seen[A, N].basis_hash == "n" * 64


def test_odd_payloads_are_passed_over():
    odd = [
        LedgerEvent(START, "d", kind, payload)  # type: ignore[arg-type]
        for kind in ("decided", "acked", "noted", "renamed", "proposed", "unwritten")
        for payload in (
            {}, {"dependent": 3, "basis": []}, {"dependent": A, "bases": 4},
            {"basis": B, "dependents": 1}, {"basis": B, "dependents": [1]}, {"dependents": [A]},
            {"dependent": A, "bases": [1, {"basis": 2}, {"hash": "x"}]}, {"was": A, "note": None},
        )
    ]  # fmt: skip
    assert seen_in(odd) == {}
    assert read_sources(odd) == {}


def test_an_entry_stands_since_its_last_proposal_or_acceptance():
    proposed = ("proposed", {"dependent": A, "basis": B, "probability": 0.8, "judge": "j"})
    score = Score(0.8, "j", "")
    assert read_sources(events(proposed)) == {(A, B): EntrySource("proposed", "2026-12-01", score)}
    # A decision that does not know what a judge had said leaves it as it was.
    assert read_sources(events(proposed, decided())) == {
        (A, B): EntrySource("accepted", "2026-12-02", score)
    }
    undone = read_sources(events(proposed, decided(), decided("undone")))
    assert undone == {(A, B): EntrySource("proposed", "2026-12-03", score)}
    for last in (
        decided("rejected"),
        decided("reset"),
        ("unwritten", {"dependent": A, "basis": B}),
    ):
        assert read_sources(events(proposed, last)) == {}


def test_a_decision_from_a_log_counts_from_when_it_was_made():
    late = decided(decided_at="2026-11-28T10:00:00Z")
    assert read_sources(events(late))[A, B].on == "2026-11-28"


def test_a_source_follows_a_note_to_its_new_name():
    assert read_sources(events(decided(), renamed_event(B, N))).keys() == {(A, N)}
