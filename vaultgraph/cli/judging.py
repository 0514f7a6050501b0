"""Runs a judge over the candidate pairs, shows what one would be sent, compares two."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vaultgraph.cli.asking import confirmed
from vaultgraph.cli.output import Output, err, out, shown
from vaultgraph.cli.wiring import vault_root

if TYPE_CHECKING:
    from vaultgraph.domain.judging import JudgedPair, QuestionSet
    from vaultgraph.domain.settings import JudgeSettings
    from vaultgraph.effects.openai_judge import OpenAIJudge
    from vaultgraph.effects.systemone import SystemOneJudge
    from vaultgraph.flows.judge import JudgeOptions, JudgeRun
    from vaultgraph.flows.judge_report import Summary
    from vaultgraph.flows.rank import Ranking
    from vaultgraph.flows.writing import WritingContext
    from vaultgraph.judge.embedded.judge import EmbeddedJudge, PairContext
    from vaultgraph.judge.pair_text import TextRules

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
    questions = _questions(ctx, settings)
    if settings.name == EMBEDDED:
        _rank(ctx, context, settings, questions, options)
    else:
        _ask(context, settings, questions, options)


def _questions(ctx: Any, settings: JudgeSettings) -> QuestionSet:  # noqa: ANN401
    from vaultgraph.effects.prompts import read_question_set

    return read_question_set(settings.questions, vault_root(ctx.obj))


def _embedded(settings: JudgeSettings) -> EmbeddedJudge:
    from vaultgraph.judge.embedded.judge import EmbeddedJudge

    return EmbeddedJudge(prior=settings.prior or None)


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
    progress = _Progress()
    ranking = rank_pairs(
        context,
        _embedded(settings),
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
        " ten was a dependency. Read what it proposes."
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


def _rules(context: WritingContext, settings: JudgeSettings) -> TextRules:
    from vaultgraph.flows.context import masker_of
    from vaultgraph.flows.survey import survey_vault
    from vaultgraph.judge.pair_text import TextRules

    reading = context.reading
    survey = survey_vault(reading.vault, reading.notes, reading.settings)
    keys = reading.settings.status.keys
    return TextRules(masker_of(survey), settings.tokens_per_note, status_names=keys)


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

    rules = _rules(context, settings)
    with open_remote_judge(
        settings, rules, os.environ, concurrency=options.concurrency, price=options.price
    ) as judge:
        planned = plan_judging(context, judge, questions, options.flow())
        if not _may_send(judge, planned, options):
            out().line("Nothing was sent.")
            return
        progress = _Progress()
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


class _Progress:
    """One line on a terminal: done, rate, cost so far, time left."""

    def __init__(self) -> None:
        self._is_shown = sys.stderr.isatty()
        self._began = time.monotonic()
        self._last = 0.0

    def count(self, done: int, of: int, cost: float = 0.0) -> None:
        """Tell how far the run is, at most five times a second."""
        now = time.monotonic()
        if not self._is_shown or now - self._last < 0.2:
            return
        self._last = now
        rate = done / max(now - self._began, 0.001)
        left = (of - done) / rate if rate else 0.0
        paid = f"  ${cost:.4f}" if cost else ""
        sys.stderr.write(f"\r\x1b[2K{done:,} of {of:,}  {rate:.0f}/s{paid}  {left:.0f} s left")
        sys.stderr.flush()

    def done(self) -> None:
        """Take the line away."""
        if self._is_shown:
            sys.stderr.write("\r\x1b[2K")


def show(
    ctx: Any,  # noqa: ANN401
    context: WritingContext,
    settings: JudgeSettings,
    first: str,
    second: str,
) -> None:
    """Print exactly what would be sent for a pair, and to whom."""
    from vaultgraph.effects.judges import EMBEDDED, check_judge_name, open_remote_judge

    check_judge_name(settings.name)
    pair, counts = _named_pair(context, first, second)
    stream = out()
    if settings.name == EMBEDDED:
        _show_embedded(stream, settings, pair, counts)
        return
    rules = _rules(context, settings)
    questions = _questions(ctx, settings)
    with open_remote_judge(settings, rules, os.environ, concurrency=None, price=None) as judge:
        err().line(f"POST {shown(judge.endpoint.url)}")
        for body in judge.requests(pair, questions):
            stream.line(shown(json.dumps(json.loads(body), ensure_ascii=False)))


def _named_pair(
    context: WritingContext, first: str, second: str
) -> tuple[JudgedPair, PairContext]:
    from vaultgraph.errors import InputError
    from vaultgraph.flows.lookup import find_note
    from vaultgraph.flows.pairs import PairMaker
    from vaultgraph.flows.survey import survey_vault

    reading = context.reading
    survey = survey_vault(reading.vault, reading.notes, reading.settings)
    one, other = sorted((find_note(survey, first), find_note(survey, second)))
    pairs = PairMaker(reading, survey)
    pair = pairs.pair(one, other) if one != other else None
    if pair is None:
        raise InputError(
            "these two make no pair, so nothing is ever sent of them",
            hint="one is private, a record, a report or unreadable, or both are the same",
        )
    return pair, pairs.context_of(pair)


def _show_embedded(
    stream: Output, settings: JudgeSettings, pair: JudgedPair, counts: PairContext
) -> None:
    judge = _embedded(settings)
    answer, reasons = judge.judge(pair, counts), judge.reasons_for(pair, counts)
    stream.line("Nothing is sent: the embedded judge reads both notes on this machine.")
    for dependent, basis, score, why in (
        (pair.first, pair.second, answer.first_depends, reasons.first),
        (pair.second, pair.first, answer.second_depends, reasons.second),
    ):
        stream.line(
            f"  {score:.2f}  {shown(dependent.note)}",
            ("  depends on  ", "dim"),
            shown(basis.note),
            indent=8,
        )
        for reason in why:
            stream.line(f"        {shown(reason)}", indent=10)


def compare(context: WritingContext, one: str, other: str, *, as_json: bool) -> None:
    """Show where two judges agree, and where they differ most."""
    from vaultgraph.flows.compare_judges import compare_judges, comparison_document

    comparison = compare_judges(context, one, other)
    stream = out()
    if as_json:
        stream.json(comparison_document(comparison))
        return
    if comparison.agreement is None:
        stream.line(f"No pair has verdicts of both {shown(one)} and {shown(other)} in the ledger.")
        return
    kappa = "no kappa" if comparison.kappa is None else f"kappa {comparison.kappa:.2f}"
    stream.line(
        (f"{len(comparison.rows):,} directions", "bold"),
        f", agreement {comparison.agreement:.0%}, {kappa}: both yes {comparison.both_yes:,},"
        f" only {shown(one)} {comparison.only_one:,}, only {shown(other)}"
        f" {comparison.only_other:,}, neither {comparison.neither:,}",
    )
    for row in comparison.rows[:_ROWS_SHOWN]:
        stream.line(
            f"  {row.one:.2f}  {row.other:.2f}  {shown(row.dependent)}",
            ("  depends on  ", "dim"),
            shown(row.basis),
            indent=14,
        )
