"""``vaultgraph review``."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from vaultgraph.cli.noticed import noticed
from vaultgraph.cli.options import Json, NoCache
from vaultgraph.cli.output import Output, err, out, shown
from vaultgraph.cli.scan import print_problem_list
from vaultgraph.cli.wiring import decision_logs_of, note_writer_of, writing_context_of
from vaultgraph.cli.written import count
from vaultgraph.errors import ConflictError, UsageError

if TYPE_CHECKING:
    from vaultgraph.flows.notice_decisions import Notice
    from vaultgraph.flows.review import ReviewOptions
    from vaultgraph.flows.review_decider import Outcome
    from vaultgraph.flows.review_status import QueueRow
    from vaultgraph.flows.writing import WritingContext
    from vaultgraph.review.decisions import Decision

_Pair = tuple[str, str]


def review(
    ctx: typer.Context,
    accept: Annotated[
        _Pair | None, typer.Option(metavar="DEPENDENT BASIS", help="Accept one, without asking.")
    ] = None,
    reject: Annotated[
        _Pair | None, typer.Option(metavar="DEPENDENT BASIS", help="Reject one, without asking.")
    ] = None,
    reset: Annotated[
        _Pair | None,
        typer.Option(metavar="DEPENDENT BASIS", help="Forget a decision: it may be asked again."),
    ] = None,
    status: Annotated[
        bool, typer.Option("--status", help="Show what was decided, what waits, and the pace.")
    ] = False,
    note: Annotated[
        str | None, typer.Option(metavar="NOTE", help="Only proposals with this note.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="At most N proposals.")
    ] = None,
    order: Annotated[
        Literal["strongest", "note", "weakest"] | None,
        typer.Option(help="What comes first. Default: strongest; with --blind: note."),
    ] = None,
    blind: Annotated[bool, typer.Option("--blind", help="Show no scores.")] = False,
    with_checks: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Plant N attention checks: pairs that no judge believes in. Implies --blind.",
        ),
    ] = 0,
    as_json: Json = False,
    no_cache: NoCache = False,
) -> None:
    """Confirm proposals one by one: a accept, r reject, s skip, u undo, q stop."""
    from vaultgraph.flows.notice_decisions import notice_decisions
    from vaultgraph.flows.review import ReviewOptions

    decision = _single_decision(accept, reject, reset, is_status=status)
    context = writing_context_of(ctx, cache=not no_cache)
    logs = decision_logs_of(ctx)
    if decision is not None:
        notice = notice_decisions(context, logs)
        _decide_one(context, notice, *decision, as_json=as_json)
        return
    if status:
        _print_status(context, noticed(context, logs), as_json=as_json)
        return
    # A score beside it would give a check away.
    blind = blind or with_checks > 0
    # In the order of strength a reviewer would still see which scores are high.
    options = ReviewOptions(order or ("note" if blind else "strongest"), note, limit, blind)
    if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        if with_checks:
            raise UsageError(
                "attention checks are for a sitting in a terminal", hint="leave --with-checks away"
            )
        _list(context, noticed(context, logs), options, as_json=as_json)
        return
    _hold_sitting(ctx, context, notice_decisions(context, logs), options, with_checks)


def _single_decision(
    accept: _Pair | None, reject: _Pair | None, reset: _Pair | None, *, is_status: bool
) -> tuple[str, str, Decision] | None:
    """Return the one decision given on the command line, if there is one."""
    pairs: tuple[tuple[_Pair | None, Decision], ...] = (
        (accept, "accepted"),
        (reject, "rejected"),
        (reset, "reset"),
    )
    given = [(*pair, decision) for pair, decision in pairs if pair is not None]
    if len(given) + is_status > 1:
        raise UsageError(
            "only one of --accept, --reject, --reset and --status at a time",
            hint="call vaultgraph review once for each",
        )
    return given[0] if given else None


def _hold_sitting(
    ctx: typer.Context,
    context: WritingContext,
    notice: Notice,
    options: ReviewOptions,
    with_checks: int,
) -> None:
    from vaultgraph.cli.attention import choose
    from vaultgraph.cli.reviewing import hold
    from vaultgraph.effects.clock import SystemClock
    from vaultgraph.effects.undo import take_back
    from vaultgraph.flows.open_proposals import write_open_proposals
    from vaultgraph.flows.review import Sitting

    undo = partial(take_back, note_writer_of(ctx))
    checks = choose(context, notice, with_checks) if with_checks else []
    sitting = Sitting(context, notice, options, SystemClock(), undo, checks)
    if not sitting.proposals:
        out().line("No proposal waits.")
        return
    hold(sitting, is_blind=options.is_blind)
    write_open_proposals(context)
    if sitting.had_conflict:
        raise typer.Exit(ConflictError.exit_code)


def _decide_one(
    context: WritingContext,
    notice: Notice,
    dependent: str,
    basis: str,
    decision: Decision,
    *,
    as_json: bool,
) -> None:
    from vaultgraph.flows.open_proposals import write_open_proposals
    from vaultgraph.flows.review import decide_one

    outcome = decide_one(context, notice, dependent, basis, decision)
    write_open_proposals(context)
    if as_json:
        out().json(_outcome_document(outcome, decision))
    else:
        _print_outcome(outcome, decision)
    if outcome.kind == "conflict":
        raise typer.Exit(ConflictError.exit_code)


def _outcome_document(outcome: Outcome, decision: Decision) -> dict[str, Any]:
    item, problem = outcome.item, outcome.problem
    return {
        "dependent": item.dependent,
        "basis": item.basis,
        "decision": decision,
        "was": outcome.was,
        "written": outcome.kind == "done",
        "run": outcome.run,
        "refused": [problem._asdict()] if problem is not None else [],
    }


def _print_outcome(outcome: Outcome, decision: Decision) -> None:
    from vaultgraph.cli.reviewing import why_not

    item = outcome.item
    name = f"{shown(item.dependent)} depends on {shown(item.basis)}"
    if outcome.kind == "done":
        undo = f"; undo: vaultgraph undo {outcome.run}" if outcome.run else ""
        was = "" if outcome.was is not None else " (nobody had proposed it)"
        out().line((f"{decision}  ", "bold green"), f"{name}{was}{undo}", indent=2)
    elif outcome.kind == "nothing":
        stands = f"it is {outcome.was} already" if outcome.was else "no decision stands there"
        out().line(f"Nothing to do for {name}: {stands}.", indent=2)
    else:
        text = f"{name}: {shown(why_not(outcome))}"
        err().line((f"{outcome.kind}  ", "yellow"), text, indent=2)


def _list(
    context: WritingContext, notice: Notice, options: ReviewOptions, *, as_json: bool
) -> None:
    from vaultgraph.flows.review_status import list_queue, queue_document

    rows = list_queue(context.reading, notice, options)
    if as_json:
        out().json(queue_document(rows, is_blind=options.is_blind))
        return
    for row in rows:
        _print_row(out(), row, is_blind=options.is_blind)
    if rows:
        err().line(
            f"{count(len(rows), 'proposal')} to review, and no terminal to ask on. Decide with"
            " vaultgraph review --accept DEPENDENT BASIS or --reject DEPENDENT BASIS, in a"
            " terminal with vaultgraph review, or in Obsidian.",
            indent=2,
        )
    else:
        err().line("No proposal waits.")


def _print_row(stream: Output, row: QueueRow, *, is_blind: bool) -> None:
    score = row.item.score
    number = f"{score.probability:.2f}" if score is not None and not is_blind else "    "
    stream.line(
        f"{number}  {shown(row.item.dependent)}",
        ("  depends on  ", "dim"),
        shown(row.item.basis),
        indent=6,
    )
    if row.evidence_note is not None:
        where = f"{shown(row.evidence_note)}:{row.evidence_line}"
        stream.line(f"      {where}  ", (shown(row.evidence), "dim"), indent=8)


def _print_status(context: WritingContext, notice: Notice, *, as_json: bool) -> None:
    from vaultgraph.cli.review_status import print_status
    from vaultgraph.flows.review_status import review_status, status_document

    report = review_status(notice, context.ledger.read().events)
    if as_json:
        out().json(status_document(report))
        return
    print_status(out(), report)
    if report.problems:
        print_problem_list(err(), [problem._asdict() for problem in report.problems])
