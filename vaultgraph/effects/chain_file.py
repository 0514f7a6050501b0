"""A file of chained lines on disk: appended to, durable, whole after a crash."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vaultgraph.domain.chain import FIRST_PREV, hash_line
from vaultgraph.effects.durable import BINARY, sync_folder, write_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path


def append_chained(
    path: Path, is_whole: Callable[[bytes], bool], lines: Callable[[str], Iterable[bytes]]
) -> str:
    """Append the lines that ``lines`` gives for the hash of the last one; return the new head.

    They are on disk when this returns. ``is_whole`` tells a line that lacks only its ending from
    the start of one. Nobody else may append meanwhile. Raises ``OSError``; then none is there.
    """
    is_new = not path.exists()
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | BINARY, 0o666)
    try:
        start, prev = _end_of_chain(descriptor, is_whole)
        size = os.lseek(descriptor, 0, os.SEEK_END)
        parts = [start]
        for line in lines(prev):
            parts += (line, b"\n")
            prev = hash_line(line)
        try:
            write_all(descriptor, b"".join(parts))
            os.fsync(descriptor)
        except OSError:
            os.ftruncate(descriptor, size)
            raise
    finally:
        os.close(descriptor)
    if is_new:
        for folder in (path.parent, path.parent.parent, path.parent.parent.parent):
            sync_folder(folder)
    return prev


def _end_of_chain(descriptor: int, is_whole: Callable[[bytes], bool]) -> tuple[bytes, str]:
    """Return what must come before the next line, and the hash that it must hold.

    The start of a line that a crash cut off is removed: it never was an event.
    """
    offset, line = _last_line(descriptor)
    if line and not line.endswith(b"\n"):
        if is_whole(line):
            return b"\n", hash_line(line)
        os.ftruncate(descriptor, offset)
        offset, line = _last_line(descriptor)
    return b"", hash_line(line.removesuffix(b"\n")) if line else FIRST_PREV


def _last_line(descriptor: int) -> tuple[int, bytes]:
    """Return where the last line begins, and its bytes with the newline, if it has one."""
    end = os.lseek(descriptor, 0, os.SEEK_END)
    reach = 4096
    while True:
        start = os.lseek(descriptor, max(end - reach, 0), os.SEEK_SET)
        tail = os.read(descriptor, end - start)
        begin = tail.rfind(b"\n", 0, -1) + 1
        if begin > 0 or start == 0:
            return start + begin, tail[begin:]
        reach *= 2
