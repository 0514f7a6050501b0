from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.unit.effects.writing_kit import Bench, kinds, names
from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import PlannedWrite
from vaultgraph.effects import write_run
from vaultgraph.effects.journal import Journal
from vaultgraph.effects.note_file import refusal
from vaultgraph.errors import InputError

OLD = b"---\r\nstatus: open\r\n---\r\nBody \xc3\xa9\r\n"
NEW = b'---\r\nstatus: open\r\ndepends-on-proposed:\r\n  - "[[B]]"\r\n---\r\nBody \xc3\xa9\r\n'


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


def write(bench, *plans, **options):
    return bench.writer().write(plans, command="propose", **options)


def stamp(path):
    found = path.stat()
    return found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def state_files(bench):
    return sorted(path for path in bench.root.glob("state/**/*") if path.is_file())


@pytest.mark.parametrize("atomic", [False, True])
@pytest.mark.parametrize(
    ("old", "new"),
    [(OLD, NEW), (NEW, OLD), (b"", NEW), (OLD, b""), (b"a" * 70_000, b"b" + b"a" * 70_000)],
)
def test_becomes(bench, old, new, atomic):
    path = bench.note("sub/A é.md", old)
    report = write(bench, bench.plan("sub/A é.md", new), atomic=atomic)
    assert path.read_bytes() == new
    assert kinds(report) == {"sub/A é.md": "written"}
    assert report.run == "1"
    assert names(path.parent) == ["A é.md"]


def test_what_a_note_keeps(bench):
    path = bench.note("A.md", OLD)
    path.chmod(0o640)
    os.link(path, bench.root / "hard link")
    has_xattr = hasattr(os, "setxattr")
    if has_xattr:
        os.setxattr(path, "user.tag", b"red")
    before = path.stat()
    write(bench, bench.plan("A.md", NEW))
    after = path.stat()
    assert (after.st_ino, after.st_mode, after.st_nlink) == (before.st_ino, before.st_mode, 2)
    assert (after.st_uid, after.st_gid) == (before.st_uid, before.st_gid)
    assert (bench.root / "hard link").read_bytes() == NEW
    if has_xattr:
        assert os.getxattr(path, "user.tag") == b"red"
    # No tricks with times: sync tools and Obsidian see a change by its time and size.
    assert after.st_mtime > before.st_mtime + 3000


@pytest.mark.skipif(sys.platform != "linux", reason="stat -c is GNU's")
def test_birth_time_is_kept(bench):
    path = bench.note("A.md", OLD)
    born = ["stat", "-c", "%w", str(path)]
    before = subprocess.check_output(born)
    write(bench, bench.plan("A.md", NEW))
    assert subprocess.check_output(born) == before


@pytest.mark.skipif(sys.platform != "linux", reason="offered on Linux only")
def test_atomic_keeps_mode_and_attributes(bench):
    path = bench.note("A.md", OLD)
    path.chmod(0o646)
    os.setxattr(path, "user.tag", b"red")
    inode = path.stat().st_ino
    write(bench, bench.plan("A.md", NEW), atomic=True)
    assert path.stat().st_mode & 0o7777 == 0o646
    assert os.getxattr(path, "user.tag") == b"red"
    assert path.stat().st_ino != inode


@pytest.mark.skipif(sys.platform != "linux", reason="offered on Linux only")
def test_atomic_refuses_hard_links(bench):
    path = bench.note("A.md", OLD)
    os.link(path, bench.root / "other")
    report = write(bench, bench.plan("A.md", NEW), atomic=True)
    assert report.outcomes[0].kind == "refused"
    assert "hard links" in report.outcomes[0].reason
    assert path.read_bytes() == OLD
    assert names(bench.vault) == ["A.md"]


