"""``runs``: what wrote to notes, when, and what became of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import run, run_program
from tests.kit.vaults import tree
from tests.kit.writing import judged, notes_bytes, old_vault, propose

if TYPE_CHECKING:
    from pathlib import Path

#: Dies after a note has got its new bytes and before that is on record.
DIE = """
import os
from vaultgraph.effects.journal import OpenRun
OpenRun.end = lambda *_: os._exit(9)
"""
#: Dies with a note half written.
TEAR = """
import os
from vaultgraph.effects import note_file
def half(descriptor, content):
    os.write(descriptor, content[: len(content) // 2])
    os._exit(9)
note_file.write_all = half
"""


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    vault = old_vault(tmp_path / "vault", {"Plan.md": "Body.\n" * 9, "Cache.md": "Fast.\n" * 9})
    judged(vault, ("Plan", "Cache"))
    return vault


def test_none(vault: Path):
    ran = run(vault, "runs").ok()
    assert ran.out == "No run has written to a note of this vault from this machine.\n"
    assert run(vault, "runs", "--json").ok().json == {"runs": []}
    assert run(vault, "runs", "--prune").ok().out == "0 runs pruned, 0 bytes freed\n"


def test_a_line_each_newest_last(vault: Path):
    propose(vault).ok()
    propose(vault, "--withdraw").ok()
    run(vault, "undo", "--yes").ok()
    lines = run(vault, "runs", env={"TZ": "UTC"}).ok().out.splitlines()
    assert [re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "WHEN", line) for line in lines] == [
        "     1  WHEN       1 note  propose",
        "     2  WHEN       1 note  propose --withdraw  undone",
        "     3  WHEN       1 note  undo  takes back 2",
    ]


def test_as_json(vault: Path):
    propose(vault).ok()
    run(vault, "undo", "--yes").ok()
    first, second = run(vault, "runs", "--json").ok().json["runs"]
    times = {key: first.pop(key) for key in ("started", "finished", "device")}
    assert all(re.fullmatch(r"20\d\d-.*\+00:00", times[key]) for key in ("started", "finished"))
    assert first == {
        "run": "1",
        "command": "propose",
        "undoes": None,
        "written": 1,
        "pruned": False,
        "cut_off": False,
        "undone": True,
    }
    assert (second["command"], second["undoes"], second["undone"]) == ("undo", "1", False)


def test_pruned(vault: Path):
    propose(vault).ok()
    assert run(vault, "runs", "--prune").ok().out == "0 runs pruned, 0 bytes freed\n"
    document = run(vault, "runs", "--prune", "--days", "0", "--json").ok().json
    assert document["pruned"] == ["1"]
    assert document["freed_bytes"] > 100
    assert run(vault, "runs").ok().out.endswith("propose  pruned, cannot be undone\n")


def test_it_settles_what_a_crash_left(vault: Path):
    before = notes_bytes(vault)
    assert run_program(vault, "propose", "--yes", prelude=TEAR).code == 9
    assert notes_bytes(vault) != before
    # Reading commands tell of it, and leave it.
    torn = tree(vault)
    warning = "warning: a write run was cut off; vaultgraph runs settles what it left\n"
    assert run(vault, "stale").ok().err.startswith(warning)
    assert tree(vault) == torn
    ran = run(vault, "runs").ok()
    assert ran.err == "recovered  Plan.md was torn, and is again as it was before (run 1)\n"
    assert ran.out.endswith("0 notes  propose  was cut off\n")
    assert notes_bytes(vault) == before
    assert run(vault, "runs").ok().err == ""


def test_a_note_that_was_whole_when_the_run_was_cut_off(vault: Path):
    assert run_program(vault, "propose", "--yes", prelude=DIE).code == 9
    ran = run(vault, "runs").ok()
    assert ran.err == "recovered  Plan.md had been written whole (run 1)\n"
    assert ran.out.endswith("1 note  propose  was cut off\n")
