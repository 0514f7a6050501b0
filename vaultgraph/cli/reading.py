"""Files that a person names on the command line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def read_given_file(path: Path, what: str) -> bytes:
    """Return a file's content; ``-`` is standard input.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{what} cannot be read: {path}: {error.strerror}", hint="check the path"
        ) from None
