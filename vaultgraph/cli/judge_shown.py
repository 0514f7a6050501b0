"""Shows what a judge would be sent for a pair, and how two judges compare."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from vaultgraph.cli.judge_parts import embedded_judge, questions_of, text_rules
from vaultgraph.cli.output import Output, err, out, shown

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
) -> None:
    """Print exactly what would be sent for a pair, and to whom."""
    from vaultgraph.effects.judges import EMBEDDED, check_judge_name, open_remote_judge

    check_judge_name(settings.name)
    pair = _named_pair(context, first, second)
    stream = out()
    if settings.name == EMBEDDED:
        _show_embedded(stream, settings, pair)
        return
    rules = text_rules(context, settings)
    questions = questions_of(ctx, settings)
    with open_remote_judge(settings, rules, os.environ, concurrency=None, price=None) as judge:
        err().line(f"POST {shown(judge.endpoint.url)}")
        for body in judge.requests(pair, questions):
            stream.line(shown(json.dumps(json.loads(body), ensure_ascii=False)))


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


def _show_embedded(stream: Output, settings: JudgeSettings, pair: JudgedPair) -> None:
    judge = embedded_judge(settings)
    answer, reasons = judge.judge(pair), judge.reasons_for(pair)
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
