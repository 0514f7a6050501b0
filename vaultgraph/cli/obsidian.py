"""``vaultgraph obsidian``: the hotkey's script in a vault."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from vaultgraph.cli.options import Json
from vaultgraph.cli.output import Output, err, out, shown
from vaultgraph.cli.wiring import context_of, ledger_of, note_writer_of
from vaultgraph.errors import UsageError

if TYPE_CHECKING:
    from vaultgraph.flows.obsidian import ObsidianReport
    from vaultgraph.flows.obsidian_setup import Setup

obsidian = typer.Typer(
    no_args_is_help=True, help="Put the review hotkey into Obsidian, or see whether it is there."
)
_STATES = {
    "missing": ("missing", "yellow"),
    "current": ("in place", "green"),
    "older": ("older", "yellow"),
    "edited": ("edited", "yellow"),
}


@obsidian.command("install")
def install(
    ctx: typer.Context,
    scripts: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Templater's script folder, if it is not set there."),
    ] = None,
    templates: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Templater's template folder, if it is not set there."),
    ] = None,
    bind: Annotated[
        bool,
        typer.Option(
            "--bind", help="Set folders and hotkey in .obsidian; Obsidian must be closed."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Copy script, template and base to where Templater looks; edited ones are left alone."""
    from vaultgraph.flows.obsidian import install as carry_out

    setup = _setup(ctx)
    state = setup.templater
    scripts = _folder(scripts, state.scripts, "script", "--scripts", "Scripts")
    templates = _folder(templates, state.templates, "template", "--templates", "Templates")
    report = carry_out(setup, ledger_of(ctx), scripts, templates, is_binding=bind)
    if as_json:
        _print_json(report)
        return
    for path in report.written:
        out().line(("wrote  ", "green"), shown(path), indent=7)
    if not report.written:
        out().line("Nothing had to be written.")
    _print_left(out(), report)


@obsidian.command("status")
def status(ctx: typer.Context, as_json: Json = False) -> None:
    """Show whether script, template and hotkey are in place."""
    from vaultgraph.flows.obsidian import obsidian_status

    report = obsidian_status(_setup(ctx))
    if as_json:
        _print_json(report)
        return
    stream = out()
    for file in report.files:
        stream.line(
            f"{file.name:<22}", _STATES[file.state], f"  {shown(file.path or '')}", indent=24
        )
    keys = ", ".join(report.hotkeys)
    stream.line(f"{'hotkey':<22}", (shown(keys), "green") if keys else ("not bound", "yellow"))
    _print_left(stream, report)


def _setup(ctx: typer.Context) -> Setup:
    from vaultgraph.effects.clock import SystemClock
    from vaultgraph.effects.obsidian_files import ObsidianFiles
    from vaultgraph.flows.obsidian_settings import SETTINGS_FILES
    from vaultgraph.flows.obsidian_setup import NAMES, Setup

    writer = note_writer_of(ctx)
    files = ObsidianFiles(writer.vault, writer.folders, SystemClock(), NAMES, SETTINGS_FILES)
    reading = context_of(ctx)
    paths = [file.path for file in reading.vault.list_files().files]
    return Setup(files, paths, ledger_of(ctx).read().events, reading.settings.keys)


def _folder(given: str | None, is_set: str | None, kind: str, option: str, usual: str) -> str:
    """Return the folder to use: the one given, Templater's own, or what a person answers.

    Raises:
        UsageError: nobody can be asked.
    """
    if given is not None:
        return given
    if is_set is not None:
        return is_set
    if not sys.stdin.isatty():
        raise UsageError(
            f"Templater has no {kind} folder set in this vault",
            hint=f"name one: {option} {usual}",
        )
    err().line(f"Templater has no {kind} folder yet. Which folder of the vault? [{usual}] ")
    return sys.stdin.readline().strip() or usual


def _print_left(stream: Output, report: ObsidianReport) -> None:
    if not report.left:
        stream.line(("Everything is in place.", "green"))
        return
    stream.line(("left to do", "bold"))
    for number, step in enumerate(report.left, 1):
        stream.line(f"  {number}. {shown(step)}", indent=5)


def _print_json(report: ObsidianReport) -> None:
    from vaultgraph.flows.obsidian import obsidian_document

    out().json(obsidian_document(report))
