"""Holds the editor and the writer to their laws on real vaults and generated notes.

In every note an entry is added and taken out again, in memory: the bytes must come back, except
where law 2 says otherwise, or the note is refused with a reason. The same entry is added with
python-frontmatter and ruamel.yaml (dependency group ``bench``), and it is counted how often the
other lines of the block stay as they were. A sample is proposed and undone by the program itself,
on a copy. With --node every output is read again by Obsidian's YAML library (scripts/setup_node).

Prints Markdown tables; ends with 1 where a law does not hold.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scripts.edit_support.node_check import read_again
from scripts.edit_support.ours import Attempt, Tally, try_all
from scripts.edit_support.rivals import share, ways
from scripts.edit_support.sources import GENERATED, Source, generated, read_vaults
from scripts.edit_support.whole_runs import RunResult, plan_speed, propose_and_undo

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KEY = "depends-on-proposed"
#: What a person may have made by hand already.
HAND_MADE = "depends-on"
#: Of generated notes the others are tried on as many; a round trip with ruamel takes a while.
RIVALS_AT_MOST = 20_000


class Result:
    """Everything about one source."""

    def __init__(self, source: Source, options: argparse.Namespace) -> None:
        self.name = source.name
        note(f"{source.name}: {len(source.notes):,} notes")
        self.speed = plan_speed(source, KEY)
        self.tally = try_all(source, KEY)
        self.hand_made = try_all(_having(source, HAND_MADE), HAND_MADE)
        attempts: Sequence[Attempt] = self.tally.attempts[:RIVALS_AT_MOST]
        self.rivals = [rival.try_all(attempts, KEY) for rival in ways()]
        self.run = propose_and_undo(source, options.sample, options.seed)
        self.read: dict[str, Any] = {}
        if options.node:
            self.read = read_again(self.tally.attempts, KEY)
            more = read_again(self.hand_made.attempts, HAND_MADE)
            self.read["counts"] = Counter(self.read["counts"]) + Counter(more["counts"])
            self.read["wrong"] += more["wrong"]

    def faults(self) -> Iterator[str]:
        """Yield where a law does not hold."""
        for tally in (self.tally, self.hand_made):
            yield from (f"{self.name}: {text}" for text in tally.broken)
        if not self.run.is_restored:
            yield f"{self.name}: an undo did not give the bytes back"
        yield from (f"{self.name}: {text}" for text in self.read.get("wrong", ()))


def _having(source: Source, key: str) -> Source:
    """Return the notes that have such a list; links reach all that they reached before."""
    start = (f"\n{key}:".encode(), f"\n{key} :".encode())
    found = {
        path: data
        for path, data in source.notes.items()
        if data.startswith((b"---", b"\xef\xbb\xbf---")) and any(s in data[:8192] for s in start)
    }
    notes = found if len(found) > 1 else {}
    return Source(source.name, notes, source.paths)


def note(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "| --- |" + " ---: |" * (len(header) - 1)]
    lines += ("| " + " | ".join(map(str, row)) + " |" for row in rows)
    return "\n".join(lines) + "\n"


def edited_table(results: Sequence[Result]) -> str:
    def row(name: str, tally: Tally) -> list[str]:
        numbers = (
            tally.notes,
            tally.with_frontmatter,
            tally.identical,
            tally.exceptions.total() + tally.refused_remove.total(),
            tally.refused_add.total(),
            tally.there_already,
            len(tally.broken),
        )
        return [name, *(f"{number:,}" for number in numbers)]

    header = [
        "source",
        "notes",
        "with frontmatter",
        "bytes came back",
        "law 2's exceptions",
        "refused",
        "there already",
        "broken",
    ]
    rows = [row(result.name, result.tally) for result in results]
    rows += (
        row(f"{result.name}, hand-made `{HAND_MADE}`", result.hand_made)
        for result in results
        if result.hand_made.notes
    )
    return table(header, rows)


def kinds_table(results: Sequence[Result]) -> str:
    rows: list[list[str]] = []
    for title, name in (
        ("refused", "refused_add"),
        ("exception: bytes differ, values equal", "exceptions"),
        ("exception: cannot be taken out again", "refused_remove"),
    ):
        by_source: dict[str, Counter[str]] = {
            result.name: getattr(result.tally, name) + getattr(result.hand_made, name)
            for result in results
        }
        counts: Counter[str] = sum(by_source.values(), Counter())
        for code, total in counts.most_common():
            where = [
                f"{source} {found[code]:,}" for source, found in by_source.items() if found[code]
            ]
            rows.append([f"{title}: `{code}`", f"{total:,}", ", ".join(where)])
    return table(["kind", "notes", "where"], rows)


def rivals_table(results: Sequence[Result]) -> str:
    def row(name: str, counts: Sequence[Counter[str]]) -> list[str]:
        kept = [f"{share(c, 'keeps')}{_remarks(c)}" for c in counts]
        return [name, f"{counts[0]['blocks']:,}", *kept]

    rows = [row(result.name, [rival.seen for rival in result.rivals]) for result in results]
    real = [result for result in results if result.name != GENERATED]
    if len(real) > 1:
        columns = zip(*(result.rivals for result in real), strict=True)
        totals: list[Counter[str]] = [
            sum((rival.seen for rival in column), Counter()) for column in columns
        ]
        rows.append(row("all real vaults", totals))
    return table(["source", "blocks", *(rival.name for rival in results[0].rivals)], rows)


def _remarks(counts: Counter[str]) -> str:
    return f" ({share(counts, 'fails')} fail)" if counts["fails"] else ""


def runs_table(results: Sequence[Result]) -> str:
    def row(name: str, run: RunResult, speed: float) -> list[str]:
        return [
            name,
            f"{run.sample:,}",
            f"{run.written:,}",
            f"{run.refused:,}",
            f"{run.sample - run.written - run.refused:,}",
            "yes" if run.is_restored else "NO",
            f"{run.write_seconds:.1f}",
            f"{run.seconds:.1f}",
            f"{speed:,.0f}",
        ]

    header = [
        "source",
        "sample",
        "written",
        "refused",
        "decided by hand, or in conflict",
        "undo gave every byte back",
        "writing with fsync, s",
        "whole command, s",
        "planned in memory, notes a CPU second",
    ]
    return table(header, [row(result.name, result.run, result.speed) for result in results])


def read_table(results: Sequence[Result]) -> str:
    counts: Counter[str] = sum((Counter(r.read["counts"]) for r in results), Counter())
    rows = [[kind, f"{number:,}"] for kind, number in counts.most_common()]
    return table(["read again with npm yaml 2.7.0", "notes"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--vaults", type=Path, help="a folder of vaults: folders or .tar.gz")
    parser.add_argument("--generated", type=int, default=0, metavar="N", help="random notes")
    parser.add_argument(
        "--sample", type=int, default=1000, metavar="N", help="notes to be written"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--node", action="store_true", help="read every output again")
    options = parser.parse_args()
    results = [Result(source, options) for source in _sources(options)]
    if not results:
        parser.error("give --vaults, --generated or both")
    sys.stdout.write(f"Python {platform.python_version()}, {os.cpu_count()} cores\n\n")
    parts = [edited_table, kinds_table, rivals_table, runs_table]
    for part in [*parts, read_table] if options.node else parts:
        sys.stdout.write(f"{part(results)}\n")
    faults = [fault for result in results for fault in result.faults()]
    for fault in faults[:50]:
        note(fault)
    sys.exit(1 if faults else 0)


def _sources(options: argparse.Namespace) -> Iterator[Source]:
    if options.vaults is not None:
        yield from read_vaults(options.vaults)
    if options.generated:
        yield generated(options.generated, options.seed, KEY)
