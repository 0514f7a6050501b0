"""``proposals.json``: what a reviewer is shown beside each open proposal, and nothing private."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.cli import run
from tests.kit.vaults import write_file
from tests.kit.writing import (
    PROPOSED,
    edit,
    import_lines,
    judged,
    old_vault,
    open_proposals,
    propose,
    verdict,
)
from vaultgraph.flows.open_proposals import sentence_about

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "Plan.md": (
        '---\nproject: "[[Cache Layer]]"\n---\n'
        "First things first. We use the [[Cache Layer|cache]] of v1.5, see Salary Talks. More.\n"
    ),
    "Cache Layer.md": "Fast. Made for the Token Store! Yes.\n",
    "Token Store.md": "Safe.\n",
    "Salary Talks.md": "---\nprivate: true\n---\n[[Plan]]\n",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return old_vault(tmp_path / "vault", FILES)


def rows(vault: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = open_proposals(vault)["proposals"]
    return found


def test_score_and_the_sentence_that_speaks_for_it(vault: Path):
    judged(vault, ("Plan", "Cache Layer", 0.8))
    import_lines(
        vault, {**verdict("Token Store", "Cache Layer", 0.9), "judge": "me", "model": "x"}
    )
    propose(vault).ok()
    assert open_proposals(vault) == {
        "schema": 1,
        "keys": {
            "proposed": "depends-on-proposed",
            "accepted": "depends-on",
            "rejected": "depends-on-rejected",
        },
        "proposals": [
            {
                "dependent": "Token Store.md",
                "basis": "Cache Layer.md",
                "probability": 0.9,
                "judge": "me",
                "model": "x",
                # The dependent says nothing of the basis: what the basis says of it.
                "evidence": "Made for the Token Store!",
                "evidence_note": "Cache Layer.md",
                "evidence_line": 1,
            },
            {
                "dependent": "Plan.md",
                "basis": "Cache Layer.md",
                "probability": 0.8,
                "judge": "imported",
                "model": "",
                # Of the body, although a property names it further up; and masked. The line is
                # where it stands in the file as it is now.
                "evidence": "We use the [[Cache Layer|cache]] of v1.5, see [private].",
                "evidence_note": "Plan.md",
                "evidence_line": 6,
            },
        ],
    }


def test_where_only_a_property_speaks_for_it(vault: Path):
    edit(vault / "Plan.md", '---\nproject: "[[Cache Layer]]"\n---\n')
    judged(vault, ("Plan", "Cache Layer"))
    propose(vault).ok()
    assert rows(vault)[0]["evidence"] == 'project: "[[Cache Layer]]"'


def test_where_nothing_speaks_for_it(vault: Path):
    judged(vault, ("Plan", "Token Store"))
    propose(vault).ok()
    (row,) = rows(vault)
    assert set(row) == {"dependent", "basis", "probability", "judge", "model"}


def test_what_a_person_proposed_stands_there_too(vault: Path):
    edit(vault / "Token Store.md", f'---\n{PROPOSED}: "[[Plan]]"\n---\n')
    judged(vault, ("Plan", "Cache Layer"))
    propose(vault).ok()
    assert rows(vault)[1] == {"dependent": "Token Store.md", "basis": "Plan.md"}


def test_the_settings_keys(vault: Path):
    write_file(vault / ".vaultgraph/config.toml", '[keys]\nproposed = "rests-on-maybe"\n')
    judged(vault, ("Plan", "Cache Layer"))
    propose(vault).ok()
    assert open_proposals(vault)["keys"]["proposed"] == "rests-on-maybe"
    assert len(rows(vault)) == 1


def test_what_is_undone_or_withdrawn_or_reviewed_is_gone(vault: Path):
    judged(vault, ("Plan", "Cache Layer"), ("Token Store", "Cache Layer", 0.8))
    propose(vault, "--limit", "1").ok()
    assert [row["dependent"] for row in rows(vault)] == ["Plan.md"]
    propose(vault).ok()
    assert len(rows(vault)) == 2
    run(vault, "undo", "--yes").ok()
    assert [row["dependent"] for row in rows(vault)] == ["Plan.md"]
    edit(vault / "Plan.md", (vault / "Plan.md").read_text().replace(PROPOSED, "depends-on"))
    propose(vault, "--limit", "0").ok()
    assert rows(vault) == []
    propose(vault).ok()
    propose(vault, "--withdraw").ok()
    assert rows(vault) == []


def test_the_latest_score_is_shown(vault: Path):
    judged(vault, ("Plan", "Cache Layer", 0.8))
    propose(vault).ok()
    judged(vault, ("Plan", "Cache Layer", 0.95))
    propose(vault).ok()
    assert rows(vault)[0]["probability"] == 0.95


@pytest.mark.parametrize("hidden", ["Plan.md", "Cache Layer.md"])
def test_a_note_that_became_private_is_gone(vault: Path, hidden: str):
    judged(vault, ("Plan", "Cache Layer"))
    propose(vault).ok()
    text = (vault / hidden).read_text()
    head, body = ("", f"---\n{text}") if hidden == "Cache Layer.md" else ("---\n", text)
    edit(vault / hidden, f"---\nprivate: true\n{body.removeprefix(head)}")
    propose(vault).ok()
    assert rows(vault) == []


def test_not_written_where_nothing_changed(vault: Path):
    judged(vault, ("Plan", "Cache Layer"))
    propose(vault).ok()
    file = vault / ".vaultgraph/proposals.json"
    before = file.stat()
    propose(vault).ok()
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert [path.name for path in file.parent.iterdir() if path.is_file()] == ["proposals.json"]


def test_damaged_it_is_made_anew(vault: Path):
    judged(vault, ("Plan", "Cache Layer"))
    propose(vault).ok()
    whole = open_proposals(vault)
    (vault / ".vaultgraph/proposals.json").write_text("{")
    propose(vault).ok()
    assert open_proposals(vault) == whole


@pytest.mark.parametrize(
    ("line", "name", "sentence"),
    [
        ("One. Two Plan here. Three.", "Plan", "Two Plan here."),
        ("Plan", "Plan", "Plan"),
        ("It takes 1.5 hours of the PLAN. No.", "plan", "It takes 1.5 hours of the PLAN."),
        ("Nothing of the kind. At all.", "Plan", "Nothing of the kind. At all."),
        ("前言。计划在这里。后记。", "计划在这里", "计划在这里。"),
        ("See Plan 2.0! Yes.", "Plan 2.0", "See Plan 2.0!"),
        ("Mr. A. Plan is here. Yes.", "A. Plan", "Mr. A. Plan is here. Yes."),
        ("x" * 300, "x", "x" * 240 + "…"),
        ("", "Plan", ""),
    ],
)  # fmt: skip
def test_sentence_about(line: str, name: str, sentence: str):
    assert sentence_about(line, name) == sentence
