"""Since when notes are closed, as far as it was seen: not every owner writes ``resolved-on``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import NewEvent
from vaultgraph.review.decisions import RENAMED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from vaultgraph.domain.writing import LedgerEvent

CLOSINGS = "closings"


def closings_event(closed: Collection[NoteId], reopened: Collection[NoteId]) -> NewEvent:
    """Return that notes were met which closed, or are live again, since they were last met."""
    return NewEvent(CLOSINGS, {"closed": sorted(closed), "reopened": sorted(reopened)})


def read_first_closed(events: Iterable[LedgerEvent]) -> dict[NoteId, str]:
    """Return the ISO date, by UTC, on which each note was first seen closed, if it still is.

    Events come in time order. Of two devices the one that met it first counts.
    """
    days: dict[NoteId, str] = {}
    for event in events:
        payload = event.payload
        if event.kind == CLOSINGS:
            for note in _notes(payload.get("reopened")):
                days.pop(note, None)
            for note in _notes(payload.get("closed")):
                days.setdefault(note, event.at.date().isoformat())
        elif event.kind == RENAMED:
            was, name = payload.get("was"), payload.get("note")
            if isinstance(was, str) and isinstance(name, str) and NoteId(was) in days:
                days.setdefault(NoteId(name), days.pop(NoteId(was)))
    return days


def _notes(value: object) -> list[NoteId]:
    return (
        [NoteId(one) for one in value if isinstance(one, str)] if isinstance(value, list) else []
    )
