"""The vault's memory: ``.vaultgraph/ledger/<device>.jsonl``, appended to and never edited.

Every line is one event, and holds the SHA-256 of the line before it, so that no line but the last
can change unnoticed. Every device has a file of its own: synced vaults never fork a chain, and a
reader merges the files. Payloads name notes and hold numbers and hashes, never a note's text.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vaultgraph.domain.notes import Problem
from vaultgraph.domain.writing import LedgerReading
from vaultgraph.effects.durable import BINARY, sync_folder, write_all
from vaultgraph.effects.ledger_lines import (
    FIRST_PREV,
    ChainedEvent,
    event_line,
    hash_line,
    is_whole,
    merge_chains,
    read_chain,
)
from vaultgraph.effects.lock import waiting_lock
from vaultgraph.effects.state_folder import device_name
from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vaultgraph.domain.writing import Clock, NewEvent
    from vaultgraph.effects.state_folder import LocalFolders

FOLDER = ".vaultgraph/ledger"


class Ledger:
    """The events of one vault: this device's are appended, all devices' are read."""

    def __init__(self, vault: Path, folders: LocalFolders, clock: Clock) -> None:
        self._vault = vault
        self._folder = vault / FOLDER
        self._folders = folders
        self._clock = clock

    def append(self, events: Sequence[NewEvent]) -> None:
        """Remember the events, with one time; they are on disk when this returns.

        Raises:
            InputError: they cannot be kept; then none of them is.
        """
        if not events:
            return
        if not self._vault.is_dir():
            raise InputError("the vault is no longer there", hint="look whether its disk is")
        device = device_name(self._folders)
        # The lock lies on this machine: only its processes append to this device's file, and a
        # synced or mounted vault may know no locks.
        with waiting_lock(self._folders.user_state / f"ledger-{device}.lock"):
            try:
                self._append(events, device)
            except OSError as error:
                raise InputError(
                    f"the ledger cannot be written: {error.strerror}",
                    hint=f"make {FOLDER} in the vault writable",
                ) from error

    def read(self) -> LedgerReading:
        """Return what every device remembers, and what is wrong with the files."""
        chained: list[ChainedEvent] = []
        problems: list[Problem] = []
        for path in sorted(self._folder.glob("*.jsonl")):
            file = f"{FOLDER}/{path.name}"
            try:
                events, wrong = read_chain(file, path.read_bytes())
            except OSError as error:
                reason = error.strerror or "cannot be read"
                problems.append(Problem(file, 0, "ledger-unreadable", reason))
                continue
            chained += events
            problems += wrong
        return LedgerReading(merge_chains(chained), tuple(problems))

    def _append(self, events: Sequence[NewEvent], device: str) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{device}.jsonl"
        is_new = not path.exists()
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | BINARY, 0o666)
        try:
            start, prev = _end_of_chain(descriptor)
            size = os.lseek(descriptor, 0, os.SEEK_END)
            at = self._clock.now()
            lines = [start]
            for event in events:
                line = event_line(event, device=device, at=at, prev=prev)
                lines += (line, b"\n")
                prev = hash_line(line)
            try:
                write_all(descriptor, b"".join(lines))
                os.fsync(descriptor)
            except OSError:
                os.ftruncate(descriptor, size)
                raise
        finally:
            os.close(descriptor)
        if is_new:
            for folder in (self._folder, self._folder.parent, self._folder.parent.parent):
                sync_folder(folder)


def _end_of_chain(descriptor: int) -> tuple[bytes, str]:
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
