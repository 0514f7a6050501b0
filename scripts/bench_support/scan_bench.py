"""Measures `vaultgraph scan` on real vaults against a reference pass run in turn with it.

Cold, warm, after one edited note and after one new title, on one core and on two; with --peers
also the link graphs of graphmark and obsidiantools. Prints Markdown tables for the README. Works
on copies in a temporary folder (TMPDIR moves it) with cache folders of its own.
"""

from __future__ import annotations

import argparse
import collections
import functools
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.bench_support.measure import CommandFailedError, Sample, adopt_orphans, run
from scripts.bench_support.report import Report, Row, conditions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).resolve().parent
VAULTS = ("zettelkasten-13k", "mixed-50k")
BUILT = "mixed-50k"
SETTLED = 2.5  # seconds; entries younger than two are read again by the racy-timestamp rule
TOO_SLOW = 60.0  # seconds; what takes longer is run once
PEERS = {
    "graphmark": "import sys, graphmark; graphmark.build(sys.argv[1])",
    "obsidiantools": (
        "import sys, pathlib, obsidiantools.api as api; "
        "api.Vault(pathlib.Path(sys.argv[1])).connect()"
    ),
}


def nothing() -> None:
    """Prepare nothing."""


@dataclass(frozen=True, slots=True)
class Case:
    """One row to be: ``prepare`` runs, unmeasured, before each run of ``command``."""

    name: str
    command: list[str]
    home: Path
    prepare: Callable[[], None] = nothing
    restore: Callable[[], None] = nothing


