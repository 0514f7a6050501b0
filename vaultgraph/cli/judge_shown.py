"""Shows what a judge would be sent for a pair, and how two judges compare."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from vaultgraph.cli.judge_parts import embedded_judge, print_scores, questions_of, text_rules
from vaultgraph.cli.output import err, out, shown

if TYPE_CHECKING:
    from vaultgraph.domain.judging import JudgedPair
    from vaultgraph.domain.settings import JudgeSettings
    from vaultgraph.flows.writing import WritingContext

_ROWS_SHOWN = 12


def show(
    ctx: Any,  # noqa: ANN401
    context: WritingContext,
    settings: JudgeSettings,
    first: str,
    second: str,
    *,
    as_json: bool,
) -> None:
    """Print exactly what would be sent for a pair, and to whom."""
    from vaultgraph.effects.judges import EMBEDDED, open_remote_judge

    pair = _named_pair(context, first, second)
    if settings.name == EMBEDDED:
        _show_embedded(settings, pair, as_json=as_json)
        return
    questions, rules = questions_of(ctx, settings), text_rules(context, settings)
    with open_remote_judge(settings, rules, os.environ, needs_key=False) as judge:
        url, bodies = judge.endpoint.url, judge.requests(pair, questions)
    if as_json:
        requests = [json.loads(body) for body in bodies]
        out().json({"judge": judge.name, "url": url, "requests": requests})
        return
    err().line(f"POST {shown(url)}")
    for body in bodies:
        _print_request(body)


def _print_request(body: bytes) -> None:
    """Print a request: laid out on a terminal, elsewhere byte for byte."""
    stream = out()
    if not stream.is_terminal:
        stream.line(body.decode())
        return
    laid_out = json.dumps(json.loads(body), ensure_ascii=False, indent=2)
    for line in laid_out.split("\n"):
        stream.line(shown(line), indent=len(line) - len(line.lstrip()) + 2)


def _named_pair(context: WritingContext, first: str, second: str) -> JudgedPair:
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
    return pair


def _show_embedded(settings: JudgeSettings, pair: JudgedPair, *, as_json: bool) -> None:
    from vaultgraph.flows.pair_scores import score_both_ways, scores_document

    scores = score_both_ways(embedded_judge(settings), pair)
    if as_json:
        out().json({"judge": settings.name, "url": None, "scores": scores_document(scores)})
        return
    out().line("Nothing is sent: the embedded judge reads both notes on this machine.")
    print_scores(out(), scores)


def compare(
    context: WritingContext, settings: JudgeSettings, one: str, other: str, *, as_json: bool
) -> None:
    """Show where two judges agree, and where they differ most."""
    from vaultgraph.flows.compare_judges import compare_judges, comparison_document

    comparison = compare_judges(context, one, other, embedded_judge(settings))
    stream = out()
    if as_json:
        stream.json(comparison_document(comparison))
        return
    if comparison.agreement is None:
        stream.line(
            f"No pair has verdicts of both {shown(one)} and {shown(other)} as its notes stand."
        )
        return
    kappa = "no kappa" if comparison.kappa is None else f"kappa {comparison.kappa:.2f}"
    stream.line(
        (f"{len(comparison.rows):,} directions", "bold"),
        f", agreement {comparison.agreement:.0%}, {kappa}: both yes {comparison.both_yes:,},"
        f" only {shown(one)} {comparison.only_one:,}, only {shown(other)}"
        f" {comparison.only_other:,}, neither {comparison.neither:,}",
    )
    stream.line((f"where they differ most; first {shown(one)}, then {shown(other)}:", "dim"))
    for row in comparison.rows[:_ROWS_SHOWN]:
        stream.line(
            f"  {row.one:.2f}  {row.other:.2f}  {shown(row.dependent)}",
            ("  depends on  ", "dim"),
            shown(row.basis),
            indent=14,
        )
