"""What follows from a verdict: one row for each branch, and what the branches have in common."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultgraph.domain.judging import Verdict
from vaultgraph.domain.notes import NoteId
from vaultgraph.proposals.decide import Cutoffs, Decided, decide

A, B, C = NoteId("A.md"), NoteId("B.md"), NoteId("C.md")
CUTOFFS = Cutoffs(0.7, 0.4)


def verdict(first_depends: float, second_depends: float, first=A, second=B) -> Verdict:
    return Verdict(
        first, second, first_depends, second_depends, "j", "m", "q", "h", "1", "2", "at"
    )


def outcome(decided: Decided) -> dict[str, list[Any]]:
    """Return what was decided, without what is empty and without where scores come from."""
    return {
        name: [tuple(row[:3]) if name != "skipped" else tuple(row) for row in rows]
        for name, rows in decided._asdict().items()
        if rows
    }


#: (what it shows, both scores, standing, unable, ours, what follows)
ROWS: list[tuple[str, tuple[float, float], dict, dict, set, dict]] = [
    ("first on second", (0.9, 0.1), {}, {}, set(), {"proposed": [(A, B, 0.9)]}),
    ("second on first", (0.1, 0.8), {}, {}, set(), {"proposed": [(B, A, 0.8)]}),
    ("at the cutoff itself", (0.7, 0.0), {}, {}, set(), {"proposed": [(A, B, 0.7)]}),
    ("neither", (0.39, 0.1), {}, {}, set(), {}),
    ("middle", (0.5, 0.1), {}, {}, set(), {"middle": [(A, B, 0.5)]}),
    ("middle from its lower end", (0.1, 0.4), {}, {}, set(), {"middle": [(B, A, 0.4)]}),
    ("just below the cutoff", (0.6999, 0.1), {}, {}, set(), {"middle": [(A, B, 0.6999)]}),
    (
        "both in the middle",
        (0.5, 0.6),
        {},
        {},
        set(),
        {"middle": [(B, A, 0.6), (A, B, 0.5)]},
    ),
    (
        "one high, the other in the middle",
        (0.9, 0.6),
        {},
        {},
        set(),
        {"proposed": [(A, B, 0.9)], "middle": [(B, A, 0.6)]},
    ),
    ("mutual", (0.9, 0.7), {}, {}, set(), {"conflicts": [(A, B, 0.9)]}),
    (
        "mutual, one direction accepted: the other still wants an answer",
        (0.9, 0.8),
        {(A, B): {"accepted"}},
        {},
        set(),
        {"conflicts": [(A, B, 0.9)]},
    ),
    (
        "mutual, one direction proposed before: nobody has decided",
        (0.9, 0.8),
        {(A, B): {"proposed"}, (B, A): {"rejected"}},
        {},
        {(A, B)},
        {"conflicts": [(A, B, 0.9)]},
    ),
    (
        "mutual, and a person has decided about both",
        (0.9, 0.8),
        {(A, B): {"accepted"}, (B, A): {"rejected"}},
        {},
        set(),
        {
            "skipped": [
                (A, B, 0.9, "accepted already"),
                (B, A, 0.8, "rejected by its owner"),
            ]
        },
    ),
    (
        "accepted",
        (0.9, 0.1),
        {(A, B): {"accepted"}},
        {},
        set(),
        {"skipped": [(A, B, 0.9, "accepted already")]},
    ),
    (
        "rejected",
        (0.9, 0.1),
        {(A, B): {"rejected"}},
        {},
        {(A, B)},
        {"skipped": [(A, B, 0.9, "rejected by its owner")]},
    ),
    (
        "proposed",
        (0.9, 0.1),
        {(A, B): {"proposed"}},
        {},
        {(A, B)},
        {"skipped": [(A, B, 0.9, "proposed already")]},
    ),
    (
        "in several lists: what a person did counts",
        (0.9, 0.1),
        {(A, B): {"proposed", "rejected"}},
        {},
        set(),
        {"skipped": [(A, B, 0.9, "rejected by its owner")]},
    ),
    (
        "rejected one way does not reject the other",
        (0.1, 0.9),
        {(A, B): {"rejected"}},
        {},
        set(),
        {"proposed": [(B, A, 0.9)]},
    ),
    (
        "the reverse was accepted",
        (0.9, 0.1),
        {(B, A): {"accepted"}},
        {},
        set(),
        {"conflicts": [(A, B, 0.9)]},
    ),
    (
        "the reverse was only proposed",
        (0.9, 0.1),
        {(B, A): {"proposed"}},
        {},
        set(),
        {"proposed": [(A, B, 0.9)]},
    ),
    (
        "ours fell below the cutoff",
        (0.2, 0.1),
        {(A, B): {"proposed"}},
        {},
        {(A, B)},
        {"withdrawn": [(A, B, 0.2)]},
    ),
    (
        "ours fell into the middle",
        (0.5, 0.1),
        {(A, B): {"proposed"}},
        {},
        {(A, B)},
        {"withdrawn": [(A, B, 0.5)]},
    ),
    (
        "somebody else's fell below the cutoff",
        (0.2, 0.1),
        {(A, B): {"proposed"}},
        {},
        {(B, A)},
        {},
    ),
    (
        "ours was accepted, and fell since",
        (0.2, 0.1),
        {(A, B): {"accepted"}},
        {},
        {(A, B)},
        {},
    ),
    ("ours was taken out by hand", (0.2, 0.1), {}, {}, {(A, B)}, {}),
    ("what stands is not listed in the middle", (0.5, 0.1), {(A, B): {"rejected"}}, {}, set(), {}),
    (
        "the dependent takes no part",
        (0.9, 0.5),
        {},
        {A: "a record makes no pair"},
        set(),
        {"skipped": [(A, B, 0.9, "a record makes no pair")]},
    ),
    (
        "the basis takes no part",
        (0.9, 0.8),
        {},
        {B: "cannot be read"},
        set(),
        {"skipped": [(A, B, 0.9, "cannot be read"), (B, A, 0.8, "cannot be read")]},
    ),
    ("takes no part, and nothing would follow", (0.5, 0.1), {}, {A: "a record"}, set(), {}),
    (
        "ours in a note that takes no part is left",
        (0.2, 0.1),
        {(A, B): {"proposed"}},
        {A: "a record makes no pair"},
        {(A, B)},
        {},
    ),
]


@pytest.mark.parametrize(
    ("scores", "standing", "unable", "ours", "follows"),
    [pytest.param(*row[1:], id=row[0]) for row in ROWS],
)
def test_branch(scores, standing, unable, ours, follows):
    assert outcome(decide([verdict(*scores)], standing, unable, ours, CUTOFFS)) == follows


@pytest.mark.parametrize(
    ("scores", "standing", "reason"),
    [
        ((0.9, 0.8), {}, "each seems to depend on the other"),
        ((0.9, 0.1), {(B, A): {"accepted"}}, "the reverse was accepted"),
    ],
)
def test_a_conflict_says_why(scores, standing, reason):
    (conflict,) = decide([verdict(*scores)], standing, {}, (), CUTOFFS).conflicts
    assert conflict == (A, B, *scores, reason)


def test_strongest_first_then_by_name():
    verdicts = [
        verdict(0.8, 0.1, A, B),
        verdict(0.95, 0.1, A, C),
        verdict(0.1, 0.8, B, C),
        verdict(0.8, 0.1, NoteId("0.md"), C),
    ]
    proposed = decide(verdicts, {}, {}, (), CUTOFFS).proposed
    assert [row[:2] for row in proposed] == [(A, C), ("0.md", "C.md"), (A, B), (C, B)]


def test_a_row_says_who_judged():
    (row,) = decide([verdict(0.9, 0.1)], {}, {}, (), CUTOFFS).proposed
    assert (row.judge, row.model) == ("j", "m")


entries = st.sets(st.sampled_from(["proposed", "accepted", "rejected"]))
scores = st.sampled_from([0.0, 0.3, 0.4, 0.5, 0.69, 0.7, 0.9, 1.0])


@given(
    scores, scores, entries, entries, st.booleans(), st.booleans(), st.sampled_from([{}, {B: "x"}])
)
def test_whatever_comes(one, other, here, there, is_ours, is_ours_too, unable):
    ours = {pair for pair, flag in (((A, B), is_ours), ((B, A), is_ours_too)) if flag}
    standing = {(A, B): here, (B, A): there}
    decided = decide([verdict(one, other)], standing, unable, ours, CUTOFFS)
    for row in decided.proposed:
        # Law 4, and that a proposal needs a high score and nothing that speaks against it.
        assert not standing[row.dependent, row.basis]
        assert "accepted" not in standing[row.basis, row.dependent]
        assert row.probability >= 0.7
        assert not unable
    for row in decided.withdrawn:
        assert (row.dependent, row.basis) in ours
        assert "proposed" in standing[row.dependent, row.basis]
        assert row.probability < 0.7
    for row in decided.middle:
        assert 0.4 <= row.probability < 0.7
    directions = [
        row[:2]
        for row in (*decided.proposed, *decided.withdrawn, *decided.middle, *decided.skipped)
    ]
    assert len(directions) == len(set(directions))
    # A direction at or above the cutoff is never passed over in silence.
    high = {pair for pair, score in (((A, B), one), ((B, A), other)) if score >= 0.7}
    assert high <= {*directions, *(pair for pair in high if decided.conflicts)}
