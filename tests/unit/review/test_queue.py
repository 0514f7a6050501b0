from __future__ import annotations

from typing import Any

import pytest

from vaultgraph.domain.notes import NoteId
from vaultgraph.review.decisions import Score
from vaultgraph.review.history import History, PairHistory
from vaultgraph.review.queue import QueueOptions, make_queue

A, B, C, D = (NoteId(f"{name}.md") for name in "ABCD")
STANDING: Any = {
    (A, B): {"proposed"},
    (A, C): {"proposed"},
    (B, C): {"proposed", "accepted"},
    (C, D): {"accepted"},
    (D, A): {"proposed"},
}
SCORES = {(A, B): 0.7, (A, C): 0.9, (D, A): 0.8}


def queue(*, public=(A, B, C, D), skipped=(), **options):
    history = History(
        scores={pair: Score(p, "j", "m") for pair, p in SCORES.items()},
        pairs={pair: PairHistory("proposed", is_skipped=True) for pair in skipped},
    )
    items = make_queue(STANDING, public, history, QueueOptions(**options))
    return ["".join(note[0] for note in item.direction) for item in items]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ["AC", "DA", "AB", "BC"]),
        ({"order": "weakest"}, ["BC", "AB", "DA", "AC"]),
        ({"order": "note"}, ["AC", "AB", "BC", "DA"]),
        ({"limit": 2}, ["AC", "DA"]),
        ({"limit": 0}, []),
        ({"note": B}, ["AB", "BC"]),
        ({"public": (A, B, C)}, ["AC", "AB", "BC"]),
        ({"skipped": [(A, C)]}, ["DA", "AB", "BC", "AC"]),
    ],
)
def test_which_and_in_which_order(options, expected):
    assert queue(**options) == expected
