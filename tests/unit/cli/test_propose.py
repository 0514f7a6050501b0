"""``propose`` as a person sees it: the plan, the question, the outcome, 80 columns wide."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.answering import EOF, run_and_answer
from tests.kit.cli import OBEY_MODES, run, run_program
from tests.kit.vaults import tree, write_file
from tests.kit.writing import (
    age,
    edit,
    import_lines,
    judged,
    ledger_events,
    notes_bytes,
    old_vault,
    verdict,
)

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "Launch Plan.md": (
        '---\nstatus: active\ndepends-on: "[[Budget]]"\n---\nUses the Cache Layer.\n'
    ),
    "Cache Layer.md": "Fast.\r\n",
    "Budget.md": "---\n{a: b}\n---\n",
    "work/A plan with a name that is much too long for eighty columns of text.md": "x\n",
    "2026-11-30.md": "[[Budget]]\n",
    "Salary.md": "---\nprivate: true\n---\n",
}
LONG = "A plan with a name that is much too long for eighty columns of text"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return old_vault(tmp_path / "vault", FILES)


@pytest.fixture
def full_vault(vault: Path) -> Path:
    """Return a vault in which everything happens that can be told of."""
    import_lines(
        vault,
        verdict("Launch Plan", "Cache Layer", 0.925),
        verdict("Launch Plan", LONG, 0.8, 0.5),
        verdict("Launch Plan", "Budget", 0.9),
        verdict("Budget", "Cache Layer", 0.88),
        verdict("Cache Layer", LONG, 0.9, 0.75),
    ).ok()
    write_file(vault / "Extra.md", "Old.\n")
    write_file(vault / "Diary.md", "Old.\n")
    judged(vault, ("Extra", "Budget"), ("Extra", "Cache Layer"), ("Diary", "Budget"))
    write_file(vault / "Extra.md", "New.\n")
    write_file(vault / "Diary.md", "---\nprivate: true\n---\nOld.\n")
    age(vault)
    return vault


PLAN = """\
Launch Plan.md
  0.93  depends on  Cache Layer.md
  0.80  depends on  work/A plan with a name that is much too long for eighty
        columns of text.md
  +depends-on-proposed:
  +  - "[[Cache Layer]]"
  +  - "[[A plan with a name that is much too long for eighty columns of text]]"
1 in the middle (0.4 up to 0.7): for a person, not written
  0.50  work/A plan with a name that is much too long for eighty columns of
        text.md  depends on  Launch Plan.md
conflict  Cache Layer.md (0.90)  ↔  work/A plan with a name that is much too
          long for eighty columns of text.md (0.75): each seems to depend on the
          other
out of date  Extra.md changed since 2 verdicts; judge it again
left alone: 1, accepted already
left alone: 1, with a private note
refused  Budget.md:2: the block is JSON, in braces; write it as lines
2 entries to be proposed, in 1 note; only depends-on-proposed changes, and no
  other byte. Undo: vaultgraph undo
"""


def test_plan_question_and_outcome(full_vault: Path):
    ran = run_and_answer(full_vault, "propose", answer="y\n")
    assert ran.out == (f"{PLAN}Change 1 note? [y/N] y\n1 note written; undo: vaultgraph undo 1\n")
    assert ran.code == 0


def test_a_diff_on_a_terminal(full_vault: Path):
    before = tree(full_vault)
    ran = run_and_answer(full_vault, "propose", "--dry-run")
    diff = """\
--- Launch Plan.md
+++ Launch Plan.md
@@ -2,4 +2,7 @@
 status: active
 depends-on: "[[Budget]]"
+depends-on-proposed:
+  - "[[Cache Layer]]"
+  - "[[A plan with a name that is much too long for eighty columns of text]]"
 ---
 Uses the Cache Layer.
