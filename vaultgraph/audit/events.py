"""The lines of an audit's own ledger: what happened to it, in order, each line chained."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from vaultgraph.domain.chain import FIRST_PREV, canonical_json, hash_line
from vaultgraph.domain.writing import NewEvent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from vaultgraph.audit.units import UnitId
    from vaultgraph.domain.writing import Json

FILE = "ledger.jsonl"
SCHEMA = 1

EventKind = Literal["locked", "drawn", "labelled", "merged", "reported", "abandoned"]
_KINDS = frozenset({"locked", "drawn", "labelled", "merged", "reported", "abandoned"})


class Line(NamedTuple):
    """One event in its place."""

    #: 1-based, in the file.
    number: int
    #: ISO 8601, UTC.
    at: str
    kind: EventKind
    payload: Mapping[str, Any]
    #: What the line after it holds of it; that of the last line is the head.
    hash: str


class Fault(NamedTuple):
    """One way in which an audit no longer is what was locked."""

    #: A file of the folder, with a line where one can be named.
    where: str
    text: str


class Chain(NamedTuple):
    """A ledger file, read."""

    lines: tuple[Line, ...]
    faults: tuple[Fault, ...]

    @property
    def head(self) -> str:
        """The hash of the last line."""
        return self.lines[-1].hash if self.lines else FIRST_PREV


def chain_line(event: NewEvent, at: datetime, prev: str) -> bytes:
    """Return the line of an event, without a line ending; ``at`` is in UTC."""
    entry: dict[str, Json] = {
        "at": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "event": event.kind,
        "payload": event.payload,
        "prev": prev,
        "schema": SCHEMA,
    }
    return canonical_json(entry)


def read_lines(content: bytes) -> Chain:
    """Return the events of a ledger file, and where its chain is broken.

    The beginning of a line that a crash left at the end never was an event.
    """
    written = content.split(b"\n")
    if not _parse(written[-1]):
        written.pop()
    lines: list[Line] = []
    faults: list[Fault] = []
    expected = FIRST_PREV
    for number, line in enumerate(written, 1):
        entry = _parse(line)
        if entry is None:
            faults.append(Fault(f"{FILE}:{number}", "is no event; it was edited"))
        else:
            if entry["prev"] != expected:
                faults.append(_broken(number))
            lines.append(
                Line(number, entry["at"], entry["event"], entry["payload"], hash_line(line))
            )
        expected = hash_line(line)
    return Chain(tuple(lines), tuple(faults))


def is_whole(line: bytes) -> bool:
    """Whether a line without its ending is an event, and not the beginning of one."""
    return _parse(line) is not None


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
        is_sound = (
            entry["schema"] >= 1
            and entry["event"] in _KINDS
            and isinstance(entry["payload"], dict)
            and all(isinstance(entry[key], str) for key in ("at", "prev"))
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return entry if is_sound else None


def _broken(number: int) -> Fault:
    if number == 1:
        return Fault(f"{FILE}:1", "is no first line: lines before it were deleted")
    return Fault(
        f"{FILE}:{number}",
        f"was written after another line than line {number - 1} is now:"
        " one was edited, deleted or moved",
    )


def locked_event(document: Mapping[str, Json], registration: str, population: str) -> NewEvent:
    """Return what fixes a registration; its values are kept, so that a change can be named."""
    payload: dict[str, Json] = {
        "registration": document,
        "registration_sha256": registration,
        "population_sha256": population,
    }
    return NewEvent("locked", payload)


def drawn_event(drawn: Mapping[str, Sequence[UnitId]]) -> NewEvent:
    """Return a draw: the units of each stratum, in the order they were drawn."""
    strata = [{"name": name, "units": list(units)} for name, units in drawn.items()]
    return NewEvent("drawn", {"strata": strata})


def labelled_event(labeller: str, unit: UnitId, label: str, seconds: float | None) -> NewEvent:
    """Return one label; a later one of the same person for the same unit corrects it."""
    payload = {"labeller": labeller, "unit": unit, "label": label, "seconds": seconds}
    return NewEvent("labelled", payload)


def merged_event(labeller: str, digest: str, labels: int) -> NewEvent:
    """Return what goes before the labels taken from a file with this SHA-256."""
    return NewEvent("merged", {"labeller": labeller, "sha256": digest, "labels": labels})


def reported_event(labels: int) -> NewEvent:
    """Return a report that was written; it holds the hash of this line."""
    return NewEvent("reported", {"labels": labels})


def abandoned_event(why: str) -> NewEvent:
    """Return the end of an audit that will not be finished."""
    return NewEvent("abandoned", {"why": why})
