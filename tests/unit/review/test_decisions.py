from __future__ import annotations

import pytest

from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.settings import KeySettings
from vaultgraph.proposals.plan import Add, Move, Remove
from vaultgraph.review.decisions import changes_for, decided_event, list_of

KEYS = KeySettings()
P, A, R = KEYS.proposed, KEYS.accepted, KEYS.rejected
B = NoteId("B.md")


@pytest.mark.parametrize(
    ("standing", "decision", "expected"),
    [
        ({"proposed"}, "accepted", [Move(P, A, B)]),
        ({"proposed"}, "rejected", [Move(P, R, B)]),
        ({"rejected"}, "accepted", [Move(R, A, B)]),
        ({"accepted"}, "rejected", [Move(A, R, B)]),
        ({"proposed", "accepted"}, "accepted", [Move(P, A, B)]),
        ({"proposed", "accepted"}, "rejected", [Move(P, R, B), Move(A, R, B)]),
        (set(), "accepted", [Add(A, B)]),
        ({"accepted"}, "accepted", []),
        ({"accepted"}, "undone", [Move(A, P, B)]),
        ({"rejected"}, "reset", [Remove(R, B)]),
        ({"accepted", "rejected"}, "reset", [Remove(A, B), Remove(R, B)]),
        ({"proposed"}, "reset", []),
        (set(), "reset", []),
    ],
)
def test_what_a_decision_changes(standing, decision, expected):
    assert changes_for(B, decision, standing, KEYS) == expected


def test_a_decision_beats_a_proposal_left_beside_it():
    assert list_of({"proposed", "rejected"}) == "rejected"
    assert list_of({"proposed"}) == "proposed"
    assert list_of(()) is None


def test_an_event_holds_only_what_is_known():
    event = decided_event((NoteId("A.md"), B), "accepted", "file", was=None)
    assert event.payload == {
        "dependent": "A.md",
        "basis": "B.md",
        "decision": "accepted",
        "where": "file",
    }
