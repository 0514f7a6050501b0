"""Measures `vaultgraph stale` on generated vaults, and `show`, `why` and `origin` on a real one.

Every vault is scanned once before, so that all runs are warm. Half of the generated dependencies
are entries that were accepted, with their events in the ledger; the other half are verdicts.
Prints a Markdown table. Works in a temporary folder (TMPDIR moves it) with cache folders of its
own; a vault that is given is only read.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from scripts.bench_support.measure import Sample, adopt_orphans, run
from vaultgraph.domain.judging import Verdict
from vaultgraph.domain.notes import NoteId
from vaultgraph.effects.clock import SystemClock
from vaultgraph.effects.ledger import Ledger
from vaultgraph.effects.state_folder import LocalFolders
from vaultgraph.proposals.verdicts import verdict_event
from vaultgraph.review.decisions import decided_event
from vaultgraph.vault.note import body_hash

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultgraph.domain.writing import NewEvent

NOTES = 50_000
EDGES = (5_000, 10_000, 20_000, 40_000)
SEED = 20261201
_CLOSED = 0.02  # of the notes
_AGE = 3600  # seconds; the cache does not trust stamps of a moment ago


def name(number: int) -> str:
    """Return a note's id; a folder holds five hundred."""
    return f"{number // 500:03}/Note number {number:05}.md"


def build(vault: Path, notes: int, edges: int, home: Path) -> None:
    """Write a vault in which notes rest on each other, two percent of them closed."""
    random = Random(SEED)  # noqa: S311 - the same vault every time, and no secrets
    bases: list[set[int]] = [set() for _ in range(notes)]
    made = 0
    while made < edges:
        dependent, basis = random.randrange(notes), random.randrange(notes)
        if dependent != basis and basis not in bases[dependent]:
            bases[dependent].add(basis)
            made += 1
    hashes: list[str] = []
    entries: list[tuple[int, int]] = []
    judged: list[tuple[int, int]] = []
    for number, found in enumerate(bases):
        accepted = [basis for basis in sorted(found) if (number + basis) % 2]
        entries += ((number, basis) for basis in accepted)
        judged += ((number, basis) for basis in sorted(found) if basis not in accepted)
        head = ["status: done"] if random.random() < _CLOSED else ["status: active"]
        if accepted:
            head += ["depends-on:", *(f'  - "[[{Path(name(b)).stem}]]"' for b in accepted)]
        # Two links besides, as notes have, to any others.
        others = [name(random.randrange(notes)) for _ in range(2)]
        linked = [Path(name(b)).stem for b in sorted(found)] + [Path(o).stem for o in others]
        lines = ["---", *head, "---", f"Figures of {number}.", *(f"See [[{x}]]." for x in linked)]
        data = ("\n".join(lines) + "\n").encode()
        path = vault / name(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        then = time.time() - _AGE
        os.utime(path, (then, then))
        hashes.append(body_hash(data))
    folders = LocalFolders(home / "user", home / "state", home / "cache")
    Ledger(vault, folders, SystemClock()).append(_events(entries, judged, hashes))


def _events(
    entries: Sequence[tuple[int, int]], judged: Sequence[tuple[int, int]], hashes: Sequence[str]
) -> list[NewEvent]:
    events: list[NewEvent] = []
    for dependent, basis in entries:
        pair = (NoteId(name(dependent)), NoteId(name(basis)))
        known = {pair[0]: hashes[dependent], pair[1]: hashes[basis]}
        events.append(decided_event(pair, "accepted", "terminal", was="proposed", hashes=known))
    for dependent, basis in judged:
        first, second = sorted((dependent, basis))
        scores = (0.9, 0.1) if first == dependent else (0.1, 0.9)
        ids = (NoteId(name(first)), NoteId(name(second)))
        found = Verdict(*ids, *scores, "bench", "", "", "", hashes[first], hashes[second], "")
        events.append(verdict_event(found))
    return events


class Bench:
    """Runs of one program."""

    def __init__(self, program: str, runs: int, work: Path) -> None:
        self.program = program
        self.runs = runs
        self.work = work

    def measure(self, vault: Path, home: Path, *command: str) -> Sample:
        """Return the medians of warm runs."""
        line = [self.program, "--vault", str(vault), *command]
        samples = [run(line, home) for _ in range(self.runs)]
        cpu = statistics.median(sample.cpu for sample in samples)
        return Sample(cpu, statistics.median(sample.wall for sample in samples), None)

    def generated(self, notes: int, edges: int) -> None:
        """Print a row of a generated vault."""
        vault, home = self.work / f"vault-{edges}", self.work / f"home-{edges}"
        build(vault, notes, edges, home)
        run([self.program, "--vault", str(vault), "scan"], home)
        self.row(f"stale, {edges:,} dependencies", notes, self.measure(vault, home, "stale"))
        shutil.rmtree(vault)

    def given(self, vault: Path, first: str, second: str) -> None:
        """Print rows of a vault that there is."""
        home = self.work / "home-given"
        run([self.program, "--vault", str(vault), "scan"], home)
        notes = sum(1 for _ in vault.rglob("*.md"))
        said = Path(first).stem
        commands = (("stale",), ("show", first), ("why", first, second), ("origin", said))
        for command in commands:
            self.row(command[0], notes, self.measure(vault, home, *command))

    @staticmethod
    def row(what: str, notes: int, sample: Sample) -> None:
        """Print one row of the table."""
        print(f"| {what} | {notes:,} | {sample.cpu:.2f} s | {sample.wall:.2f} s |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench_stale", description=__doc__)
    parser.add_argument("--notes", type=int, default=NOTES, help="notes of a generated vault")
    parser.add_argument(
        "--edges", type=int, nargs="*", default=list(EDGES), help="dependencies in each of them"
    )
    parser.add_argument("--runs", type=int, default=5, help="runs per row (default: 5)")
    parser.add_argument(
        "--vault", nargs=3, metavar=("DIR", "NOTE", "NOTE"),
        help="also measure a vault that there is: show the first note, why it and the second make"
        " a pair, and where its title is from",
    )  # fmt: skip
    parser.add_argument(
        "--program", default=str(Path(sys.executable).with_name("vaultgraph")),
        help="the vaultgraph to measure (default: the one beside this Python)",
    )  # fmt: skip
    options = parser.parse_args()
    adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="bench_stale-") as work:
        bench = Bench(options.program, options.runs, Path(work))
        print("| warm run | notes | CPU | wall |\n| --- | --- | --- | --- |")
        for edges in options.edges:
            bench.generated(options.notes, edges)
        if options.vault:
            vault, first, second = options.vault
            bench.given(Path(vault), first, second)
