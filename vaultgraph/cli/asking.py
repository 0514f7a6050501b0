"""The one question before notes are written or sent."""

from __future__ import annotations

import sys

from vaultgraph.cli.output import shown
from vaultgraph.errors import UsageError


def confirmed(question: str, *, yes: bool, not_done: str = "written") -> bool:
    """Whether the person agrees; ``--yes`` agrees beforehand.

    Raises:
        UsageError: nobody can be asked, and ``--yes`` was not given.
    """
    if yes:
        return True
    if not sys.stdin.isatty():
        raise UsageError(
            f"there is no terminal to ask on, and nothing was {not_done}",
            hint="give --yes to agree beforehand, or --dry-run to look first",
        )
    # Whoever reads the plan through a pipe reads it before the question.
    sys.stdout.flush()
    # The answer is typed behind it, on the same line.
    sys.stderr.write(f"{shown(question)} [y/N] ")
    sys.stderr.flush()
    answer = sys.stdin.readline()
    if not answer.endswith("\n"):
        sys.stderr.write("\n")
    return answer.strip().lower() in {"y", "yes"}
