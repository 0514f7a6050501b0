"""``vaultgraph why``."""

from __future__ import annotations

from typing import Annotated

import typer

from vaultgraph.cli.judge_parts import embedded_judge, print_scores
from vaultgraph.cli.options import Json, NoCache
from vaultgraph.cli.output import out, shown
from vaultgraph.cli.scan import print_evidence
from vaultgraph.cli.wiring import context_of


def why(
    ctx: typer.Context,
    first: Annotated[str, typer.Argument(help="A note: its path, title or an alias.")],
    second: Annotated[str, typer.Argument(help="Another note.")],
    as_json: Json = False,
    no_cache: NoCache = False,
) -> None:
    """Show what makes two notes a pair and how the embedded judge sees it, or what came close."""
    from vaultgraph.flows.why import explain_pair, why_document

    context = context_of(ctx, cache=not no_cache)
    report = explain_pair(context, lambda: embedded_judge(context.settings.judge), first, second)
    stream = out()
    if as_json:
        stream.json(why_document(report))
        return
    stream.line((shown(report.first), "bold"), "  —  ", (shown(report.second), "bold"), indent=2)
    if report.is_pair:
        for row in report.evidence:
            print_evidence(stream, row.note, row.line, row.kind, row.text)
        if report.scores:
            stream.line("embedded judge:")
            print_scores(stream, report.scores)
        return
    stream.line(
        "  no pair: neither links to the other or names it" if not report.near else "  no pair"
    )
    for reason in report.near:
        stream.line(f"    {shown(reason)}", indent=6)
