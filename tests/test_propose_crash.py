"""Law 3 for the whole program: killed, on a full disk, without its vault, beside other writers.

Every note is old or new, never mixed; nothing of anybody else's is written over; what was written
is known as ours, whenever the end came.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import run, run_program
from tests.kit.crash_rounds import CrashRounds
from tests.kit.writing import age, edit, judged, ledger_events, notes_bytes, old_vault, propose

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs signals and limits of POSIX")


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_at_any_moment(tmp_path: Path, seed: int):
    rounds = CrashRounds(tmp_path, notes=40, seed=seed)
    for number in range(8):
        rounds.round(number)
    seen = rounds.seen
    # The test is worth something only if runs were killed on their way.
    assert seen["killed"] >= 4
    assert seen["new"] + seen["old"] == 8 * 41


NOTES = ("A", "B", "C", "D")
FILES = {
    **{f"{name}.md": f"---\ntitle: {name}\n---\nUses the Basis.\n" for name in NOTES},
    "Basis.md": "What they rest on.\n",
}

#: Calls ``act(step, number)`` at every step of every note, the notes counted from 1.
STEPS = """
import os
from vaultgraph.effects.writer import NoteWriter
begin, count = NoteWriter.__init__, [0]
def watch(step):
    count[0] += step == "intended"
    act(step, count[0])
def watched(self, *arguments, **options):
    begin(self, *arguments, **options, checkpoint=watch)
NoteWriter.__init__ = watched
"""


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    vault = old_vault(tmp_path / "vault", FILES)
    judged(vault, *((name, "Basis") for name in NOTES))
    return vault


def with_entry(name: str) -> str:
    return FILES[f"{name}.md"].replace(
        "\n---\nU", '\ndepends-on-proposed:\n  - "[[Basis]]"\n---\nU'
    )


@pytest.mark.parametrize(
    "step", ["intended", "checked", "written", "truncated", "synced", "ended", "finished"]
)
def test_killed_at_each_step_of_the_second_note(vault: Path, step: str):
    die = f"""
def act(step, number):
    if step == {step!r} and number == {4 if step == "finished" else 2}:
        os.kill(os.getpid(), 9)
"""
    assert run_program(vault, "propose", "--yes", prelude=STEPS + die).code == -9
    run(vault, "runs").ok()
    found = {path: data.decode() for path, data in notes_bytes(vault).items()}
    written = {name for name in NOTES if found[f"{name}.md"] == with_entry(name)}
    assert all(found[f"{name}.md"] == FILES[f"{name}.md"] for name in {*NOTES} - written)
    expected = {"intended": {"A"}, "checked": {"A"}, "finished": {*NOTES}}
    assert written == expected.get(step, {"A", "B"})
    # What stands there is ours although the run never came to its end.
    run(vault, "ledger", "verify").ok()
    taken = propose(vault, "--withdraw").ok().json["withdrawn"]
    assert {row["dependent"] for row in taken} == {f"{name}.md" for name in written}
    assert {path: data.decode() for path, data in notes_bytes(vault).items()} == FILES


def test_the_next_propose_settles_and_goes_on(vault: Path):
    die = """
def act(step, number):
    if step == "checked" and number == 3:
        # Half of the note is written over when the end comes.
        with open(os.path.join(os.environ["VAULT"], "C.md"), "r+b") as note:
            note.seek(10)
            note.write(b'depends-on-proposed:\\n  - "[[Bas')
        os.kill(os.getpid(), 9)
"""
    ran = run_program(
        vault, "propose", "--yes", prelude=STEPS + die, env={"VAULT": os.fspath(vault)}
    )
    assert ran.code == -9
    ran = run(vault, "propose", "--yes").ok()
    assert "recovered  C.md" in ran.err
    found = {path: data.decode() for path, data in notes_bytes(vault).items()}
    # That was no prefix of what we were writing, so it counts as somebody's and is left.
    assert found["C.md"] != FILES["C.md"]
    assert all(found[f"{name}.md"] == with_entry(name) for name in ("A", "B", "D"))


def test_another_process_writes_between_the_reading_and_the_write(vault: Path):
    """A program of its own, as an editor or a sync tool would be."""
    meddle = """
