"""``vaultgraph propose``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from vaultgraph.cli.asking import confirmed
from vaultgraph.cli.noticed import noticed
from vaultgraph.cli.options import Json, NoCache
from vaultgraph.cli.output import Output, err, out, shown
from vaultgraph.cli.wiring import decision_logs_of, looking_context_of, writing_context_of
from vaultgraph.cli.written import count, exit_after, print_diff, print_outcomes

if TYPE_CHECKING:
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.flows.propose import ProposePlan
    from vaultgraph.proposals.decide import Scored

_NOTES_SHOWN = 20
_ROWS_SHOWN = 20


def propose(
    ctx: typer.Context,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the changes as a diff, write nothing.")
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
    from vaultgraph.flows.propose import ProposeOptions, carry_out, plan_proposals
    from vaultgraph.flows.propose_report import propose_document

    options = ProposeOptions(limit, only, withdraw)
    if dry_run:
        plan = plan_proposals(looking_context_of(ctx, cache=not no_cache), options)
        _show(plan, as_json=as_json)
        return
    context = writing_context_of(ctx, cache=not no_cache)
    noticed(context, decision_logs_of(ctx))
    plan = plan_proposals(context, options)
    # The plan is not part of the one object that ``--json`` prints.
    stream = err() if as_json else out()
    if not as_json or not yes:
        _print_plan(stream, plan)
    report = None
    if plan.notes:
        if not confirmed(f"Change {count(len(plan.notes), 'note')}?", yes=yes):
            stream.line("Nothing was written.")
            return
        report = carry_out(context, plan, "propose --withdraw" if withdraw else "propose")
    write_open_proposals(context)
    if as_json:
        out().json(propose_document(plan, report))
    elif report is not None:
        print_outcomes(stream, report)
    exit_after(report, is_conflict=plan.has_conflict)


def _show(plan: ProposePlan, *, as_json: bool) -> None:
    """Print what would be changed, as a diff that goes to a pager well."""
    from vaultgraph.flows.propose_report import propose_document

    stream = out()
    if as_json:
        stream.json(propose_document(plan, None))
        return
    print_diff(stream, plan.notes, plan.mask)
    _print_summary(err(), plan)


def _print_plan(stream: Output, plan: ProposePlan) -> None:
    """Print, note by note, the strongest first, which lines come and go, and why."""
    from vaultgraph.flows.propose_report import changed_lines

    planned_by_note = {planned.note: planned for planned in plan.notes}
    reasons: dict[NoteId, list[tuple[Scored, str]]] = {}
    for rows, verb in ((plan.proposed, "depends on"), (plan.withdrawn, "no longer")):
        for row in rows:
            reasons.setdefault(row.dependent, []).append((row, verb))
    for note in list(reasons)[:_NOTES_SHOWN]:
        stream.line((shown(note), "bold"), indent=2)
        for row, verb in reasons[note]:
            stream.line(
                f"  {row.probability:.2f}  ", (f"{verb}  ", "dim"), shown(row.basis), indent=8
            )
        planned = planned_by_note.get(note)
        for line in changed_lines(planned, plan.mask) if planned is not None else ():
            stream.line((f"  {shown(line)}", "green" if line[0] == "+" else "red"), indent=4)
    if len(reasons) > _NOTES_SHOWN:
        stream.note(f"… {count(len(reasons) - _NOTES_SHOWN, 'more note')}: --dry-run shows all")
    _print_summary(stream, plan)


def _print_summary(stream: Output, plan: ProposePlan) -> None:
    _print_middle(stream, plan)
    _print_left_alone(stream, plan)
    if not plan.notes:
        stream.line("There is nothing to write.")
        return
    keys = sorted({key for planned in plan.notes for key in planned.write.keys})
    counted = [
        f"{count(len(rows), 'entry', 'entries')} {what}"
        for rows, what in ((plan.proposed, "to be proposed"), (plan.withdrawn, "to be withdrawn"))
        if rows
    ]
    stream.line(
        (f"{', '.join(counted)}, in {count(len(plan.notes), 'note')}", "bold"),
        f"; only {', '.join(keys)} changes, and no other byte. Undo: vaultgraph undo",
        indent=2,
    )


def _print_middle(stream: Output, plan: ProposePlan) -> None:
    rows = plan.decided.middle
    if rows:
        bands = {plan.brought.get(row.judge, plan.cutoffs) for row in rows}
        listed = ", ".join(f"{low:.3g} up to {high:.3g}" for high, low in sorted(bands))
        stream.line(
            (f"{len(rows):,} in the middle", "bold"),
            f" ({listed}): for a person, not written",
            indent=2,
        )
    for row in rows[:_ROWS_SHOWN]:
        stream.line(
            f"  {row.probability:.2f}  {shown(row.dependent)}",
            ("  depends on  ", "dim"),
            shown(row.basis),
            indent=8,
        )
    _print_rest(stream, len(rows))


def _print_left_alone(stream: Output, plan: ProposePlan) -> None:
    """Print what is not written, and why."""
    conflicts = plan.decided.conflicts
    for conflict in conflicts[:_ROWS_SHOWN]:
        stream.line(
            ("conflict  ", "yellow"),
            f"{shown(conflict.first)} ({conflict.first_depends:.2f})  ↔  "
            f"{shown(conflict.second)} ({conflict.second_depends:.2f}): {conflict.reason}",
            indent=10,
        )
    _print_rest(stream, len(conflicts))
    changed: dict[NoteId, int] = {}
    for pair in plan.outdated:
        for note in pair.changed:
            changed[note] = changed.get(note, 0) + 1
    for note, number in sorted(changed.items())[:_ROWS_SHOWN]:
        stream.line(
            ("out of date  ", "yellow"),
            f"{shown(note)} changed since {count(number, 'verdict')}; judge it again",
            indent=13,
        )
    _print_rest(stream, len(changed))
    reasons: dict[str, int] = {}
    for row in plan.decided.skipped:
        reasons[row.reason] = reasons.get(row.reason, 0) + 1
    for number, reason in (
        *((number, reason) for reason, number in sorted(reasons.items())),
        (plan.private, "with a private note"),
        (plan.gone, "a note is gone or not read any more"),
        (plan.held_back, "held back by --limit"),
    ):
        if number:
            stream.note(f"left alone: {number:,}, {reason}")
    for problem in plan.refused[:_ROWS_SHOWN]:
        line = f":{problem.line}" if problem.line else ""
        text = f"{shown(problem.path)}{line}: {shown(problem.text)}"
        stream.line(("refused  ", "yellow"), text, indent=9)
    _print_rest(stream, len(plan.refused))


def _print_rest(stream: Output, number: int) -> None:
    if number > _ROWS_SHOWN:
        stream.note(f"  … {number - _ROWS_SHOWN:,} more: --json lists all")
