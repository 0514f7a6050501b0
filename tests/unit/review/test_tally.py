from __future__ import annotations

from vaultgraph.domain.notes import NoteId
from vaultgraph.review.decisions import Score
from vaultgraph.review.history import History, PairHistory
from vaultgraph.review.tally import FATES, band_of, tally

A, B, C, D = (NoteId(f"{name}.md") for name in "ABCD")
NOTES = (A, B, C, D)


def count(pairs, standing, *, comparable=NOTES, unsure=(), private=()):
    return tally(History(pairs=pairs), standing, comparable, unsure, private)


def proposed(state, **more):
    return PairHistory(state, was_proposed=True, **more)


def test_every_fate_and_the_sum():
    found = count(
        {
            (A, B): proposed("accepted"),
            (A, C): proposed("rejected"),
            (A, D): proposed("proposed"),
            (B, A): proposed("proposed"),
            (B, C): proposed(None),
            (B, NoteId("gone.md")): proposed("accepted"),
            (C, A): proposed(None, was_withdrawn=True),
            (C, B): PairHistory("accepted"),
        },
        {
            (A, B): {"accepted"},
            (A, C): {"rejected"},
            (A, D): {"proposed"},
            (C, B): {"accepted"},
            (D, A): {"proposed"},
            (D, B): {"accepted"},
        },
    )
    assert {fate: found.fates[fate] for fate in FATES} == {
        "accepted": 1,
        "rejected": 1,
        "waiting": 2,
        "vanished": 1,
        "reset": 1,
        "unclear": 1,
    }
    assert found.proposed == 7
    assert found.vanished == [(B, A)]
    assert found.unproposed == 1
    for table in (found.by_judge, found.by_band):
        assert sum(row.total() for row in table.values()) == found.proposed


def test_private_pairs_are_not_even_counted():
    assert count({(A, B): proposed("accepted")}, {(A, B): {"accepted"}}, private={B}).proposed == 0


def test_what_may_be_hidden_did_not_vanish():
    found = count({(A, B): proposed("proposed")}, {}, unsure={A})
    assert found.fates["unclear"] == 1


def test_a_band_holds_its_lower_edge():
    bands = [band_of(Score(p, "", "")) for p in (0.39, 0.4, 0.5, 0.69, 0.7, 0.9, 1.0)]
    assert bands == [
        "below 0.4",
        "0.4-0.5",
        "0.5-0.6",
        "0.6-0.7",
        "0.7-0.8",
        "0.9-1",
        "0.9-1",
    ]
    assert band_of(None) == "no score"
