"""Attention checks: pairs that no judge believes in, asked about like any other.

Whoever accepts them accepts without looking; so many of the other accepted ones say nothing. An
answer to a check stands in the ledger and in no note.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import NewEvent
from vaultgraph.review.log_lines import read_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from vaultgraph.domain.writing import LedgerEvent
    from vaultgraph.proposals.decide import Directed
    from vaultgraph.review.decisions import Decision
    from vaultgraph.review.queue import Item

CHECKED = "checked"
#: A pair is a check if no direction of it scores more.
HIGHEST = 0.05


class CheckAnswer(NamedTuple):
    """What a reviewer said to a check."""

    at: datetime
    seconds: float
    direction: Directed
    was_accepted: bool


def checked_event(direction: Directed, decision: Decision, seconds: float | None) -> NewEvent:
    """Return an answer, or with ``undone`` that it was taken back, as the ledger keeps it."""
    dependent, basis = direction
    payload: dict[str, Any] = {"dependent": dependent, "basis": basis, "decision": decision}
    if seconds is not None:
        payload["seconds"] = seconds
    return NewEvent(CHECKED, payload)


def read_checks(events: Iterable[LedgerEvent]) -> list[CheckAnswer]:
    """Return the answers that were not taken back, in the order of the events."""
    found: list[CheckAnswer] = []
    for event in events:
        dependent, basis = event.payload.get("dependent"), event.payload.get("basis")
        if event.kind != CHECKED or not isinstance(dependent, str) or not isinstance(basis, str):
            continue
        direction = (NoteId(dependent), NoteId(basis))
        decision = event.payload.get("decision")
        if decision == "undone":
            given = [number for number, one in enumerate(found) if one.direction == direction]
            for last in given[-1:]:
                del found[last]
        seconds = read_seconds(event.payload)
        if decision in ("accepted", "rejected") and seconds is not None:
            found.append(CheckAnswer(event.at, seconds, direction, decision == "accepted"))
    return found


def ticket(seed: str, *parts: str) -> bytes:
    """Return what puts things in an order that nobody can foresee without the seed."""
    return sha256("\n".join((seed, *parts)).encode("utf-8", "surrogatepass")).digest()


def plant(items: Sequence[Item], checks: Sequence[Item], seed: str) -> list[Item]:
    """Return the items in their order with the checks among them, at places from the seed."""
    places = len(items) + len(checks)
    free = sorted(range(places), key=lambda place: ticket(seed, str(place)))
    planted = dict(zip(sorted(free[: len(checks)]), checks, strict=True))
    rest = iter(items)
    return [planted[place] if place in planted else next(rest) for place in range(places)]
