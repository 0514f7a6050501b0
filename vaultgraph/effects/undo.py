"""Lists, takes back and prunes write runs."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from vaultgraph.domain.writing import (
    PlannedWrite,
    PruneReport,
    UndoPlan,
    UndoReport,
    digest_of,
)
from vaultgraph.effects.journal import Journal
from vaultgraph.effects.lock import vault_lock
from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from vaultgraph.domain.notes import NoteId
    from vaultgraph.domain.writing import Clock, RunInfo, WriteKind
    from vaultgraph.effects.journal_lines import Record
    from vaultgraph.effects.state_folder import LocalFolders
    from vaultgraph.effects.writer import NoteWriter

#: The command of a run that takes another one back.
UNDO = "undo"
_INVERSE: dict[WriteKind, WriteKind] = {
    "change": "change",
    "create": "remove",
    "remove": "create",
}


def list_runs(folders: LocalFolders) -> list[RunInfo]:
    """Return every write run in this vault, oldest first; nothing is written for it."""
    journal = Journal(folders.state)
    runs = [journal.read_run(run) for run in journal.run_names()]
    undone: set[str] = set()
    # Newest first: an undo that was itself taken back undoes nothing; nor is one done that was
    # cut off, so that the next undo takes up where it ended.
    for info in reversed(runs):
        is_whole = info.written > 0 and not info.was_cut_off
        if info.undoes is not None and is_whole and info.run not in undone:
            undone.add(info.undoes)
    return [replace(info, is_undone=info.run in undone) for info in runs]


def plan_undo(writer: NoteWriter, run: str | None = None) -> UndoPlan:
    """Return what ``undo`` would do; nothing is written, and what a crash left stays.

    Raises:
        InputError: there is nothing to undo, or the run's old bytes were pruned.
    """
    info = _choose(list_runs(writer.folders), run)
    restorable: list[NoteId] = []
    edited_since: list[NoteId] = []
    for planned in _plan_writes(writer.journal.read_records(info.run)):
        holds = _holds(writer.vault / planned.os_path, planned)
        (restorable if holds else edited_since).append(planned.note)
    return UndoPlan(info, tuple(restorable), tuple(edited_since))


def _holds(path: Path, planned: PlannedWrite) -> bool:
    if planned.kind == "create":
        return not os.path.lexists(path)
    try:
        return digest_of(path.read_bytes()) == planned.digest
    except OSError:
        return False


def undo(writer: NoteWriter, run: str | None = None) -> UndoReport:
    """Give back what stood in each note before a run, where it still holds what the run left.

    Without a name it takes back the last run that is not taken back yet; taking back an undo,
    which must be named, does the run again. An undo is a run like any other.

    Raises:
        InputError: there is nothing to undo, or the run's old bytes were pruned.
    """
    # What a crash left must be settled first: only then is it known what the run wrote.
    recovered = writer.recover()
    report = take_back(writer, _choose(list_runs(writer.folders), run).run)
    return replace(
        report, writing=replace(report.writing, recovered=recovered + report.writing.recovered)
    )


def take_back(writer: NoteWriter, run: str) -> UndoReport:
    """Give back what stood before a run that is whole and can be undone, as ``undo`` does.

    It looks at no other run: a review takes back its own last decision, among thousands.
    """
    plans = _plan_writes(writer.journal.read_records(run))
    return UndoReport(run, writer.write(plans, command=UNDO, undoes=run))


def prune(folders: LocalFolders, clock: Clock, *, older_than_days: int = 90) -> PruneReport:
    """Drop the old bytes of runs that began before that many days; the runs stay listed.

    Raises:
        VaultLockedError: another process is writing to the vault.
    """
    journal = Journal(folders.state)
    if not journal.run_names():
        return PruneReport((), 0)
    horizon = clock.now() - timedelta(days=older_than_days)
    with vault_lock(folders.lock):
        old = [
            info.run
            for info in map(journal.read_run, journal.run_names())
            if info.started < horizon and not info.is_pruned
        ]
        return PruneReport(tuple(old), sum(map(journal.drop_bytes, old)))


def _choose(runs: Sequence[RunInfo], run: str | None) -> RunInfo:
    listed = "`vaultgraph runs` lists them"
    if run is None:
        candidates = [info for info in runs if _can_be_last(info)]
        if not candidates:
            raise InputError("there is no run to undo", hint=listed)
        return candidates[-1]
    info = next((info for info in runs if info.run == run), None)
    if info is None:
        raise InputError(f"there is no run {run}", hint=listed)
    if info.is_pruned:
        raise InputError(f"the old bytes of run {run} were pruned", hint=listed)
    return info


def _can_be_last(info: RunInfo) -> bool:
    wrote = info.written > 0
    return wrote and info.undoes is None and not info.is_undone and not info.is_pruned


def _plan_writes(records: Iterable[Record]) -> list[PlannedWrite]:
    return [
        PlannedWrite(
            note=record.note,
            os_path=record.os_path,
            digest=digest_of(record.new),
            new=record.old,
            keys=record.keys,
            kind=_INVERSE[record.kind],
        )
        for record in records
        # What was left to somebody else is listed, unless it is ours again.
        if record.ending in ("written", "left")
    ]
