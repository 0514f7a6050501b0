"""Runs the embedded judge, which says of itself that it is a ranker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vaultgraph.cli.judge_parts import RunOptions, embedded_judge, questions_of
from vaultgraph.cli.judge_summary import print_decided, print_histogram, print_summary
from vaultgraph.cli.output import Output, out
from vaultgraph.cli.progress import Progress
from vaultgraph.cli.wiring import vault_root
from vaultgraph.cli.written import count

if TYPE_CHECKING:
    from vaultgraph.domain.settings import JudgeSettings
    from vaultgraph.flows.rank import Ranking
    from vaultgraph.flows.writing import WritingContext
    from vaultgraph.proposals.decide import Cutoffs


def rank(
    ctx: Any,  # noqa: ANN401 - Typer vendors click's types
    context: WritingContext,
    settings: JudgeSettings,
    options: RunOptions,
) -> None:
    """Score the candidate pairs on this machine."""
    from vaultgraph.effects.cache_folder import open_cache
    from vaultgraph.effects.score_cache import ScoreCache
    from vaultgraph.effects.state_folder import local_folders
    from vaultgraph.flows.judge_report import judge_document
    from vaultgraph.flows.rank import rank_pairs
    from vaultgraph.proposals.decide import Cutoffs

    folder = local_folders(vault_root(ctx.obj)).cache
    scores = ScoreCache((lambda: open_cache(folder, "scores")) if options.cache else None)
    progress = Progress()
    try:
        ranking = rank_pairs(
            context,
            embedded_judge(settings),
            questions_of(ctx, settings),
            scores,
            options.flow(),
            recut=options.recut,
            dry_run=options.dry_run,
            progress=progress.count,
        )
    finally:
        progress.done()
    cutoffs = Cutoffs(ranking.cutoff, min(ranking.floor, ranking.cutoff))
    if options.as_json:
        document = judge_document(
            ranking.verdicts,
            cutoffs,
            asked=ranking.scored,
            cached=len(ranking.verdicts) - ranking.scored,
            decided=ranking.decided,
            failed=[],
            tokens=0,
            cost=0.0,
        )
        out().json(document)
        return
    _print_ranking(out(), ranking, cutoffs, dry_run=options.dry_run)


def _print_ranking(stream: Output, ranking: Ranking, cutoffs: Cutoffs, *, dry_run: bool) -> None:
    from vaultgraph.flows.judge_report import summarise

    cached = len(ranking.verdicts) - ranking.scored
    stream.line(
        ("embedded judge  ", "bold"),
        f"{count(ranking.scored, 'pair')} scored here, {cached:,} had scores; nothing was sent",
        indent=16,
    )
    stream.note(
        "It ranks, and its scores are no probabilities. It was measured on specifications, not on"
        " personal notes; of links from live to closed ones that scored 0.5 or more there, 6 of 51"
        " were declared dependencies. Read what it proposes."
    )
    print_decided(stream, ranking.decided)
    if ranking.held_back:
        stream.note(f"held back by --limit: {count(ranking.held_back, 'pair')}")
    if not ranking.verdicts and ranking.decided:
        return
    if not ranking.verdicts:
        stream.line("No pair to score: no note links to another one or names it.")
        return
    summary = summarise(ranking.verdicts, cutoffs)
    print_histogram(stream, summary)
    if not ranking.has_cutoff:
        stream.line("No cutoff yet, so nothing was recorded: it takes the scores of all pairs.")
        stream.line("next: vaultgraph judge, without --only and --limit")
        return
    _print_cutoff(stream, ranking, dry_run=dry_run)
    print_summary(stream, summary, cutoffs)
    if dry_run:
        stream.line("Nothing was recorded.")
    elif summary.above:
        stream.line("next: vaultgraph propose")


def _print_cutoff(stream: Output, ranking: Ranking, *, dry_run: bool) -> None:
    """Print from which score on a direction is proposed, and why from there."""
    cutoff = f"cutoff {ranking.cutoff:.3f}"
    if ranking.is_new_cutoff:
        stream.line(
            f"{cutoff}, {'as this run would set it' if dry_run else 'set by this run'}: at most"
            f" {ranking.cap:g} proposals for a hundred notes ({ranking.notes:,} here), none below"
            f" {ranking.floor:g}",
            indent=7,
        )
        return
    stream.line(f"{cutoff}, set by an earlier run; --recut sets it anew")
    if ranking.is_others_cutoff:
        stream.line(
            ("It was set for another model or base rate, whose scores were others:", "yellow"),
            " vaultgraph judge --recut",
            indent=2,
        )
