#!/usr/bin/env python3
"""How often the intervals of a share hold the true one, for shares 0.02 to 0.98 and n 10 to 200.

    scripts/coverage_simulation.py

Nothing is left to chance: for each share and size the probabilities of all outcomes are summed
whose interval holds it. It prints Markdown, and takes ten seconds.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.audit_support.coverage import coverage
from vaultgraph.audit.intervals import exact, exact_lower, exact_upper, jeffreys, wilson

if TYPE_CHECKING:
    from scripts.audit_support.coverage import Interval

CONFIDENCE = 0.95
SHARES = tuple(number / 100 for number in range(2, 99))
SIZES = tuple(range(10, 201, 10))
SHOWN = (10, 20, 50, 100, 200)


def at_least(k: int, n: int, confidence: float) -> tuple[float, float]:
    return exact_lower(k, n, confidence), 1.0


def at_most(k: int, n: int, confidence: float) -> tuple[float, float]:
    return 0.0, exact_upper(k, n, confidence)


KINDS: dict[str, Interval] = {
    "Wilson": wilson,
    "Jeffreys": jeffreys,
    "exact": exact,
    "exact, lower bound": at_least,
    "exact, upper bound": at_most,
}


def main() -> None:
    sizes = " | ".join(f"n = {n}" for n in SHOWN)
    print(f"| interval | mean | lowest | where | {sizes} |")
    print("| --- | ---: | ---: | --- |" + " ---: |" * len(SHOWN))
    for name, interval in KINDS.items():
        grid = {
            (n, share): coverage(interval, share, n, CONFIDENCE) for n in SIZES for share in SHARES
        }
        n, share = min(grid, key=lambda place: grid[place])
        means = " | ".join(
            f"{sum(grid[n, share] for share in SHARES) / len(SHARES):.3f}" for n in SHOWN
        )
        mean = sum(grid.values()) / len(grid)
        lowest = f"{grid[n, share]:.3f} | n = {n}, {share:g}"
        print(f"| {name} | {mean:.3f} | {lowest} | {means} |", flush=True)


if __name__ == "__main__":
    main()
