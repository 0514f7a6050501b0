"""Prints what a run of any judge came to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.cli.output import Output, shown
from vaultgraph.cli.written import count

if TYPE_CHECKING:
    from vaultgraph.flows.judge_report import Summary
    from vaultgraph.proposals.decide import Cutoffs

#: Mutual pairs, failures and differences shown; ``--json`` has all.
ROWS_SHOWN = 12
_BAR = 40
_BESIDE_BAR = 20


def print_histogram(stream: Output, summary: Summary) -> None:
    """Print how many directions have which score."""
    most = max(summary.histogram) or 1
    length = max(1, min(_BAR, stream.width - _BESIDE_BAR))
    for number, found in enumerate(summary.histogram):
        bar = "█" * round(found / most * length) or ("▏" if found else "")
        row = f"  {number / 10:.1f}-{(number + 1) / 10:.1f}  {found:>7,}"
        stream.line(row, (f"  {bar}" if bar else "", "cyan"))


def print_decided(stream: Output, number: int) -> None:
    """Print how many pairs were left out because a person decided about them."""
    if number:
        stream.note(f"{count(number, 'pair')} already decided")


def print_summary(stream: Output, summary: Summary, cutoffs: Cutoffs) -> None:
    """Print what reaches the cutoff, what nearly does, and where both directions do."""
    stream.line(
        f"{count(summary.above, 'direction')} at or above the cutoff ({cutoffs.cutoff:.3g}),"
        f" {summary.middle:,} in the middle band (from {cutoffs.middle:.3g})"
    )
    for verdict in summary.mutual[:ROWS_SHOWN]:
        stream.line(
            ("mutual  ", "yellow"),
            f"{shown(verdict.first)} ({verdict.first_depends:.2f})  ↔  "
            f"{shown(verdict.second)} ({verdict.second_depends:.2f})",
            indent=8,
        )
    if len(summary.mutual) > ROWS_SHOWN:
        stream.note(f"        … {len(summary.mutual) - ROWS_SHOWN:,} more mutual ones")
