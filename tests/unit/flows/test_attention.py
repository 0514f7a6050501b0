"""Which pairs are attention checks, and that no note ever holds one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kit.reviewing import brief, notice, sit, waiting_vault
from tests.kit.writing import (
    edit,
    import_lines,
    ledger_events,
    notes_bytes,
    verdict,
    writing_context,
)
from vaultgraph.flows.attention import choose_checks, words_of
from vaultgraph.flows.review import ReviewOptions, Sitting
from vaultgraph.judge.embedded.judge import EmbeddedJudge

if TYPE_CHECKING:
    from pathlib import Path

    from vaultgraph.review.queue import Item

FILES = {
    "Plan.md": "Waits for the [[Basis]]. See [[Weak]], [[Wanted]] and [[Secret]].\n",
    "Basis.md": "A basis.\n",
    "Weak.md": "Weak.\n",
    "Wanted.md": "Wanted.\n",
    "Both.md": "Names no one.\n",
    "Other.md": "See [[Both]].\n",
    "Secret.md": "---\nprivate: true\n---\nSee [[Both]].\n",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    vault = waiting_vault(tmp_path / "vault", FILES, ("Plan.md", "Basis.md", 0.9))
    lines = [
        verdict("Plan.md", "Weak.md", 0.05, 0.01),
        verdict("Plan.md", "Wanted.md", 0.04, 0.06),
        verdict("Both.md", "Other.md", 0.0, 0.05),
    ]
    import_lines(vault, *lines).ok()
    return vault


CANDIDATES = {("Plan.md", "Weak.md"), ("Other.md", "Both.md")}
#: They score more, or were proposed.
LINKED = {("Plan.md", "Basis.md"), ("Plan.md", "Wanted.md")}


def chosen(vault: Path, most: int = 2, seed: str = "s") -> list[Item]:
    context = writing_context(vault)
    events = context.ledger.read().events
    return choose_checks(context.reading, notice(vault), events, EmbeddedJudge(), most, seed)


def with_checks(vault: Path) -> Sitting:
    plain = sit(vault)
    return Sitting(
        plain._context, notice(vault), ReviewOptions(), plain._clock, plain._take_back,
        chosen(vault),
    )  # fmt: skip


def test_they_are_the_pairs_that_no_judge_believes_in(vault: Path):
    found = chosen(vault)
    # The note that speaks of the other is the dependent, as in a proposal.
    assert {one.direction for one in found} == CANDIDATES
    assert {one.kind for one in found} == {"check"}
    assert {one.score for one in found} == {None}
    assert found == chosen(vault)
    assert all(one.direction not in LINKED for one in chosen(vault, 99))
    assert {tuple(chosen(vault, 1, str(seed))) for seed in range(20)} == {(one,) for one in found}


def test_where_too_few_are_that_weak_others_follow(vault: Path):
    found = chosen(vault, 9)
    assert {one.direction for one in found[:2]} == CANDIDATES
    others = [frozenset(one.direction) for one in found[2:]]
    # Of the fifteen pairs of six public notes, four are candidates.
    assert len(others) == len(set(others)) == 7
    assert not {"Secret.md"} & {note for both in others for note in both}
    assert not {frozenset(pair) for pair in (*CANDIDATES, *LINKED)} & set(others)


def test_no_note_and_no_decision_ever_holds_one(vault: Path):
    before = notes_bytes(vault)
    sitting = with_checks(vault)
    assert len(sitting.queue) == 3
    assert sitting.proposals == 1
    places = [one.kind for one in sitting.queue]
    answers = {"check": "accepted", "dependency": "rejected"}
    while (view := sitting.view()) is not None:
        assert sitting.decide(answers[view.item.kind]).kind == "done"  # type: ignore[arg-type]
    assert (sitting.decided, sitting.checked) == (["rejected"], ["accepted", "accepted"])
    assert [row[:3] for row in brief(vault)] == [("Plan.md", "Basis.md", "rejected")]
    changed = {name for name, content in notes_bytes(vault).items() if content != before[name]}
    assert changed == {"Plan.md"}
    for _ in places:
        assert sitting.undo() is not None
    assert notes_bytes(vault) == before
    assert sitting.checked == []
    kept = [e["payload"]["decision"] for e in ledger_events(vault) if e["event"] == "checked"]
    assert kept == ["accepted", "accepted", "undone", "undone"]


def test_one_is_asked_about_once(vault: Path):
    sitting = with_checks(vault)
    while sitting.view() is not None:
        sitting.decide("rejected")
    assert CANDIDATES.isdisjoint(one.direction for one in chosen(vault, 99))


def test_one_put_off_leaves_nothing(vault: Path):
    sitting = with_checks(vault)
    while (view := sitting.view()) is not None:
        if view.item.kind == "check":
            sitting.skip()
        else:
            sitting.decide("accepted")
    assert not [e for e in ledger_events(vault) if e["event"] in {"checked", "skipped"}]


def test_one_that_was_decided_meanwhile_is_passed_over(vault: Path):
    sitting = with_checks(vault)
    edit(vault / "Other.md", '---\ndepends-on:\n  - "[[Both]]"\n---\nSee [[Both]].\n')
    seen = []
    while (view := sitting.view()) is not None:
        seen.append(view.item.dependent)
        sitting.decide("accepted")
    assert "Other.md" not in seen


def test_what_they_say_in_words():
    # Wilson: 0 of 5 and 2 of 5.
    assert words_of(0, 5) == (
        "0 of 5 attention checks accepted (95% interval 0% to 43%): what was accepted seems to"
        " have been read"
    )
    assert words_of(2, 5).startswith("2 of 5 attention checks accepted (95% interval 12% to 77%)")
    assert words_of(2, 5).endswith("how many were accepted says little")
    assert words_of(0, 0) == ""
