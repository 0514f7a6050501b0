"""``review`` without keys: single decisions, the list, the status."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import OBEY_MODES, run, run_program
from tests.kit.reviewing import brief, log, log_line, waiting_vault
from tests.kit.terminal import Person
from tests.kit.writing import edit, notes_bytes, old_vault, open_proposals

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "Plan.md": "---\nstatus: active\n---\nWaits for the Session Cache.\n",
    "Session Cache.md": "Keeps sessions.\n",
    "Token Store.md": "Tokens.\n",
    "Diary Secret.md": "---\nprivate: true\ndepends-on-proposed:\n  - '[[Plan]]'\n---\nx\n",
}
PAIRS = (("Plan.md", "Session Cache.md", 0.9), ("Plan.md", "Token Store.md", 0.8))


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return waiting_vault(tmp_path / "vault", FILES, *PAIRS)


def lists(vault: Path, name: str = "Plan.md") -> str:
    return (vault / name).read_text("utf-8").split("---\n")[1].removeprefix("status: active\n")


def test_accept_reject_and_a_changed_mind(vault: Path):
    ran = run(vault, "review", "--accept", "plan", "Session Cache", "--json").ok().json
    assert (ran["was"], ran["written"], ran["refused"]) == ("proposed", True, [])
    assert lists(vault) == (
        'depends-on-proposed:\n  - "[[Token Store]]"\ndepends-on:\n  - "[[Session Cache]]"\n'
    )
    run(vault, "review", "--reject", "Plan.md", "Session Cache.md").ok()
    assert 'depends-on-rejected:\n  - "[[Session Cache]]"\n' in lists(vault)
    assert "depends-on:\n" not in lists(vault)
    assert run(vault, "propose", "--yes", "--json").ok().json["proposed"] == []
    run(vault, "review", "--reset", "Plan.md", "Session Cache.md").ok()
    assert "Session Cache" not in lists(vault)
    again = run(vault, "propose", "--yes", "--json").ok().json["proposed"]
    assert [row["basis"] for row in again] == ["Session Cache.md"]
    assert [row[2:] for row in brief(vault)] == [
        ("accepted", "terminal"),
        ("rejected", "terminal"),
        ("reset", "terminal"),
    ]


def test_what_is_so_already_is_not_written_again(vault: Path):
    run(vault, "review", "--accept", "Plan", "Session Cache").ok()
    before = notes_bytes(vault)
    ran = run(vault, "review", "--accept", "Plan", "Session Cache").ok()
    assert "it is accepted already" in ran.out
    assert "no decision stands" in run(vault, "review", "--reset", "Token Store", "Plan").ok().out
    assert notes_bytes(vault) == before


def test_a_person_may_accept_what_nobody_proposed(vault: Path):
    ran = run(vault, "review", "--accept", "Token Store", "Session Cache").ok()
    assert "nobody had proposed it" in ran.out
    assert (vault / "Token Store.md").read_text() == (
        '---\ndepends-on:\n  - "[[Session Cache]]"\n---\nTokens.\n'
    )
    status = run(vault, "review", "--status", "--json").ok().json
    assert (status["proposed"], status["unproposed"]) == (2, 1)


def test_proposals_json_follows(vault: Path):
    run(vault, "review", "--accept", "Plan", "Session Cache").ok()
    assert [row["basis"] for row in open_proposals(vault)["proposals"]] == ["Token Store.md"]


def test_wrong_pairs(vault: Path):
    run(vault, "review", "--accept", "Plan", "Plan").fails(3, "does not depend on itself")
    run(vault, "review", "--accept", "Nobody", "Plan").fails(3, "no note is called Nobody")
    private = run(vault, "review", "--accept", "Diary Secret", "Plan")
    assert "Diary" not in private.fails(3, "private note").err
    two = ["--accept", "Plan", "Token Store", "--status"]
    run(vault, "review", *two).fails(2, "only one of")


def test_a_refused_note_is_listed_and_the_run_is_done(vault: Path):
    text = (
        (vault / "Plan.md").read_text().replace("depends-on-proposed:", "depends-on-proposed: #")
    )
    edit(vault / "Plan.md", text.replace('  - "[[Token Store]]"\n', ""))
    ran = run(vault, "review", "--accept", "Plan", "Session Cache", "--json").ok().json
    assert not ran["written"]
    assert [row["code"] for row in ran["refused"]] == ["comment-on-key-line"]


def test_a_note_that_changes_all_the_time_is_a_conflict(vault: Path):
    prelude = """
from vaultgraph.effects.writer import NoteWriter
write = NoteWriter.write
def later(self, plans, **options):
    with open(self.vault / "Plan.md", "a") as stream:
        stream.write("typed")
    return write(self, plans, **options)
