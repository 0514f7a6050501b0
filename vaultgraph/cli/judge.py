"""``vaultgraph judge``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vaultgraph.cli.options import Json, NoCache
from vaultgraph.cli.output import err, out
from vaultgraph.cli.reading import read_given_file
from vaultgraph.cli.wiring import writing_context_of


def judge(
    ctx: typer.Context,
    imported: Annotated[
        Path,
        typer.Option(
            "--import", metavar="FILE", help="Take over verdicts from JSON lines ('-': stdin)."
        ),
    ],
    as_json: Json = False,
    no_cache: NoCache = False,
) -> None:
    """Take over verdicts on pairs of notes: a person's list, or another tool's."""
    from vaultgraph.flows.import_verdicts import import_document, import_verdicts

    data = read_given_file(imported, "the verdicts")
    report = import_verdicts(writing_context_of(ctx, cache=not no_cache), data)
    stream = out()
    if as_json:
        stream.json(import_document(report))
    else:
        stream.line(
            f"{len(report.verdicts):,} verdicts taken over, {report.known:,} known already"
        )
    if report.refused and not as_json:
        err().line((f"{len(report.refused):,} lines were not taken over", "yellow"))
        for line, text in report.refused[:20]:
            err().line(f"  line {line}: {text}", indent=4)
