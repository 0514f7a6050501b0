"""``vaultgraph ack``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from vaultgraph.cli.asking import confirmed
from vaultgraph.cli.noticed import noticed
from vaultgraph.cli.options import Json, NoCache
from vaultgraph.cli.output import Output, err, out, shown
from vaultgraph.cli.stale_text import mark_of
from vaultgraph.cli.wiring import decision_logs_of, looking_context_of, writing_context_of
from vaultgraph.cli.written import count, exit_after, print_diff, print_outcomes

if TYPE_CHECKING:
    from vaultgraph.flows.ack import AckPlan


def ack(
    ctx: typer.Context,
    notes: Annotated[
        list[str],
        typer.Argument(help="What you looked at: paths, titles or aliases."),
    ],
    basis: Annotated[
        str | None, typer.Option(metavar="NOTE", help="Only with regard to this one.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the changes as a diff, write nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
    no_cache: NoCache = False,
) -> None:
    """Say that notes still stand, with what they rest on as it is now."""
    from vaultgraph.effects.clock import SystemClock
    from vaultgraph.flows.ack import ack_document, acknowledge, plan_ack
    from vaultgraph.flows.context import masker_of

    today = SystemClock().today()
    if dry_run:
        plan = plan_ack(looking_context_of(ctx, cache=not no_cache), notes, basis, today)
        if as_json:
            out().json(ack_document(plan, None))
        else:
            print_diff(out(), plan.plans.notes, masker_of(plan.stale.survey).mask)
            _print_refused(plan)
        return
    context = writing_context_of(ctx, cache=not no_cache)
    noticed(context, decision_logs_of(ctx))
    plan = plan_ack(context, notes, basis, today)
    stream = err() if as_json else out()
    if not as_json or not yes:
        _print_plan(stream, plan)
    _print_refused(plan)
    going = len(plan.notes) - len({problem.path for problem in plan.plans.refused})
    if not going:
        raise typer.Exit(0)
    if not confirmed(f"Acknowledge {count(going, 'note')}?", yes=yes):
        stream.line("Nothing was written.")
        return
    report = acknowledge(context, plan)
    if as_json:
        out().json(ack_document(plan, report))
    elif report is not None:
        print_outcomes(stream, report)
    else:
        remembered = "remembered; " if any(one.edges for one in plan.notes) else ""
        stream.line(f"{remembered}reviewed: {plan.on} stands there already")
    exit_after(report, is_conflict=any(p.code == "conflict" for p in plan.plans.refused))


def _print_plan(stream: Output, plan: AckPlan) -> None:
    for one in plan.notes:
        stream.line((shown(one.note), "bold"), f"  reviewed: {plan.on}", indent=2)
        for finding in one.findings:
            way = " → ".join(map(shown, finding.path[1:]))
            state = finding.state.replace("-", " ").ljust(9)
            stream.line("  ", mark_of(finding.level, None), (state, "yellow"), way, indent=26)
        open_ = {finding.basis for finding in one.findings}
        others = [edge for edge in one.edges if edge.basis not in open_]
        if others:
            what = count(len(others), "other" if open_ else "note")
            stream.note(
                f"  and {what} it rests on, as {'it is' if len(others) == 1 else 'they are'}"
            )
        elif not one.edges:
            stream.note("  it rests on nothing that is known; only the day is written")
    found = sum(len(one.findings) for one in plan.notes)
    if found:
        stream.line((f"{count(found, 'finding')} handled by that", "bold"))


def _print_refused(plan: AckPlan) -> None:
    for problem in plan.plans.refused:
        line = f":{problem.line}" if problem.line else ""
        text = f"{shown(problem.path)}{line}: {shown(problem.text)}"
        err().line(("refused  ", "yellow"), text, indent=9)
