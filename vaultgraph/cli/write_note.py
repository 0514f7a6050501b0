"""``stale --write-note``: the list as a note of the vault."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vaultgraph.cli.asking import confirmed
from vaultgraph.cli.output import err, out, shown
from vaultgraph.cli.wiring import note_writer_of
from vaultgraph.cli.written import exit_after, print_outcomes
from vaultgraph.errors import InputError, UsageError

if TYPE_CHECKING:
    from vaultgraph.domain.dependencies import Finding
    from vaultgraph.flows.context import Context
    from vaultgraph.flows.stale import StaleReport


def print_report_note(
    context: Context, report: StaleReport, findings: tuple[Finding, ...], file: str | None
) -> None:
    """Print the note that would be written; raises ``UsageError`` where none is to be."""
    from vaultgraph.flows.write_report import plan_report

    if file is None:
        raise UsageError(
            "--dry-run shows what --write-note would write", hint="give --write-note FILE as well"
        )
    text = plan_report(context, report, findings, file).new.decode()
    for line in text.rstrip("\n").split("\n"):
        out().line(shown(line))


def write_report_note(
    ctx: Any,  # noqa: ANN401 - Typer's context
    context: Context,
    report: StaleReport,
    findings: tuple[Finding, ...],
    file: str,
    *,
    yes: bool,
) -> None:
    """Write the note, once the person agrees; ends with 5 where somebody else is writing there."""
    from vaultgraph.flows.write_report import plan_report

    plan = plan_report(context, report, findings, file)
    does = "Write" if plan.kind == "create" else "Replace the report in"
    if not confirmed(f"{does} {plan.note}?", yes=yes):
        err().line("Nothing was written.")
        return
    done = note_writer_of(ctx).write([plan], command="stale --write-note")
    if done.having("unchanged"):
        err().line(f"{shown(plan.note)} says so already")
        return
    for outcome in (*done.having("refused"), *done.having("busy")):
        raise InputError(
            f"{plan.note}: {outcome.reason}",
            hint="make the folder or name another note, and try again",
        )
    print_outcomes(err(), done)
    exit_after(done)