import subprocess, sys
def act(step, number):
    if step == "intended" and number in (2, 3):
        path = os.path.join(os.environ["VAULT"], "ABCD"[number - 1] + ".md")
        code = f"open({path!r}, {'wa'[number - 2]!r}).write('Theirs.')"
        subprocess.run([sys.executable, "-c", code], check=True)
"""
    ran = run_program(
        vault, "propose", "--yes", prelude=STEPS + meddle, env={"VAULT": os.fspath(vault)}
    ).calm()
    assert ran.code == 5
    assert ran.out.endswith("2 notes written; undo: vaultgraph undo 1\n")
    for name in ("B", "C"):
        assert f"conflict  {name}.md: changed since it was read\n" in ran.err
    found = {path: data.decode() for path, data in notes_bytes(vault).items()}
    assert found["B.md"] == "Theirs."
    assert found["C.md"] == FILES["C.md"] + "Theirs."
    assert (found["A.md"], found["D.md"]) == (with_entry("A"), with_entry("D"))
    # Neither is claimed as ours, and an undo leaves both.
    unwritten = [e["payload"] for e in ledger_events(vault) if e["event"] == "unwritten"]
    assert [payload["dependent"] for payload in unwritten] == ["B.md", "C.md"]
    run(vault, "undo", "--yes").ok()
    found = {path: data.decode() for path, data in notes_bytes(vault).items()}
    assert (found["B.md"], found["C.md"]) == ("Theirs.", FILES["C.md"] + "Theirs.")


def test_another_process_writes_at_the_very_moment(vault: Path):
    """Inside the window that law 3 names: what was written over is told of, and is in the run."""
    meddle = """
def act(step, number):
    if step == "checked" and number == 2:
        with open(os.path.join(os.environ["VAULT"], "B.md"), "a") as note:
            note.write("Theirs. " * 50)
    if step == "synced" and number == 3:
        with open(os.path.join(os.environ["VAULT"], "C.md"), "a") as note:
            note.write("Theirs.")
"""
    ran = run_program(
        vault, "propose", "--yes", prelude=STEPS + meddle, env={"VAULT": os.fspath(vault)}
    ).calm()
    assert ran.code == 5
    assert "conflict  C.md: somebody else wrote it at the same moment; look at it\n" in ran.err
    assert (vault / "C.md").read_text() == with_entry("C") + "Theirs."
    # B's addition is lost, as the law says it may be; the note is whole.
    assert (vault / "B.md").read_text() == with_entry("B")


def full_disk(size: int) -> str:
    """Let no file be written beyond a size: a full disk, for one process."""
    return f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))\n"


def test_a_full_disk_for_one_note(vault: Path):
    # It would grow just beyond what the disk takes.
    big = "Long.\n" * 9_999
    edit(vault / "B.md", big)
    judged(vault, ("B", "Basis"))
    ran = run_program(vault, "propose", "--yes", "--json", prelude=full_disk(60_000)).ok()
    assert ran.json["refused"] == [
        {"path": "B.md", "line": 0, "code": "refused", "text": "File too large"}
    ]
    assert [row["dependent"] for row in ran.json["proposed"]] == ["A.md", "C.md", "D.md"]
    assert (vault / "B.md").read_text() == big
    assert run(vault, "runs").ok().err == ""
    run(vault, "ledger", "verify").ok()


def test_a_full_disk_for_the_ledger_means_nothing_is_written(vault: Path):
    before = notes_bytes(vault)
    ran = run_program(vault, "propose", "--yes", prelude=full_disk(1_500))
    ran.calm()
    assert ran.code == 3
    assert "error: the ledger cannot be written: File too large\n" in ran.err
    assert notes_bytes(vault) == before
    run(vault, "ledger", "verify").ok()
    assert not any(event["event"] == "proposed" for event in ledger_events(vault))
    assert propose(vault).ok().json["written"] == 4


def test_a_full_disk_for_the_journal(vault: Path):
    """The state folder fills up on the way: no further note is touched."""
    fill = """
