"""One run of writes: every planned write gets its outcome, in whatever order is kindest."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING, assert_never

from vaultgraph.domain.writing import NoteOutcome, digest_of
from vaultgraph.effects.note_file import (
    NoteGoneError,
    NoteRefusedError,
    create_note,
    note_path,
    open_note,
)
from vaultgraph.effects.recovery import settle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from vaultgraph.domain.writing import Clock, PlannedWrite, RunInfo
    from vaultgraph.effects.journal import Journal, OpenRun
    from vaultgraph.effects.journal_lines import Ending, Record
    from vaultgraph.effects.note_file import Checkpoint, NoteFile

#: Obsidian saves two seconds after the last key: who saved just now may be typing still.
QUIET_SECONDS = 5.0
#: How long one run waits for young notes, all of them together.
PATIENCE_SECONDS = 10.0
#: Those who watch a vault lose events that come too fast.
BREATH_EVERY, BREATH_SECONDS = 200, 0.05


class WriteRun:
    """The writes of one command; the vault's lock is held."""

    def __init__(
        self,
        vault: Path,
        journal: Journal,
        clock: Clock,
        new_run: Callable[[], RunInfo],
        *,
        atomic: bool,
        checkpoint: Checkpoint,
    ) -> None:
        self._vault = vault
        self._journal = journal
        self._clock = clock
        self._new_run = new_run
        self._atomic = atomic
        self._checkpoint = checkpoint
        #: Begun with the first note that has to be touched.
        self._run: OpenRun | None = None
        #: Why no further note can be written.
        self._halted = ""
        self._patience = PATIENCE_SECONDS
        self._written = 0
        #: What we left a moment ago, as far as the journal was read for it.
        self._ours: dict[str, bytes] = {}
        self._journaled: Iterator[tuple[str, bytes]] | None = None

    @property
    def name(self) -> str | None:
        """The run's name in the journal, if anything was journaled."""
        return self._run.run if self._run else None

    def write_all(self, plans: Sequence[PlannedWrite]) -> list[NoteOutcome]:
        """Return one outcome for every plan."""
        was_cut_off = True
        try:
            attempts = [(plan, self._attempt(plan)) for plan in plans]
            # The young ones last: most have become quiet meanwhile.
            outcomes = [
                attempt if isinstance(attempt, NoteOutcome) else self._wait_for(plan)
                for plan, attempt in attempts
            ]
            was_cut_off = False
        finally:
            if self._run is not None:
                self._run.finish(self._clock.now(), was_cut_off=was_cut_off)
                self._checkpoint("finished")
        return outcomes

    def _wait_for(self, plan: PlannedWrite) -> NoteOutcome:
        attempt = self._attempt(plan)
        while not isinstance(attempt, NoteOutcome):
            if attempt > self._patience:
                return NoteOutcome(plan.note, "busy", "somebody is changing it")
            self._patience -= attempt
            self._clock.sleep(attempt)
            attempt = self._attempt(plan)
        return attempt

    def _attempt(self, plan: PlannedWrite) -> NoteOutcome | float:
        """Return what became of a plan, or in how many seconds its note will be quiet."""
        if plan.kind == "change" and digest_of(plan.new) == plan.digest:
            return NoteOutcome(plan.note, "unchanged")
        if self._halted:
            return NoteOutcome(plan.note, "refused", self._halted)
        try:
            if plan.kind == "create":
                return self._create(plan)
            with open_note(self._vault, plan.os_path) as note:
                return self._attempt_open(plan, note)
        except NoteGoneError as error:
            return NoteOutcome(plan.note, "conflict", str(error))
        except NoteRefusedError as error:
            reason = str(error)
        except OSError as error:
            reason = f"cannot be read: {error.strerror}"
        return NoteOutcome(plan.note, "refused", reason)

    def _attempt_open(self, plan: PlannedWrite, note: NoteFile) -> NoteOutcome | float:
        old = note.read()
        if old == plan.new and plan.kind == "change":
            return NoteOutcome(plan.note, "unchanged")
        if digest_of(old) != plan.digest:
            return NoteOutcome(plan.note, "conflict", "changed since it was read")
        wait = self._seconds_until_quiet(plan, note)
        return wait if wait > 0 else self._write(plan, note, old)

    def _seconds_until_quiet(self, plan: PlannedWrite, note: NoteFile) -> float:
        now = self._clock.now()
        changed = note.status.st_mtime
        if changed > now.timestamp():
            # Sync tools set any time they like; when the file was last touched is this machine's.
            changed = note.status.st_ctime
        wait = changed + QUIET_SECONDS - now.timestamp()
        if wait <= 0:
            return 0.0
        if self._last_left(plan.os_path, now) == plan.digest:
            return 0.0
        # A wait rounded down to nothing would be asked for without end.
        return max(wait, 0.01)

    def _last_left(self, os_path: str, now: datetime) -> bytes | None:
        """Return what our last write left in a note, if it was a moment ago."""
        if self._journaled is None:
            self._journaled = self._journal.left_by_us(now - timedelta(seconds=QUIET_SECONDS))
        while os_path not in self._ours:
            written = next(self._journaled, None)
            if written is None:
                return None
            self._ours.setdefault(*written)
        return self._ours[os_path]

    def _write(self, plan: PlannedWrite, note: NoteFile, old: bytes) -> NoteOutcome:
        run, record = self._intend(plan, old)
        self._checkpoint("intended")
        try:
            ending = self._put(note, record)
        except OSError as error:
            return self._after_failure(run, record, error.strerror or "the disk failed")
        except BaseException:
            settle(self._vault, run, record, self._clock, self._checkpoint)
            raise
        run.end(record, ending)
        self._checkpoint("ended")
        return self._outcome(record, ending)

    def _intend(self, plan: PlannedWrite, old: bytes) -> tuple[OpenRun, Record]:
        is_twin = self._atomic and plan.kind == "change"
        beside = f".{os.urandom(6).hex()}.vaultgraph.tmp" if is_twin else ""
        try:
            if self._run is None:
                self._run = self._journal.begin(self._new_run())
            return self._run, self._run.intend(plan, old, self._clock.now(), beside)
        except OSError as error:
            self._halted = f"the journal cannot be kept: {error.strerror}"
            raise NoteRefusedError(self._halted) from error

    def _create(self, plan: PlannedWrite) -> NoteOutcome:
        """Make a note; the journal knows of it before there is a file."""
        path = note_path(self._vault, plan.os_path)
        if os.path.lexists(path):
            return NoteOutcome(plan.note, "conflict", "a file is there already")
        if not path.parent.is_dir():
            raise NoteRefusedError("its folder is not there")
        run, record = self._intend(plan, b"")
        self._checkpoint("intended")
        try:
            with create_note(self._vault, plan.os_path) as note:
                note.fill(plan.new, self._checkpoint)
                ending: Ending = "written" if note.holds(plan.new) else "left"
        except NoteRefusedError as error:
            # It was never made; and what came to lie there meanwhile is not ours.
            run.end(record, "dropped")
            return NoteOutcome(plan.note, "refused", str(error))
        except OSError as error:
            return self._after_failure(run, record, error.strerror or "the disk failed")
        except BaseException:
            settle(self._vault, run, record, self._clock, self._checkpoint)
            raise
        run.end(record, ending)
        self._checkpoint("ended")
        return self._outcome(record, ending)

    def _put(self, note: NoteFile, record: Record) -> Ending:
        if record.kind == "remove":
            if not note.holds(record.old):
                return "dropped"
            self._checkpoint("checked")
            note.remove()
            self._checkpoint("removed")
            return "written"
        if record.beside:
            return self._put_twin(note, record)
        if not note.holds(record.old):
            return "dropped"
        self._checkpoint("checked")
        note.overwrite(record.new, self._checkpoint)
        return "written" if note.holds(record.new) else "left"

    def _put_twin(self, note: NoteFile, record: Record) -> Ending:
        twin = note.make_twin(record.beside, record.new)
        self._checkpoint("twin made")
        if not note.holds(record.old):
            twin.unlink()
            return "dropped"
        self._checkpoint("checked")
        note.take_place(twin)
        self._checkpoint("replaced")
        with open_note(self._vault, record.os_path) as replaced:
            return "written" if replaced.holds(record.new) else "left"

    def _outcome(self, record: Record, ending: Ending) -> NoteOutcome:
        match ending:
            case "written":
                self._written += 1
                if self._written % BREATH_EVERY == 0:
                    self._clock.sleep(BREATH_SECONDS)
                return NoteOutcome(record.note, "written")
            case "dropped" | "restored":
                return NoteOutcome(record.note, "conflict", "changed since it was read")
            case "left":
                reason = "somebody else wrote it at the same moment; look at it"
                return NoteOutcome(record.note, "conflict", reason)
            case _:
                assert_never(ending)

    def _after_failure(self, run: OpenRun, record: Record, reason: str) -> NoteOutcome:
        """Return what became of a note whose disk failed on the way."""
        match settle(self._vault, run, record, self._clock, self._checkpoint):
            case "kept":
                return NoteOutcome(record.note, "written", f"unconfirmed: {reason}")
            case "left":
                return self._outcome(record, "left")
            case "waiting":
                later = "the next run makes it whole"
                return NoteOutcome(record.note, "refused", f"{reason}; {later}")
            case _:
                return NoteOutcome(record.note, "refused", reason)
