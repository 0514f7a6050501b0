"""Law 3: whenever a run is cut off, every note is whole again once vaultgraph has started."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.unit.effects.writing_kit import Bench, kinds
from vaultgraph.effects.journal import Journal, new_run
from vaultgraph.effects.recovery import classify
from vaultgraph.effects.undo import undo

OLD = b"one\ntwo\nthree\n"
NEW = b"one\nand a half\ntwo\nthree\n"

#: Few letters, so that old and new agree by chance as often as they can.
texts = st.binary(max_size=40) | st.text("ab\n", max_size=60).map(str.encode)


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the driver forks")
def test_killed_at_every_step_and_in_the_middle_of_writes():
    driver = Path(__file__).with_name("crash_child.py")
    # What a killed process leaves is the same in memory, where syncing costs nothing.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        command = [sys.executable, str(driver), folder, "250", "1"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    # The test is worth something only if all this happened.
    common = {"mid-write", "intended", "checked", "ended", "finished"}
    steps = common | {"written", "truncated", "synced"}
    twin_steps = common | {"twin made", "replaced"}
    outcomes = {"torn", "kept", "dropped", "restored", "recovery"}
    assert set(seen) == steps | {f"{step} (atomic)" for step in twin_steps} | outcomes


class TestClassify:
    @given(texts, texts, st.integers(0, 100))
    @example(b"aab", b"ab", 1)
    def test_any_beginning_of_the_write_is_ours(self, old, new, k):
        full = new + old[len(new) :]
        assert classify(full[:k] + old[k:], old, new) != "foreign"

    @given(texts, texts, st.integers(0, 100))
    def test_any_beginning_of_the_new_is_ours(self, old, new, k):
        assert classify(new[:k], old, new) != "foreign"

    @given(texts, texts, st.lists(st.sampled_from("on0"), max_size=20), st.integers(1, 8))
    def test_blocks_in_any_order_are_ours(self, old, new, blocks, size):
        full = new + old[len(new) :]
        sources = {"n": full, "o": old.ljust(len(full), b"\0")}
        # A block that was never there before reads as zeros.
        sources["0"] = bytes(len(old)).replace(b"\0", b"?") + bytes(max(len(full) - len(old), 0))
        sources["0"] = full[: len(old)] + sources["0"][len(old) :]
        found = b"".join(
            sources[kind][number * size : (number + 1) * size]
            for number, kind in enumerate(blocks + ["n"] * (len(full) + 1))
        )
        assert classify(found, old, new) != "foreign"

    @given(texts, texts, st.integers(0, 100), st.integers(0, 100))
    def test_a_recovery_that_was_cut_off_is_ours(self, old, new, j, k):
        full = new + old[len(new) :]
        torn = full[:j] + old[j:]
        back = old + torn[len(old) :]
        assert classify(back[:k] + torn[k:], old, new) != "foreign"

    @given(texts, texts, st.integers(0, 100))
    def test_a_byte_of_anybody_else_is_foreign(self, old, new, at):
        assume(b"\xff" not in old + new)
        full = new + old[len(new) :]
        for base in (old, new, full[:at] + old[at:]):
            assert classify(base[:at] + b"\xff" + base[at + 1 :], old, new) == "foreign"

    @given(texts, texts)
    def test_whole_notes(self, old, new):
        assume(old != new)
        assert classify(new, old, new) == "new"
        assert classify(old, old, new) == "old"

    @pytest.mark.parametrize(
        ("found", "remains"),
        [
            (NEW[:6] + OLD[6:], "torn"),
            (NEW[:20], "cut"),
            (NEW[:3], "cut"),
            (b"", "cut"),
            (OLD[:5], "cut"),
            (NEW[:20] + b"\0" * (len(NEW) - 20), "torn"),
            (NEW + b"x", "foreign"),
            (NEW.replace(b"half", b"bit"), "foreign"),
            (OLD + b"four\n", "foreign"),
            (OLD.replace(b"two", b"2wo"), "foreign"),
        ],
    )
    def test_shapes(self, found, remains):
        assert classify(found, OLD, NEW) == remains


def cut_off(bench, old=OLD, new=NEW, name="A.md", step="intended"):
    """Leave a run open, as a crash at a step would."""
    path = bench.note(name, old)
    plan = bench.plan(name, new)
    child = os.fork() if hasattr(os, "fork") else pytest.skip("needs fork")
    if child == 0:
        try:
            bench.writer(lambda at: os._exit(9) if at == step else None).write([plan], command="x")
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    return path


# Python 3.12 and later warn of forks in processes with threads, which pytest-xdist has.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")


@pytest.mark.parametrize("seed", range(20))
def test_torn_notes_get_their_old_bytes_back(bench, seed):
    rng = random.Random(seed)
    path = cut_off(bench)
    k = rng.randint(1, len(NEW) - 1)
    torn = NEW[:k] + OLD[k:]
    path.write_bytes(torn)
    recovered = bench.writer().recover()
    assert path.read_bytes() == (NEW if torn == NEW else OLD)
    assert recovered[0].kind == {OLD: "dropped", NEW: "kept"}.get(torn, "restored")
    assert bench.writer().recover() == ()


def test_somebodys_edit_after_a_crash_is_left(bench):
    path = cut_off(bench, step="written")
    path.write_bytes(NEW + b"mine")
    inode = path.stat()
    assert [note.kind for note in bench.writer().recover()] == ["left"]
    assert path.read_bytes() == NEW + b"mine"
    assert path.stat().st_mtime_ns == inode.st_mtime_ns
    assert bench.writer().recover() == ()


def test_lines_that_somebody_deleted_later_stay_deleted(bench):
    path = cut_off(bench, step="synced")
    path.write_bytes(NEW[:16])
    bench.set_age(path, -300)
    assert [note.kind for note in bench.writer().recover()] == ["left"]
    assert path.read_bytes() == NEW[:16]


def test_a_note_that_was_cut_short_at_the_crash_is_restored(bench):
    path = cut_off(bench)
    path.write_bytes(b"")
    assert [note.kind for note in bench.writer().recover()] == ["restored"]
    assert path.read_bytes() == OLD


def test_what_was_found_is_kept(bench):
    cut_off(bench).write_bytes(NEW[:6] + OLD[6:])
    bench.writer().recover()
    lines = Journal(bench.folders.state).notes_path("1").read_text().splitlines()
    assert "found" in json.loads(lines[1])


def test_a_note_that_is_away_waits(bench):
    path = cut_off(bench)
    path.write_bytes(NEW[:6] + OLD[6:])
    path.rename(bench.root / "away.md")
    for _ in range(2):
        assert [note.kind for note in bench.writer().recover()] == ["waiting"]
    (bench.root / "away.md").rename(path)
    assert [note.kind for note in bench.writer().recover()] == ["restored"]
    assert path.read_bytes() == OLD


def test_the_next_write_recovers_first(bench):
    path = cut_off(bench)
    path.write_bytes(NEW[:6] + OLD[6:])
    report = bench.writer().write([bench.plan("A.md", NEW, of=OLD)], command="y")
    assert [note.kind for note in report.recovered] == ["restored"]
    # Our own restoring does not make the note young.
    assert kinds(report) == {"A.md": "written"}
    assert bench.clock.slept == []
    assert path.read_bytes() == NEW


def test_two_crashes_over_one_note(bench):
    path = cut_off(bench, step="synced")
    journal = Journal(bench.folders.state)
    # The first run is not settled when the second begins: its note was away.
    path.rename(bench.root / "away.md")
    cut_off(bench, name="B.md")
    (bench.root / "away.md").rename(path)
    assert journal.open_names() == ["1", "2"]
    assert sorted(note.kind for note in bench.writer().recover()) == ["dropped", "kept"]
    assert journal.open_names() == []


def test_two_writes_of_one_note_are_settled_newest_first(bench):
    path = bench.note("A.md", OLD)
    newest = NEW.replace(b"one", b"ONE").replace(b"two", b"TWO")
    journal = Journal(bench.folders.state)
    bench.folders.make_state()
    for old, new in ((OLD, NEW), (NEW, newest)):
        run = journal.begin(new_run(bench.clock, "x", "device", None))
        run.intend(bench.plan("A.md", new), old, bench.clock.now(), "")
    path.write_bytes(newest[:5] + NEW[5:])
    recovered = bench.writer().recover()
    assert [(note.run, note.kind) for note in recovered] == [("2", "restored"), ("1", "kept")]
    assert path.read_bytes() == NEW


def test_a_run_that_was_cut_off_can_be_undone(bench):
    path = cut_off(bench, step="synced")
    done = undo(bench.writer())
    assert [note.kind for note in done.writing.recovered] == ["kept"]
    assert (done.undone, done.restored) == ("1", ("A.md",))
    assert path.read_bytes() == OLD


def test_edited_while_it_is_recovered(bench):
    path = cut_off(bench)
    path.write_bytes(NEW[:6] + OLD[6:])

    def edit(step):
        if step == "taking back":
            path.write_bytes(b"mine")

    assert [note.kind for note in bench.writer(edit).recover()] == ["left"]
    assert path.read_bytes() == b"mine"


def test_a_torn_journal_line_stood_for_nothing(bench):
    path = cut_off(bench)
    notes = Journal(bench.folders.state).notes_path("1")
    notes.write_bytes(notes.read_bytes()[:-40])
    assert bench.writer().recover() == ()
    assert path.read_bytes() == OLD
    assert Journal(bench.folders.state).open_names() == []


def test_an_ending_after_a_torn_journal_line_counts(bench):
    cut_off(bench, step="synced")
    journal = Journal(bench.folders.state)
    with journal.notes_path("1").open("ab") as notes:
        notes.write(b'{"at":"20')
    assert [note.kind for note in bench.writer().recover()] == ["kept"]
    assert [record.ending for record in journal.read_records("1")] == ["written"]


@pytest.fixture
def file_size_limit():
    """Let no file grow, or be written, beyond a size: a full disk for one process."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_gives_the_old_bytes_back_at_once(bench, file_size_limit):
    big = b"long\n" * 2000
    for name in ("A.md", "B.md", "C.md"):
        bench.note(name, OLD)
    plans = [bench.plan("A.md", NEW), bench.plan("B.md", big), bench.plan("C.md", NEW)]
    steps = []

    def fill(step):
        steps.append(step)
        if steps.count("checked") == 2 and step == "checked":
            file_size_limit(5_000)

    report = bench.writer(fill).write(plans, command="x")
    assert (bench.vault / "B.md").read_bytes() == OLD
    assert report.outcomes[1] == ("B.md", "refused", "File too large")
    assert bench.writer().recover() == ()
    assert kinds(report) == {"A.md": "written", "B.md": "refused", "C.md": "written"}


