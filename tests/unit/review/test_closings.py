"""Since when notes were seen closed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import LedgerEvent, NewEvent
from vaultgraph.review.closings import closings_event, read_first_closed
from vaultgraph.review.decisions import renamed_event

START = datetime(2026, 12, 1, 23, tzinfo=UTC)
A, B, N = (NoteId(f"{name}.md") for name in "ABN")


def days(*new: NewEvent) -> dict[NoteId, str]:
    return read_first_closed(
        LedgerEvent(START + timedelta(days=n), "d", kind, payload)
        for n, (kind, payload) in enumerate(new)
    )


def test_the_first_day_counts_while_a_note_stays_closed():
    first, again = closings_event([B, A], []), closings_event([A], [])
    reopened = closings_event([], [A])
    assert first.payload == {"closed": [A, B], "reopened": []}
    assert days(first, again) == {A: "2026-12-01", B: "2026-12-01"}
    assert days(first, reopened) == {B: "2026-12-01"}
    assert days(first, reopened, again) == {A: "2026-12-03", B: "2026-12-01"}


def test_a_renamed_note_closed_when_it_did():
    assert days(closings_event([A], []), renamed_event(A, N)) == {N: "2026-12-01"}
    assert days(closings_event([N], []), closings_event([A], []), renamed_event(A, N)) == {
        N: "2026-12-01"
    }


def test_odd_payloads_are_passed_over():
    odd = [NewEvent("closings", {}), NewEvent("closings", {"closed": A, "reopened": [3]})]
    odd += [NewEvent("renamed", {"was": A}), NewEvent("closed", {"closed": [A]})]
    assert days(*odd) == {}
