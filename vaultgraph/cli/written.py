"""What a command would change in notes, and what became of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from vaultgraph.cli.output import Output, err, shown
from vaultgraph.errors import ConflictError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from vaultgraph.domain.notes import NoteId
    from vaultgraph.domain.writing import Recovered, WriteReport
    from vaultgraph.proposals.plan import PlannedNote

_RECOVERED = {
    "kept": "had been written whole",
    "dropped": "had not been touched",
    "restored": "was torn, and is again as it was before",
    "left": "was edited since, and is left as it is",
    "waiting": "cannot be reached now; the next run looks again",
}


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with what it counts."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def print_diff(stream: Output, planned: Iterable[PlannedNote], mask: Callable[[str], str]) -> None:
    """Print what would be changed, as a diff that goes to a pager well."""
    from vaultgraph.flows.propose_report import diff_of

    for one in planned:
        for line in diff_of(one, mask):
            stream.line(shown(line))


def print_outcomes(stream: Output, report: WriteReport, private: Collection[NoteId] = ()) -> None:
    """Print how many notes were written, and every one that was not, with the reason."""
    print_recovered(report.recovered, private)
    written = len(report.having("written"))
    undo = f"; undo: vaultgraph undo {report.run}" if report.run and written else ""
    stream.line((f"{count(written, 'note')} written", "bold green"), undo)
    for outcome in report.outcomes:
        if outcome.kind not in {"written", "unchanged"}:
            text = f"{shown(name_of(outcome.note, private))}: {shown(outcome.reason)}"
            err().line((f"{outcome.kind}  ", "yellow"), text, indent=10)


def print_recovered(recovered: tuple[Recovered, ...], private: Collection[NoteId] = ()) -> None:
    """Print what an earlier run that was cut off had left."""
    for row in recovered:
        text = f"{shown(name_of(row.note, private))} {_RECOVERED[row.kind]} (run {row.run})"
        err().line(("recovered  ", "yellow"), text)


def name_of(note: NoteId, private: Collection[NoteId]) -> str:
    """Return a note's name, or what stands for one that may stand nowhere."""
    from vaultgraph.vault.privacy import MASK

    return MASK if note in private else note


def exit_after(report: WriteReport | None, *, is_conflict: bool = False) -> None:
    """End with 5 where a note changed since it was read, and so was not written."""
    if is_conflict or (report is not None and report.having("conflict")):
        raise typer.Exit(ConflictError.exit_code)
