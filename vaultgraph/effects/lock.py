"""Locks between processes. The system drops them with the process, so none outlives a crash."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from vaultgraph.effects.durable import open_private
from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

if sys.platform == "win32":
    import msvcrt
    import time

    #: Windows locks keep others from reading, too; this byte lies far behind the holder's name.
    _LOCKED_BYTE = 1 << 30

    def _try_lock(descriptor: int) -> bool:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _wait_for_lock(descriptor: int) -> None:
        while not _try_lock(descriptor):
            time.sleep(0.01)

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    # flock, not lockf: closing any other descriptor of the file would drop the latter.

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _wait_for_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


class VaultLockedError(InputError):
    """Another process is writing to this vault."""

    def __init__(self, holder: int | None) -> None:
        who = "another vaultgraph" if holder is None else f"vaultgraph process {holder}"
        stop = "stop it" if holder is None else f"stop process {holder}"
        super().__init__(
            f"{who} is writing to this vault", hint=f"wait until it has ended, or {stop}"
        )
        #: Its process id, where it could be read.
        self.holder = holder


@contextmanager
def vault_lock(path: Path) -> Iterator[None]:
    """Hold the one lock of a vault.

    The file stays when the lock is given back: a process that removed it could remove one that
    the next process has locked already.

    Raises:
        VaultLockedError: another process, or this one, holds it.
        InputError: there can be no lock.
    """
    try:
        descriptor = open_private(path, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise InputError(
            f"the vault's lock cannot be opened: {error.strerror}",
            hint="make your user state folder writable",
        ) from error
    try:
        if not _try_lock(descriptor):
            raise VaultLockedError(_holder(descriptor))
        # Who holds it is a courtesy: a full disk must not stand in the way.
        with suppress(OSError):
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, f"{os.getpid():<20}\n".encode("ascii"))
        try:
            yield
        finally:
            _unlock(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def waiting_lock(path: Path) -> Iterator[None]:
    """Hold a lock that nobody keeps for longer than a few writes; wait for it."""
    descriptor = open_private(path, os.O_RDWR | os.O_CREAT)
    try:
        _wait_for_lock(descriptor)
        try:
            yield
        finally:
            _unlock(descriptor)
    finally:
        os.close(descriptor)


def _holder(descriptor: int) -> int | None:
    os.lseek(descriptor, 0, os.SEEK_SET)
    try:
        return int(os.read(descriptor, 64))
    except ValueError:
        return None
