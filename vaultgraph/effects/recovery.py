"""What a crash left of notes that were being written, and how each becomes whole again."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from vaultgraph.domain.writing import Recovered
from vaultgraph.effects.note_file import (
    NoteGoneError,
    NoteRefusedError,
    no_checkpoint,
    note_path,
    open_note,
)

if TYPE_CHECKING:
    from pathlib import Path

    from vaultgraph.domain.writing import Clock, RecoveryKind
    from vaultgraph.effects.journal import Journal, OpenRun
    from vaultgraph.effects.journal_lines import Record
    from vaultgraph.effects.note_file import Checkpoint, NoteFile

Remains = Literal["new", "old", "torn", "cut", "foreign"]

#: How much later than we began a cut-off note may have been changed and still be our doing. A
#: write takes milliseconds; whoever deletes a note's last lines by hand does so later.
_OURS_WITHIN = timedelta(minutes=1)


def classify(found: bytes, old: bytes, new: bytes) -> Remains:
    """Return what stands in a note that we were changing from ``old`` to ``new``.

    ``torn``: every byte is the old or the new one of its place, as a write that was cut off
    leaves them; a power cut can leave blocks in any order, so old and new may alternate.
    ``cut``: the same, but the note ends too early; a person who deletes its last lines leaves
    that, too.
    """
    if found == new:
        return "new"
    if found == old:
        return "old"
    # What the note holds between writing and truncating; and its old bytes with the zeros that
    # a file system may show where it had grown the note and the bytes never reached the disk.
    full = new + old[len(new) :]
    before = old.ljust(len(full), b"\0")
    is_mixture = all(byte in either for byte, *either in zip(found, full, before, strict=False))
    if len(found) > len(full) or not is_mixture:
        return "foreign"
    if new.startswith(found) or len(found) < min(len(old), len(new)):
        return "cut"
    return "torn"


def recover(
    vault: Path, journal: Journal, clock: Clock, checkpoint: Checkpoint = no_checkpoint
) -> tuple[Recovered, ...]:
    """Settle every write that a crash cut off; the vault's lock is held."""
    recovered: list[Recovered] = []
    # Newest first: a later write began with what an earlier one had left.
    for name in reversed(journal.open_names()):
        run = journal.reopen(name)
        for record in reversed(run.records):
            if record.ending is None:
                kind = settle(vault, run, record, clock, checkpoint)
                recovered.append(Recovered(record.note, kind, name))
        run.finish(clock.now(), was_cut_off=True)
    return tuple(recovered)


def settle(
    vault: Path,
    run: OpenRun,
    record: Record,
    clock: Clock,
    checkpoint: Checkpoint = no_checkpoint,
) -> RecoveryKind:
    """Make one note whole, and say in the journal how its write ended.

    A note that is gone, or cannot be written now, keeps its place in the journal: its disk may
    be back the next time.
    """
    try:
        if record.beside:
            note_path(vault, record.os_path).with_name(record.beside).unlink(missing_ok=True)
        with open_note(vault, record.os_path) as note:
            return _settle_open(note, run, record, clock, checkpoint)
    except NoteGoneError:
        return _settle_gone(vault, run, record)
    except (NoteRefusedError, OSError):
        return "waiting"


def _settle_gone(vault: Path, run: OpenRun, record: Record) -> RecoveryKind:
    """Return what became of a note that is not there, where its folder is."""
    if record.kind == "change" or not note_path(vault, record.os_path).parent.is_dir():
        return "waiting"
    is_done = record.kind == "remove"
    run.end(record, "written" if is_done else "dropped")
    return "kept" if is_done else "dropped"


def _settle_open(
    note: NoteFile, run: OpenRun, record: Record, clock: Clock, checkpoint: Checkpoint
) -> RecoveryKind:
    found = note.read()
    if record.kind == "remove":
        # It is removed in one step, so what is there was not; if it is still the same.
        is_same = found == record.old
        run.end(record, "dropped" if is_same else "left")
        return "dropped" if is_same else "left"
    remains = classify(found, record.old, record.new)
    if record.kind == "create" and remains == "old":
        # Nothing is what a file holds that was just made; and what an owner's new note holds.
        remains = "cut"
    if remains == "new":
        run.end(record, "written")
        return "kept"
    if remains == "old":
        run.end(record, "dropped")
        return "dropped"
    is_ours = remains == "torn" or (
        remains == "cut" and note.status.st_mtime <= (record.at + _OURS_WITHIN).timestamp()
    )
    if is_ours:
        # The old bytes are safe already, so a full disk must not stand in the way here.
        with suppress(OSError):
            run.take_back(record, clock.now(), found)
        checkpoint("taking back")
        is_ours = note.holds(found)
    if not is_ours:
        run.end(record, "left")
        return "left"
    if record.kind == "create":
        note.remove()
    else:
        note.overwrite(record.old, checkpoint)
    run.end(record, "restored")
    return "restored"
