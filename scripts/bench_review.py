#!/usr/bin/env python3
"""Measures review: from the key to the next item on the screen, over a real pseudo-terminal.

    scripts/bench_review.py VAULT

Works on a copy, in which pairs spread over the whole vault are proposed. Prints, at 80 columns and
at 140, the median, the 95th percentile and the longest time of decisions, of undoing them, and of
skips. The keys follow each other at once, which is harder than any person is on it.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY))

from tests.kit.terminal import Person  # noqa: E402 - behind the path

#: Each takes three items; no two keys that follow each other are told of alike.
ROUNDS = 100
KEYS = (
    ("a", "accepted: "),
    ("r", "rejected: "),
    ("u", "taken back: "),
    ("r", "rejected: "),
    ("s", "put off: "),
)
NAMES = {"a": "decision", "r": "decision", "u": "undo", "s": "skip"}


def propose(program: list[str], scratch: Path) -> None:
    """Let the vault hold proposals between notes that link to each other."""
    scan = subprocess.run([*program, "scan", "--json"], check=True, capture_output=True)
    pairs = json.loads(scan.stdout)["pairs"]
    wanted = 7 * ROUNDS
    lines = [
        json.dumps({"dependent": pair["first"], "basis": pair["second"], "probability": 0.9})
        for pair in pairs[:: max(1, len(pairs) // wanted)]
    ]
    verdicts = scratch / "verdicts.jsonl"
    verdicts.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    for step in (["judge", "--import", str(verdicts)], ["propose", "--yes"]):
        subprocess.run([*program, *step], check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    """Propose, then press the same keys again and again."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        os.environ["XDG_STATE_HOME"] = os.environ["XDG_CACHE_HOME"] = folder
        vault = scratch / "vault"
        shutil.copytree(sys.argv[1], vault, symlinks=True)
        propose([sys.executable, "-m", "vaultgraph", "--vault", str(vault)], scratch)
        for columns in (80, 140):
            seconds: dict[str, list[float]] = {}
            with Person(vault, "review", columns=columns) as person:
                person.sees("1 of ", "? help")
                for key, said in KEYS * ROUNDS:
                    start = time.perf_counter()
                    # What is said of the key is drawn last, below the next item.
                    person.press(key).sees(said)
                    seconds.setdefault(NAMES[key], []).append(time.perf_counter() - start)
                person.press("q").stops()
            for name, taken in seconds.items():
                middle = statistics.median(taken) * 1000
                p95 = statistics.quantiles(taken, n=20)[-1] * 1000
                print(
                    f"{columns} columns, {len(taken)} times {name}: median {middle:.0f} ms,"
                    f" p95 {p95:.0f} ms, longest {max(taken) * 1000:.0f} ms"
                )


if __name__ == "__main__":
    main()