class Bench:
    """The cases of one vault."""

    def __init__(self, vault: Path, homes: Path, program: str) -> None:
        self.vault = vault
        self.homes = homes
        self.program = program
        self.notes = sorted(vault.rglob("*.md"))
        script = str(HERE / "reference_pass.py")
        self.reference = [sys.executable, script, str(vault)]

    def cases(self, peers: list[str]) -> Iterator[Case]:
        """Yield each case when the vault is ready for it."""
        bare = self.homes / "bare"
        yield Case("bare interpreter", [sys.executable, "-c", "pass"], bare)
        yield Case("--help", [self.program, "--help"], bare)
        for jobs, cores in ((1, "1 job"), (2, "2 jobs")):
            scan = [self.program, "--vault", str(self.vault), "scan", "--jobs", str(jobs)]
            home = self.homes / f"jobs-{jobs}"
            forget = functools.partial(shutil.rmtree, home, ignore_errors=True)
            yield Case(f"scan, cold, {cores}", scan, home, forget)
            self.warm(scan, home)
            yield Case(f"scan, warm, {cores}", scan, home)
            yield self.edited_note(f"scan, one edited note, {cores}", scan, home)
            self.warm(scan, home)
            yield self.new_title(f"scan, one new title, {cores}", scan, home)
        for peer in peers:
            command = [sys.executable, "-c", PEERS[peer], str(self.vault)]
            yield Case(f"{peer} (links only)", command, self.homes / peer)

    def warm(self, scan: list[str], home: Path) -> None:
        """Fill the cache from a vault that nobody has touched for a while."""
        time.sleep(SETTLED)
        run(scan, home)

    def edited_note(self, name: str, scan: list[str], home: Path) -> Case:
        """A note of median length grows by a line before each run."""
        by_size = sorted(self.notes, key=lambda path: (path.stat().st_size, path))
        note = by_size[len(by_size) // 2]
        before = note.read_bytes()

        def prepare() -> None:
            with note.open("ab") as file:
                file.write(b"\nOne more line.\n")

        return Case(name, scan, home, prepare, functools.partial(_put, note, before))

    def new_title(self, name: str, scan: list[str], home: Path) -> Case:
        """A note appears, titled by two words that stand together in several notes."""
        note = self.vault / f"{self.unnamed_phrase().title()}.md"

        def prepare() -> None:
            if note.exists():  # the last run's: gone from the cache too, then new again
                note.unlink()
                run(scan, home)
            note.write_text("A new note.\n", encoding="utf-8")

        return Case(name, scan, home, prepare, note.unlink)

    def unnamed_phrase(self) -> str:
        """Return the commonest two words of a sample of the notes that are no note's title."""
        phrases: collections.Counter[str] = collections.Counter()
        for note in self.notes[:: max(1, len(self.notes) // 500)]:
            text = note.read_text("utf-8", "replace").lower()
            phrases.update(re.findall(r"\b[a-z]{5,} [a-z]{5,}\b", text))
        titles = {note.stem.lower() for note in self.notes}
        return next((each for each, _ in phrases.most_common() if each not in titles), "new title")

    def measure(self, case: Case, runs: int) -> Row:
        """Return the case's row: a warm-up, which also shows the memory, then turns of two."""
        print(f"  {case.name}", file=sys.stderr)
        row = Row(case.name)
        case.prepare()
        first = run(case.command, case.home, watch_memory=True)
        row.peak_mb = first.peak_mb or 0.0
        for _ in range(runs):
            row.references.append(self.run_reference())
            if first.wall > TOO_SLOW:
                row.samples.append(first)
                break
            case.prepare()
            row.samples.append(run(case.command, case.home))
        case.restore()
        return row

    def run_reference(self, *, watch_memory: bool = False) -> Sample:
        """Return one run of the yardstick; its counts are in the file `stdout` of its home."""
        return run(self.reference, self.homes / "reference", watch_memory=watch_memory)

    def report(self, runs: int, peers: list[str]) -> Report:
        """Measure everything."""
        watched = self.run_reference(watch_memory=True)
        counts = json.loads((self.homes / "reference" / "stdout").read_text("utf-8"))
        megabytes = sum(note.stat().st_size for note in self.notes) / 1e6
        rows = [self.measure(case, runs) for case in self.cases(peers)]
        every = [sample for row in rows for sample in row.references]
        reference = Row("reference pass", every, every, watched.peak_mb or 0.0)
        return Report(self.vault.name, megabytes, counts, [reference, *rows], runs)


def _put(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def stage(name: str, vaults: Path, work: Path) -> Path:
    """Return a copy of the vault in ``work``, unpacked or built if need be."""
    print(f"{name}: making a copy", file=sys.stderr)
    target, folder, archive = work / name, vaults / name, vaults / f"{name}.tar.gz"
    if folder.is_dir():
        shutil.copytree(folder, target)
    elif archive.exists():
        with tarfile.open(archive) as packed:
            packed.extractall(target, filter="data")
    elif name == BUILT:
        builder = [sys.executable, str(HERE / "build_vault.py"), str(target)]
        subprocess.run([*builder, "--vaults", str(vaults)], check=True)
    else:
        raise SystemExit(f"bench_scan: neither {folder} nor {archive} is there")
    os.sync()
    return target


def importable_peers() -> list[str]:
    """Return the peers that can be measured here, and say which cannot."""
    found = [peer for peer in PEERS if importlib.util.find_spec(peer)]
    for peer in sorted(PEERS.keys() - found):
        print(f"bench_scan: {peer} is NOT measured: it cannot be imported", file=sys.stderr)
    return found


def use_project_interpreter() -> None:
    """Start again under the project's interpreter where this one lacks its libraries."""
    project = HERE.parents[1] / ".venv" / "bin" / "python"
    if importlib.util.find_spec("ahocorasick"):
        return
    if not project.exists() or Path(sys.executable) == project:
        raise SystemExit("bench_scan: set up the project first (scripts/demo), or use its Python")
    os.execv(project, [str(project), *sys.argv])  # noqa: S606 -- no shell is wanted


def main() -> None:
    use_project_interpreter()
    parser = argparse.ArgumentParser(prog="bench_scan", description=__doc__)
    parser.add_argument("--vaults", type=Path, required=True, help="folder of vaults or archives")
    parser.add_argument("--runs", type=int, default=5, help="runs per command (default: 5)")
    parser.add_argument("--only", choices=VAULTS, help="measure this vault alone")
    parser.add_argument("--peers", action="store_true", help="measure the peers as well")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every sample to FILE")
    parser.add_argument(
        "--program",
        default=str(Path(sys.executable).with_name("vaultgraph")),
        help="the vaultgraph to measure (default: the one beside this Python)",
    )
    options = parser.parse_args()
    if not shutil.which(options.program):
        parser.error(f"{options.program} is not there: pip install -e . first, or use --program")
    peers = importable_peers() if options.peers else []
    adopt_orphans()
    reports: list[Report] = []
    print(conditions(options.runs))
    for name in [options.only] if options.only else VAULTS:
        with tempfile.TemporaryDirectory(prefix="bench_scan-") as work:
            vault = stage(name, options.vaults, Path(work))
            bench = Bench(vault, Path(work) / "homes", shutil.which(options.program) or "")
            try:
                reports.append(bench.report(options.runs, peers))
            except CommandFailedError as error:
                raise SystemExit(f"bench_scan: {error}") from error
        print(f"\n{reports[-1].markdown()}", flush=True)
    if options.json:
        data = [report.data() for report in reports]
        content = {"conditions": conditions(options.runs), "vaults": data}
        options.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