def test_unchanged_is_not_touched(bench):
    path = bench.note("A.md", OLD)
    other = bench.note("B.md", NEW)
    before = stamp(path), stamp(other)
    # A's plan changes nothing; somebody has made B's change by hand already.
    report = write(bench, bench.plan("A.md", OLD), bench.plan("B.md", NEW, of=OLD))
    assert kinds(report) == {"A.md": "unchanged", "B.md": "unchanged"}
    assert (stamp(path), stamp(other)) == before
    assert report.run is None
    assert Journal(bench.folders.state).run_names() == []


def test_edited_between_plan_and_write(bench):
    path = bench.note("A.md", OLD)
    plan = bench.plan("A.md", NEW)
    bench.note("A.md", OLD + b"mine\n")
    report = write(bench, plan)
    assert report.outcomes == (("A.md", "conflict", "changed since it was read"),)
    assert path.read_bytes() == OLD + b"mine\n"


def test_removed_between_plan_and_write(bench):
    path = bench.note("A.md", OLD)
    plan = bench.plan("A.md", NEW)
    path.unlink()
    assert write(bench, plan).outcomes == (("A.md", "conflict", "no longer there"),)
    assert not path.exists()


@pytest.mark.parametrize("atomic", [False, True])
def test_edited_after_the_journal_before_the_last_check(bench, atomic):
    path = bench.note("A.md", OLD)

    def edit(step):
        if step == ("twin made" if atomic else "intended"):
            path.write_bytes(b"mine")

    report = bench.writer(edit).write([bench.plan("A.md", NEW)], command="x", atomic=atomic)
    assert kinds(report) == {"A.md": "conflict"}
    assert path.read_bytes() == b"mine"
    assert names(bench.vault) == ["A.md"]
    assert Journal(bench.folders.state).open_names() == []


@pytest.mark.parametrize("atomic", [False, True])
def test_replaced_by_another_file_before_the_last_check(bench, atomic):
    path = bench.note("A.md", OLD)

    def swap(step):
        if step == ("twin made" if atomic else "intended"):
            (bench.root / "new").write_bytes(OLD)
            (bench.root / "new").replace(path)

    report = bench.writer(swap).write([bench.plan("A.md", NEW)], command="x", atomic=atomic)
    assert kinds(report) == {"A.md": "conflict"}
    assert path.read_bytes() == OLD


@pytest.mark.parametrize("replaced", [False, True])
def test_edited_while_being_written_is_left_and_listed(bench, replaced):
    path = bench.note("A.md", OLD)

    def edit(step):
        if step == "synced":
            if replaced:
                path.unlink()
            path.write_bytes(b"mine")

    report = bench.writer(edit).write([bench.plan("A.md", NEW)], command="x")
    assert kinds(report) == {"A.md": "conflict"}
    assert "same moment" in report.outcomes[0].reason
    assert path.read_bytes() == b"mine"
    assert bench.writer().recover() == ()


def test_symlink_is_refused(bench):
    real = bench.root / "elsewhere.md"
    real.write_bytes(OLD)
    (bench.vault / "A.md").symlink_to(real)
    report = write(bench, bench.plan("A.md", NEW))
    assert report.outcomes == (("A.md", "refused", "a symbolic link"),)
    assert real.read_bytes() == OLD


def test_note_in_a_linked_folder_is_written(bench):
    (bench.root / "elsewhere").mkdir()
    (bench.vault / "linked").symlink_to(bench.root / "elsewhere")
    path = bench.note("linked/A.md", OLD)
    assert kinds(write(bench, bench.plan("linked/A.md", NEW))) == {"linked/A.md": "written"}
    assert path.read_bytes() == NEW


def test_read_only_is_refused_for_root_too(bench):
    path = bench.note("A.md", OLD)
    path.chmod(0o444)
    report = write(bench, bench.plan("A.md", NEW))
    assert report.outcomes == (("A.md", "refused", "read-only"),)
    assert path.read_bytes() == OLD
    assert path.stat().st_mode & 0o777 == 0o444


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_refused_and_not_waited_for(bench):
    os.mkfifo(bench.vault / "A.md")
    report = write(bench, bench.plan("A.md", NEW, of=OLD))
    assert report.outcomes == (("A.md", "refused", "not an ordinary file"),)


