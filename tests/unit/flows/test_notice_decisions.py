"""Decisions made without us: by the script, by hand, on another device."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import run
from tests.kit.reviewing import brief, decided, log, log_line, notice, waiting_vault
from tests.kit.vaults import copy_vault
from tests.kit.writing import age, edit, ledger_events
from vaultgraph.domain.notes import NoteId

if TYPE_CHECKING:
    from pathlib import Path

PLAN = "---\nstatus: active\n---\nThe plan waits for the Session Cache.\n"
FILES = {"Plan.md": PLAN, "Session Cache.md": "Keeps sessions.\n", "Token Store.md": "Tokens.\n"}
PAIR = (NoteId("Plan.md"), NoteId("Session Cache.md"))
#: Later than whatever these tests write, whenever they run.
AT = "2099-12-01T09:30:12.345Z"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return waiting_vault(
        tmp_path / "vault", FILES, (*PAIR, 0.91), ("Plan.md", "Token Store.md", 0.8)
    )


def replace(vault: Path, old: str, new: str, name: str = "Plan.md") -> None:
    text = (vault / name).read_text("utf-8")
    assert old in text
    edit(vault / name, text.replace(old, new, 1))


def accept_by_hand(vault: Path) -> None:
    entry = '  - "[[Session Cache]]"\n'
    replace(vault, entry, "")
    replace(vault, "---\nThe plan", f"depends-on:\n{entry}---\nThe plan")


def test_an_entry_moved_by_hand_is_a_decision(vault: Path):
    accept_by_hand(vault)
    notice(vault)
    assert brief(vault) == [(*PAIR, "accepted", "file")]
    (event,) = decided(vault)
    assert event["probability"] == 0.91
    assert event["was"] == "proposed"
    assert len(event["basis_hash"]) == 64
    notice(vault)
    assert len(decided(vault)) == 1


@pytest.mark.parametrize("command", [("propose", "--yes"), ("judge", "--yes")])
def test_whatever_command_writes_next_remembers_what_was_decided_by_hand(
    vault: Path, command: tuple[str, ...]
):
    replace(vault, "depends-on-proposed:\n", "depends-on-rejected:\n")
    ran = run(vault, *command, "--json").ok()
    assert sorted(brief(vault)) == [
        (*PAIR, "rejected", "file"),
        ("Plan.md", "Token Store.md", "rejected", "file"),
    ]
    if command[0] == "propose":
        assert ran.json["proposed"] == []
    # Found in the notes a second time, it is the same decision.
    run(vault, *command, "--json").ok()
    assert len(decided(vault)) == 2


@pytest.mark.parametrize("command", ["propose", "judge"])
def test_a_dry_run_remembers_nothing(vault: Path, command: str):
    accept_by_hand(vault)
    before = ledger_events(vault)
    run(vault, command, "--dry-run").ok()
    assert ledger_events(vault) == before


def test_nothing_is_remembered_where_one_only_looks(vault: Path):
    accept_by_hand(vault)
    before = ledger_events(vault)
    assert notice(vault, remember=False).history.pairs[PAIR].state == "accepted"
    assert ledger_events(vault) == before


def test_a_decision_taken_back_or_forgotten_by_hand(vault: Path):
    run(vault, "review", "--accept", *PAIR).ok()
    run(vault, "review", "--reject", "Plan", "Token Store").ok()
    age(vault)
    replace(vault, 'depends-on:\n  - "[[Session Cache]]"\n', "")
    replace(vault, "depends-on-rejected:", "depends-on-proposed:")
    notice(vault)
    assert set(brief(vault)[2:]) == {
        (*PAIR, "reset", "file"),
        ("Plan.md", "Token Store.md", "undone", "file"),
    }


def test_an_entry_that_only_left_is_no_decision_and_comes_again(vault: Path):
    replace(vault, '  - "[[Session Cache]]"\n', "")
    status = run(vault, "review", "--status", "--json").ok().json
    assert brief(vault) == []
    assert status["vanished_pairs"] == [{"dependent": PAIR[0], "basis": PAIR[1]}]
    again = run(vault, "propose", "--yes", "--json").ok().json
    assert [(row["dependent"], row["basis"]) for row in again["proposed"]] == [PAIR]
    assert run(vault, "review", "--status", "--json").ok().json["vanished"] == 0


def test_an_undone_review_run_is_noticed(vault: Path):
    before = (vault / "Plan.md").read_bytes()
    ran = run(vault, "review", "--reject", *PAIR, "--json").ok().json
    age(vault)
    run(vault, "undo", "--yes", ran["run"]).ok()
    assert (vault / "Plan.md").read_bytes() == before
    notice(vault)
    assert brief(vault)[-1] == (*PAIR, "undone", "file")


def test_the_scripts_log_is_taken_over_once(vault: Path):
    accept_by_hand(vault)
    log(vault, "obsidian-1", log_line(*PAIR, "accepted", AT, seconds=4.2, probability=0.91))
    notice(vault)
    notice(vault)
    assert brief(vault) == [(*PAIR, "accepted", "obsidian")]
    assert decided(vault)[0]["seconds"] == 4.2


def test_the_note_is_the_truth_where_the_log_says_otherwise(vault: Path):
    log(vault, "obsidian-1", log_line(*PAIR, "accepted", AT))
    notice(vault)
    assert brief(vault) == [(*PAIR, "accepted", "obsidian"), (*PAIR, "undone", "file")]
    notice(vault)
    assert len(decided(vault)) == 2


def test_a_bad_line_is_a_problem_and_stops_nothing(vault: Path):
    log(vault, "obsidian-1", "{}", log_line(*PAIR, "accepted", AT))
    ran = run(vault, "review", "--status", "--json").ok().json
    assert [(p["path"], p["line"]) for p in ran["problems"]] == [
        (".vaultgraph/decisions/obsidian-1.jsonl", 1)
    ]
    assert len(decided(vault)) == 2


def test_two_devices_that_take_over_one_log_agree(vault: Path, tmp_path: Path, monkeypatch):
    accept_by_hand(vault)
    log(vault, "obsidian-1", log_line(*PAIR, "accepted", AT, seconds=4.2))
    other = copy_vault(vault, tmp_path / "other")
    notice(vault)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other-state"))
    notice(other)
    for path in (other / ".vaultgraph" / "ledger").glob("*.jsonl"):
        target = vault / ".vaultgraph" / "ledger" / path.name
        if not target.exists():
            target.write_bytes(path.read_bytes())
    assert len(decided(vault)) == 2
    status = run(vault, "review", "--status", "--json").ok().json
    assert (status["accepted"], status["waiting"]) == (1, 1)
    assert [sitting["decisions"] for sitting in status["sittings"]] == [1]


def test_a_renamed_note_keeps_its_decisions(vault: Path):
    run(vault, "review", "--accept", *PAIR).ok()
    (vault / "Plan.md").rename(vault / "Big Plan.md")
    age(vault)
    status = run(vault, "review", "--status", "--json").ok().json
    assert (status["accepted"], status["waiting"], status["unclear"]) == (1, 1, 0)
    assert [e["payload"] for e in ledger_events(vault) if e["event"] == "renamed"] == [
        {"was": "Plan.md", "note": "Big Plan.md"}
    ]
    # From now on its body may change, too.
    replace(vault, "The plan", "Our plan", "Big Plan.md")
    assert run(vault, "review", "--status", "--json").ok().json == status


def test_a_renamed_basis_as_obsidian_renames_it(vault: Path):
    run(vault, "review", "--accept", *PAIR).ok()
    (vault / "Session Cache.md").rename(vault / "Sessions.md")
    age(vault)
    replace(vault, "[[Session Cache]]", "[[Sessions]]")
    status = run(vault, "review", "--status", "--json").ok().json
    assert (status["accepted"], status["unclear"]) == (1, 0)


def test_a_renamed_basis_with_a_dead_link_is_unclear_and_no_reset(vault: Path):
    run(vault, "review", "--accept", *PAIR).ok()
    (vault / "Session Cache.md").rename(vault / "Sessions.md")
    age(vault)
    status = run(vault, "review", "--status", "--json").ok().json
    assert (status["accepted"], status["unclear"], status["reset"]) == (0, 1, 0)
    assert brief(vault) == [(*PAIR, "accepted", "terminal")]


def test_broken_properties_hide_decisions_and_take_none_back(vault: Path):
    run(vault, "review", "--accept", *PAIR).ok()
    age(vault)
    replace(vault, "status: active", "status: [active")
    notice(vault)
    assert brief(vault) == [(*PAIR, "accepted", "terminal")]
    replace(vault, "status: [active", "status: active")
    assert run(vault, "review", "--status", "--json").ok().json["accepted"] == 1


def test_private_notes_stand_in_no_event(vault: Path):
    accept_by_hand(vault)
    log(vault, "obsidian-1", log_line("Plan.md", "Token Store.md", "accepted", AT))
    replace(vault, "status: active", "private: true")
    notice(vault)
    assert brief(vault) == []
    status = run(vault, "review", "--status", "--json").ok()
    assert status.json["proposed"] == 0
    assert "Plan" not in status.out
