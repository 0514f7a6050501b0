"""Readers in processes of their own: the same answers, and an end as soon as nobody asks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.vaults import REPOSITORY
from vaultgraph.domain.settings import Settings
from vaultgraph.effects.team import Team
from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILES = {
    f"Note {n}.md": f"---\nup: '[[Note {n // 2}]]'\n---\nSee Note {n % 3}.\n" for n in range(9)
}

#: Reads the notes of a vault with so many workers, and says what they said and how long it took.
SCRIPT = """
import os, sys, time
from vaultgraph.effects import note_reader
from vaultgraph.domain.settings import Settings
from vaultgraph.effects.team import Team
if __name__ == "__main__":
    prefix, jobs = sys.argv[1] + os.sep, int(sys.argv[2])
    names = sorted(os.listdir(sys.argv[1]))
    team = Team(prefix, Settings(), len(names), jobs)
    facts = team.share("read", names)
    found = team.share("find", [(n,) for n in range(len(names))], [f"note {n}" for n in range(9)])
    print([tuple(f) for f in facts], found, flush=True)
    if len(sys.argv) > 3:
        print(open(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read(), flush=True)
        time.sleep(60)
    note_reader._PATIENCE = 60
    team.close()
    codes = [worker._process.exitcode for worker in team._workers[:-1]]
    assert not any(codes), f"a worker did not end when told to: {codes}"
"""


def start(vault: Path, jobs: int, *more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, os.fspath(vault), str(jobs), *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
    )


def test_any_number_of_workers_gives_the_same_answers(make_vault: Callable[..., Path]):
    vault = make_vault(FILES)
    said = []
    for jobs in (1, 2, 4):
        process = start(vault, jobs)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, "")
        said.append(out)
    assert said[0] == said[1] == said[2]
    assert "property:up" in said[0]


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")
def test_workers_end_when_the_program_is_killed(make_vault: Callable[..., Path]):
    process = start(make_vault(FILES), 3, "wait")
    assert process.stdout is not None
    process.stdout.readline()
    workers = [int(number) for number in process.stdout.readline().split()]
    assert len(workers) == 2
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    if process.stderr is not None:
        process.stderr.close()
    deadline = time.monotonic() + 120
    while any(_is_running(worker) for worker in workers):
        assert time.monotonic() < deadline, "a worker outlived the program"
        time.sleep(0.05)


@pytest.mark.parametrize("method", ["read", "find"])
def test_a_process_that_is_killed_is_one_clear_error(make_vault: Callable[..., Path], method: str):
    vault = make_vault({"One.md": "[[Two]]", "Two.md": ""})
    team = Team(f"{os.fspath(vault)}{os.sep}", Settings(), 2, 2)
    paths = ["One.md", "Two.md"]
    asked: dict[str, Any] = {"read": ("read", paths), "find": ("find", [(), ()], ("two words",))}
    if method == "find":
        assert len(team.share("read", paths)) == 2
    worker = team._workers[0]._process  # type: ignore[attr-defined]
    os.kill(worker.pid, signal.SIGKILL)
    worker.join()
    with pytest.raises(InputError, match="was ended from outside") as caught:
        team.share(*asked[method])
    assert caught.value.hint == "try again with one process: vaultgraph scan --jobs 1"
    team.close()


def _is_running(number: int) -> bool:
    try:
        with open(f"/proc/{number}/stat") as file:  # noqa: PTH123 - not a path of ours
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
