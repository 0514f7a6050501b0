"""The measurements of one vault, as a Markdown table and as JSON."""

from __future__ import annotations

import os
import platform
import statistics
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from scripts.bench_support.measure import MEMORY_KIND, Sample

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

HEADER = """\
| what | CPU s | x ref. | wall s | x ref. | peak MB |
| --- | ---: | ---: | ---: | ---: | ---: |"""


@dataclass(slots=True)
class Row:
    """One command: its runs, and the runs of the reference that took turns with them."""

    name: str
    samples: list[Sample] = field(default_factory=list)
    references: list[Sample] = field(default_factory=list)
    peak_mb: float = 0.0

    @property
    def cpu(self) -> float:
        """The median of the CPU seconds."""
        return statistics.median([sample.cpu for sample in self.samples])

    @property
    def wall(self) -> float:
        """The median of the wall seconds."""
        return statistics.median([sample.wall for sample in self.samples])

    @property
    def ratios(self) -> tuple[float, float]:
        """CPU and wall as multiples of the reference, each run against the one just before it."""
        pairs = list(zip(self.samples, self.references, strict=True))
        return (
            statistics.median(mine.cpu / reference.cpu for mine, reference in pairs),
            statistics.median(mine.wall / reference.wall for mine, reference in pairs),
        )


@dataclass(frozen=True, slots=True)
class Report:
    """All rows of one vault, the reference's first."""

    vault: str
    megabytes: float
    counts: Mapping[str, int]
    rows: Sequence[Row]
    runs: int

    def markdown(self) -> str:
        """Return the table with what one must know to read it."""
        counts = self.counts
        title = (
            f"**{self.vault}**: {counts['notes']:,} notes, {self.megabytes:.1f} MB, "
            f"{counts['names']:,} titles of two or more words, {counts['wikilinks']:,} wikilinks; "
            f"the reference finds {counts['pairs']:,} pairs."
        )
        return "\n".join([title, "", HEADER, *map(_line, self.rows), *self._differences()])

    def _differences(self) -> Iterable[str]:
        rows = {row.name: row for row in self.rows}
        reference, bare, usage = self.rows[0], rows.get("bare interpreter"), rows.get("--help")
        if not (bare and usage):
            return
        yield ""
        yield f"`--help` over a bare interpreter: {usage.cpu - bare.cpu:.3f} s CPU."
        for row in self.rows:
            if "warm" in row.name:
                share = (row.cpu - usage.cpu) / reference.cpu
                yield f"{row.name}, over `--help`: {share:.2f} x the reference's CPU."

    def data(self) -> dict[str, object]:
        """Return everything measured, for `--json`."""
        return {
            "vault": self.vault,
            "megabytes": round(self.megabytes, 1),
            "counts": dict(self.counts),
            "rows": [
                asdict(row)
                | {"cpu": row.cpu, "wall": row.wall}
                | dict(zip(("cpu_ratio", "wall_ratio"), row.ratios, strict=True))
                for row in self.rows
            ],
        }


def conditions(runs: int) -> str:
    """Return where and how the figures were taken."""
    return (
        f"Python {platform.python_version()}, {os.cpu_count()} CPUs, {platform.system()} "
        f"{platform.machine()}. Medians of {runs} runs after a warm-up, page cache warm, each run "
        "a whole process with its workers; before each run the reference ran, and x ref. is the "
        f"median of the ratios of such neighbours. Peak: {MEMORY_KIND}."
    )


def _line(row: Row) -> str:
    cpu_ratio, wall_ratio = row.ratios
    once = " (one run)" if len(row.samples) == 1 else ""
    return (
        f"| {row.name}{once} | {row.cpu:.3f} | {cpu_ratio:.2f} | {row.wall:.3f} "
        f"| {wall_ratio:.2f} | {row.peak_mb:.0f} |"
    )
