"""Where every error ends: one line what and where, one line what to do, and the exit code."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from pathlib import Path
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from vaultgraph.cli.output import err, shown
from vaultgraph.errors import EXIT_BUG, EXIT_INTERRUPTED, InputError, VaultgraphError

#: What standard output fails with when it is a file on a full disk, or over a quota.
NO_ROOM = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})


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
            drop_output()
            raise typer.Exit(0) from None
        except (typer.Exit, typer.Abort):
            raise
        except OSError as error:
            if error.errno not in NO_ROOM or error.filename is not None:
                self._bug(ctx, error)
            show_unwritten(error)
            raise typer.Exit(InputError.exit_code) from None
        except Exception as error:  # noqa: BLE001 - whatever it is, no traceback
            self._bug(ctx, error)

    def _bug(self, ctx: Any, error: Exception) -> NoReturn:  # noqa: ANN401
        if hasattr(error, "exit_code") or ctx.params.get("debug"):
            raise error
        show_error(f"a bug in vaultgraph: {type(error).__name__}", _hint(_log(error)))
        raise typer.Exit(EXIT_BUG) from None


def show_unwritten(error: OSError) -> None:
    """Say that the output did not reach where it was sent, and leave out what is left of it."""
    show_error(
        f"the output cannot be written: {error.strerror}", "make room, or send it elsewhere"
    )
    drop_output()


def drop_output() -> None:
    """Let whatever is still buffered for standard output go nowhere, quietly."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
