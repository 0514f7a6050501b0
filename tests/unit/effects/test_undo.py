from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.effects.writing_kit import Bench
from vaultgraph.effects.undo import list_runs, prune, undo
from vaultgraph.errors import InputError


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path)
    for name in ("A.md", "B.md"):
        bench.note(name, b"old\n")
    return bench


def write(bench, **notes):
    plans = [bench.plan(f"{name}.md", new) for name, new in notes.items()]
    return bench.writer().write(plans, command="propose").run


def content(bench, name="A"):
    return (bench.vault / f"{name}.md").read_bytes()


@settings(deadline=None, max_examples=40)  # every example waits for the disk
@given(st.binary(), st.binary())
def test_undo_gives_back_the_bytes(tmp_path_factory, old, new):
    bench = Bench(tmp_path_factory.mktemp("undo"))
    bench.note("A.md", old)
    if write(bench, A=new) is not None:
        assert content(bench) == new
        assert undo(bench.writer()).restored == ("A.md",)
    assert content(bench) == old


def test_an_undo_can_be_undone(bench):
    write(bench, A=b"new\n", B=b"new\n")
    done = undo(bench.writer())
    assert (done.undone, done.writing.run, done.restored) == ("1", "2", ("A.md", "B.md"))
    assert content(bench) == b"old\n"
    again = undo(bench.writer(), done.writing.run)
    assert again.restored == ("A.md", "B.md")
    assert content(bench) == content(bench, "B") == b"new\n"
    # The first run stands again, so it is the last that can be taken back.
    assert [info.is_undone for info in list_runs(bench.folders)] == [False, True, False]
    assert undo(bench.writer()).undone == "1"
    assert content(bench) == b"old\n"


def test_undo_goes_back_one_run_at_a_time(bench):
    for new in (b"one\n", b"two\n", b"three\n"):
        write(bench, A=new)
    seen = [(undo(bench.writer()).undone, content(bench)) for _ in range(3)]
    assert seen == [("3", b"two\n"), ("2", b"one\n"), ("1", b"old\n")]
    with pytest.raises(InputError, match="no run to undo"):
        undo(bench.writer())


def test_notes_edited_since_are_listed_and_left(bench):
    write(bench, A=b"new\n", B=b"new\n")
    bench.note("A.md", b"new\nmine\n")
    done = undo(bench.writer())
    assert done.edited_since == ("A.md",)
    assert done.restored == ("B.md",)
    assert content(bench) == b"new\nmine\n"
    assert content(bench, "B") == b"old\n"


def test_a_note_that_was_removed_since_is_listed(bench):
    write(bench, A=b"new\n")
    (bench.vault / "A.md").unlink()
    assert undo(bench.writer()).edited_since == ("A.md",)
    assert not (bench.vault / "A.md").exists()


def test_an_undo_that_found_every_note_edited_is_not_done(bench):
    write(bench, A=b"one\n")
    write(bench, A=b"two\n")
    bench.note("A.md", b"mine\n")
    # It must not go on to the run before.
    assert [undo(bench.writer()).undone for _ in range(2)] == ["2", "2"]
    assert content(bench) == b"mine\n"


def test_an_earlier_run_by_name(bench):
    write(bench, A=b"new\n")
    write(bench, B=b"new\n")
    assert undo(bench.writer(), "1").restored == ("A.md",)
    assert (content(bench), content(bench, "B")) == (b"old\n", b"new\n")
    assert undo(bench.writer()).undone == "2"


def test_undone_already(bench):
    write(bench, A=b"new\n")
    undo(bench.writer())
    again = undo(bench.writer(), "1")
    assert again.restored == ()
    assert [outcome.kind for outcome in again.writing.outcomes] == ["unchanged"]


def test_runs_that_cannot_be_undone(bench):
    with pytest.raises(InputError, match="no run to undo"):
        undo(bench.writer())
    write(bench, A=b"new\n")
    with pytest.raises(InputError, match="no run 7"):
        undo(bench.writer(), "7")
    bench.clock.skip(days=91)
    prune(bench.folders, bench.clock)
    with pytest.raises(InputError, match="pruned"):
        undo(bench.writer(), "1")
    with pytest.raises(InputError, match="no run to undo"):
        undo(bench.writer())
    assert content(bench) == b"new\n"


def test_an_undo_that_was_interrupted_is_taken_up_again(bench):
    write(bench, A=b"new\n", B=b"new\n")

    def interrupt(step):
        if step == "ended":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        undo(bench.writer(interrupt))
    assert [content(bench, name) for name in "AB"] == [b"old\n", b"new\n"]
    done = undo(bench.writer())
    assert (done.undone, done.restored) == ("1", ("B.md",))
    assert [content(bench, name) for name in "AB"] == [b"old\n", b"old\n"]


def test_read_only_since_is_refused_and_said(bench):
    write(bench, A=b"new\n")
    (bench.vault / "A.md").chmod(0o444)
    done = undo(bench.writer())
    assert done.restored == ()
    assert done.writing.having("refused") == (("A.md", "refused", "read-only"),)
