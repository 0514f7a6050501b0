"""What each basis was when the owner last looked at a dependent with it in mind.

The ledger keeps hashes, never text. An acceptance counts as having seen both notes; an ``ack``
says besides that the dependent still stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vaultgraph.domain.dependencies import BasisState, Seen
from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import NewEvent
from vaultgraph.review.decisions import DECIDED, RENAMED
from vaultgraph.review.renames import follow_rename

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultgraph.domain.writing import LedgerEvent
    from vaultgraph.proposals.decide import Directed

ACKED = "acked"
_STATES: Mapping[str, BasisState] = {"live": "live", "superseded": "superseded", "ended": "ended"}


def acked_event(dependent: NoteId, bases: Iterable[tuple[NoteId, Seen]]) -> NewEvent:
    """Return that a dependent was looked at, with each basis as it was then."""
    rows: list[Any] = [
        {
            "basis": basis,
            "hash": seen.basis_hash,
            "state": seen.basis_state,
            "sections": [list(section) for section in seen.sections],
        }
        for basis, seen in bases
    ]
    return NewEvent(ACKED, {"dependent": dependent, "bases": rows})


def read_seen(events: Iterable[LedgerEvent]) -> dict[Directed, Seen]:
    """Return what was seen last, by dependent and basis, under the names that notes have now.

    Events come in time order. A rejection, or taking a decision back, forgets what was seen.
    """
    seen: dict[Directed, Seen] = {}
    for event in events:
        if event.kind == DECIDED:
            _take_decision(seen, event)
        elif event.kind == ACKED:
            _take_acked(seen, event)
        elif event.kind == RENAMED:
            follow_rename(seen, event)
    return seen


def _take_decision(seen: dict[Directed, Seen], event: LedgerEvent) -> None:
    payload = event.payload
    dependent, basis = payload.get("dependent"), payload.get("basis")
    if not isinstance(dependent, str) or not isinstance(basis, str):
        return
    direction = (NoteId(dependent), NoteId(basis))
    digest = payload.get("basis_hash")
    if payload.get("decision") != "accepted":
        seen.pop(direction, None)
    elif isinstance(digest, str):
        state = _STATES.get(str(payload.get("basis_state")))
        sections = _sections(payload.get("basis_sections"))
        seen[direction] = Seen(event.at, digest, state, sections)


def _take_acked(seen: dict[Directed, Seen], event: LedgerEvent) -> None:
    dependent, bases = event.payload.get("dependent"), event.payload.get("bases")
    if not isinstance(dependent, str) or not isinstance(bases, list):
        return
    for row in bases:
        basis = row.get("basis") if isinstance(row, dict) else None
        if isinstance(row, dict) and isinstance(basis, str):
            seen[NoteId(dependent), NoteId(basis)] = Seen(
                event.at,
                str(row.get("hash") or ""),
                _STATES.get(str(row.get("state"))),
                _sections(row.get("sections")),
                is_acknowledged=True,
            )


def _sections(value: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, list):
        return ()
    return tuple(
        (str(one[0]), str(one[1])) for one in value if isinstance(one, list) and len(one) == 2
    )
