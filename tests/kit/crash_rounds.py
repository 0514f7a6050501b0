"""Kills ``vaultgraph propose --yes`` at random moments, and looks at what is left. Prints counts.

By hand, with a thousand notes and a hundred kills:

    python -m tests.kit.crash_rounds --notes 1000 --kills 100 [--folder DIR] [--seed N]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.kit.cli import run
from tests.kit.writing import import_lines, notes_bytes, old_vault


class CrashRounds:
    """One vault, copied for every round."""

    def __init__(self, folder: Path, notes: int, seed: int) -> None:
        self._folder = folder
        self._chance = random.Random(seed)
        self.seen: Counter[str] = Counter()
        template = old_vault(folder / "template", _files(self._chance, notes))
        lines = [{"dependent": f"{n:04} Note", "basis": "The Basis"} for n in range(notes)]
        assert import_lines(template, *lines).ok().json["refused"] == []
        self._template = template
        self.old = notes_bytes(template)
        whole = self._copy("whole")
        began = time.monotonic()
        assert self._propose(whole).wait() == 0
        self.whole_seconds = time.monotonic() - began
        self.new = notes_bytes(whole)
        assert sum(self.new[path] != self.old[path] for path in self.old) == notes
        self._seconds = self._write_seconds(whole)
        shutil.rmtree(whole)

    def _copy(self, name: str) -> Path:
        return Path(shutil.copytree(self._template, self._folder / name))

    @staticmethod
    def _propose(vault: Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "vaultgraph", "--vault", os.fspath(vault)]
        return subprocess.Popen(
            [*command, "propose", "--yes", "--json"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )

    @staticmethod
    def _write_seconds(vault: Path) -> float:
        """Return how long a whole run took from its start to its end, by the journal."""
        from datetime import datetime

        (info,) = run(vault, "runs", "--json").ok().json["runs"]
        return (
            datetime.fromisoformat(info["finished"]) - datetime.fromisoformat(info["started"])
        ).total_seconds()

    def round(self, number: int) -> None:
        """Kill one run, settle what it left, and finish or take back."""
        vault = self._copy(f"vault{number}")
        process = self._propose(vault)
        delay = self._chance.uniform(0, self._seconds)
        self._wait_for_its_start(process, vault)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        if process.wait() == -signal.SIGKILL:
            self.seen["killed"] += 1
        else:
            self.seen["ended before"] += 1
            # The first run was slower than this one.
            self._seconds *= 0.8
        found = notes_bytes(vault)
        torn = [path for path in found if found[path] not in (self.old[path], self.new[path])]
        self.seen["torn"] += len(torn)
        assert len(torn) <= 1, torn
        self._settle(vault, torn)
        self._is_ours(vault)
        if self._chance.random() < 0.5:
            run(vault, "propose", "--yes").ok()
            assert notes_bytes(vault) == self.new
        else:
            run(vault, "propose", "--withdraw", "--yes").ok()
            assert notes_bytes(vault) == self.old
        run(vault, "ledger", "verify").ok()
        shutil.rmtree(vault)

    def _wait_for_its_start(self, process: subprocess.Popen[bytes], vault: Path) -> None:
        from vaultgraph.effects.state_folder import local_folders

        opened = local_folders(vault).state / "open" / "1"
        while process.poll() is None and not opened.exists():
            time.sleep(0.001)

    def _settle(self, vault: Path, torn: list[str]) -> None:
        """Let either of the commands that settle do so, and look at every note again."""
        if self._chance.random() < 0.5:
            ran = run(vault, "runs").ok()
        else:
            ran = run(vault, "propose", "--yes", "--limit", "0").ok()
        recovered = [line for line in ran.err.splitlines() if line.startswith("recovered  ")]
        self.seen["settled"] += len(recovered)
        assert all("is left as it is" not in line for line in recovered), recovered
        assert all("cannot be reached" not in line for line in recovered), recovered
        whole = notes_bytes(vault)
        assert whole.keys() == self.old.keys()
        mixed = [path for path in whole if whole[path] not in (self.old[path], self.new[path])]
        assert mixed == []
        assert all(whole[path] == self.old[path] for path in torn)
        self.seen["new"] += sum(whole[path] != self.old[path] for path in whole)
        self.seen["old"] += sum(whole[path] == self.old[path] for path in whole)
        assert run(vault, "runs").ok().err == ""
        # The kill may have cut off a line of the ledger; it never was an event.
        problems = run(vault, "ledger", "verify", "--json").calm().json["problems"]
        assert {problem["code"] for problem in problems} <= {"ledger-torn"}
        self.seen["torn ledger lines"] += len(problems)

    def _is_ours(self, vault: Path) -> None:
        """Whatever was written must be known as ours, or it could not be taken back."""
        written = {path for path, data in notes_bytes(vault).items() if data != self.old[path]}
        plan: dict[str, Any] = run(vault, "propose", "--withdraw", "--dry-run", "--json").ok().json
        assert {row["dependent"] for row in plan["withdrawn"]} == written
        assert plan["skipped"] == []


def _files(chance: random.Random, notes: int) -> dict[str, str | bytes]:
    files: dict[str, str | bytes] = {"The Basis.md": "What all of it rests on.\n"}
    for number in range(notes):
        head = chance.choice(("", "---\ntags: [a]\n---\n", "---\r\nk: v # c\r\n---\r\n"))
        lines = 8000 if chance.random() < 0.03 else chance.choice((1, 40, 200))
        body = f"Note {number} uses it.\n" * lines
        files[f"{number:04} Note.md"] = f"{head}{body}".encode()
    return files


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=None)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        for variable in ("XDG_STATE_HOME", "XDG_CACHE_HOME"):
            os.environ[variable] = f"{folder}/{variable}"
        rounds = CrashRounds(Path(folder), given.notes, given.seed)
        sys.stderr.write(f"a whole run takes {rounds.whole_seconds:.1f} s\n")
        number = 0
        while rounds.seen["killed"] < given.kills:
            number += 1
            rounds.round(number)
            sys.stderr.write(f"{number} {dict(rounds.seen)}\n")
    sys.stdout.write(f"{json.dumps(rounds.seen)}\n")


if __name__ == "__main__":
    main()