def test_a_full_state_folder_ends_the_run_before_the_next_note(bench, file_size_limit):
    for name in ("A.md", "B.md", "C.md"):
        bench.note(name, OLD)
    plans = [bench.plan(name, NEW) for name in ("A.md", "B.md", "C.md")]

    def fill(step):
        if step == "ended":
            file_size_limit(100)

    report = bench.writer(fill).write(plans, command="x")
    assert kinds(report) == {"A.md": "written", "B.md": "refused", "C.md": "refused"}
    assert "journal" in report.outcomes[1].reason
    assert (bench.vault / "B.md").read_bytes() == OLD
    file_size_limit(1 << 40)
    bench.writer().recover()
    assert Journal(bench.folders.state).open_names() == []
    assert Journal(bench.folders.state).read_run("1").written == 1


def test_torn_by_a_full_disk_that_will_not_even_take_the_old_bytes(bench, file_size_limit):
    old, new = b"a" * 9000, b"b" * 9000
    path = bench.note("A.md", old)

    def fill(step):
        if step in ("checked", "taking back"):
            file_size_limit(4096 if step == "checked" else 100)

    report = bench.writer(fill).write([bench.plan("A.md", new)], command="x")
    assert report.outcomes[0].kind == "refused"
    assert "next run" in report.outcomes[0].reason
    assert path.read_bytes() == b"a" * 100 + b"b" * 3996 + b"a" * 4904
    file_size_limit(1 << 40)
    assert [note.kind for note in bench.writer().recover()] == ["restored"]
    assert path.read_bytes() == old
