"""Every error that ends a command, and the exit code it ends with.

    VaultgraphError
    ├── UsageError        2   the command line makes no sense
    ├── InputError        3   the vault, the configuration or a given file cannot be used
    ├── JudgeError        4   a judge is unreachable or refuses
    ├── ConflictError     5   a note changed since it was read, and was not written
    └── IntegrityError    6   an audit no longer matches its registration

A fault in one note is no error: it is a ``Problem`` in the report, and the run goes on.
"""

from __future__ import annotations

from typing import ClassVar


class VaultgraphError(Exception):
    """A command cannot go on; the text is one line, the hint says what to do next."""

    exit_code: ClassVar[int] = 70

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(VaultgraphError):
    """The command line makes no sense."""

    exit_code = 2


class InputError(VaultgraphError):
    """The vault, the configuration or a file the user named cannot be used."""

    exit_code = 3


class JudgeError(VaultgraphError):
    """A judge is unreachable or refuses."""

    exit_code = 4


class ConflictError(VaultgraphError):
    """A note changed since it was read, and was not written."""

    exit_code = 5


class IntegrityError(VaultgraphError):
    """An audit no longer matches its registration."""

    exit_code = 6


#: The report has findings and ``--check`` was given.
EXIT_FINDINGS = 1
#: A bug: the traceback goes to the log, never to the user.
EXIT_BUG = 70
#: The user pressed Ctrl-C.
EXIT_INTERRUPTED = 130