NoteWriter.write = later
"""
    arguments = ["review", "--accept", "Plan", "Session Cache"]
    ran = run_program(vault, *arguments, prelude=prelude).calm()
    assert ran.code == 5
    assert "changed since it was read" in ran.err
    assert brief(vault) == []


def test_without_a_terminal_it_lists_and_says_what_to_do(vault: Path):
    before = notes_bytes(vault)
    ran = run(vault, "review").ok()
    assert ran.out.startswith("0.90  Plan.md  depends on  Session Cache.md\n")
    assert "Plan.md:7  Waits for the Session Cache." in ran.out
    assert "--accept DEPENDENT BASIS" in ran.err
    assert "Secret" not in ran.out
    assert notes_bytes(vault) == before


def test_the_list_as_json_narrowed_and_blind(vault: Path):
    rows = run(vault, "review", "--json").ok().json["queue"]
    assert [(row["basis"], row["probability"]) for row in rows] == [
        ("Session Cache.md", 0.9),
        ("Token Store.md", 0.8),
    ]
    assert rows[0]["evidence"] == "Waits for the Session Cache."
    weakest = run(vault, "review", "--json", "--order", "weakest", "--limit", "1").ok().json
    assert [row["basis"] for row in weakest["queue"]] == ["Token Store.md"]
    named = run(vault, "review", "--json", "--note", "Token Store").ok().json["queue"]
    assert len(named) == 1
    blind = run(vault, "review", "--blind").ok()
    assert "0.9" not in blind.out
    assert "probability" not in run(vault, "review", "--blind", "--json").ok().out


def test_nothing_waits(tmp_path: Path):
    vault = old_vault(tmp_path / "vault", {"A.md": "x\n"})
    assert "No proposal waits." in run(vault, "review").ok().err
    assert run(vault, "review", "--status", "--json").ok().json["proposed"] == 0


def test_status_works_on_a_vault_that_cannot_be_written_to(vault: Path):
    text = (vault / "Plan.md").read_text()
    edit(vault / "Plan.md", text.replace("depends-on-proposed", "depends-on"))
    folders = [vault / ".vaultgraph" / "ledger", vault / ".vaultgraph", vault]
    for path in (*vault.rglob("*"),):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        ran = run_program(vault, "review", "--status", "--json", prelude=OBEY_MODES).ok()
        assert ran.json["accepted"] == 2
        assert "not remembered" in ran.err
    finally:
        for path in folders:
            path.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
def test_the_essays_numbers(tmp_path: Path):
    """89 proposed, 86 accepted, 2 rejected, 1 gone by hand; the one comes back, the two do not."""
    names = [f"Note {n:02}.md" for n in range(89)]
    files = {name: f"About the Great Basis, number {name}\n" for name in names}
    pairs = [(name, "Great Basis.md", 0.7 + n / 300) for n, name in enumerate(names)]
    vault = waiting_vault(tmp_path / "vault", {**files, "Great Basis.md": "b\n"}, *pairs)
    entry = 'depends-on-proposed:\n  - "[[Great Basis]]"\n'
    edit(vault / names[0], (vault / names[0]).read_text().replace(entry, ""))
    # The two by hand, and of the others a few in each way.
    for name in names[1:3]:
        text = (vault / name).read_text().replace("depends-on-proposed", "depends-on-rejected")
        edit(vault / name, text)
    for name in names[3:76]:
        text = (vault / name).read_text().replace("depends-on-proposed", "depends-on")
        edit(vault / name, text)
    lines = [
        log_line(
            name, "Great Basis.md", "accepted", f"2026-11-30T10:{n:02}:00Z", seconds=9 - n / 5
        )
        for n, name in enumerate(names[36:76])
    ]
    log(vault, "obsidian-1", *lines)
    with Person(vault, "review", lines=16) as person:
        for number in range(1, 14):
            person.sees(f"{number} of 13", "u undo").press("a")
        person.sees("All 13 seen.").press("q").sees("13 accepted, 0 rejected, of 13 proposals")
        person.stops()
    status = run(vault, "review", "--status", "--json").ok().json
    numbers = [status[k] for k in ("proposed", "accepted", "rejected", "vanished", "waiting")]
    assert numbers == [89, 86, 2, 1, 0]
    assert status["vanished_pairs"] == [{"dependent": names[0], "basis": "Great Basis.md"}]
    assert [s["decisions"] for s in status["sittings"]] == [40, 13]
    assert status["sittings"][0]["first_half"] > status["sittings"][0]["second_half"]
    for table in ("by_judge", "by_score"):
        assert sum(row["accepted"] for row in status[table]) == 86
    text = run(vault, "review", "--status").ok().out
    assert "will be proposed again" in text
    assert "(98% of those decided)" in text
    # A note with another name keeps what was decided about it.
    for number, name in ((1, "Away.md"), (50, "Elsewhere/Note 50.md")):
        (vault / name).parent.mkdir(exist_ok=True)
        (vault / names[number]).rename(vault / name)
    renamed = run(vault, "review", "--status", "--json").ok().json
    assert [renamed[k] for k in ("proposed", "accepted", "rejected", "vanished")] == [89, 86, 2, 1]
    document = run(vault, "judge", "--dry-run", "--json").ok().json
    assert (document["decided"], len(document["verdicts"])) == (88, 1)
    again = run(vault, "propose", "--yes", "--json").ok().json
    assert [row["dependent"] for row in again["proposed"]] == [names[0]]
