"""What a run comes to, counted."""

from __future__ import annotations

from vaultgraph.domain.judging import Verdict
from vaultgraph.domain.notes import NoteId
from vaultgraph.flows.judge_report import judge_document, summarise
from vaultgraph.proposals.decide import Cutoffs

CUTOFFS = Cutoffs(0.7, 0.4)


def verdict(first: str, second: str, one: float, other: float) -> Verdict:
    return Verdict(
        NoteId(first), NoteId(second), one, other, "j", "m", "depends.v1", "h", "", "", ""
    )


VERDICTS = [
    verdict("a", "b", 0.0, 0.0999),
    verdict("a", "c", 0.1, 0.4),
    verdict("a", "d", 0.7, 0.69),
    verdict("b", "c", 0.8, 0.75),
    verdict("b", "d", 1.0, 0.9),
]


def test_every_direction_counts_once():
    summary = summarise(VERDICTS, CUTOFFS)
    assert summary.histogram == (2, 1, 0, 0, 1, 0, 1, 2, 1, 2)
    assert (summary.above, summary.middle) == (5, 2)


def test_mutual_pairs_come_strongest_first():
    summary = summarise(VERDICTS, CUTOFFS)
    assert [(v.first, v.second) for v in summary.mutual] == [("b", "d"), ("b", "c")]


def test_nothing():
    summary = summarise([], CUTOFFS)
    assert summary.histogram == (0,) * 10
    assert (summary.above, summary.middle, summary.mutual) == (0, 0, [])


def test_the_document():
    document = judge_document(
        VERDICTS[2:3],
        CUTOFFS,
        asked=1,
        cached=4,
        decided=2,
        failed=[("a", "e", "why")],
        tokens=9,
        cost=0.25,
    )
    assert document == {
        "verdicts": [
            {
                "first": "a",
                "second": "d",
                "first_depends": 0.7,
                "second_depends": 0.69,
                "judge": "j",
                "model": "m",
                "questions": "depends.v1",
            }
        ],
        "asked": 1,
        "cached": 4,
        "decided": 2,
        "failed": [{"first": "a", "second": "e", "reason": "why"}],
        "tokens": 9,
        "cost": 0.25,
        "cutoff": 0.7,
        "middle": 0.4,
        "above_cutoff": 1,
        "in_middle": 1,
        "mutual": 0,
        "histogram": [0, 0, 0, 0, 0, 0, 1, 1, 0, 0],
    }
