"""``vaultgraph propose``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from vaultgraph.cli.asking import confirmed
from vaultgraph.cli.options import Json, NoCache
from vaultgraph.cli.output import Output, err, out, shown
from vaultgraph.cli.scan import print_problem_list
from vaultgraph.cli.wiring import writing_context_of
from vaultgraph.cli.written import exit_after, print_outcomes

if TYPE_CHECKING:
    from vaultgraph.flows.propose import ProposePlan
    from vaultgraph.proposals.decide import Scored

_ROWS_SHOWN = 20


def propose(
    ctx: typer.Context,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the changes as a diff.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    limit: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Add at most the N strongest entries.")
    ] = None,
    only: Annotated[
        str | None, typer.Option(metavar="NOTE", help="Add entries to this note only.")
    ] = None,
    withdraw: Annotated[
        bool, typer.Option("--withdraw", help="Take back every proposal not yet reviewed.")
    ] = False,
    as_json: Json = False,
    no_cache: NoCache = False,
) -> None:
    """Write verdicts at or above the cutoff into notes as depends-on-proposed."""
    from vaultgraph.flows.open_proposals import write_open_proposals
    from vaultgraph.flows.propose import (
        ProposeOptions,
        carry_out,
        diff_of,
        plan_proposals,
        propose_document,
    )

    context = writing_context_of(ctx, cache=not no_cache)
    plan = plan_proposals(context, ProposeOptions(limit, only, withdraw))
    stream = out()
    if dry_run:
        if as_json:
            stream.json(propose_document(plan, None))
            return
        for planned in plan.notes:
            for line in diff_of(planned):
                stream.line(shown(line))
        _print_plan(err(), plan)
        return
    if not as_json:
        _print_plan(stream, plan)
    report = None
    if plan.notes:
        question = f"Change {len(plan.notes):,} note{'s' if len(plan.notes) != 1 else ''}?"
        if not confirmed(question, yes=yes):
            stream.line("Nothing was written.")
            return
        report = carry_out(context, plan, "propose --withdraw" if withdraw else "propose")
    write_open_proposals(context)
    if as_json:
        stream.json(propose_document(plan, report))
    elif report is not None:
        print_outcomes(stream, report)
    exit_after(report)


def _print_plan(stream: Output, plan: ProposePlan) -> None:
    _print_rows(stream, "to be proposed", plan.proposed, "+")
    _print_rows(stream, "to be withdrawn", plan.withdrawn, "-")
    _print_listed(stream, plan)
    if not plan.notes:
        stream.line("There is nothing to write.")
        return
    keys = sorted({key for planned in plan.notes for key in planned.write.keys})
    stream.line(
        (f"{len(plan.notes):,} note{'s' if len(plan.notes) != 1 else ''} to change", "bold"),
        f", only in {', '.join(keys)}; no other byte. Undo: vaultgraph undo",
    )


def _print_rows(stream: Output, title: str, rows: list[Scored], sign: str) -> None:
    if not rows:
        return
    stream.line((f"{len(rows):,} ", "bold"), (title, "bold"))
    for row in rows[:_ROWS_SHOWN]:
        stream.line(
            f"  {row.probability:.2f}  {sign} {shown(row.dependent)}",
            ("  depends on  ", "dim"),
            shown(row.basis),
            indent=10,
        )
    if len(rows) > _ROWS_SHOWN:
        stream.note(f"  … {len(rows) - _ROWS_SHOWN:,} more: --dry-run shows all")


def _print_listed(stream: Output, plan: ProposePlan) -> None:
    """Print what is not written, and why."""
    low, high = plan.cutoffs.middle, plan.cutoffs.cutoff
    _print_rows(
        stream, f"in the middle ({low:g} to {high:g}): for a person", plan.decided.middle, "?"
    )
    for conflict in plan.decided.conflicts:
        stream.line(
            ("conflict  ", "yellow"),
            f"{shown(conflict.first)} ({conflict.first_depends:.2f})  ↔  "
            f"{shown(conflict.second)} ({conflict.second_depends:.2f}): {conflict.reason}",
            indent=10,
        )
    counted: dict[str, int] = {}
    for row in plan.decided.skipped:
        counted[row.reason] = counted.get(row.reason, 0) + 1
    for reason, number in sorted(counted.items()):
        stream.note(f"left alone: {number:,}, {reason}")
    if plan.private:
        stream.note(f"left alone: {plan.private:,}, with a private note")
    if plan.held_back:
        stream.note(f"held back by --limit: {plan.held_back:,}")
    for verdict in plan.outdated[:_ROWS_SHOWN]:
        pair = f"{shown(verdict.first)}  —  {shown(verdict.second)}"
        stream.line(("out of date  ", "yellow"), f"{pair}: a note changed since it was judged")
    if plan.refused:
        print_problem_list(stream, [problem._asdict() for problem in plan.refused])
