"""Files that are still there after a power cut, readable by their owner alone.

Nothing here knows of notes: these are the journal's, the ledger's and the state folder's files.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

#: Without it Windows turns every ``\n`` into ``\r\n``.
BINARY: int = getattr(os, "O_BINARY", 0)


def open_private(path: Path, flags: int) -> int:
    """Return a descriptor; a file that this creates is its owner's alone."""
    return os.open(path, flags | BINARY, 0o600)


def read_all(descriptor: int) -> bytes:
    """Return every byte of an open file, from its start."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    # One byte more than the size: the file's end is seen in the same call.
    parts = [os.read(descriptor, os.fstat(descriptor).st_size + 1)]
    while parts[-1]:
        parts.append(os.read(descriptor, 1 << 20))
    return b"".join(parts)


def write_all(descriptor: int, content: bytes) -> None:
    """Write every byte at the file's current position."""
    done = os.write(descriptor, content)
    while done < len(content):
        done += os.write(descriptor, content[done:])


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable; Windows has no call for it, and needs none."""
    if sys.platform != "win32":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def replace_file(path: Path, content: bytes) -> None:
    """Give a file new content such that a crash leaves the old or the new, never a mixture."""
    beside = path.with_name(f"{path.name}.new")
    descriptor = open_private(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    try:
        write_all(descriptor, content)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    beside.replace(path)
    sync_folder(path.parent)


def make_private_folder(folder: Path) -> None:
    """Make sure that a folder exists and that only its owner can look into it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if sys.platform != "win32" and folder.stat().st_mode & 0o077:
        folder.chmod(0o700)
