"""``vaultgraph init``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from vaultgraph.cli.output import Output, out, shown
from vaultgraph.cli.wiring import context_of, vault_root

if TYPE_CHECKING:
    from vaultgraph.flows.init import InitReport

_VALUES_SHOWN = 10
_FOLDERS_SHOWN = 4


def init(
    ctx: typer.Context,
    only_print: Annotated[
        bool, typer.Option("--print", help="Print the file instead of writing it.")
    ] = False,
) -> None:
    """Write a commented .vaultgraph/config.toml from what stands in this vault."""
    from vaultgraph.effects.config_file import write_new_settings
    from vaultgraph.flows.init import plan_config

    report = plan_config(context_of(ctx, cache=False))
    stream = out()
    if only_print:
        typer.echo(report.text, nl=False)
        return
    path = write_new_settings(vault_root(ctx.obj), report.text)
    _print(stream, report)
    stream.line("wrote ", (shown(str(path)), "bold"))


def _print(stream: Output, report: InitReport) -> None:
    if report.statuses:
        stream.line("statuses in this vault, and what each is taken for:")
        for key, value, count, is_closed in report.statuses[:_VALUES_SHOWN]:
            taken = ("closed", "red") if is_closed else ("live", "green")
            stream.line(f"  {count:>6,}  {shown(key)}: {shown(value)}  ", taken, indent=10)
        if len(report.statuses) > _VALUES_SHOWN:
            stream.note(f"  … {len(report.statuses) - _VALUES_SHOWN:,} more values")
    else:
        stream.line("no note in this vault has a status yet")
    for reason, count, folders in report.skipped:
        where = f" ({', '.join(map(shown, folders[:_FOLDERS_SHOWN]))})" if folders else ""
        stream.line(f"  {count:>6,}  left out: {shown(reason)}{where}", indent=10)
    if report.noisy:
        names = ", ".join(map(shown, report.noisy[:_VALUES_SHOWN]))
        stream.line("names that make many pairs alone: ", (names, "dim"), indent=2)