"""
    assert ran.out == diff + PLAN[PLAN.index("1 in the middle") :]
    assert ran.code == 0
    assert tree(full_vault) == before


def test_the_diff_alone_goes_into_a_pipe(vault: Path):
    judged(vault, ("Cache Layer", "Launch Plan"))
    ran = run(vault, "propose", "--dry-run").ok()
    assert ran.out == (
        "--- Cache Layer.md\n+++ Cache Layer.md\n@@ -1,2 +1,6 @@\n+---\n+depends-on-proposed:\n"
        '+  - "[[Launch Plan]]"\n+---\n Fast.\n \n'
    )
    assert ran.err == (
        "1 entry to be proposed, in 1 note; only depends-on-proposed changes, and no other byte."
        " Undo: vaultgraph undo\n"
    )


def test_a_dry_run_as_json(vault: Path):
    judged(vault, ("Cache Layer", "Launch Plan"))
    before = tree(vault)
    document = run(vault, "propose", "--dry-run", "--json").ok().json
    assert (document["run"], document["written"]) == (None, None)
    assert [row["dependent"] for row in document["proposed"]] == ["Cache Layer.md"]
    assert tree(vault) == before


def test_withdrawing_shows_what_goes(vault: Path):
    judged(vault, ("Launch Plan", "Cache Layer"))
    run(vault, "propose", "--yes").ok()
    ran = run_and_answer(vault, "propose", "--withdraw", answer="yes\n")
    assert (
        ran.out
        == """\
Launch Plan.md
  0.90  no longer  Cache Layer.md
  -depends-on-proposed:
  -  - "[[Cache Layer]]"
1 entry to be withdrawn, in 1 note; only depends-on-proposed changes, and no
  other byte. Undo: vaultgraph undo
Change 1 note? [y/N] yes
1 note written; undo: vaultgraph undo 2
"""
    )


def settled(vault: Path) -> dict[str, Any]:
    """Return a vault's files, once the ledger knows the dependencies that its owner wrote."""
    run(vault, "propose", "--limit", "0").ok()
    return tree(vault)


@pytest.mark.parametrize("answer", ["n\n", "\n", "no\n", "yess\n", EOF], ids=repr)
def test_anything_but_yes_writes_nothing(vault: Path, answer: str):
    judged(vault, ("Launch Plan", "Cache Layer"))
    before = settled(vault)
    ran = run_and_answer(vault, "propose", answer=answer)
    assert ran.code == 0
    assert ran.out.endswith("\nNothing was written.\n")
    assert tree(vault) == before


@pytest.mark.parametrize("answer", ["y\n", "YES\n", " Yes \n"], ids=repr)
def test_yes(vault: Path, answer: str):
    judged(vault, ("Launch Plan", "Cache Layer"))
    assert run_and_answer(vault, "propose", answer=answer).code == 0
    assert "depends-on-proposed" in (vault / "Launch Plan.md").read_text()


def test_interrupted_at_the_question(vault: Path):
    judged(vault, ("Launch Plan", "Cache Layer"))
    before = settled(vault)
    ran = run_and_answer(vault, "propose", answer=signal.SIGINT)
    assert ran.code == 130
    assert "error: interrupted\nhint: nothing was left half done\n" in ran.out
    assert tree(vault) == before


def test_no_terminal_and_no_yes(vault: Path):
    judged(vault, ("Launch Plan", "Cache Layer"))
    before = settled(vault)
    ran = run_program(vault, "propose").fails(2, "there is no terminal to ask on")
    assert "hint: give --yes to agree beforehand" in ran.err
    assert ran.out.startswith("Launch Plan.md\n")
    assert tree(vault) == before


def test_json_on_a_terminal_asks_as_well(vault: Path):
    judged(vault, ("Launch Plan", "Cache Layer"))
    before = notes_bytes(vault)
    ran = run_and_answer(vault, "propose", "--json", answer="n\n")
    assert ran.out.startswith("Launch Plan.md\n  0.90  depends on  Cache Layer.md\n")
    assert ran.out.endswith("Change 1 note? [y/N] n\nNothing was written.\n")
    assert notes_bytes(vault) == before


def test_json_without_a_terminal_prints_no_object(vault: Path):
    judged(vault, ("Launch Plan", "Cache Layer"))
    ran = run_program(vault, "propose", "--json")
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("Launch Plan.md\n")


