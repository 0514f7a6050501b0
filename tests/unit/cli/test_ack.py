"""``ack`` as a person uses it: what it handles, what it does not, and how it is taken back."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.answering import run_and_answer
from tests.kit.cli import run, run_program
from tests.kit.vaults import tree
from tests.kit.writing import edit, judged, ledger_events, notes_bytes, old_vault

if TYPE_CHECKING:
    from pathlib import Path

NEEDS = '---\ndepends-on:\n  - "[[Old]]"\n  - "[[Plan]]"\n---\nText.\n'
FILES = {
    "Old.md": "# One\nWords.\n# Two\nMore.\n",
    "Plan.md": "Live.\n",
    "A.md": NEEDS,
    "B.md": NEEDS,
    "Over.md": '---\ndepends-on: "[[A]]"\n---\n',
    "Points.md": "See [[Old]].\n",
    "Secret.md": "---\nprivate: true\n---\n[[Old]]\n",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return old_vault(tmp_path / "vault", FILES)


def rows(vault: Path, *more: str) -> list[tuple[str, str, str]]:
    document = run(vault, "stale", "--json", "--all", *more).ok().json
    return [(row["note"], row["basis"], row["state"]) for row in document["findings"]]


def close(vault: Path, line: str = "status: done") -> None:
    body = (vault / "Old.md").read_text("utf-8").rpartition("---\n")[2]
    edit(vault / "Old.md", f"---\n{line}\n---\n{body}")


def ack(vault: Path, *arguments: str) -> Any:
    return run(vault, "ack", *arguments, "--yes", "--json").ok().json


TODAY = date.today().isoformat()  # noqa: DTZ011 -- the day it is where the user is


def test_it_handles_what_it_saw(vault: Path):
    close(vault)
    assert rows(vault) == [
        ("A.md", "Old.md", "stale"),
        ("B.md", "Old.md", "stale"),
        ("Points.md", "Old.md", "stale"),
        ("Over.md", "A.md", "at-risk"),
    ]
    document = ack(vault, "A")
    assert document["acknowledged"] == [
        {
            "note": "A.md",
            "bases": ["Old.md", "Plan.md"],
            "findings": [{"basis": "Old.md", "level": "confirmed", "state": "stale"}],
        }
    ]
    assert (document["on"], document["refused"]) == (TODAY, [])
    assert (vault / "A.md").read_text("utf-8") == NEEDS.replace(
        "---\nText", f"reviewed: {TODAY}\n---\nText"
    )
    # What rests on it is at risk no longer.
    assert rows(vault) == [("B.md", "Old.md", "stale"), ("Points.md", "Old.md", "stale")]
    assert ("A.md", "Old.md", "handled") in rows(vault, "--handled")
    ack(vault, "Points", "B.md")
    assert rows(vault) == []


def test_what_happens_later_is_new(vault: Path):
    ack(vault, "A")
    close(vault)
    # Closing by a status alone leaves the text as it was, and is new all the same.
    assert ("A.md", "Old.md", "stale") in rows(vault)
    ack(vault, "A")
    assert ("A.md", "Old.md", "stale") not in rows(vault)
    close(vault, "superseded-by: '[[B]]'")
    assert ("A.md", "Old.md", "stale") in rows(vault)
    ack(vault, "A")
    edit(vault / "Old.md", (vault / "Old.md").read_text("utf-8") + "Even more.\n")
    assert ("A.md", "Old.md", "stale") in rows(vault)


def test_it_clears_a_suspect_and_says_which_sections_changed(vault: Path):
    ack(vault, "A", "B")
    edit(vault / "Old.md", "# One\nWords.\n# Two\nOther.\n# Three\n")
    document = run(vault, "stale", "--json").ok().json
    found = {row["note"]: row["sections"] for row in document["findings"] if row["sections"]}
    assert found == {"A.md": ["Two", "Three"], "B.md": ["Two", "Three"]}
    assert "changed: Two, Three\n" in run(vault, "stale").ok().out
    ack(vault, "A")
    assert rows(vault) == [("B.md", "Old.md", "suspect")]


def test_a_dependency_written_by_hand_is_seen_from_the_first_writing_run_on(vault: Path):
    edit(vault / "Old.md", "# One\nBefore anybody looked.\n# Two\nMore.\n")
    assert rows(vault) == []
    run(vault, "propose", "--yes").ok()
    assert [event["payload"]["dependents"] for event in ledger_events(vault)] == [
        ["Over.md"], ["A.md", "B.md"], ["A.md", "B.md"],
    ]  # fmt: skip
    run(vault, "propose", "--yes").ok()
    assert len(ledger_events(vault)) == 3
    edit(vault / "Old.md", "# One\nAfterwards.\n# Two\nMore.\n")
    assert rows(vault)[:2] == [("A.md", "Old.md", "suspect"), ("B.md", "Old.md", "suspect")]
    assert "changed: One\n" in run(vault, "stale").ok().out
    text = "".join(path.read_text("utf-8") for path in (vault / ".vaultgraph").rglob("*.jsonl"))
    assert "One" not in text


def test_one_basis_alone(vault: Path):
    close(vault)
    edit(vault / "Plan.md", "---\nstatus: done\n---\nLive.\n")
    ack(vault, "A", "--basis", "plan")
    left = [row for row in rows(vault) if row[0] == "A.md"]
    assert left == [("A.md", "Old.md", "stale")]
    run(vault, "ack", "A", "--basis", "B").fails(3, "A.md does not rest on B.md")


def test_undo_takes_it_back(vault: Path):
    close(vault)
    before, findings = notes_bytes(vault), rows(vault)
    ack(vault, "A")
    run(vault, "undo", "--yes").ok()
    assert notes_bytes(vault) == before
    assert rows(vault) == findings
    # So does whoever takes the day out by hand, or sets an earlier one.
    ack(vault, "A")
    text = (vault / "A.md").read_text("utf-8")
    edit(vault / "A.md", text.replace(TODAY, "2020-01-01"))
    assert rows(vault) == findings


def test_a_second_time_on_one_day(vault: Path):
    ack(vault, "A")
    close(vault)
    ran = run(vault, "ack", "A", "--yes").ok()
    assert ran.out.endswith(f"remembered; reviewed: {TODAY} stands there already\n")
    assert ("A.md", "Old.md", "stale") not in rows(vault)


def test_the_plan_the_question_and_the_diff(vault: Path):
    close(vault)
    judged(vault, ("Points", "Old"))
    before = tree(vault)
    ran = run(vault, "ack", "A", "--dry-run").ok()
    assert ran.out.startswith("--- A.md\n+++ A.md\n")
    assert f"\n+reviewed: {TODAY}\n" in ran.out
    assert tree(vault) == before
    run_program(vault, "ack", "A").fails(2, "no terminal to ask on")
    before_notes = notes_bytes(vault)
    asked = run_and_answer(vault, "ack", "A", "Over", answer="n\n")
    assert asked.code == 0
    assert asked.out.startswith(
        f"A.md  reviewed: {TODAY}\n"
        "  confirmed    stale    Old.md\n"
        "  and 1 other it rests on, as it is\n"
        f"Over.md  reviewed: {TODAY}\n"
        "  confirmed    at risk  A.md → Old.md\n"
        "2 findings handled by that\n"
    )
    assert asked.out.endswith("Nothing was written.\n")
    assert notes_bytes(vault) == before_notes
    answered = run_and_answer(vault, "ack", "Plan", answer="y\n")
    assert "it rests on nothing that is known; only the day is written" in answered.out
    assert "1 note written; undo: vaultgraph undo 1\n" in answered.out
    again = run(vault, "ack", "Plan", "--yes").ok()
    assert again.out.endswith(f"written\nreviewed: {TODAY} stands there already\n")


def test_what_cannot_be_acknowledged(vault: Path):
    run(vault, "ack", "Nowhere").fails(3, "no note is called Nowhere")
    run(vault, "ack", "A", "--basis", "Nowhere").fails(3, "no note is called Nowhere")
    edit(vault / "B.md", "---\n{a: b}\n---\n[[Old]]\n")
    ran = run(vault, "ack", "A", "B", "--yes", "--json").ok()
    assert [row["note"] for row in ran.json["acknowledged"]] == ["A.md"]
    assert [(row["path"], row["code"]) for row in ran.json["refused"]] == [("B.md", "flow-root")]
    # Where nothing is left to be done, nobody is asked.
    assert "refused  B.md:2: " in run(vault, "ack", "B").ok().err


def test_a_private_note_may_be_named_by_its_owner_alone(vault: Path):
    close(vault)
    document = ack(vault, "Secret")
    assert document["acknowledged"] == [{"note": "Secret.md", "bases": [], "findings": []}]
    text = "".join(path.read_text("utf-8") for path in (vault / ".vaultgraph").rglob("*.jsonl"))
    assert "Secret" not in text


def test_the_day_a_note_was_first_met_closed_tells_what_reviewed_is_worth(vault: Path):
    for note, day in (("A", "2999-01-01"), ("B", "2020-01-01")):
        edit(vault / f"{note}.md", f'---\ndepends-on: "[[Old]]"\nreviewed: {day}\n---\n')
    close(vault)
    # Nobody knows since when, and reading commands remember nothing.
    assert rows(vault)[:2] == [("A.md", "Old.md", "stale"), ("B.md", "Old.md", "stale")]
    assert ledger_events(vault) == []
    run(vault, "propose", "--yes").ok()
    assert rows(vault)[0] == ("B.md", "Old.md", "stale")
    assert ("A.md", "Old.md", "handled") in rows(vault, "--handled")

    def closings() -> list[tuple[list[str], list[str]]]:
        told = [e["payload"] for e in ledger_events(vault) if e["event"] == "closings"]
        return [(one["closed"], one["reopened"]) for one in told]

    run(vault, "propose", "--yes").ok()
    assert closings() == [(["Old.md"], [])]
    edit(vault / "Old.md", FILES["Old.md"])
    assert rows(vault) == []
    run(vault, "propose", "--yes").ok()
    assert closings()[1:] == [([], ["Old.md"])]
    # A day of its own needs none of ours.
    close(vault, "resolved-to: Gone\nresolved-on: 2019-01-01")
    run(vault, "propose", "--yes").ok()
    assert len(closings()) == 2
    assert ("B.md", "Old.md", "handled") in rows(vault, "--handled")