import resource
def act(step, number):
    if step == "ended" and number == 2:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, 1))
    if step == "finished":
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 40, 1 << 40))
"""
    # A lower hard limit cannot be raised again; only root could.
    fill = fill.replace("(1, 1)", "(1, 1 << 40)")
    ran = run_program(vault, "propose", "--yes", "--json", prelude=STEPS + fill).calm()
    assert {row["code"] for row in ran.json["refused"]} == {"refused"}
    assert [row["path"] for row in ran.json["refused"]] == ["C.md", "D.md"]
    assert all("the journal cannot be kept" in row["text"] for row in ran.json["refused"])
    run(vault, "runs").ok()
    found = {path: data.decode() for path, data in notes_bytes(vault).items()}
    assert {name for name in NOTES if found[f"{name}.md"] == with_entry(name)} == {"A", "B"}


def test_the_vault_vanishes_before_the_first_note(vault: Path):
    away = vault.with_name("away")
    vanish = f"""
from vaultgraph.effects.writer import NoteWriter
write = NoteWriter.write
def later(self, plans, **options):
    os.rename({os.fspath(vault)!r}, {os.fspath(away)!r})
    return write(self, plans, **options)
NoteWriter.write = later
"""
    before = notes_bytes(vault)
    run_program(vault, "propose", "--yes", prelude="import os\n" + vanish).calm()
    assert not vault.exists()
    away.rename(vault)
    assert notes_bytes(vault) == before
    assert propose(vault).ok().json["written"] == 4


def test_the_vault_vanishes_on_the_way_and_comes_back(vault: Path):
    away = vault.with_name("away")
    vanish = f"""
def act(step, number):
    if step == "intended" and number == 3:
        os.rename({os.fspath(vault)!r}, {os.fspath(away)!r})
"""
    ran = run_program(vault, "propose", "--yes", prelude=STEPS + vanish)
    ran.calm()
    assert ran.code == 3
    assert "error: the vault is no longer there\n" in ran.err
    assert not vault.exists()
    away.rename(vault)
    run(vault, "runs").ok()
    found = {path: data.decode() for path, data in notes_bytes(vault).items()}
    written = {name for name in NOTES if found[f"{name}.md"] == with_entry(name)}
    assert written == {"A", "B"}
    assert all(found[f"{name}.md"] == FILES[f"{name}.md"] for name in {*NOTES} - written)
    propose(vault).ok()
    propose(vault, "--withdraw").ok()
    assert {path: data.decode() for path, data in notes_bytes(vault).items()} == FILES


def test_a_vault_that_is_gone_from_the_start(tmp_path: Path):
    run(tmp_path / "none", "propose", "--yes").fails(3, "no such vault")


def test_interrupted_on_the_way(vault: Path):
    """Ctrl-C: the note that is being written is made whole at once."""
    interrupt = """
def act(step, number):
    if step == "written" and number == 2:
        raise KeyboardInterrupt
"""
    ran = run_program(vault, "propose", "--yes", prelude=STEPS + interrupt)
    assert ran.code == 130
    found = {path: data.decode() for path, data in notes_bytes(vault).items()}
    assert all(text in (FILES[path], with_entry(path[0])) for path, text in found.items())
    runs = json.loads(run(vault, "runs", "--json").ok().out)["runs"]
    assert [(info["written"], info["cut_off"]) for info in runs] in ([(1, True)], [(2, True)])
    age(vault)
    propose(vault, "--withdraw").ok()
    assert {path: data.decode() for path, data in notes_bytes(vault).items()} == FILES
