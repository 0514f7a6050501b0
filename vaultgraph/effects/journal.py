"""The journal of write runs, outside the vault: what every note held before we wrote it.

    runs/12/run.json      the run: its command, times, device; kept for good
    runs/12/notes.jsonl   its writes with the old bytes (``journal_lines``); dropped by pruning
    open/12               there while the run goes on, or was cut off and is not settled

Whoever writes here holds the vault's lock.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from vaultgraph.domain.writing import RunInfo
from vaultgraph.effects.durable import (
    make_private_folder,
    open_private,
    replace_file,
    sync_folder,
    write_all,
)
from vaultgraph.effects.journal_lines import (
    Ending,
    Record,
    ending_line,
    intent_line,
    parse_records,
    taking_back_line,
)
from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from vaultgraph.domain.writing import Clock, PlannedWrite

SCHEMA = 1


class Journal:
    """All write runs of one vault on this machine."""

    def __init__(self, state: Path) -> None:
        self._runs = state / "runs"
        self._open = state / "open"

    def run_names(self) -> list[str]:
        """Return the name of every run, oldest first."""
        return [run for run in _numbers_in(self._runs) if self._is_run(run)]

    def open_names(self) -> list[str]:
        """Return the runs that are not settled, oldest first."""
        return _numbers_in(self._open)

    def read_run(self, run: str) -> RunInfo:
        """Return what is known of a run.

        Raises:
            InputError: there is no such run, or a newer vaultgraph wrote it.
        """
        try:
            entry = json.loads((self._runs / run / "run.json").read_bytes())
            schema = entry["schema"]
        except FileNotFoundError as error:
            hint = "`vaultgraph runs` lists them"
            raise InputError(f"there is no run {run}", hint=hint) from error
        except (ValueError, KeyError, TypeError) as error:
            hint = "the journal in the state folder is damaged; move it away to go on without it"
            raise InputError(f"run {run} cannot be read", hint=hint) from error
        if schema > SCHEMA:
            hint = "update vaultgraph"
            raise InputError(f"run {run} was written by a newer vaultgraph", hint=hint)
        return _run_info(entry)

    def read_records(self, run: str) -> list[Record]:
        """Return the writes of a run, in the order they were begun; none if it was pruned."""
        try:
            return parse_records((self._runs / run / "notes.jsonl").read_bytes())
        except FileNotFoundError:
            return []

    def begin(self, info: RunInfo) -> OpenRun:
        """Return a new run, durable and without writes; its name is the next free number."""
        run = str(max(map(int, _numbers_in(self._runs)), default=0) + 1)
        for folder in (self._runs, self._open, self._runs / run):
            make_private_folder(folder)
        opened = OpenRun(self, run)
        # This makes the names of both files durable.
        self.write_run(replace(info, run=run))
        for folder in (self._runs, self._runs.parent):
            sync_folder(folder)
        # Last: an open run can be read, whenever a crash came.
        (self._open / run).touch(mode=0o600)
        sync_folder(self._open)
        return opened

    def reopen(self, run: str) -> OpenRun:
        """Return a run that a crash cut off, to be settled."""
        return OpenRun(self, run, self.read_records(run))

    def write_run(self, info: RunInfo) -> None:
        """Keep what is known of a run."""
        entry = {
            "schema": SCHEMA,
            "run": info.run,
            "command": info.command,
            "started": info.started.isoformat(),
            "finished": info.finished.isoformat() if info.finished else None,
            "device": info.device,
            "undoes": info.undoes,
            "written": info.written,
            "pruned": info.is_pruned,
            "cut_off": info.was_cut_off,
        }
        text = json.dumps(entry, indent=1, sort_keys=True)
        replace_file(self._runs / info.run / "run.json", f"{text}\n".encode("ascii"))

    def close(self, run: str) -> None:
        """Take a run as settled."""
        (self._open / run).unlink(missing_ok=True)
        sync_folder(self._open)

    def drop_bytes(self, run: str) -> int:
        """Drop the old bytes that a run kept, and return how many bytes of disk that freed."""
        kept = self._runs / run / "notes.jsonl"
        freed = kept.stat().st_size if kept.exists() else 0
        kept.unlink(missing_ok=True)
        self.write_run(replace(self.read_run(run), is_pruned=True))
        self.close(run)
        return freed

    def left_by_us(self, since: datetime) -> Iterator[tuple[str, bytes]]:
        """Yield system paths and the digests that our writes left, newest first, since then.

        A run is read when it is come to: who looks for one note finds it in the last run or two.
        """
        for run in reversed(_numbers_in(self._runs)):
            if not self._is_run(run):
                continue
            finished = self.read_run(run).finished
            if finished is not None and finished < since:
                break
            for record in reversed(self.read_records(run)):
                if record.left_by_us is not None:
                    yield record.os_path, record.left_by_us

    def _is_run(self, run: str) -> bool:
        # A crash may leave an empty folder.
        return (self._runs / run / "run.json").exists()

    def notes_path(self, run: str) -> Path:
        """Return where the writes of a run stand."""
        return self._runs / run / "notes.jsonl"


class OpenRun:
    """A run that takes further lines: one that goes on, or one that is being recovered."""

    def __init__(self, journal: Journal, run: str, records: Sequence[Record] = ()) -> None:
        self.run = run
        self.records = records
        self._journal = journal
        self._endings: dict[int, Ending | None] = {
            record.number: record.ending for record in records
        }
        path = journal.notes_path(run)
        #: Whether the last line lacks its newline.
        self._is_torn = path.exists() and path.read_bytes()[-1:] not in (b"", b"\n")
        self._descriptor = open_private(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def intend(self, plan: PlannedWrite, old: bytes, at: datetime, beside: str) -> Record:
        """Make durable what is about to be written, and what it will replace."""
        record = Record(
            number=len(self._endings) + 1,
            note=plan.note,
            os_path=plan.os_path,
            keys=plan.keys,
            old=old,
            new=plan.new,
            at=at,
            beside=beside,
            kind=plan.kind,
        )
        self._append(intent_line(record))
        os.fsync(self._descriptor)
        self._endings[record.number] = None
        return record

    def take_back(self, record: Record, at: datetime, found: bytes) -> None:
        """Make durable that a torn note is about to get its old bytes back."""
        self._append(taking_back_line(record.number, at, found))
        os.fsync(self._descriptor)

    def end(self, record: Record, ending: Ending) -> None:
        """Say how a write ended; where a crash or a full disk loses this, recovery finds out."""
        with suppress(OSError):
            self._append(ending_line(record.number, ending))
            self._endings[record.number] = ending

    def finish(self, at: datetime, *, was_cut_off: bool) -> None:
        """Settle the run, unless a write of it has no ending: then the next run looks again."""
        if None not in self._endings.values():
            written = sum(ending == "written" for ending in self._endings.values())
            info = self._journal.read_run(self.run)
            info = replace(info, finished=at, written=written, was_cut_off=was_cut_off)
            with suppress(OSError):
                os.fsync(self._descriptor)
                self._journal.write_run(info)
                self._journal.close(self.run)
        os.close(self._descriptor)

    def _append(self, line: bytes) -> None:
        start = b"\n" if self._is_torn else b""
        self._is_torn = True
        write_all(self._descriptor, start + line)
        self._is_torn = False


def new_run(clock: Clock, command: str, device: str, undoes: str | None) -> RunInfo:
    """Return a run that begins now; the journal gives it its name."""
    return RunInfo(
        run="",
        command=command,
        started=clock.now(),
        finished=None,
        device=device,
        undoes=undoes,
        written=0,
        is_pruned=False,
    )


def _run_info(entry: dict[str, Any]) -> RunInfo:
    finished = entry["finished"]
    return RunInfo(
        run=entry["run"],
        command=entry["command"],
        started=datetime.fromisoformat(entry["started"]),
        finished=datetime.fromisoformat(finished) if finished else None,
        device=entry["device"],
        undoes=entry["undoes"],
        written=entry["written"],
        is_pruned=entry["pruned"],
        was_cut_off=entry["cut_off"],
    )


def _numbers_in(folder: Path) -> list[str]:
    if not folder.exists():
        return []
    # A review makes a run for each decision: a path object for each of them would be felt.
    return sorted(filter(str.isdecimal, os.listdir(folder)), key=int)  # noqa: PTH208
