"""Writes the file that a person named for a picture, and never over what we did not write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def write_export(path: Path, content: bytes, is_ours: Callable[[bytes], bool] | None) -> None:
    """Write a file; ``is_ours`` says which ones may be written over, and ``None`` allows all.

    A picture can be made again, so what a full disk leaves half written is no loss.

    Raises:
        InputError: it cannot be written, or must not.
    """
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder", hint="name a file in it")
        if is_ours is not None and path.is_file() and not is_ours(path.read_bytes()):
            raise InputError(
                f"{path} exists, and is not as vaultgraph wrote it",
                hint="name another file, or give --force to write over it",
            )
        path.write_bytes(content)
    except OSError as error:
        raise InputError(
            f"{path} cannot be written: {error.strerror}",
            hint="name a file in a folder that is there and can be written to",
        ) from None
