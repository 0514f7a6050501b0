"""Options that several commands share."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import typer

from vaultgraph.errors import UsageError

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print rows as CSV.")]
Check = Annotated[bool, typer.Option("--check", help="Exit with 1 if there are findings.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Read every note anew, keep nothing.")]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", min=1, help="Processes that read notes (default: by their number)."),
]


def day_given(option: str, text: str) -> date:
    """Return the day that an option names; raises ``UsageError`` where it names none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(
            f"{option} {text} is no date", hint="write it as 2026-02-27: year, month, day"
        ) from None


def one_form(*, as_json: bool, as_csv: bool) -> None:
    """Raise ``UsageError`` where both forms of output are asked for."""
    if as_json and as_csv:
        raise UsageError("--json and --csv are two forms of one output", hint="give one of them")
