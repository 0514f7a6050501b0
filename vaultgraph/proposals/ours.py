"""What the ledger knows of our own proposals: which entries are ours, and which blocks.

An entry is remembered before it is written, so that whatever a crash leaves in the notes is known
as ours; what then was not written is remembered, too. Nothing is remembered of an undo: an entry
counts only where it still stands in its note.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import NewEvent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultgraph.domain.writing import LedgerEvent
    from vaultgraph.proposals.decide import Directed, Scored

#: An entry is about to be written; it was not written after all; it was taken back.
PROPOSED, UNWRITTEN, WITHDRAWN = "proposed", "unwritten", "withdrawn"


class Ours(NamedTuple):
    """What we proposed, as far as the ledger knows."""

    #: Proposed, and not withdrawn since.
    open: set[Directed]
    #: Ever proposed. An entry of these that stands although we withdrew it, stands there because
    #: the withdrawal was undone.
    ever: set[Directed]
    #: The notes whose frontmatter block we made, as of our last proposal there.
    blocks: set[NoteId]


def read_ours(events: Iterable[LedgerEvent]) -> Ours:
    """Return what the events, in time order, say of our proposals."""
    ours = Ours(set(), set(), set())
    for event in events:
        dependent, basis = event.payload.get("dependent"), event.payload.get("basis")
        if isinstance(dependent, str) and isinstance(basis, str):
            _take(ours, event, NoteId(dependent), NoteId(basis))
    return ours


def _take(ours: Ours, event: LedgerEvent, dependent: NoteId, basis: NoteId) -> None:
    if event.kind == PROPOSED:
        ours.open.add((dependent, basis))
        ours.ever.add((dependent, basis))
        ours.blocks.discard(dependent)
        if event.payload.get("created_block") is True:
            ours.blocks.add(dependent)
    elif event.kind == UNWRITTEN:
        ours.open.discard((dependent, basis))
        ours.ever.discard((dependent, basis))
    elif event.kind == WITHDRAWN:
        ours.open.discard((dependent, basis))


def proposed_event(row: Scored, *, is_our_block: bool) -> NewEvent:
    """Return what is remembered before an entry is written."""
    return NewEvent(PROPOSED, {**scored_payload(row), "created_block": is_our_block})


def unwritten_event(row: Scored) -> NewEvent:
    """Return what is remembered where an entry was not written after all."""
    return NewEvent(UNWRITTEN, {"dependent": row.dependent, "basis": row.basis})


def withdrawn_event(row: Scored, run: str | None) -> NewEvent:
    """Return what is remembered once an entry is out of its note."""
    return NewEvent(WITHDRAWN, {**scored_payload(row), "run": run})


def scored_payload(row: Scored) -> dict[str, Any]:
    """Return one direction as the ledger and the JSON output name its parts."""
    return {
        "dependent": row.dependent,
        "basis": row.basis,
        "probability": row.probability,
        "judge": row.judge,
        "model": row.model,
    }