def test_nothing_to_do_asks_nothing(vault: Path):
    ran = run_program(vault, "propose")
    assert (ran.code, ran.out, ran.err) == (0, "There is nothing to write.\n", "")
    # It only remembers what the dependency that its owner wrote rests on.
    assert [event["event"] for event in ledger_events(vault)] == ["noted"]


def test_many_notes_are_not_all_shown(tmp_path: Path):
    files = {f"{number:02}x.md": "" for number in range(30)}
    vault = old_vault(tmp_path / "vault", files)
    judged(vault, *((f"{number:02}x", "29x") for number in range(29)))
    ran = run(vault, "propose", "--yes").ok()
    assert "19x.md\n" in ran.out
    assert "20x.md\n" not in ran.out
    assert "… 9 more notes: --dry-run shows all\n" in ran.out
    assert ran.out.endswith("29 notes written; undo: vaultgraph undo 1\n")


def test_a_conflict_ends_with_5(vault: Path):
    judged(vault, ("Launch Plan", "Cache Layer"))
    prelude = f"""
from vaultgraph.effects.writer import NoteWriter
write = NoteWriter.write
def later(self, plans, **options):
    open({str(vault / "Launch Plan.md")!r}, "w").write("Mine.\\n")
    return write(self, plans, **options)
NoteWriter.write = later
"""
    ran = run_program(vault, "propose", "--yes", prelude=prelude).calm()
    assert ran.code == 5
    assert ran.out.endswith("0 notes written\n")
    assert ran.err == "conflict  Launch Plan.md: changed since it was read\n"
    assert (vault / "Launch Plan.md").read_text() == "Mine.\n"


def test_a_name_cannot_steer_the_terminal(tmp_path: Path):
    name = "Esc \x1b[31m\u202eape"
    vault = old_vault(tmp_path / "vault", {f"{name}.md": "x\n", "Plan.md": "y\n"})
    judged(vault, ("Plan", name))
    for arguments in (("--dry-run",), ("--yes",), ("--withdraw", "--yes")):
        ran = run(vault, "propose", *arguments)
        assert "\x1b" not in ran.out + ran.err
        assert "\u202e" not in ran.out + ran.err
    assert "\x1b" not in run(vault, "propose", "--only", name).err


def test_a_read_only_vault(vault: Path):
    judged(vault, ("Launch Plan", "Cache Layer"))
    folders = [vault, *(path for path in vault.rglob("*") if path.is_dir())]
    for path in (*folders, *vault.rglob("*.*")):
        path.chmod(path.stat().st_mode & 0o555)
    before = tree(vault)
    run_program(vault, "propose", "--dry-run", prelude=OBEY_MODES).ok()
    ran = run_program(vault, "propose", "--yes", prelude=OBEY_MODES).calm()
    assert ran.code == 3
    assert "error: the ledger cannot be written: Permission denied\n" in ran.err
    assert tree(vault) == before
    for path in folders:
        path.chmod(0o755)


def test_what_a_crash_left_is_told_and_a_dry_run_settles_nothing(vault: Path):
    judged(vault, ("Launch Plan", "Cache Layer"))
    prelude = """
import os
from vaultgraph.effects import note_file
truncate = os.ftruncate
def die(descriptor, size):
    os._exit(9)
os.ftruncate = die
"""
    assert run_program(vault, "propose", "--yes", prelude=prelude).code == 9
    torn = tree(vault)
    ran = run(vault, "propose", "--dry-run").ok()
    assert ran.err.startswith(
        "warning: a write run was cut off; vaultgraph runs settles what it left\n"
    )
    assert tree(vault) == torn
    ran = run(vault, "propose", "--yes").ok()
    assert ran.err == "recovered  Launch Plan.md had been written whole (run 1)\n"
    assert "left alone: 1, proposed already" in ran.out
    edit(vault / "Launch Plan.md", (vault / "Launch Plan.md").read_bytes())
    run(vault, "propose", "--withdraw", "--yes").ok()
    assert (vault / "Launch Plan.md").read_text() == FILES["Launch Plan.md"]
