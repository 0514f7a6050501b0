"""Whole runs of the program on copies: proposed and undone, and how long writing takes."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scripts.edit_support.ours import Bases
from vaultgraph.domain.notes import VaultFile
from vaultgraph.proposals.plan import Add, plan_note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scripts.edit_support.sources import Source


class RunResult(NamedTuple):
    """What became of a sample of notes: proposed in one run, then undone."""

    sample: int
    written: int
    refused: int
    #: Whether every byte of the vault was as before after the undo.
    is_restored: bool
    #: How long the writing took, journal and all, and the whole command.
    write_seconds: float
    seconds: float


class _Program:
    def __init__(self, root: Path) -> None:
        self.vault = root / "vault"
        self._verdicts = root / "verdicts.jsonl"
        self._environment = {
            **os.environ,
            "XDG_STATE_HOME": str(root / "state"),
            "XDG_CACHE_HOME": str(root / "cache"),
        }

    def run(self, *arguments: str) -> Any:  # noqa: ANN401 - a JSON document
        command = [sys.executable, "-m", "vaultgraph", "--vault", str(self.vault)]
        done = subprocess.run(
            [*command, *arguments, "--json"],
            capture_output=True,
            env=self._environment,
            check=True,
        )
        return json.loads(done.stdout)

    def give(self, pairs: list[tuple[str, str]]) -> int:
        """Import a verdict for each pair, and return how many were taken."""
        lines = [json.dumps({"dependent": a, "basis": b}) for a, b in pairs]
        self._verdicts.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        return len(self.run("judge", "--import", str(self._verdicts))["verdicts"])


@contextmanager
def _copy_of(source: Source) -> Iterator[_Program]:
    with tempfile.TemporaryDirectory() as folder:
        program = _Program(Path(folder))
        hour_ago = time.time() - 3600
        for path, data in source.notes.items():
            file = program.vault / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
            os.utime(file, (hour_ago, hour_ago))
        yield program


def _bytes_of(vault: Path) -> dict[str, bytes]:
    return {
        path.relative_to(vault).as_posix(): path.read_bytes()
        for path in sorted(vault.rglob("*"))
        if path.is_file() and ".vaultgraph" not in path.parts
    }


def propose_and_undo(source: Source, number: int, seed: int) -> RunResult:
    """Propose an entry in each note of a sample, in one run, and undo it."""
    paths, bases = list(source.notes), Bases(source)
    chance = random.Random(seed)  # noqa: S311 - seeded on purpose
    chosen = sorted(chance.sample(range(len(paths)), min(number, len(paths))))
    with _copy_of(source) as program:
        before = _bytes_of(program.vault)
        taken = program.give([(paths[n], str(bases.of(n))) for n in chosen])
        began = time.perf_counter()
        report = program.run("propose", "--yes")
        seconds = time.perf_counter() - began
        changed = sum(data != before[path] for path, data in _bytes_of(program.vault).items())
        if changed != (report["written"] or 0):
            raise AssertionError(f"{changed} notes changed, {report['written']} were told of")
        runs = program.run("runs")["runs"]
        if runs:
            program.run("undo", "--yes")
        return RunResult(
            sample=taken,
            written=changed,
            refused=len(report["refused"]),
            is_restored=_bytes_of(program.vault) == before,
            write_seconds=_seconds_of(runs[0]) if runs else 0.0,
            seconds=seconds,
        )


def _seconds_of(run: dict[str, str]) -> float:
    finished, started = (datetime.fromisoformat(run[key]) for key in ("finished", "started"))
    return (finished - started).total_seconds()


def plan_speed(source: Source, key: str) -> float:
    """Return how many notes are planned in memory in a second of this process's own time."""
    bases = Bases(source)
    work = [
        (VaultFile(path, path, (0, 0, 0, 0)), data, [Add(key, bases.of(number))])
        for number, (path, data) in enumerate(source.notes.items())
    ]
    began = time.process_time()
    for file, data, changes in work:
        plan_note(file, data, changes, bases.index)
    return len(work) / (time.process_time() - began)
