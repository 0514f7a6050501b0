"""``vaultgraph``: the commands, and what stands before them."""

from __future__ import annotations

import contextlib
import gc
import sys
from pathlib import Path
from typing import Annotated

import typer

from vaultgraph import __version__
from vaultgraph.cli.boundary import NO_ROOM, drop_output, show_unwritten
from vaultgraph.cli.commands import CommandGroup
from vaultgraph.cli.wiring import GlobalOptions
from vaultgraph.errors import InputError

app = typer.Typer(
    name="vaultgraph",
    cls=CommandGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Finds what the notes in an Obsidian vault rest on, and which live notes rest on closed"
    " ones. Reading commands change no note.",
)


def _print_version(value: bool) -> None:
    if value:
        typer.echo(f"vaultgraph {__version__}")
        raise typer.Exit


@app.callback()
def prepare(
    ctx: typer.Context,
    vault: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            readable=False,  # that it can be read is our own check, with an exit code of its own
            help="The vault's folder. Default: $VAULTGRAPH_VAULT, else the nearest folder above"
            " with an Obsidian configuration.",
        ),
    ] = None,
    debug: Annotated[bool, typer.Option(help="Show the traceback of a bug.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show it.")
    ] = False,
) -> None:
    """Keep what stands before the command."""
    del debug, version  # read by the boundary and the callback
    ctx.obj = GlobalOptions(vault)


def main() -> None:
    """Run the program."""
    # A run is short and makes few cycles; looking for them costs a tenth of a cold scan.
    gc.disable()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            encoding = None if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")  # type: ignore[union-attr]
    try:
        app()
    except OSError as error:
        # Help is printed before there is a command, where the boundary does not reach.
        if error.errno not in NO_ROOM:
            raise
        show_unwritten(error)
        sys.exit(InputError.exit_code)
    finally:
        _flush()


def _flush() -> None:
    """Write out what is buffered here, where a closed pipe can still be met quietly."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()
    except OSError as error:
        show_unwritten(error)
        sys.exit(InputError.exit_code)
