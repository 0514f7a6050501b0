"""Runs a judge over the candidate pairs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vaultgraph.cli.asking import confirmed
from vaultgraph.cli.judge_parts import embedded_judge, questions_of, text_rules
from vaultgraph.cli.output import Output, err, out, shown
from vaultgraph.cli.progress import Progress
from vaultgraph.cli.wiring import vault_root

if TYPE_CHECKING:
    from vaultgraph.domain.judging import QuestionSet
    from vaultgraph.domain.settings import JudgeSettings
    from vaultgraph.effects.openai_judge import OpenAIJudge
    from vaultgraph.effects.systemone import SystemOneJudge
    from vaultgraph.flows.judge import JudgeOptions, JudgeRun
    from vaultgraph.flows.judge_report import Summary
    from vaultgraph.flows.rank import Ranking
    from vaultgraph.flows.writing import WritingContext

_ROWS_SHOWN = 12
#: So many pairs are turned into requests to estimate what all of them take.
_SAMPLED = 20
_BAR = 40


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What narrows and steers a run, as given on the command line."""

    only: str | None
    limit: int | None
    max_cost: float | None
    price: float | None
    concurrency: int | None
    recut: bool
    yes: bool
    as_json: bool
    cache: bool

    def flow(self) -> JudgeOptions:
        """Return what the flow needs of it."""
        from vaultgraph.flows.judge import JudgeOptions

        return JudgeOptions(self.limit, self.only, self.max_cost)


def run(
    ctx: Any,  # noqa: ANN401 - Typer vendors click's types
    context: WritingContext,
    settings: JudgeSettings,
    options: RunOptions,
) -> None:
    """Judge the candidate pairs that have no verdict yet."""
    from vaultgraph.effects.judges import EMBEDDED, check_judge_name

    check_judge_name(settings.name)
    questions = questions_of(ctx, settings)
    if settings.name == EMBEDDED:
        _rank(ctx, context, settings, questions, options)
    else:
        _ask(context, settings, questions, options)


def _rank(
    ctx: Any,  # noqa: ANN401
    context: WritingContext,
    settings: JudgeSettings,
    questions: QuestionSet,
    options: RunOptions,
) -> None:
    from vaultgraph.effects.cache_folder import open_cache
    from vaultgraph.effects.score_cache import ScoreCache
    from vaultgraph.effects.state_folder import local_folders
    from vaultgraph.flows.judge_report import judge_document, summarise
    from vaultgraph.flows.rank import rank_pairs
    from vaultgraph.proposals.decide import Cutoffs

    folder = local_folders(vault_root(ctx.obj)).cache
    scores = ScoreCache((lambda: open_cache(folder, "scores")) if options.cache else None)
    progress = Progress()
    ranking = rank_pairs(
        context,
        embedded_judge(settings),
        questions,
        scores,
        options.flow(),
        recut=options.recut,
        progress=progress.count,
    )
    progress.done()
    cutoffs = Cutoffs(ranking.cutoff, min(ranking.floor, ranking.cutoff))
    stream = out()
    if options.as_json:
        stream.json(
            judge_document(
                ranking.verdicts,
                cutoffs,
                asked=ranking.scored,
                cached=len(ranking.verdicts) - ranking.scored,
                failed=[],
                tokens=0,
                cost=0.0,
            )
        )
        return
    _print_ranking(stream, ranking, summarise(ranking.verdicts, cutoffs))


def _print_ranking(stream: Output, ranking: Ranking, summary: Summary) -> None:
    cached = len(ranking.verdicts) - ranking.scored
    stream.line(
        ("embedded judge  ", "bold"),
        f"{ranking.scored:,} pairs scored here, {cached:,} had scores; nothing was sent",
        indent=16,
    )
    stream.note(
        "It ranks, and its scores are no probabilities. It was measured on specifications, not on"
        " personal notes; of links from live to closed ones that scored 0.5 or more there, one in"
        " eight was a declared dependency. Read what it proposes."
    )
    _print_histogram(stream, summary)
    stream.line(
        f"cutoff {ranking.cutoff:.3f}"
        + (" set by this run" if ranking.is_new_cutoff else " kept from an earlier run")
        + f": at most {ranking.cap:g} for a hundred notes ({ranking.notes:,} here), none below"
        f" {ranking.floor:g}",
        indent=7,
    )
    _print_summary(stream, summary)
    stream.line("next: vaultgraph propose")


