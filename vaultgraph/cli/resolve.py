"""``vaultgraph resolve``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from vaultgraph.cli.asking import confirmed
from vaultgraph.cli.noticed import noticed
from vaultgraph.cli.options import Json, NoCache, day_given
from vaultgraph.cli.output import Output, err, out, shown
from vaultgraph.cli.stale_text import closed, print_finding, print_findings
from vaultgraph.cli.wiring import decision_logs_of, looking_context_of, writing_context_of
from vaultgraph.cli.written import count, exit_after, print_diff, print_outcomes
from vaultgraph.errors import UsageError

if TYPE_CHECKING:
    from vaultgraph.flows.resolve import ResolvePlan


def resolve(
    ctx: typer.Context,
    note: Annotated[str, typer.Argument(help="The plan: its path, title or an alias.")],
    to: Annotated[str, typer.Option(metavar="TEXT", help="How it ended, in your words.")] = "",
    superseded_by: Annotated[
        str | None, typer.Option(metavar="NOTE", help="The note in which it lives on.")
    ] = None,
    status: Annotated[
        str | None, typer.Option(metavar="VALUE", help="Also set its status.")
    ] = None,
    on: Annotated[
        str | None, typer.Option(metavar="DATE", help="The day it ended (default: today).")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the change as a diff, write nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
    no_cache: NoCache = False,
) -> None:
    """Close a plan without deleting it, and list what that makes stale."""
    from vaultgraph.effects.clock import SystemClock
    from vaultgraph.flows.context import masker_of
    from vaultgraph.flows.resolve import COMMAND, Ending, plan_resolve, resolve_document

    if not to.strip() and superseded_by is None:
        raise UsageError(
            "nothing says how it ended",
            hint='give --to "in your words", or --superseded-by NOTE, or both',
        )
    ended = SystemClock().today() if on is None else day_given("--on", on)
    ending = Ending(to.strip(), ended, superseded_by, status)
    if dry_run:
        plan = plan_resolve(looking_context_of(ctx, cache=not no_cache), note, ending)
        if as_json:
            out().json(resolve_document(plan, None))
        else:
            notes = [] if plan.planned is None else [plan.planned]
            print_diff(out(), notes, masker_of(plan.stale.survey).mask)
            _print_consequences(err(), plan)
        return
    context = writing_context_of(ctx, cache=not no_cache)
    noticed(context, decision_logs_of(ctx))
    plan = plan_resolve(context, note, ending)
    stream = err() if as_json else out()
    if not as_json or not yes:
        _print_plan(stream, plan)
    report = None
    if plan.planned is not None:
        if not confirmed(f"Close {plan.note}?", yes=yes):
            stream.line("Nothing was written.")
            return
        report = context.writer.write([plan.planned.write], command=COMMAND)
    if as_json:
        out().json(resolve_document(plan, report))
    elif report is not None:
        print_outcomes(stream, report)
    else:
        stream.line("It says all that already; nothing was written.")
    exit_after(report)


def _print_plan(stream: Output, plan: ResolvePlan) -> None:
    """Print how the note is closed, the lines that come and go, and what becomes stale."""
    from vaultgraph.flows.context import masker_of
    from vaultgraph.flows.propose_report import changed_lines

    mask = masker_of(plan.stale.survey).mask
    was = [" was ", *closed(plan.was), ", and becomes "] if plan.was is not None else ["  "]
    stream.line((shown(plan.note), "bold"), *was, *closed(plan.closing), indent=2)
    for line in changed_lines(plan.planned, mask) if plan.planned is not None else ():
        stream.line((f"  {shown(line)}", "green" if line[0] == "+" else "red"), indent=4)
    _print_consequences(stream, plan)


def _print_consequences(stream: Output, plan: ResolvePlan) -> None:
    """Print what becomes stale, and what the owner may have meant otherwise."""
    direct = tuple(one for one in plan.becomes if one.path == (one.note, plan.note))
    for finding in direct:
        print_finding(stream, finding)
    if direct:
        stream.line("")
    print_findings(stream, plan.stale, tuple(one for one in plan.becomes if one not in direct))
    stream.line((_told(plan), "bold"))
    for remark in plan.remarks:
        stream.note(shown(remark))


def _told(plan: ResolvePlan) -> str:
    """Return in a line what closing the note makes of the others."""
    stale = {one.note for one in plan.becomes if one.state == "stale" and one.level != "pointer"}
    pointing = {one.note for one in plan.becomes if one.level == "pointer"} - stale
    risk = {one.note for one in plan.becomes if one.state == "at-risk"}
    counted = []
    if stale:
        verb = "becomes" if len(stale) == 1 else "become"
        counted.append(f"{count(len(stale), 'live note')} resting on it {verb} stale")
    if pointing:
        counted.append(
            f"{len(pointing):,} only {'points' if len(pointing) == 1 else 'point'} at it"
        )
    if risk:
        counted.append(f"{len(risk):,} {'is' if len(risk) == 1 else 'are'} at risk")
    if plan.is_private:
        return "It is private: nothing is known to rest on it."
    return f"{'; '.join(counted)}." if counted else "Nothing else becomes stale by that."
