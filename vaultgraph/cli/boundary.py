"""Where every error ends: one line what and where, one line what to do, and the exit code."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from vaultgraph.cli.output import err, shown
from vaultgraph.errors import EXIT_BUG, EXIT_INTERRUPTED, VaultgraphError


class BoundaryGroup(TyperGroup):
    """A command group that lets no traceback reach a person."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - Typer vendors click's types
        """Run the command, and turn whatever it raises into a message and an exit code."""
        try:
            return super().invoke(ctx)
        except VaultgraphError as error:
            show_error(error.message, error.hint)
            raise typer.Exit(error.exit_code) from None
        except KeyboardInterrupt:
            show_error("interrupted", "nothing was left half done")
            raise typer.Exit(EXIT_INTERRUPTED) from None
        except BrokenPipeError:
            # Whoever read our output has had enough, which is no fault.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except (typer.Exit, typer.Abort):
            raise
        except Exception as error:
            if hasattr(error, "exit_code") or ctx.params.get("debug"):
                raise
            show_error(f"a bug in vaultgraph: {type(error).__name__}", _hint(_log(error)))
            raise typer.Exit(EXIT_BUG) from None


def show_error(message: str, hint: str | None) -> None:
    """Print an error the way all are printed."""
    stream = err()
    stream.line(("error: ", "bold red"), shown(message), indent=7)
    if hint:
        stream.line(("hint: ", "bold"), shown(hint), indent=6)


def _hint(log: Path | None) -> str:
    where = f"; what happened is in {log}" if log else ""
    return f"please report it{where}; --debug shows more"


def _log(error: BaseException) -> Path | None:
    """Write where an error arose, and nothing of what was being read; return the file."""
    from platformdirs import user_log_path

    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
    try:
        folder = user_log_path("vaultgraph", appauthor=False)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "bugs.log"
        with path.open("a", encoding="utf-8") as stream:
            stream.write("\n".join([type(error).__name__, *lines, "", ""]))
    except OSError:
        return None
    return path
