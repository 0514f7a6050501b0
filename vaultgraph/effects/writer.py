"""The one writer of notes.

Every note is compared with what its plan was made from, twice; what it held is on disk in the
journal before it is touched; and what a crash left is settled before anything else is written.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from vaultgraph.domain.writing import WriteReport
from vaultgraph.effects.journal import Journal, new_run
from vaultgraph.effects.lock import vault_lock
from vaultgraph.effects.note_file import Checkpoint, no_checkpoint
from vaultgraph.effects.recovery import recover
from vaultgraph.effects.state_folder import LocalFolders, device_name
from vaultgraph.effects.write_run import WriteRun
from vaultgraph.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from vaultgraph.domain.writing import Clock, PlannedWrite, Recovered


class NoteWriter:
    """Writes notes of one vault, one run at a time."""

    def __init__(
        self,
        vault: Path,
        folders: LocalFolders,
        clock: Clock,
        *,
        checkpoint: Checkpoint = no_checkpoint,
    ) -> None:
        self.vault = vault
        self.folders = folders
        self.clock = clock
        self.journal = Journal(folders.state)
        self._checkpoint = checkpoint

    def write(
        self,
        plans: Sequence[PlannedWrite],
        *,
        command: str,
        atomic: bool = False,
        undoes: str | None = None,
    ) -> WriteReport:
        """Write every note that still is what its plan was made from, as one run.

        Raises:
            VaultLockedError: another process is writing to the vault.
            InputError: the vault is gone, or the journal cannot be kept.
            UsageError: ``atomic`` where attributes would be lost by it.
            ValueError: two plans are for one note, which is a bug.
        """
        if atomic and sys.platform != "linux":
            raise UsageError(
                "atomic writes are offered on Linux only: elsewhere a note would lose attributes",
                hint="leave the option out: the journal makes writes in place as safe",
            )
        if len({plan.os_path for plan in plans}) != len(plans):
            raise ValueError("two plans for one note")
        with self._alone():
            recovered = self._recover()
            run = WriteRun(
                self.vault,
                self.journal,
                self.clock,
                lambda: new_run(self.clock, command, device_name(self.folders), undoes),
                atomic=atomic,
                checkpoint=self._checkpoint,
            )
            outcomes = run.write_all(plans)
            return WriteReport(run.name, tuple(sorted(outcomes)), recovered)

    def recover(self) -> tuple[Recovered, ...]:
        """Settle what a crash left; every write does so first.

        Raises:
            VaultLockedError: another process is writing to the vault.
            InputError: the vault is gone, or the journal cannot be kept.
        """
        if not self.journal.open_names():
            return ()
        with self._alone():
            return self._recover()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self.vault.is_dir():
            raise InputError("the vault is no longer there", hint="look whether its disk is")
        self.folders.make_state()
        with vault_lock(self.folders.lock):
            yield

    def _recover(self) -> tuple[Recovered, ...]:
        try:
            return recover(self.vault, self.journal, self.clock, self._checkpoint)
        except OSError as error:
            raise InputError(
                f"the journal cannot be opened: {error.strerror}",
                hint="no note is written without it; make your user state folder writable",
            ) from error
