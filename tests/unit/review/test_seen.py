"""What the ledger says of the bases that an owner has seen, and since when entries stand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from vaultgraph.domain.dependencies import Seen
from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import LedgerEvent
from vaultgraph.review.decisions import Score, decided_event, renamed_event
from vaultgraph.review.seen import acked_event, read_seen
from vaultgraph.review.sources import EntrySource, read_sources

START = datetime(2026, 12, 1, tzinfo=UTC)
A, B, C, N = (NoteId(f"{name}.md") for name in "ABCN")
HASHES = {A: "a" * 64, B: "b" * 64}


def events(*new) -> list[LedgerEvent]:
    return [
        LedgerEvent(START + timedelta(days=n), "d", kind, payload)
        for n, (kind, payload) in enumerate(new)
    ]


def decided(decision="accepted", **more):
    return decided_event((A, B), decision, "terminal", was="proposed", hashes=HASHES, **more)


def test_an_acceptance_saw_the_basis_as_it_was():
    assert read_seen(events(decided())) == {(A, B): Seen(START, "b" * 64, None)}
    more = {"basis_state": "ended", "basis_sections": [["h", "x"], "odd"]}
    assert read_seen(events(decided(**more))) == {
        (A, B): Seen(START, "b" * 64, "ended", (("h", "x"),))
    }


def test_what_is_decided_otherwise_is_forgotten():
    for decision in ("rejected", "undone", "reset"):
        assert read_seen(events(decided(), decided(decision))) == {}


def test_an_acceptance_without_hashes_saw_nothing():
    assert read_seen(events(decided_event((A, B), "accepted", "file", was=None))) == {}


def test_an_ack_is_read_back_and_counts_as_one():
    seen = Seen(START, "b" * 64, "superseded", (("h", "x"), ("", "y")))
    event = acked_event(A, [(B, seen), (C, Seen(START, "", None))])
    assert read_seen(events(event)) == {
        (A, B): seen._replace(is_acknowledged=True),
        (A, C): Seen(START, "", None, is_acknowledged=True),
    }


def test_the_last_one_counts():
    ack = acked_event(A, [(B, Seen(START, "c" * 64, "live"))])
    assert read_seen(events(decided(), ack))[A, B].is_acknowledged
    assert not read_seen(events(ack, decided()))[A, B].is_acknowledged


def test_what_was_seen_follows_a_note_to_its_new_name():
    assert read_seen(events(decided(), renamed_event(B, N))).keys() == {(A, N)}
    assert read_seen(events(decided(), renamed_event(A, N))).keys() == {(N, B)}
    own = decided_event((A, N), "accepted", "file", was=None, hashes={N: "n" * 64})
    seen = read_seen(events(decided(), own, renamed_event(B, N)))
    assert seen[A, N].basis_hash == "n" * 64


def test_odd_payloads_are_passed_over():
    odd = [
        LedgerEvent(START, "d", kind, payload)  # type: ignore[arg-type]
        for kind in ("decided", "acked", "renamed", "proposed", "unwritten")
        for payload in (
            {}, {"dependent": 3, "basis": []}, {"dependent": A, "bases": 4},
            {"dependent": A, "bases": [1, {"basis": 2}, {"hash": "x"}]}, {"was": A, "note": None},
        )
    ]  # fmt: skip
    assert read_seen(odd) == {}
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
