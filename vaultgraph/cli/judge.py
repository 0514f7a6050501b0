"""``vaultgraph judge``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vaultgraph.cli.judge_settings import Given, check_options, settings_with
from vaultgraph.cli.noticed import noticed
from vaultgraph.cli.options import Json, NoCache
from vaultgraph.cli.wiring import decision_logs_of, writing_context_of
from vaultgraph.errors import UsageError

_Two = tuple[str, str] | None


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
    key_variable: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Environment variable of its key; none: it has none."),
    ] = None,
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
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what a run takes; send and record nothing.")
    ] = False,
    show: Annotated[
        _Two,
        typer.Option(
            "--show", metavar="A B", help="Print what would be sent for a pair, to whom."
        ),
    ] = None,
    compare: Annotated[
        _Two,
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
        raise UsageError(
            "--import, --show and --compare go one at a time", hint="name one of them"
        )
    context = writing_context_of(ctx, cache=not no_cache)
    if imported is not None:
        from vaultgraph.cli.judge_import import import_file

        import_file(context, imported, as_json=as_json)
        return
    from vaultgraph.cli.judge_parts import RunOptions
    from vaultgraph.cli.judge_shown import compare as compare_two
    from vaultgraph.cli.judge_shown import show as show_pair
    from vaultgraph.effects.judges import EMBEDDED, check_judge_name

    given = Given(name, preset, base_url, model, key_variable, concurrency, prior)
    settings = settings_with(context.reading.settings.judge, given)
    if compare is not None:
        compare_two(context, settings, *compare, as_json=as_json)
        return
    check_judge_name(settings.name)
    is_embedded = settings.name == EMBEDDED
    check_options(given, is_embedded=is_embedded, recut=recut, price=price)
    if show is not None:
        show_pair(ctx, context, settings, *show, as_json=as_json)
        return
    options = RunOptions(
        only=only,
        limit=limit,
        max_cost=max_cost,
        price=price,
        recut=recut,
        yes=yes,
        dry_run=dry_run,
        as_json=as_json,
        cache=not no_cache,
    )
    if not dry_run:
        noticed(context, decision_logs_of(ctx))
    if is_embedded:
        from vaultgraph.cli.judge_ranked import rank

        rank(ctx, context, settings, options)
    else:
        from vaultgraph.cli.judge_asked import ask

        ask(ctx, context, settings, options)
