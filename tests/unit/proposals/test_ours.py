"""Which entries and blocks the ledger knows as ours."""

from __future__ import annotations

from datetime import UTC, datetime

from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import LedgerEvent, NewEvent
from vaultgraph.proposals.decide import Scored
from vaultgraph.proposals.ours import (
    proposed_event,
    read_ours,
    unwritten_event,
    withdrawn_event,
)

A, B, C = NoteId("A.md"), NoteId("B.md"), NoteId("C.md")
ROW, OTHER = Scored(A, B, 0.9, "j", "m"), Scored(A, C, 0.8, "j", "m")


def ours(*events: NewEvent):
    at = datetime(2026, 11, 30, tzinfo=UTC)
    return read_ours(LedgerEvent(at, "device", event.kind, event.payload) for event in events)


def proposed(row: Scored = ROW, *, block: bool = False) -> NewEvent:
    return proposed_event(row, is_our_block=block)


def test_proposed():
    assert ours(proposed()) == ({(A, B)}, {(A, B)}, set())


def test_withdrawn_is_not_open_and_yet_ours():
    assert ours(proposed(), withdrawn_event(ROW, "1")) == (set(), {(A, B)}, set())


def test_withdrawn_and_proposed_anew():
    assert ours(proposed(), withdrawn_event(ROW, "1"), proposed()).open == {(A, B)}


def test_unwritten_never_was():
    assert ours(proposed(), proposed(OTHER), unwritten_event(ROW)) == ({(A, C)}, {(A, C)}, set())


def test_a_block_is_ours_as_of_the_last_proposal():
    assert ours(proposed(block=True)).blocks == {A}
    assert ours(proposed(block=True), proposed(OTHER, block=True)).blocks == {A}
    assert ours(proposed(block=True), proposed(OTHER)).blocks == set()


def test_what_older_and_later_versions_write():
    def event(**payload) -> NewEvent:
        return NewEvent("proposed", payload)

    whole = {"dependent": "A.md", "basis": "B.md"}
    assert ours(event(**whole, run="1", created_block=True)).blocks == {A}
    assert ours(event(**whole)) == ({(A, B)}, {(A, B)}, set())
    assert ours(event(dependent="A.md"), event(dependent=1, basis="B.md")).open == set()
    assert ours(NewEvent("reviewed", {**whole})) == (set(), set(), set())


def test_no_text_of_a_note_is_remembered():
    keys = {"dependent", "basis", "probability", "judge", "model"}
    assert set(proposed().payload) == {*keys, "created_block"}
    assert set(withdrawn_event(ROW, "1").payload) == {*keys, "run"}
    assert set(unwritten_event(ROW).payload) == {"dependent", "basis"}
