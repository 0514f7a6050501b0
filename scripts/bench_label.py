#!/usr/bin/env python3
"""Measures labelling: from the key to the next unit on the screen, over a real pseudo-terminal.

    scripts/bench_label.py VAULT

Works on a copy. Prints the median and the longest time over 40 keys, at 80 columns and at 140.
"""

from __future__ import annotations

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

KEYS = 40


def main() -> None:
    """Audit pairs that are no candidates, and press the same key again and again."""
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["XDG_STATE_HOME"] = os.environ["XDG_CACHE_HOME"] = scratch
        vault = Path(scratch) / "vault"
        shutil.copytree(sys.argv[1], vault)
        program = [sys.executable, "-m", "vaultgraph", "--vault", str(vault), "audit"]
        plan = ["plan", "speed", "--kind", "filter", "--size", str(2 * KEYS + 2), "--seed", "s"]
        for step in (plan, ["lock", "speed"], ["draw", "speed"]):
            subprocess.run([*program, *step], check=True, stdout=subprocess.DEVNULL)
        at = 1
        for columns in (80, 140):
            seconds: list[float] = []
            with Person(vault, "audit", "label", "speed", columns=columns) as person:
                person.sees(f"{at} of ", "? help")
                for at in range(at + 1, at + KEYS + 1):  # noqa: B020 - goes on
                    start = time.perf_counter()
                    person.press("2").sees(f"{at} of ")
                    seconds.append(time.perf_counter() - start)
                person.press("q").stops()
            median, longest = statistics.median(seconds) * 1000, max(seconds) * 1000
            print(f"{columns} columns: median {median:.0f} ms, longest {longest:.0f} ms")


if __name__ == "__main__":
    main()