@pytest.mark.parametrize(
    "path", ["../A.md", "sub/../../A.md", "/A.md", ".obsidian/A.md", "a/.trash/A.md", "A.txt", ""]
)
def test_paths_that_no_note_has(bench, path):
    for place in (bench.root / "A.md", bench.vault / "A.txt"):
        place.write_bytes(OLD)
    report = write(bench, PlannedWrite(NoteId("A.md"), path, bench.plan("A.txt", NEW).digest, NEW))
    assert kinds(report) == {"A.md": "refused"}
    assert (bench.root / "A.md").read_bytes() == OLD
    assert (bench.vault / "A.txt").read_bytes() == OLD


def status(mode=0o100644, **more):
    return SimpleNamespace(st_mode=mode, st_size=10, st_blocks=8, **more)


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (status(), None),
        (status(0o100200), None),
        (status(0o100444), "read-only"),
        (status(0o100466), "read-only"),
        (status(0o120777), "a symbolic link"),
        (status(0o040755), "not an ordinary file"),
        (status(st_flags=0x40000000), "still in the cloud, not on this disk"),
        (status(st_flags=0x2), "locked"),
        (status(st_flags=0x8000), None),
        (status(st_file_attributes=0x400000), "still in the cloud, not on this disk"),
        (status(st_file_attributes=0x20), None),
    ],
)
def test_refusal(found, why):
    assert refusal(found) == why


@pytest.mark.skipif(sys.platform != "linux", reason="names are any bytes on Linux only")
def test_a_name_that_is_no_unicode(bench):
    name = os.fsdecode(b"caf\xe9.md")
    path = bench.note(name, OLD)
    report = write(
        bench, PlannedWrite(NoteId("caf\ufffd.md"), name, bench.plan(name, NEW).digest, NEW)
    )
    assert kinds(report) == {"caf\ufffd.md": "written"}
    assert path.read_bytes() == NEW
    assert Journal(bench.folders.state).read_records("1")[0].os_path == name


class TestYoungNotes:
    def test_others_first_then_wait_until_quiet(self, bench):
        order = []
        bench.note("A.md", OLD, age=2)
        bench.note("B.md", OLD)
        writer = bench.writer(lambda step: order.append((step, bench.clock.slept[:])))
        report = writer.write([bench.plan("A.md", NEW), bench.plan("B.md", NEW)], command="x")
        assert kinds(report) == {"A.md": "written", "B.md": "written"}
        waits = [slept for step, slept in order if step == "intended"]
        assert waits == [[], [pytest.approx(3, abs=0.01)]]

    def test_still_changing_is_busy(self, bench):
        path = bench.note("A.md", OLD, age=1)
        sleep = bench.clock.sleep

        def touch_while_asleep(seconds):
            sleep(seconds)
            bench.set_age(path, 0.5)

        bench.clock.sleep = touch_while_asleep
        report = write(bench, bench.plan("A.md", NEW))
        assert report.outcomes == (("A.md", "busy", "somebody is changing it"),)
        assert sum(bench.clock.slept) <= write_run.PATIENCE_SECONDS
        assert path.read_bytes() == OLD
        assert report.run is None

    def test_changed_while_waiting_is_a_conflict(self, bench):
        path = bench.note("A.md", OLD, age=1)
        sleep = bench.clock.sleep

        def type_while_asleep(seconds):
            sleep(seconds)
            path.write_bytes(b"mine")

        bench.clock.sleep = type_while_asleep
        assert kinds(write(bench, bench.plan("A.md", NEW))) == {"A.md": "conflict"}
        assert path.read_bytes() == b"mine"

    def test_patience_is_for_the_whole_run(self, bench):
        notes = [f"{number}.md" for number in range(9)]
        # Each is touched again while the one before it is waited for.
        paths = [bench.note(name, OLD, age=1) for name in notes]
        sleep = bench.clock.sleep

        def touch_all(seconds):
            sleep(seconds)
            for path in paths:
                if path.read_bytes() == OLD and bench.clock.slept:
                    bench.set_age(path, 1)
            bench.set_age(paths[len(bench.clock.slept) - 1], 6)

        bench.clock.sleep = touch_all
        report = write(bench, *(bench.plan(name, NEW) for name in notes))
        assert sum(bench.clock.slept) <= write_run.PATIENCE_SECONDS
        assert sorted(kinds(report).values()) == ["busy"] * 7 + ["written"] * 2

    def test_our_own_last_write_does_not_count(self, bench):
        path = bench.note("A.md", OLD)
        write(bench, bench.plan("A.md", NEW))
        report = write(bench, bench.plan("A.md", OLD))
        assert kinds(report) == {"A.md": "written"}
        assert bench.clock.slept == []
        assert path.read_bytes() == OLD

    def test_our_write_counts_if_somebody_edited_since(self, bench):
        bench.note("A.md", OLD)
        write(bench, bench.plan("A.md", NEW))
        bench.clock.skip(seconds=1)
        bench.note("A.md", b"mine", age=1)
        assert kinds(write(bench, bench.plan("A.md", NEW))) == {"A.md": "written"}
        assert bench.clock.slept == [pytest.approx(4, abs=0.01)]

    def test_a_time_in_the_future_is_not_waited_for(self, bench):
        path = bench.note("A.md", OLD, age=-86_400)
        bench.clock.skip(seconds=60)
        assert kinds(write(bench, bench.plan("A.md", NEW))) == {"A.md": "written"}
        assert bench.clock.slept == []
        assert path.read_bytes() == NEW


