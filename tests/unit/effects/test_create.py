"""Notes that are made, and taken back: journaled, never over another file, whole after a crash."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.kit.vaults import REPOSITORY
from tests.unit.effects.writing_kit import Bench, kinds, names
from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import PlannedWrite, digest_of
from vaultgraph.effects.journal import Journal
from vaultgraph.effects.undo import list_runs, plan_undo, undo

if TYPE_CHECKING:
    from pathlib import Path

CONTENT = b"---\nvaultgraph-report: true\n---\n" + b"line\n" * 4_000


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def made(name: str = "Report.md", content: bytes = CONTENT) -> PlannedWrite:
    return PlannedWrite(NoteId(name), name, digest_of(b""), content, kind="create")


def write(bench: Bench, plan: PlannedWrite, *, atomic: bool = False):
    return bench.writer().write([plan], command="test", atomic=atomic)


def test_made_undone_and_made_again(bench: Bench):
    report = write(bench, made())
    assert kinds(report) == {"Report.md": "written"}
    path = bench.vault / "Report.md"
    assert path.read_bytes() == CONTENT
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    assert plan_undo(bench.writer()).restorable == ("Report.md",)
    assert undo(bench.writer()).restored == ("Report.md",)
    assert names(bench.vault) == []
    again = plan_undo(bench.writer(), "2")
    assert (again.restorable, again.edited_since) == (("Report.md",), ())
    undo(bench.writer(), "2")
    assert path.read_bytes() == CONTENT
    assert [(run.written, run.undoes) for run in list_runs(bench.folders)] == [
        (1, None),
        (1, "1"),
        (1, "2"),
    ]


def test_one_that_was_edited_since_stays(bench: Bench):
    write(bench, made())
    bench.note("Report.md", CONTENT + b"mine\n")
    assert plan_undo(bench.writer()).edited_since == ("Report.md",)
    report = undo(bench.writer())
    assert (report.restored, report.edited_since) == ((), ("Report.md",))
    assert (bench.vault / "Report.md").read_bytes() == CONTENT + b"mine\n"


@pytest.mark.parametrize("what", ["note", "folder", "link to nothing"])
def test_never_where_something_lies(bench: Bench, what: str):
    path = bench.vault / "Report.md"
    if what == "note":
        bench.note("Report.md", b"mine")
    elif what == "folder":
        path.mkdir()
    else:
        path.symlink_to(bench.root / "elsewhere.md")
    report = write(bench, made())
    assert kinds(report) == {"Report.md": "conflict"}
    assert report.run is None
    assert not (bench.root / "elsewhere.md").exists()
    assert what != "note" or path.read_bytes() == b"mine"


def test_never_where_something_comes_to_lie_at_the_last_moment(bench: Bench):
    def come(step: str) -> None:
        if step == "intended":
            (bench.vault / "Report.md").write_bytes(b"mine")

    report = bench.writer(come).write([made()], command="test")
    assert kinds(report) == {"Report.md": "refused"}
    assert (bench.vault / "Report.md").read_bytes() == b"mine"
    assert Journal(bench.folders.state).open_names() == []
    assert bench.writer().recover() == ()


@pytest.mark.parametrize("name", ["../Report.md", ".obsidian/Report.md", "Report.txt", "No/R.md"])
def test_only_a_visible_note_of_the_vault(bench: Bench, name: str):
    report = write(bench, made(name))
    assert kinds(report) == {name: "refused"}
    assert names(bench.vault) == []
    assert not (bench.root / "Report.md").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="atomic writes are offered on Linux only")
def test_an_atomic_run_makes_notes_as_well(bench: Bench):
    assert kinds(write(bench, made(), atomic=True)) == {"Report.md": "written"}
    assert names(bench.vault) == ["Report.md"]


#: Ends itself at a step, as a crash would; ``half`` leaves a part of the bytes on disk.
_DIE = """
import os, sys
from pathlib import Path
from tests.unit.effects.test_create import CONTENT, made
from tests.unit.effects.writing_kit import Bench
from vaultgraph.effects.undo import undo

bench, what, step = Bench(Path(sys.argv[1])), sys.argv[2], sys.argv[3]

def die(now):
    if step == "half" and now == "made":
        (bench.vault / "Report.md").write_bytes(CONTENT[:9_000])
        os._exit(9)
    if now == step:
        os._exit(9)

if what == "make":
    bench.writer(die).write([made()], command="test")
else:
    undo(bench.writer(die))
"""


def crash(bench: Bench, what: str, step: str) -> None:
    command = [sys.executable, "-c", _DIE, os.fspath(bench.root), what, step]
    env = {**os.environ, "PYTHONPATH": os.fspath(REPOSITORY)}
    ran = subprocess.run(command, cwd=REPOSITORY, env=env, capture_output=True, check=False)
    assert ran.returncode == 9, ran.stderr.decode()


@pytest.mark.parametrize(
    ("step", "kind", "is_there"),
    [
        ("intended", "dropped", False),
        ("made", "restored", False),
        ("half", "restored", False),
        ("written", "kept", True),
        ("synced", "kept", True),
        ("ended", None, True),
        ("finished", None, True),
    ],
)
def test_a_crash_leaves_the_whole_note_or_none(
    bench: Bench, step: str, kind: str | None, is_there: bool
):
    crash(bench, "make", step)
    recovered = bench.writer().recover()
    assert [row.kind for row in recovered] == ([] if kind is None else [kind])
    assert names(bench.vault) == (["Report.md"] if is_there else [])
    assert not is_there or (bench.vault / "Report.md").read_bytes() == CONTENT
    assert Journal(bench.folders.state).open_names() == []
    if is_there:
        undo(bench.writer())
        assert names(bench.vault) == []


@pytest.mark.parametrize(
    ("step", "kind", "is_there"),
    [
        ("intended", "dropped", True),
        ("checked", "dropped", True),
        ("removed", "kept", False),
        ("ended", None, False),
    ],
)
def test_a_crash_while_it_is_taken_back(bench: Bench, step: str, kind: str | None, is_there: bool):
    write(bench, made())
    crash(bench, "undo", step)
    recovered = bench.writer().recover()
    assert [row.kind for row in recovered] == ([] if kind is None else [kind])
    assert names(bench.vault) == (["Report.md"] if is_there else [])
    if is_there:
        assert (bench.vault / "Report.md").read_bytes() == CONTENT
        undo(bench.writer())
        assert names(bench.vault) == []


@pytest.mark.parametrize("content", [b"", b"mine", CONTENT[:40]])
def test_what_an_owner_made_there_after_a_crash_is_left(bench: Bench, content: bytes):
    crash(bench, "make", "intended")
    bench.note("Report.md", content, age=-300)
    assert [row.kind for row in bench.writer().recover()] == ["left"]
    assert (bench.vault / "Report.md").read_bytes() == content


def test_a_folder_that_is_gone_is_waited_for(bench: Bench):
    (bench.vault / "Sub").mkdir()
    (bench.vault / "Sub").rename(bench.root / "away")
    assert kinds(write(bench, made("Sub/Report.md"))) == {"Sub/Report.md": "refused"}
    (bench.root / "away").rename(bench.vault / "Sub")
    assert kinds(write(bench, made("Sub/Report.md"))) == {"Sub/Report.md": "written"}
