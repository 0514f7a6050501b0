"""Measures the window in which somebody else's write to a note could be lost (law 3).

Between reading a note for the last time and having written it, nobody can be kept out. This
prints how long that takes, over 1,000 notes: from the end of the check, and from its beginning.

    python scripts/measure_write_window.py [FOLDER]
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import PlannedWrite, digest_of
from vaultgraph.effects.clock import SystemClock
from vaultgraph.effects.state_folder import local_folders
from vaultgraph.effects.writer import NoteWriter

NOTES = 1000
BODY = b"A line of a note that is as long as lines of notes tend to be.\n" * 64
HEAD = b'---\ndepends-on-proposed:\n  - "[[Basis]]"\n---\n'


def measure(root: Path) -> None:
    vault = root / "vault"
    vault.mkdir()
    names = [f"{number}.md" for number in range(NOTES)]
    for name in names:
        (vault / name).write_bytes(BODY)
    time.sleep(5.1)  # the notes are young, and would be waited for
    steps: list[tuple[str, int]] = []
    folders = local_folders(vault, user_state=root / "state", user_cache=root / "cache")
    writer = NoteWriter(
        vault,
        folders,
        SystemClock(),
        checkpoint=lambda step: steps.append((step, time.perf_counter_ns())),
    )
    digest = digest_of(BODY)
    plans = [PlannedWrite(NoteId(name), name, digest, HEAD + BODY) for name in names]
    began = time.perf_counter()
    report = writer.write(plans, command="measure")
    took = time.perf_counter() - began
    print(f"{len(report.having('written'))} notes of {len(BODY):,} bytes in {took:.2f} s")
    for start, end, what in (
        ("checked", "written", "from the last check to the end of the write"),
        ("intended", "truncated", "with the last check itself, to the end of truncating"),
    ):
        show(what, spans(steps, start, end))


def spans(steps: list[tuple[str, int]], start: str, end: str) -> list[float]:
    """Return the microseconds from each step of one name to the next of another."""
    starts = [at for step, at in steps if step == start]
    ends = [at for step, at in steps if step == end]
    return [(to - since) / 1000 for since, to in zip(starts, ends, strict=True)]


def show(what: str, microseconds: list[float]) -> None:
    cuts = statistics.quantiles(microseconds, n=100)
    print(
        f"{what}: median {statistics.median(microseconds):.0f} µs, "
        f"99 of 100 within {cuts[98]:.0f} µs, longest {max(microseconds):.0f} µs"
    )


def main() -> None:
    parent = sys.argv[1] if len(sys.argv) > 1 else None
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        measure(Path(folder))


if __name__ == "__main__":
    main()