def test_bulk_writes_pause(bench):
    notes = [f"{number}.md" for number in range(401)]
    for name in notes:
        bench.note(name, OLD)
    report = write(bench, *(bench.plan(name, NEW) for name in notes))
    assert len(report.having("written")) == 401
    assert bench.clock.slept == [write_run.BREATH_SECONDS] * 2


def test_one_bad_note_never_stops_a_run(bench):
    bench.note("A.md", OLD).chmod(0o444)
    bench.note("B.md", OLD)
    bench.note("C.md", b"mine")
    plans = [bench.plan(name, NEW, of=OLD) for name in ("C.md", "D.md", "B.md", "A.md")]
    report = write(bench, *plans)
    assert kinds(report) == {
        "A.md": "refused",
        "B.md": "written",
        "C.md": "conflict",
        "D.md": "conflict",
    }
    assert [outcome.note for outcome in report.outcomes] == ["A.md", "B.md", "C.md", "D.md"]


def test_a_disk_that_cannot_be_read(bench, monkeypatch):
    bench.note("A.md", OLD)

    def fail(_note):
        raise OSError(errno.EIO, "Input/output error")

    plan = bench.plan("A.md", NEW)
    monkeypatch.setattr("vaultgraph.effects.note_file.NoteFile.read", fail)
    assert write(bench, plan).outcomes == (
        ("A.md", "refused", "cannot be read: Input/output error"),
    )


def test_two_plans_for_one_note_are_a_bug(bench):
    bench.note("A.md", OLD)
    with pytest.raises(ValueError, match="two plans"):
        write(bench, bench.plan("A.md", NEW), bench.plan("A.md", OLD))


def test_a_vault_that_is_gone(bench):
    bench.note("A.md", OLD)
    plan = bench.plan("A.md", NEW)
    bench.vault.rename(bench.root / "unmounted")
    with pytest.raises(InputError, match="no longer there"):
        write(bench, plan)
    assert not bench.vault.exists()


def test_a_vault_that_goes_away_on_the_way(bench):
    for name in ("A.md", "B.md", "C.md"):
        bench.note(name, OLD)
    plans = [bench.plan(name, NEW) for name in ("A.md", "B.md", "C.md")]
    steps = []

    def unmount(step):
        steps.append(step)
        if steps.count("ended") == 1 and step == "ended":
            bench.vault.rename(bench.root / "unmounted")

    report = bench.writer(unmount).write(plans, command="x")
    assert kinds(report) == {"A.md": "written", "B.md": "conflict", "C.md": "conflict"}
    assert (bench.root / "unmounted/B.md").read_bytes() == OLD


