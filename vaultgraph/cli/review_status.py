"""What ``review --status`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.cli.output import Output, shown
from vaultgraph.cli.written import count
from vaultgraph.review.tally import BANDS, FATES

if TYPE_CHECKING:
    from collections import Counter

    from vaultgraph.flows.review_status import StatusReport
    from vaultgraph.review.pace import Sitting
    from vaultgraph.review.tally import Fate

_ROWS_SHOWN = 20
_SITTINGS_SHOWN = 10
_EXPLAINED = {
    "vanished": "left by hand without a decision: will be proposed again",
    "reset": "decided so: may be proposed again",
    "unclear": "a note is gone, or its properties cannot be read",
}


def print_status(stream: Output, report: StatusReport) -> None:
    """Print the counts, what vanished, the two tables and the sittings."""
    counted = report.tally
    stream.line((f"{counted.proposed:,} proposed", "bold"))
    decided = counted.fates["accepted"] + counted.fates["rejected"]
    for fate in FATES:
        number = counted.fates[fate]
        if not number and fate in _EXPLAINED:
            continue
        share = f"  ({number / decided:.0%} of those decided)" if _is_share(fate, decided) else ""
        why = f"  {_EXPLAINED[fate]}" if fate in _EXPLAINED else ""
        stream.line(f"  {number:>6,}  {fate}{share}", (why, "dim"), indent=10)
    for dependent, basis in counted.vanished[:_ROWS_SHOWN]:
        stream.line(
            ("          vanished  ", "yellow"),
            f"{shown(dependent)} depends on {shown(basis)}",
            indent=12,
        )
    if len(counted.vanished) > _ROWS_SHOWN:
        stream.note(f"          … {len(counted.vanished) - _ROWS_SHOWN:,} more: --json lists all")
    if counted.unproposed:
        stream.line(f"  {counted.unproposed:>6,}  decided, though nobody had proposed them")
    judges = {judge or "not known": fates for judge, fates in sorted(counted.by_judge.items())}
    _print_table(stream, "by judge", judges)
    bands = {band: counted.by_band[band] for band in BANDS if band in counted.by_band}
    _print_table(stream, "by score", bands)
    _print_sittings(stream, report.sittings)


def _is_share(fate: Fate, decided: int) -> bool:
    return fate in ("accepted", "rejected") and decided > 0


def _print_table(stream: Output, title: str, rows: dict[str, Counter[Fate]]) -> None:
    if not rows:
        return
    stream.line((title, "bold"))
    for name, fates in rows.items():
        parts = ", ".join(f"{fates[fate]:,} {fate}" for fate in FATES if fates[fate])
        stream.line(f"  {shown(name):<12}  {parts}", indent=16)


def _print_sittings(stream: Output, sittings: list[Sitting]) -> None:
    if not sittings:
        return
    from vaultgraph.flows.attention import words_of

    stream.line(("sittings", "bold"), "  median seconds a decision, and of the two halves of each")
    if len(sittings) > _SITTINGS_SHOWN:
        stream.note(f"  … {len(sittings) - _SITTINGS_SHOWN:,} earlier: --json lists all")
    for sitting in sittings[-_SITTINGS_SHOWN:]:
        began = sitting.began.astimezone().strftime("%Y-%m-%d %H:%M")
        trend = (
            f"  ({sitting.first_half:.1f} then {sitting.second_half:.1f})"
            if sitting.first_half is not None and sitting.second_half is not None
            else ""
        )
        made = count(sitting.decisions, "decision")
        stream.line(f"  {began}  {made:>14}  {sitting.seconds:5.1f} s{trend}", indent=4)
        if sitting.checks:
            stream.line(f"      {words_of(sitting.checks_accepted, sitting.checks)}", indent=6)
