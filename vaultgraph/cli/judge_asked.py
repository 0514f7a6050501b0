"""Runs a remote judge: says what that takes, asks before notes are sent, shows how far it is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from vaultgraph.cli.asking import confirmed
from vaultgraph.cli.judge_parts import RunOptions, questions_of, text_rules
from vaultgraph.cli.judge_summary import ROWS_SHOWN, print_decided, print_histogram, print_summary
from vaultgraph.cli.output import err, out, shown
from vaultgraph.cli.progress import Progress
from vaultgraph.cli.written import count
from vaultgraph.errors import UsageError

if TYPE_CHECKING:
    from vaultgraph.domain.settings import JudgeSettings
    from vaultgraph.effects.openai_judge import OpenAIJudge
    from vaultgraph.effects.systemone import SystemOneJudge
    from vaultgraph.flows.judge import JudgeRun
    from vaultgraph.flows.writing import WritingContext
    from vaultgraph.judge.estimates import Estimate

    _Judge = SystemOneJudge | OpenAIJudge

#: So many pairs are turned into requests to estimate what all of them take.
_SAMPLED = 20


def ask(
    ctx: Any,  # noqa: ANN401 - Typer vendors click's types
    context: WritingContext,
    settings: JudgeSettings,
    options: RunOptions,
) -> None:
    """Ask about the candidate pairs that have no verdict of this judge yet."""
    from vaultgraph.effects.judges import open_remote_judge
    from vaultgraph.flows.judge import plan_judging

    questions = questions_of(ctx, settings)
    with open_remote_judge(
        settings,
        text_rules(context, settings),
        os.environ,
        price=options.price,
        needs_key=not options.dry_run,
    ) as judge:
        planned = plan_judging(context, judge, questions, options.flow())
        estimate = _estimate(judge, planned)
        _print_estimate(judge, planned, estimate)
        if options.dry_run:
            _show_dry_run(judge, planned, estimate, options)
            return
        if options.max_cost is not None and estimate.cost is None:
            raise UsageError(
                f"--max-cost cannot hold: what {judge.endpoint.host} asks for is not known",
                hint="give --price, in dollars for a million input tokens",
            )
        if _may_send(judge, planned, options):
            _ask_all(context, judge, planned, options)
        elif planned.to_ask and not options.as_json:
            out().line("Nothing was sent.")
            return
    _show_result(context, planned, options)


def _estimate(judge: _Judge, planned: JudgeRun) -> Estimate:
    from itertools import islice

    from vaultgraph.judge.estimates import estimate_run

    sampled = (planned.pairs.pair(*pair) for pair in islice(planned.to_ask, _SAMPLED))
    estimate = estimate_run(
        len(planned.to_ask),
        [judge.requests(pair, planned.questions) for pair in sampled if pair is not None],
        price=judge.endpoint.price,
        concurrency=judge.endpoint.concurrency,
        is_local=judge.endpoint.is_local,
    )
    if estimate.cost is not None and planned.to_ask:
        planned.expected_cost = estimate.cost / len(planned.to_ask)
    return estimate


def _print_estimate(judge: _Judge, planned: JudgeRun, estimate: Estimate) -> None:
    where = f"{shown(judge.model)} at {shown(judge.endpoint.host)}"
    asked = f"{count(len(planned.to_ask), 'pair')} to ask"
    err().line((asked, "bold"), f", {planned.cached:,} have verdicts; {where}", indent=2)
    print_decided(err(), planned.decided)
    if planned.held_back:
        err().note(f"held back by --limit: {count(planned.held_back, 'pair')}")
    if planned.to_ask:
        err().line(
            f"about {count(estimate.calls, 'call')}, {estimate.tokens:,} input tokens,"
            f" {_money(estimate.cost)}, {_time(estimate.minutes)}",
            indent=2,
        )


def _money(cost: float | None) -> str:
    if cost is None:
        return "cost unknown (--price)"
    return f"${cost:.4f}" if cost else "no cost"


def _time(minutes: float) -> str:
    return "under a minute" if minutes < 1 else count(round(minutes), "minute")


def _show_dry_run(
    judge: _Judge, planned: JudgeRun, estimate: Estimate, options: RunOptions
) -> None:
    if not options.as_json:
        out().line("Nothing was sent.")
        return
    out().json(
        {
            "judge": judge.name,
            "model": judge.model,
            "host": judge.endpoint.host,
            "pairs": len(planned.to_ask),
            "cached": planned.cached,
            "decided": planned.decided,
            "held_back": planned.held_back,
            **estimate._asdict(),
        }
    )


def _may_send(judge: _Judge, planned: JudgeRun, options: RunOptions) -> bool:
    """Ask once before notes leave this machine."""
    if not planned.to_ask or judge.endpoint.is_local:
        return bool(planned.to_ask)
    question = f"Send excerpts of these notes to {judge.endpoint.host}?"
    return confirmed(question, yes=options.yes, not_done="sent")


def _ask_all(
    context: WritingContext, judge: _Judge, planned: JudgeRun, options: RunOptions
) -> None:
    from vaultgraph.effects.asking import ask_many
    from vaultgraph.flows.judge import ask_judge

    progress = Progress()
    try:
        ask_judge(
            context,
            planned,
            lambda j, pairs, asked, on_answer: ask_many(
                j, pairs, asked, on_answer, threads=judge.endpoint.concurrency, stop=judge.stop
            ),
            options.flow(),
            lambda done: progress.count(done.asked, len(done.to_ask), done.cost),
        )
    except BaseException:
        progress.done()
        if planned.asked:
            _print_asked(planned, is_quiet=True)
        raise
    progress.done()


def _show_result(context: WritingContext, planned: JudgeRun, options: RunOptions) -> None:
    from vaultgraph.flows.judge_report import judge_document, summarise
    from vaultgraph.proposals.cutoffs import cutoffs_of

    _print_asked(planned, is_quiet=options.as_json)
    cutoffs = cutoffs_of(context.reading.settings)
    verdicts = [*planned.known, *planned.verdicts]
    if options.as_json:
        document = judge_document(
            verdicts,
            cutoffs,
            asked=planned.asked,
            cached=planned.cached,
            decided=planned.decided,
            failed=planned.failed,
            tokens=planned.tokens,
            cost=planned.paid,
        )
        out().json(document)
    elif verdicts:
        summary = summarise(verdicts, cutoffs)
        print_histogram(out(), summary)
        print_summary(out(), summary, cutoffs)
        if summary.above:
            out().line("next: vaultgraph propose")


def _print_asked(planned: JudgeRun, *, is_quiet: bool) -> None:
    """Print what was answered, also where the run was cut short."""
    stream = err() if is_quiet else out()
    stream.line(
        (f"{len(planned.verdicts):,} answered", "bold"),
        f", {len(planned.failed):,} failed, {planned.cached:,} had verdicts;"
        f" {planned.tokens:,} tokens, {_money(planned.paid)}",
        indent=2,
    )
    if planned.stopped_by_cost:
        stream.line(("stopped before --max-cost would be exceeded", "yellow"))
    for first, second, reason in sorted(planned.failed)[:ROWS_SHOWN]:
        stream.line(
            ("failed  ", "yellow"),
            f"{shown(first)}  —  {shown(second)}: {shown(reason)}",
            indent=8,
        )
    if len(planned.failed) > ROWS_SHOWN:
        stream.note(f"        … {len(planned.failed) - ROWS_SHOWN:,} more failed ones")
