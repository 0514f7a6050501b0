"""The lines of a ledger: how an event is written, how a chain is checked, how chains merge."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.domain.chain import FIRST_PREV, canonical_json, hash_line
from vaultgraph.domain.notes import Problem
from vaultgraph.domain.writing import LedgerEvent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultgraph.domain.writing import Json, NewEvent

SCHEMA = 1
_DECODE = json.JSONDecoder().raw_decode
#: Of a chained event: order, device, line and hash.
_PLACE = itemgetter(0, 1, 2, 3)


class ChainedEvent(NamedTuple):
    """An event in its place."""

    #: Its time, or that of an event before it in the chain if that was later: a clock that was
    #: set back does not change the order of what one device did.
    order: datetime
    device: str
    line: int
    #: Of its own line; a conflict copy of a ledger holds the same lines again.
    hash: str
    event: LedgerEvent


def event_line(event: NewEvent, *, device: str, at: datetime, prev: str) -> bytes:
    """Return the line of an event, without a line ending."""
    entry: dict[str, Json] = {
        "at": at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z"),
        "device": device,
        "event": event.kind,
        "payload": event.payload,
        "prev": prev,
        "schema": SCHEMA,
    }
    return canonical_json(entry)


def is_whole(line: bytes) -> bool:
    """Whether a line without a line ending is an event nevertheless, and not the start of one."""
    return _parse(line) is not None


def read_chain(file: str, content: bytes) -> tuple[list[ChainedEvent], list[Problem]]:
    """Return the events of one ledger file, and what is wrong with it.

    An event outlives a break of its chain: it is a record, and the notes are the truth.
    """
    lines = content.split(b"\n")
    is_ended = not lines[-1]
    if is_ended:
        lines.pop()
    events: list[ChainedEvent] = []
    problems: dict[int, Problem] = {}
    expected, order = FIRST_PREV, datetime.min.replace(tzinfo=UTC)
    for number, line in enumerate(lines, 1):
        parsed, digest = _parse(line), hash_line(line)
        if parsed is None:
            is_torn = number == len(lines) and not is_ended
            problems[number] = _bad_line(file, number, is_torn=is_torn)
        else:
            event, prev = parsed
            order = max(order, event.at)
            events.append(ChainedEvent(order, event.device, number, digest, event))
            if prev != expected:
                problems.setdefault(max(number - 1, 1), _broken(file, number))
        expected = digest
    return events, [problems[number] for number in sorted(problems)]


def merge_chains(events: Iterable[ChainedEvent]) -> tuple[LedgerEvent, ...]:
    """Return all events in time order, each once, in whatever order the files were read."""
    unique: dict[str, LedgerEvent] = {}
    for chained in sorted(events, key=_PLACE):
        unique.setdefault(chained.hash, chained.event)
    return tuple(unique.values())


def _parse(line: bytes) -> tuple[LedgerEvent, str] | None:
    """Return an event and the hash it holds; later schemas may add keys, none lacks these."""
    try:
        entry = _load(line)
        at = datetime.fromisoformat(entry["at"])
        is_sound = entry["schema"] >= 1 and isinstance(entry["payload"], dict)
        event = LedgerEvent(at, str(entry["device"]), str(entry["event"]), entry["payload"])
        return (event, str(entry["prev"])) if is_sound and at.tzinfo else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _load(line: bytes) -> Any:  # noqa: ANN401 - whatever a line holds
    """Return what ``json.loads`` does, of a line as we write it in two thirds of the time."""
    try:
        text = line.decode()
        entry, end = _DECODE(text)
    except ValueError:
        return json.loads(line)
    return entry if end == len(text) else json.loads(line)


def _bad_line(file: str, number: int, *, is_torn: bool) -> Problem:
    if is_torn:
        return Problem(file, number, "ledger-torn", "a crash cut this line off; it is ignored")
    return Problem(file, number, "ledger-line", "not an event; was it edited?")


def _broken(file: str, number: int) -> Problem:
    if number == 1:
        return Problem(file, 1, "ledger-chain", "lines before this one were removed")
    text = f"line {number} was written after another line than this; one was edited or removed"
    return Problem(file, number - 1, "ledger-chain", text)
