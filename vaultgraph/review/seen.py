"""What each basis was when the owner last looked at a dependent with it in mind.

The ledger keeps hashes, never text. An acceptance counts as having seen both notes; an ``ack``
says besides that the dependent still stands. A dependency that was written by hand is noted with
its basis as it was when it was first met, so that a later change is seen there, too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.domain.dependencies import BasisState, Seen
from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import NewEvent
from vaultgraph.review.decisions import DECIDED, RENAMED
from vaultgraph.review.renames import follow_rename

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultgraph.domain.writing import LedgerEvent
    from vaultgraph.proposals.decide import Directed

    #: What was seen, one after the other, each with the day of the ``ack`` that said so.
    _Sights = dict[Directed, list[tuple[str, Seen]]]

ACKED, NOTED = "acked", "noted"
_STATES: Mapping[str, BasisState] = {"live": "live", "superseded": "superseded", "ended": "ended"}
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class BasisNow(NamedTuple):
    """A basis as it is, to be compared with later."""

    note: NoteId
    #: SHA-256, hex, of its body.
    digest: str
    state: BasisState
    sections: tuple[tuple[str, str], ...]

    def payload(self) -> dict[str, Any]:
        """Return it as the ledger keeps it."""
        sections = [list(section) for section in self.sections]
        return {"basis": self.note, "hash": self.digest, "state": self.state, "sections": sections}


def decided_on(basis: BasisNow) -> dict[str, Any]:
    """Return a basis as an acceptance remembers it, beside its hash."""
    sections = [list(section) for section in basis.sections]
    return {"basis_state": basis.state, "basis_sections": sections}


def acked_event(dependent: NoteId, bases: Iterable[BasisNow], on: str) -> NewEvent:
    """Return that a dependent was looked at on a day, by ISO, with each basis as it is.

    It holds for as long as the note says ``reviewed:`` with that day or a later one.
    """
    rows: list[Any] = [basis.payload() for basis in bases]
    return NewEvent(ACKED, {"dependent": dependent, "bases": rows, "on": on})


def noted_event(basis: BasisNow, dependents: Iterable[NoteId]) -> NewEvent:
    """Return that dependencies on a basis were met which nobody accepted in a review."""
    return NewEvent(NOTED, {**basis.payload(), "dependents": list(dependents)})


def read_seen(
    events: Iterable[LedgerEvent], reviewed: Mapping[NoteId, str]
) -> dict[Directed, Seen]:
    """Return what was seen last, by dependent and basis, under the names that notes have now.

    Events come in time order; ``reviewed`` is what the notes say now, as written. A rejection, or
    taking a decision back, forgets what was seen. So does whoever takes ``reviewed`` back: by
    ``undo`` or by hand, the note is again as it was before it was acknowledged.
    """
    sights: _Sights = {}
    for event in events:
        if event.kind == DECIDED:
            _take_decision(sights, event)
        elif event.kind == ACKED:
            _take_acked(sights, event)
        elif event.kind == NOTED:
            _take_noted(sights, event)
        elif event.kind == RENAMED:
            follow_rename(sights, event)
    days = {note: found.group() for note, text in reviewed.items() if (found := _DAY.search(text))}
    last: dict[Directed, Seen] = {}
    for direction, several in sights.items():
        today = days.get(direction[0], "")
        standing = [seen for day, seen in several if day <= today]
        if standing:
            last[direction] = standing[-1]
    return last


def _take_decision(sights: _Sights, event: LedgerEvent) -> None:
    payload = event.payload
    dependent, basis = payload.get("dependent"), payload.get("basis")
    if not isinstance(dependent, str) or not isinstance(basis, str):
        return
    direction = (NoteId(dependent), NoteId(basis))
    digest = payload.get("basis_hash")
    if payload.get("decision") != "accepted":
        sights.pop(direction, None)
    elif isinstance(digest, str):
        state = _STATES.get(str(payload.get("basis_state")))
        sections = _sections(payload.get("basis_sections"))
        sights.setdefault(direction, []).append(("", Seen(event.at, digest, state, sections)))


def _take_acked(sights: _Sights, event: LedgerEvent) -> None:
    dependent, bases, on = (event.payload.get(key) for key in ("dependent", "bases", "on"))
    if not isinstance(dependent, str) or not isinstance(bases, list):
        return
    day = on if isinstance(on, str) else ""
    for row in bases:
        found = _read_basis(event, row, is_acknowledged=True)
        if found is not None:
            basis, seen = found
            sights.setdefault((NoteId(dependent), basis), []).append((day, seen))


def _take_noted(sights: _Sights, event: LedgerEvent) -> None:
    found = _read_basis(event, event.payload, is_acknowledged=False)
    dependents = event.payload.get("dependents")
    if found is None or not isinstance(dependents, list):
        return
    basis, seen = found
    for dependent in dependents:
        if isinstance(dependent, str):
            # Another device may have met it before.
            sights.setdefault((NoteId(dependent), basis), [("", seen)])


def _read_basis(
    event: LedgerEvent, row: object, *, is_acknowledged: bool
) -> tuple[NoteId, Seen] | None:
    basis = row.get("basis") if isinstance(row, dict) else None
    if not isinstance(row, dict) or not isinstance(basis, str):
        return None
    digest, state = str(row.get("hash") or ""), _STATES.get(str(row.get("state")))
    sections = _sections(row.get("sections"))
    return NoteId(basis), Seen(event.at, digest, state, sections, is_acknowledged)


def _sections(value: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, list):
        return ()
    return tuple(
        (str(one[0]), str(one[1])) for one in value if isinstance(one, list) and len(one) == 2
    )
