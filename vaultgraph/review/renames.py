"""What is known of pairs of notes follows them to their new names."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from vaultgraph.domain.notes import NoteId
from vaultgraph.review.decisions import RENAMED

if TYPE_CHECKING:
    from vaultgraph.domain.writing import LedgerEvent
    from vaultgraph.proposals.decide import Directed

Value = TypeVar("Value")


def follow_rename(known: dict[Directed, Value], event: LedgerEvent) -> None:
    """Give what is known of a note to its new name; what is known of that itself stays.

    Any other event changes nothing.
    """
    was, note = event.payload.get("was"), event.payload.get("note")
    if event.kind != RENAMED or not isinstance(was, str) or not isinstance(note, str):
        return
    for direction in [one for one in known if was in one]:
        dependent, basis = (NoteId(note) if one == was else one for one in direction)
        known.setdefault((dependent, basis), known.pop(direction))
