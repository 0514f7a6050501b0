"""``undo``: the bytes before a run come back, and who edited since is told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.kit.answering import EOF, run_and_answer
from tests.kit.cli import run, run_program
from tests.kit.vaults import write_file
from tests.kit.writing import edit, judged, notes_bytes, old_vault, open_proposals, propose

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "Plan.md": "---\ntags: [a,  b] # mine\n---\nBody.\n",
    "Cache.md": "\ufeffFast.\r\n",
    "Token.md": "---\ndepends-on-proposed: # none\n---\n",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    vault = old_vault(tmp_path / "vault", FILES)
    judged(vault, ("Plan", "Cache"), ("Cache", "Token"), ("Token", "Plan"))
    return vault


def test_the_bytes_come_back(vault: Path):
    before = notes_bytes(vault)
    propose(vault).ok()
    written = notes_bytes(vault)
    assert all(written[note] != before[note] for note in before)
    ran = run(vault, "undo", "--yes").ok()
    assert ran.out == "run 1 is taken back\n3 notes written; undo: vaultgraph undo 2\n"
    assert ran.err == ""
    assert notes_bytes(vault) == before
    assert open_proposals(vault)["proposals"] == []
    # And an undo is a run like any other.
    assert run(vault, "undo", "--yes", "2").ok().out.startswith("run 2 is taken back\n")
    assert notes_bytes(vault) == written
    assert len(open_proposals(vault)["proposals"]) == 3


def test_as_json(vault: Path):
    propose(vault).ok()
    assert run(vault, "undo", "--yes", "--json").ok().json == {
        "undone": "1",
        "run": "2",
        "restored": ["Cache.md", "Plan.md", "Token.md"],
        "edited_since": [],
        "refused": [],
    }


def test_one_run_of_several(vault: Path):
    before = notes_bytes(vault)
    propose(vault, "--limit", "1").ok()
    first = notes_bytes(vault)
    propose(vault).ok()
    run(vault, "undo", "--yes").ok()
    assert notes_bytes(vault) == first
    run(vault, "undo", "--yes").ok()
    assert notes_bytes(vault) == before
    run(vault, "undo", "--yes").fails(3, "there is no run to undo", "`vaultgraph runs` lists them")


def test_who_edited_since_keeps_the_note(vault: Path):
    propose(vault).ok()
    mine = (vault / "Plan.md").read_text() + "Mine.\n"
    edit(vault / "Plan.md", mine)
    (vault / "Token.md").unlink()
    ran = run(vault, "undo", "--yes").calm()
    assert ran.code == 5
    assert ran.out == "run 1 is taken back\n1 note written; undo: vaultgraph undo 2\n"
    assert ran.err == (
        "conflict  Plan.md: changed since it was read\n"
        "conflict  Token.md: no longer there\n"
        "Notes that were edited since keep what they hold.\n"
    )
    assert (vault / "Plan.md").read_text() == mine
    assert (vault / "Cache.md").read_bytes() == FILES["Cache.md"].encode()


def test_who_edited_since_as_json(vault: Path):
    propose(vault).ok()
    edit(vault / "Plan.md", "Mine.\n")
    (vault / "Cache.md").chmod(0o444)
    ran = run(vault, "undo", "--yes", "--json").calm()
    assert ran.code == 5
    assert ran.json == {
        "undone": "1",
        "run": "2",
        "restored": ["Token.md"],
        "edited_since": ["Plan.md"],
        "refused": [{"path": "Cache.md", "line": 0, "code": "refused", "text": "read-only"}],
    }


def test_a_note_that_became_private_is_not_named(vault: Path):
    propose(vault).ok()
    edit(vault / "Plan.md", "---\nprivate: true\n---\nBody.\n")
    ran = run(vault, "undo", "--yes").calm()
    assert "Plan" not in ran.out + ran.err
    assert "conflict  [private]: changed since it was read\n" in ran.err
    propose(vault).ok()
    edit(vault / "Cache.md", "---\nprivate: true\n---\nFast.\n")
    assert run(vault, "undo", "--yes", "--json").json["edited_since"] == ["[private]"]


def test_a_dry_run_shows_and_changes_nothing(vault: Path):
    propose(vault).ok()
    edit(vault / "Plan.md", "Mine.\n")
    (vault / "Token.md").unlink()
    edit(vault / "Cache.md", (vault / "Cache.md").read_bytes().decode())
    before = notes_bytes(vault)
    ran = run(vault, "undo", "--dry-run", env={"TZ": "UTC"}).ok()
    assert re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "WHEN", ran.out) == (
        "run 1 (propose, WHEN): 1 note would hold again what stood there before\n"
        "  Cache.md\n"
        "2 notes edited since, left alone\n"
        "  Plan.md\n"
        "  Token.md\n"
    )
    assert run(vault, "undo", "--dry-run", "--json").ok().json == {
        "undone": "1",
        "run": None,
        "restored": ["Cache.md"],
        "edited_since": ["Plan.md", "Token.md"],
        "refused": [],
    }
    assert notes_bytes(vault) == before
    assert len(run(vault, "runs", "--json").ok().json["runs"]) == 1


def test_it_asks_once_and_takes_no_for_an_answer(vault: Path):
    before = notes_bytes(vault)
    propose(vault).ok()
    written = notes_bytes(vault)
    ran = run_program(vault, "undo").fails(2, "no terminal to ask on", "--yes")
    assert "3 notes would hold again" in ran.out
    for answer in ("n\n", "\n", EOF):
        ran = run_and_answer(vault, "undo", answer=answer).ok()
        assert "Give back 3 notes? [y/N]" in ran.out
        assert ran.out.endswith("Nothing was written.\n")
        assert notes_bytes(vault) == written
    assert "run 1 is taken back" in run_and_answer(vault, "undo", answer="y\n").ok().out
    assert notes_bytes(vault) == before


def test_nothing_to_undo(vault: Path):
    run(vault, "undo", "--yes").fails(3, "there is no run to undo")
    run(vault, "undo", "--yes", "7").fails(3, "there is no run 7")


def test_a_pruned_run(vault: Path):
    propose(vault).ok()
    assert run(vault, "runs", "--prune", "--days", "0").ok().out.startswith("1 run pruned, ")
    run(vault, "undo", "--yes", "1").fails(3, "the old bytes of run 1 were pruned")


def test_settings_that_cannot_be_read_stop_it_before_a_note_is_touched(vault: Path):
    propose(vault).ok()
    written = notes_bytes(vault)
    write_file(vault / ".vaultgraph/config.toml", "nonsense")
    run(vault, "undo", "--yes").fails(3, "config.toml")
    assert notes_bytes(vault) == written
