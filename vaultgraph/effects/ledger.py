"""The vault's memory: ``.vaultgraph/ledger/<device>.jsonl``, appended to and never edited.

Every line is one event, and holds the SHA-256 of the line before it, so that no line but the last
can change unnoticed. Every device has a file of its own: synced vaults never fork a chain, and a
reader merges the files. Payloads name notes and hold numbers and hashes, never a note's text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.domain.chain import hash_line
from vaultgraph.domain.notes import Problem
from vaultgraph.domain.writing import LedgerReading
from vaultgraph.effects.chain_file import append_chained
from vaultgraph.effects.ledger_lines import (
    ChainedEvent,
    event_line,
    is_whole,
    merge_chains,
    read_chain,
)
from vaultgraph.effects.lock import waiting_lock
from vaultgraph.effects.state_folder import device_name
from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
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
        at = self._clock.now()

        def lines(prev: str) -> Iterator[bytes]:
            for event in events:
                line = event_line(event, device=device, at=at, prev=prev)
                yield line
                prev = hash_line(line)

        append_chained(self._folder / f"{device}.jsonl", is_whole, lines)
