"""Writes into notes: what is planned, what became of it, and what is remembered.

planned write
    The new bytes of one note, and the digest of the bytes that the plan was made from; or a note
    to be made, or one to be removed.
run
    The writes of one command. It is journaled, and can be undone as a whole.
outcome
    What became of one planned write; every planned write has exactly one.
event
    One thing that happened, kept in the vault's ledger.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from datetime import date, datetime

    from vaultgraph.domain.notes import NoteId, Problem

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]

#: ``written``: the note holds the new bytes. ``unchanged``: it held them already, and was not
#: touched. ``conflict``: it changed since it was read. ``refused``: it cannot be written safely.
#: ``busy``: somebody is still changing it. Only ``written`` means that bytes changed.
OutcomeKind = Literal["written", "unchanged", "conflict", "refused", "busy"]

#: What a write does. ``change``: an existing note gets other bytes. ``create``: a note is made
#: where no file lies. ``remove``: the note goes; only what we made is ever removed, by an undo.
WriteKind = Literal["change", "create", "remove"]

#: What a crash had left of one note. ``kept``: the write was whole. ``dropped``: it had not
#: begun. ``restored``: it was torn, and what was there before is back. ``left``: somebody edited
#: the note since, and it was not touched. ``waiting``: the note cannot be reached or written now;
#: the next run looks again.
RecoveryKind = Literal["kept", "dropped", "restored", "left", "waiting"]


def digest_of(content: bytes) -> bytes:
    """Return the digest by which versions of a note are compared: BLAKE2b-128 of its bytes."""
    return hashlib.blake2b(content, digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class PlannedWrite:
    """The whole new content of one note."""

    note: NoteId
    #: Vault-relative, as the system spells it.
    os_path: str
    #: Of the bytes that the plan was made from, none for a note to be made; a note with other
    #: bytes is not written.
    digest: bytes
    # Bytes of notes stay out of every repr, and so out of every traceback.
    new: bytes = field(repr=False)
    #: The frontmatter keys that change; for the record only.
    keys: tuple[str, ...] = ()
    kind: WriteKind = "change"


class NoteOutcome(NamedTuple):
    """What became of one planned write; the reason is empty where there is nothing to say."""

    note: NoteId
    kind: OutcomeKind
    reason: str = ""


class Recovered(NamedTuple):
    """What became of one note that an earlier run was writing when it was cut off."""

    note: NoteId
    kind: RecoveryKind
    run: str


@dataclass(frozen=True, slots=True)
class WriteReport:
    """What one run did to the notes it was to write."""

    #: ``None`` where no note had to be touched, and so nothing was journaled.
    run: str | None
    #: One for every planned write, by note id.
    outcomes: tuple[NoteOutcome, ...]
    recovered: tuple[Recovered, ...] = ()

    def having(self, kind: OutcomeKind) -> tuple[NoteOutcome, ...]:
        """Return the outcomes of one kind, by note id."""
        return tuple(outcome for outcome in self.outcomes if outcome.kind == kind)


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What is known of one write run, as ``vaultgraph runs`` lists it."""

    #: A number that grows by one with every run in this vault on this machine.
    run: str
    command: str
    started: datetime
    #: ``None`` while it goes on, and where it was cut off and is not settled yet.
    finished: datetime | None
    device: str
    #: The run that this one took back.
    undoes: str | None
    written: int
    #: Whether the old bytes are gone, so that the run cannot be undone any more.
    is_pruned: bool
    #: By a crash or by Ctrl-C: it did not come to every note.
    was_cut_off: bool = False
    is_undone: bool = False


class UndoPlan(NamedTuple):
    """What taking back a run would do, by what stands in the notes now."""

    run: RunInfo
    #: The notes that would get back what they held before it.
    restorable: tuple[NoteId, ...]
    #: The notes that were changed or removed since the run, and would be left alone.
    edited_since: tuple[NoteId, ...]


@dataclass(frozen=True, slots=True)
class UndoReport:
    """What one undo gave back."""

    #: The run that was taken back.
    undone: str
    writing: WriteReport

    @property
    def restored(self) -> tuple[NoteId, ...]:
        """The notes that hold again what they held before the run."""
        return tuple(outcome.note for outcome in self.writing.having("written"))

    @property
    def edited_since(self) -> tuple[NoteId, ...]:
        """The notes that were changed or removed since the run, and so were left alone."""
        return tuple(outcome.note for outcome in self.writing.having("conflict"))


class PruneReport(NamedTuple):
    """What pruning dropped."""

    runs: tuple[str, ...]
    #: Of disk space.
    freed: int


class NewEvent(NamedTuple):
    """An event to be remembered. It names notes and holds numbers and hashes, never note text."""

    kind: str
    payload: Mapping[str, Json]


class LedgerEvent(NamedTuple):
    """An event that the ledger holds."""

    #: Aware, in UTC.
    at: datetime
    device: str
    kind: str
    payload: Mapping[str, Json]


class LedgerReading(NamedTuple):
    """All events of all devices in time order, and what is wrong with the files."""

    events: tuple[LedgerEvent, ...]
    problems: tuple[Problem, ...]


class Clock(Protocol):
    """Where the time comes from."""

    def now(self) -> datetime:
        """Return this moment, aware and in UTC."""

    def today(self) -> date:
        """Return the day it is where the user is."""

    def sleep(self, seconds: float) -> None:
        """Return after that many seconds."""


class WritesNotes(Protocol):
    """The one way into notes."""

    def write(
        self, plans: Sequence[PlannedWrite], *, command: str, atomic: bool = False
    ) -> WriteReport:
        """Write every note that still is what its plan was made from, as one run."""


class KeepsEvents(Protocol):
    """The vault's memory."""

    def append(self, events: Sequence[NewEvent]) -> None:
        """Remember the events; they are on disk when this returns."""

    def read(self) -> LedgerReading:
        """Return what every device remembers."""
