"""Kills ``vaultgraph judge`` at random moments; counts what its server was asked. Prints counts.

By hand, as often and as much as was promised:

    python -m tests.kit.judge_kills --pairs 2000 --kills 20 [--folder DIR] [--seed N]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.kit.cli import run
from tests.kit.judge_server import JudgeServer, Say, judge_server, nouls
from tests.kit.writing import ledger_events, old_vault

CONCURRENCY = 8
#: Seconds that the server takes for an answer.
LATENCY = 0.01


class JudgeKills:
    """One vault of ``pairs`` pairs, judged in runs of which all but the last are killed."""

    def __init__(self, folder: Path, pairs: int, seed: int) -> None:
        self._chance = random.Random(seed)
        self._pairs = pairs
        notes = {f"{n:04} Note.md": "It waits for [[The Basis]].\n" for n in range(pairs)}
        self._vault = old_vault(folder / "vault", {**notes, "The Basis.md": "Granite.\n"})
        # So that a killed run is at its calls and not at reading the vault.
        run(self._vault, "scan", "--json").ok()
        self._asked: list[str] = []
        self.repeated: list[int] = []
        self.killed = 0

    def go(self, kills: int) -> None:
        """Kill so many runs, then let one end; look after each at what is kept and was asked."""
        with judge_server(answer=self._answer) as server:
            # Together about four fifths of all calls, so that the last run has some left.
            share = 0.8 * self._pairs / max(1, kills)
            for _ in range(kills):
                self._run(server, kill_after=self._chance.uniform(0.2, 1.8) * share)
            self._run(server, kill_after=None)
        assert len(self._recorded()) == self._pairs

    def _answer(self, _number: int, body: bytes) -> Say:
        state = json.loads(body)["state"]
        self._asked.append(state["A"]["title"])
        time.sleep(LATENCY)
        return nouls()

    def _recorded(self) -> Counter[str]:
        events = [
            row["payload"] for row in ledger_events(self._vault) if row["event"] == "verdict"
        ]
        return Counter(row["first"].removesuffix(".md") for row in events)

    def _run(self, server: JudgeServer, kill_after: float | None) -> None:
        before, start = self._recorded(), len(self._asked)
        command = [sys.executable, "-m", "vaultgraph", "--vault", os.fspath(self._vault), "judge"]
        address = ["--base-url", server.url, "--model", "m", "--concurrency", str(CONCURRENCY)]
        with subprocess.Popen(
            [*command, "--judge", "systemone", *address],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        ) as process:
            if kill_after is not None:
                self._wait(process, start + kill_after)
                process.send_signal(signal.SIGKILL)
            code = process.wait()
        # A call that was under way may still reach the server's own count.
        time.sleep(10 * LATENCY)
        asked, after = self._asked[start:], self._recorded()
        assert before <= after, "a recorded answer was lost"
        assert max(after.values(), default=1) == 1, "an answer was recorded twice"
        assert set(before).isdisjoint(asked), "a recorded answer was asked for again"
        assert len(set(asked)) == len(asked), "a pair was asked for twice in one run"
        lost = set(asked) - set(after)
        if code == -signal.SIGKILL:
            self.killed += 1
            self.repeated.append(len(lost))
            assert len(lost) <= CONCURRENCY, f"{len(lost)} calls are lost"
        else:
            assert code == 0
            assert not lost

    def _wait(self, process: subprocess.Popen[bytes], calls: float) -> None:
        while len(self._asked) < calls and process.poll() is None:
            time.sleep(0.001)
        # Not always at the moment in which a call arrives.
        time.sleep(self._chance.uniform(0, 2 * LATENCY))


def main() -> None:
    """Kill as often as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for variable in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
            os.environ[variable] = os.fspath(Path(folder) / variable)
        began = time.monotonic()
        kills = JudgeKills(Path(folder), options.pairs, options.seed)
        kills.go(options.kills)
    sys.stdout.write(
        f"{options.pairs} pairs, {kills.killed} kills, {sum(kills.repeated)} calls asked again"
        f" (at most {max(kills.repeated, default=0)} a kill; {CONCURRENCY} under way at a time),"
        f" none lost, none recorded twice, {time.monotonic() - began:.0f} s\n"
    )


if __name__ == "__main__":
    main()
