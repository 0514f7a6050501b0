from __future__ import annotations

import json
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.effects.writing_kit import Bench, FakeClock
from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import digest_of
from vaultgraph.effects.journal import Journal
from vaultgraph.effects.journal_lines import Record, ending_line, intent_line, parse_records
from vaultgraph.effects.state_folder import device_name, local_folders
from vaultgraph.effects.undo import list_runs, prune
from vaultgraph.errors import InputError


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path)
    bench.note("A.md", b"old\n")
    return bench


def write(bench, new, command="propose"):
    return bench.writer().write([bench.plan("A.md", new)], command=command)


def record(number=1, old=b"", new=b"x", path="A.md"):
    return Record(number, NoteId(path), path, ("k",), old, new, FakeClock().now(), "")


@given(st.binary(), st.binary(), st.text(st.characters(exclude_categories=())))
def test_a_line_gives_back_its_record(old, new, path):
    written = record(old=old, new=new, path=path)
    line = intent_line(written)
    assert parse_records(line) == [written]
    assert line.isascii()
    assert line.count(b"\n") == 1


@given(st.integers(0, 400))
def test_a_line_counts_once_its_newline_is_there(cut):
    whole = intent_line(record(1)) + ending_line(1, "written")
    second = intent_line(record(2))
    assert [r.number for r in parse_records(whole + second[:-1])] == [1]
    # A line that lacks its newline alone is whole once it is closed: a write not begun, no harm.
    cut = min(cut, len(second) - 2)
    assert [r.number for r in parse_records(whole + second[:cut])] == [1]
    # The process that recovered closed the line and went on.
    closed = whole + second[:cut] + b"\n" + ending_line(1, "left")
    assert [(r.number, r.ending) for r in parse_records(closed)] == [(1, "left")]
    # Endings without a beginning, should the disk have lost it, stand for nothing.
    assert parse_records(ending_line(1, "left")) == []


def test_a_run_holds_what_was_asked(bench):
    began = bench.clock.now()
    write(bench, b"new\n")
    run = json.loads((bench.folders.state / "runs/1/run.json").read_text())
    assert run == {
        "schema": 1,
        "run": "1",
        "command": "propose",
        "started": began.isoformat(),
        "finished": began.isoformat(),
        "device": device_name(bench.folders),
        "undoes": None,
        "written": 1,
        "pruned": False,
        "cut_off": False,
    }
    [kept] = Journal(bench.folders.state).read_records("1")
    assert (kept.note, kept.os_path, kept.keys) == ("A.md", "A.md", ("depends-on-proposed",))
    assert (kept.old, kept.new, kept.ending) == (b"old\n", b"new\n", "written")


def test_runs_are_numbered_and_listed_oldest_first(bench):
    for number in range(11):
        write(bench, b"%d\n" % number, command=f"c{number}")
    runs = list_runs(bench.folders)
    assert [info.run for info in runs] == [str(number) for number in range(1, 12)]
    assert [info.command for info in runs] == [f"c{number}" for number in range(11)]


def test_listing_creates_nothing(bench):
    assert list_runs(bench.folders) == []
    assert prune(bench.folders, bench.clock) == ((), 0)
    assert bench.writer().recover() == ()
    assert not (bench.root / "state").exists()


def test_prune_keeps_the_run_and_drops_its_bytes(bench):
    write(bench, b"one\n")
    bench.clock.skip(days=89)
    write(bench, b"two\n")
    bench.clock.skip(days=2)
    kept = Journal(bench.folders.state).notes_path("1")
    size = kept.stat().st_size
    assert prune(bench.folders, bench.clock) == (("1",), size)
    assert not kept.exists()
    assert [(info.run, info.is_pruned) for info in list_runs(bench.folders)] == [
        ("1", True),
        ("2", False),
    ]
    assert prune(bench.folders, bench.clock) == ((), 0)
    # Numbers are not given twice.
    assert write(bench, b"three\n").run == "3"


def test_prune_takes_an_age(bench):
    write(bench, b"one\n")
    bench.clock.skip(days=8)
    assert prune(bench.folders, bench.clock, older_than_days=7).runs == ("1",)


def test_a_newer_journal_is_not_guessed_at(bench):
    write(bench, b"one\n")
    path = bench.folders.state / "runs/1/run.json"
    path.write_text(path.read_text().replace('"schema": 1', '"schema": 2'))
    with pytest.raises(InputError, match="newer vaultgraph"):
        list_runs(bench.folders)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}"])
def test_a_damaged_run_is_an_error_with_a_hint(bench, content):
    write(bench, b"one\n")
    (bench.folders.state / "runs/1/run.json").write_bytes(content)
    with pytest.raises(InputError, match="run 1 cannot be read") as caught:
        list_runs(bench.folders)
    assert caught.value.hint


def test_a_run_that_a_crash_left_half_made_is_nothing(bench):
    write(bench, b"one\n")
    (bench.folders.state / "runs/2").mkdir()
    assert [info.run for info in list_runs(bench.folders)] == ["1"]
    assert write(bench, b"two\n").run == "3"


def test_what_we_left(bench):
    write(bench, b"one\n")
    bench.clock.skip(seconds=60)
    journal = Journal(bench.folders.state)
    left = [("A.md", digest_of(b"one\n"))]
    assert list(journal.left_by_us(bench.clock.now() - timedelta(seconds=90))) == left
    assert list(journal.left_by_us(bench.clock.now() - timedelta(seconds=5))) == []
    write(bench, b"two\n")
    (bench.folders.state / "runs/9").mkdir()
    newest_first = [("A.md", digest_of(b"two\n")), *left]
    assert list(journal.left_by_us(bench.clock.now() - timedelta(seconds=90))) == newest_first


def test_every_vault_has_its_own_folder(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "a")
    folders = {name: local_folders(tmp_path / name) for name in ("a", "b", "link")}
    assert folders["a"] == folders["link"] != folders["b"]
    assert "vaultgraph" in folders["a"].state.parts
    assert local_folders(tmp_path / "b" / ".." / "a") == folders["a"]


def test_the_device_keeps_its_name(bench, monkeypatch):
    name = device_name(bench.folders)
    assert name.isalnum()
    assert device_name(bench.folders) == name
    # A home folder that two machines share must not give both one name.
    monkeypatch.setattr("platform.node", lambda: "another")
    other = device_name(bench.folders)
    assert other not in ("", name)
    monkeypatch.undo()
    assert device_name(bench.folders) == name


def test_a_state_folder_that_cannot_be_made(bench):
    (bench.root / "state").write_text("a file in its place")
    with pytest.raises(InputError, match="state folder cannot be made"):
        write(bench, b"one\n")
    assert (bench.vault / "A.md").read_bytes() == b"old\n"