def _print_histogram(stream: Output, summary: Summary) -> None:
    most = max(summary.histogram) or 1
    for number, count in enumerate(summary.histogram):
        bar = "█" * round(count / most * _BAR) or ("▏" if count else "")
        stream.line(f"  {number / 10:.1f}-{(number + 1) / 10:.1f}  {count:>7,}  ", (bar, "cyan"))


def _print_summary(stream: Output, summary: Summary) -> None:
    stream.line(
        f"{summary.above:,} directions at or above the cutoff,"
        f" {summary.middle:,} in the middle band"
    )
    for verdict in summary.mutual[:_ROWS_SHOWN]:
        stream.line(
            ("mutual  ", "yellow"),
            f"{shown(verdict.first)} ({verdict.first_depends:.2f})  ↔  "
            f"{shown(verdict.second)} ({verdict.second_depends:.2f})",
            indent=8,
        )
    if len(summary.mutual) > _ROWS_SHOWN:
        stream.note(f"        … {len(summary.mutual) - _ROWS_SHOWN:,} more mutual ones")


def _ask(
    context: WritingContext,
    settings: JudgeSettings,
    questions: QuestionSet,
    options: RunOptions,
) -> None:
    from vaultgraph.effects.asking import ask_many
    from vaultgraph.effects.judges import open_remote_judge
    from vaultgraph.flows.judge import ask_judge, plan_judging
    from vaultgraph.flows.judge_report import judge_document, summarise
    from vaultgraph.proposals.cutoffs import cutoffs_of

    rules = text_rules(context, settings)
    with open_remote_judge(
        settings, rules, os.environ, concurrency=options.concurrency, price=options.price
    ) as judge:
        planned = plan_judging(context, judge, questions, options.flow())
        if not _may_send(judge, planned, options):
            out().line("Nothing was sent.")
            return
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
        finally:
            progress.done()
            _print_asked(planned, is_quiet=options.as_json)
    cutoffs = cutoffs_of(context.reading.settings)
    if options.as_json:
        document = judge_document(
            planned.verdicts,
            cutoffs,
            asked=planned.asked,
            cached=planned.cached,
            failed=planned.failed,
            tokens=planned.tokens,
            cost=planned.cost,
        )
        out().json(document)
        return
    summary = summarise(planned.verdicts, cutoffs)
    _print_histogram(out(), summary)
    _print_summary(out(), summary)


def _may_send(judge: SystemOneJudge | OpenAIJudge, planned: JudgeRun, options: RunOptions) -> bool:
    """Say what the run takes, and ask once before notes leave this machine."""
    from itertools import islice

    from vaultgraph.judge.estimates import estimate_run

    endpoint = judge.endpoint
    sampled = (planned.pairs.pair(*pair) for pair in islice(planned.to_ask, _SAMPLED))
    bodies = [judge.requests(pair, planned.questions) for pair in sampled if pair is not None]
    estimate = estimate_run(
        len(planned.to_ask),
        bodies,
        price=endpoint.price,
        concurrency=endpoint.concurrency,
        is_local=endpoint.is_local,
    )
    if estimate.cost is not None and planned.to_ask:
        planned.expected_cost = estimate.cost / len(planned.to_ask)
    cost = "cost unknown (--price)" if estimate.cost is None else f"about ${estimate.cost:.4f}"
    err().line(
        (f"{len(planned.to_ask):,} pairs to ask", "bold"),
        f" ({planned.cached:,} have verdicts) about {estimate.calls:,} calls,"
        f" {estimate.tokens:,} tokens, {cost}, {max(estimate.minutes, 0.1):.1f} minutes;"
        f" {shown(judge.model)} at {shown(endpoint.host)}",
        indent=2,
    )
    if planned.held_back:
        err().note(f"held back by --limit: {planned.held_back:,}")
    if not planned.to_ask or endpoint.is_local:
        return bool(planned.to_ask)
    question = f"Send excerpts of these notes to {endpoint.host}?"
    return confirmed(question, yes=options.yes)


def _print_asked(planned: JudgeRun, *, is_quiet: bool) -> None:
    """Print what was answered, also where the run was cut short."""
    stream = err() if is_quiet else out()
    stream.line(
        (f"{len(planned.verdicts):,} answered", "bold"),
        f", {len(planned.failed):,} failed, {planned.cached:,} had verdicts;"
        f" {planned.tokens:,} tokens, ${planned.cost:.4f}",
    )
    if planned.stopped_by_cost:
        stream.line(("stopped before --max-cost would be exceeded", "yellow"))
    for first, second, reason in planned.failed[:_ROWS_SHOWN]:
        stream.line(
            ("failed  ", "yellow"),
            f"{shown(first)}  —  {shown(second)}: {shown(reason)}",
            indent=8,
        )
