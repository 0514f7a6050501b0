"""What became of the notes that a command wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from vaultgraph.cli.output import Output, err, shown
from vaultgraph.errors import ConflictError

if TYPE_CHECKING:
    from vaultgraph.domain.writing import Recovered, WriteReport

_RECOVERED = {
    "kept": "had been written whole",
    "dropped": "had not been touched",
    "restored": "was torn, and holds its old bytes again",
    "left": "was edited since, and is left as it is",
    "waiting": "cannot be reached now; the next run looks again",
}
_REASONS = {"conflict": "changed since it was read, and was not written"}


def print_outcomes(stream: Output, report: WriteReport) -> None:
    """Print how many notes were written, and every one that was not, with the reason."""
    print_recovered(report.recovered)
    written = len(report.having("written"))
    undo = f"; undo: vaultgraph undo {report.run}" if report.run and written else ""
    stream.line((f"{written:,} note{'s' if written != 1 else ''} written", "bold green"), undo)
    for outcome in report.outcomes:
        if outcome.kind not in {"written", "unchanged"}:
            reason = outcome.reason or _REASONS.get(outcome.kind, "")
            text = f"{shown(outcome.note)}: {shown(reason)}"
            err().line((f"{outcome.kind}  ", "yellow"), text, indent=10)


def print_recovered(recovered: tuple[Recovered, ...]) -> None:
    """Print what an earlier run that was cut off had left."""
    for row in recovered:
        err().line(
            ("recovered  ", "yellow"), f"{shown(row.note)} {_RECOVERED[row.kind]} (run {row.run})"
        )


def exit_after(report: WriteReport | None) -> None:
    """End with 5 where a note changed since it was read, and so was not written."""
    if report is not None and report.having("conflict"):
        raise typer.Exit(ConflictError.exit_code)
