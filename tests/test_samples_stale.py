"""What rests on what in the sample vault, held to ``samples/truth.json``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.cli import run
from tests.kit.vaults import REPOSITORY, SAMPLE_VAULT, copy_vault
from tests.kit.writing import age, edit, import_lines

if TYPE_CHECKING:
    from pathlib import Path

TRUTH: dict[str, Any] = json.loads((REPOSITORY / "samples" / "truth.json").read_text("utf-8"))
DEPENDENCIES = {(row["dependent"], row["basis"]) for row in TRUTH["dependencies"]}
CLOSED = TRUTH["closed"]
#: What no candidate pair shows, and so no judge is asked about.
HIDDEN = ("Move/Furniture to Sell.md", "Move/Relocation Plan.md")


def judge_all(vault: Path) -> None:
    """Let a judge that knows the truth have judged every candidate pair."""
    lines = [
        {
            "first": first,
            "second": second,
            "first_depends": 0.9 if (first, second) in DEPENDENCIES else 0.05,
            "second_depends": 0.9 if (second, first) in DEPENDENCIES else 0.05,
        }
        for first, second in TRUTH["pairs"]
    ]
    assert import_lines(vault, *lines).ok().json["refused"] == []


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    vault = copy_vault(SAMPLE_VAULT, tmp_path_factory.mktemp("judged") / "vault")
    age(vault)
    judge_all(vault)
    return vault


def stale(vault: Path, *options: str) -> Any:
    return run(vault, "stale", "--json", *options).ok().json


def pairs(document: Any, state: str = "stale", level: str = "") -> set[tuple[str, str]]:
    return {
        (row["note"], row["basis"])
        for row in document["findings"]
        if row["state"] == state and level in ("", row["level"])
    }


def test_the_line_that_a_person_remembers(judged: Path):
    shown = run(judged, "stale").ok().out
    assert "13 live notes point at 8 closed ones; 7 really depend on them" in shown
    counts = stale(judged)["counts"]
    assert (counts["notes"], counts["depend"], counts["confirmed"]) == (13, 7, 1)
    assert (counts["pointing"], counts["unjudged"], counts["handled"]) == (6, 0, 0)


def test_real_dependencies_and_pointers(judged: Path):
    told = {
        is_real: {
            (row["note"], row["basis"])
            for row in TRUTH["live_pointing_at_closed"]
            if row["real"] is is_real
        }
        for is_real in (True, False)
    }
    assert pairs(stale(judged)) == told[True]
    everything = stale(judged, "--all")
    assert pairs(everything) == told[True] | told[False]
    assert pairs(everything, level="pointer") == told[False]
    assert pairs(everything, level="confirmed") == {
        ("Money/Budget 2026.md", "Move/Relocation Plan.md")
    }


def test_what_a_person_adds_is_found_as_well(judged: Path, tmp_path: Path):
    vault = copy_vault(judged, tmp_path / "vault")
    run(vault, "review", "--accept", *HIDDEN).ok()
    assert pairs(stale(vault), level="confirmed") == {
        ("Money/Budget 2026.md", "Move/Relocation Plan.md"),
        HIDDEN,
    }


def test_superseded_against_ended(judged: Path):
    for row in stale(judged)["findings"]:
        if row["state"] == "stale":
            told = CLOSED[row["basis"]]
            assert (row["closed"]["how"], row["closed"]["successor"]) == (
                told["how"],
                told["successor"],
            )
    shown = run(judged, "stale").ok().out
    plan, _, portfolio = shown.partition("Work/Portfolio Site Plan.md")
    assert "look whether each still holds; now: Work/Portfolio Site.md" in portfolio
    assert "still holds" not in plan


def test_at_risk_chains(judged: Path):
    found = [row for row in stale(judged)["findings"] if row["state"] == "at-risk"]
    assert sorted(row["path"] for row in found) == [row["path"] for row in TRUTH["at_risk"]]
    assert {row["distance"] for row in found} == {2}
    assert stale(judged)["counts"]["at_risk"] == 3


def test_nothing_that_lives_on_alone_is_a_finding(judged: Path):
    named = {row["note"] for row in stale(judged, "--all")["findings"]}
    assert "Work/Portfolio Site.md" not in named  # names the plan that it replaced
    assert "Work/Rate Card 2026.md" not in named
    assert named.isdisjoint(TRUTH["records"])
    assert named.isdisjoint(CLOSED)


def test_suspects_after_an_edit(judged: Path, tmp_path: Path):
    vault = copy_vault(judged, tmp_path / "vault")
    for dependent, basis in TRUTH["suspect"]["accepted"]:
        run(vault, "review", "--accept", dependent, basis).ok()
    assert pairs(stale(vault), "suspect") == set()
    edited = TRUTH["suspect"]["edited"]
    edit(vault / edited, (vault / edited).read_text("utf-8") + "\nFifty libraries now.\n")
    found = stale(vault)
    assert pairs(found, "suspect") == {(note, edited) for note in TRUTH["suspect"]["suspects"]}
    assert "suspect" in run(vault, "stale").ok().out
    assert run(vault, "stale", "--check", "--folder", "Work").calm().code == 1


@pytest.mark.parametrize(
    "row", TRUTH["handled"], ids=lambda row: f"{row['reviewed']} {row['note']}"
)
def test_handled_ones(judged: Path, tmp_path: Path, row: dict[str, Any]):
    vault = copy_vault(judged, tmp_path / "vault")
    path = vault / row["note"]
    text = path.read_text("utf-8")
    block = text.removeprefix("---\n") if text.startswith("---\n") else f"---\n{text}"
    edit(path, f"---\nreviewed: {row['reviewed']}\n{block}")
    pair = (row["note"], row["basis"])
    found, everything = stale(vault, "--all"), stale(vault, "--all", "--handled")
    state = "handled" if row["handled"] else "stale"
    assert pair in pairs(everything, state)
    assert (pair in pairs(found)) is not row["handled"]
    assert found["counts"]["handled"] == int(row["handled"])
    if row["handled"]:
        assert "House/Paint Colours.md" not in {one["note"] for one in everything["findings"]}
        assert "(1 by your word, 6 by a judge's; 1 handled)" in run(vault, "stale").ok().out