@pytest.mark.parametrize("times", [1, 2])
def test_interrupted_by_the_user(bench, times):
    path = bench.note("A.md", OLD + b"x" * 9000)
    old = path.read_bytes()
    torn = b"new" + old[:5000] + old[5003:]
    left = [torn, torn[:200] + old[200:]][-times:]

    def interrupt(step):
        if step == "written" and left:
            path.write_bytes(left.pop())
            raise KeyboardInterrupt

    plan = bench.plan("A.md", b"new" + old)
    with pytest.raises(KeyboardInterrupt):
        bench.writer(interrupt).write([plan], command="x")
    assert Journal(bench.folders.state).read_run("1").was_cut_off is (times == 1)
    # Who loses patience twice gets the old bytes back at the next start.
    assert (path.read_bytes() == old) is (times == 1)
    bench.writer().recover()
    assert path.read_bytes() == old
    assert Journal(bench.folders.state).read_run("1").was_cut_off


def test_no_bytes_of_a_note_in_any_repr(bench):
    bench.note("A.md", b"secret")
    plan = bench.plan("A.md", b"secret two")
    report = write(bench, plan)
    record = Journal(bench.folders.state).read_records("1")[0]
    assert "secret" not in repr((plan, report, record))


def test_state_is_its_owners_alone(bench):
    bench.note("A.md", OLD)
    write(bench, bench.plan("A.md", NEW))
    assert state_files(bench)
    for path in [bench.root / "state", *bench.root.glob("state/**/*")]:
        assert path.stat().st_mode & 0o077 == 0, path


def test_nothing_but_the_note_changes_in_the_vault(bench):
    bench.note("A.md", OLD)
    bench.note("B.md", OLD)
    before = stamp(bench.vault / "B.md")
    write(bench, bench.plan("A.md", NEW))
    assert names(bench.vault) == ["A.md", "B.md"]
    assert stamp(bench.vault / "B.md") == before


def test_only_one_module_opens_notes_for_writing(bench):
    """Told by the interpreter, for a write, a refused one, a recovery and an undo."""
    program = bench.root / "program.py"
    program.write_text(
        f"""
from pathlib import Path
from tests.unit.effects.writing_kit import Bench
from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import NewEvent
from vaultgraph.effects.ledger import Ledger
from vaultgraph.effects.undo import undo
bench = Bench(Path({str(bench.root)!r}))
bench.writer().write([bench.plan("A.md", b"new"), bench.plan("B.md", b"new")], command="x")
undo(bench.writer())
bench.writer().write([bench.plan("A.md", b"new")], command="x", atomic={sys.platform == "linux"})
Ledger(bench.vault, bench.folders, bench.clock).append([NewEvent("e", {{}})])
"""
    )
    bench.note("A.md", OLD)
    bench.note("B.md", OLD).chmod(0o444)
    trace_file = bench.root / "trace.json"
    command = [Path(__file__).with_name("open_trace.py"), bench.vault, trace_file, program]
    subprocess.run([sys.executable, *map(str, command)], check=True)
    trace = {tuple(entry) for entry in json.loads(trace_file.read_text())}
    notes = {entry for entry in trace if not entry[1].startswith(".vaultgraph")}
    assert ("open", "A.md", "vaultgraph.effects.note_file") in notes
    assert not any(path == "B.md" for _, path, _ in notes)
    # The twin of an atomic write is created by the same module, with a helper.
    assert {module for *_, module in notes} <= {
        "vaultgraph.effects.note_file",
        "vaultgraph.effects.durable",
    }
    assert {module for _, path, module in notes if path.endswith(".md")} == {
        "vaultgraph.effects.note_file"
    }
    assert {entry[1] for entry in trace - notes} >= {".vaultgraph/ledger"}
