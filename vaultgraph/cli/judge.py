"""``vaultgraph judge``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vaultgraph.cli.options import Json, NoCache
from vaultgraph.cli.output import err, out, shown
from vaultgraph.cli.reading import read_given_file
from vaultgraph.cli.wiring import writing_context_of
from vaultgraph.cli.written import count
from vaultgraph.errors import UsageError

if TYPE_CHECKING:
    from vaultgraph.domain.settings import JudgeSettings
    from vaultgraph.flows.writing import WritingContext

_Notes = tuple[str, str] | None
_LINES_SHOWN = 20


def judge(
    ctx: typer.Context,
    name: Annotated[
        str | None, typer.Option("--judge", help="embedded (default), systemone or openai.")
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="A known server: typesafe, openrouter, vercel, ollama, ….")
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="Another server's address.")] = None,
    model: Annotated[str | None, typer.Option(help="The model to ask.")] = None,
    prior: Annotated[
        float | None, typer.Option(min=0.0001, max=0.9999, help="Base rate (embedded judge).")
    ] = None,
    recut: Annotated[
        bool, typer.Option("--recut", help="Set the embedded judge's cutoff anew.")
    ] = False,
    only: Annotated[
        str | None, typer.Option(metavar="NOTE", help="Judge only this note's pairs.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Ask about at most N pairs.")
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(min=0, metavar="USD", help="Stop before it costs more.")
    ] = None,
    price: Annotated[
        float | None, typer.Option(min=0, metavar="USD", help="For a million input tokens.")
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option(min=1, max=64, help="Calls at a time (remote judges).")
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Do not ask before notes are sent.")
    ] = False,
    show: Annotated[
        _Notes,
        typer.Option(
            "--show", metavar="A B", help="Print what would be sent for a pair, to whom."
        ),
    ] = None,
    compare: Annotated[
        _Notes,
        typer.Option("--compare", metavar="J1 J2", help="Hold two judges' verdicts together."),
    ] = None,
    imported: Annotated[
        Path | None,
        typer.Option("--import", metavar="FILE", help="Take over verdicts ('-': stdin)."),
    ] = None,
    as_json: Json = False,
    no_cache: NoCache = False,
) -> None:
    """Ask which note of each candidate pair depends on which; nothing is written into notes."""
    if sum(given is not None for given in (imported, show, compare)) > 1:
        raise UsageError("--import, --show and --compare go one at a time")
    context = writing_context_of(ctx, cache=not no_cache)
    if imported is not None:
        _import(context, imported, as_json=as_json)
        return
    from vaultgraph.cli.judge_shown import compare as compare_two
    from vaultgraph.cli.judge_shown import show as show_pair
    from vaultgraph.cli.judging import RunOptions, run

    settings = _settings(context.reading.settings.judge, name, preset, base_url, model, prior)
    if compare is not None:
        compare_two(context, *compare, as_json=as_json)
    elif show is not None:
        show_pair(ctx, context, settings, *show)
    else:
        options = RunOptions(
            only=only,
            limit=limit,
            max_cost=max_cost,
            price=price,
            concurrency=concurrency,
            recut=recut,
            yes=yes,
            as_json=as_json,
            cache=not no_cache,
        )
        run(ctx, context, settings, options)


def _settings(
    settings: JudgeSettings,
    name: str | None,
    preset: str | None,
    base_url: str | None,
    model: str | None,
    prior: float | None,
) -> JudgeSettings:
    """Return the settings with what the command line says instead."""
    given = {
        "name": name,
        "preset": preset,
        "base_url": base_url,
        "model": model,
        "prior": prior,
    }
    changed = replace(settings, **{key: v for key, v in given.items() if v is not None})  # type: ignore[arg-type]
    if name is not None and name != settings.name:
        # The file's server belongs to the file's judge.
        kept = {key: given[key] or "" for key in ("preset", "base_url", "model")}
        changed = replace(changed, **kept, path="", key_variable="", headers=())  # type: ignore[arg-type]
    return changed


def _import(context: WritingContext, path: Path, *, as_json: bool) -> None:
    from vaultgraph.flows.import_verdicts import import_document, import_verdicts

    report = import_verdicts(context, read_given_file(path, "the verdicts"))
    stream = out()
    if as_json:
        stream.json(import_document(report))
        return
    taken = count(len(report.verdicts), "verdict")
    stream.line(f"{taken} taken over, {report.known:,} known already")
    _print_refused(report.refused)


def _print_refused(refused: list[tuple[int, str]]) -> None:
    stream = err()
    if refused:
        stream.line((f"{count(len(refused), 'line')} not taken over", "yellow"))
    for line, text in refused[:_LINES_SHOWN]:
        stream.line(f"  line {line}: {shown(text)}", indent=4)
    if len(refused) > _LINES_SHOWN:
        stream.note(f"  … {len(refused) - _LINES_SHOWN:,} more: --json lists all")
