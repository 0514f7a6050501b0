"""Whether labels were given in a later sitting than the decisions they are compared with.

Who has just decided remembers what they said. A sitting is over when nothing was decided or
labelled for half an hour, as everywhere in review.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import TYPE_CHECKING

from vaultgraph.audit.units import UnitId, pair_unit
from vaultgraph.domain.notes import NoteId
from vaultgraph.review.decisions import DECIDED
from vaultgraph.review.pace import GAP

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from vaultgraph.domain.writing import LedgerEvent


def read_decided(events: Iterable[LedgerEvent]) -> dict[UnitId, list[datetime]]:
    """Return when each dependency was accepted or rejected.

    Of an edit by hand only the outcome is known, not when it was made.
    """
    found: defaultdict[UnitId, list[datetime]] = defaultdict(list)
    for event in events:
        payload = event.payload
        ends = payload.get("dependent"), payload.get("basis")
        is_decision = payload.get("decision") in ("accepted", "rejected")
        if event.kind == DECIDED and is_decision and payload.get("where") != "file":
            dependent, basis = (NoteId(str(end)) for end in ends)
            found[pair_unit(dependent, basis)].append(_decided_at(event))
    return dict(found)


def _decided_at(event: LedgerEvent) -> datetime:
    """Return when a decision was made: one from a log, no later than it was read."""
    try:
        logged = datetime.fromisoformat(str(event.payload.get("decided_at")))
    except ValueError:
        return event.at
    return min(event.at, logged) if logged.tzinfo is not None else event.at


def find_same_sitting(
    decided: Mapping[UnitId, Sequence[datetime]], labelled: Sequence[tuple[UnitId, datetime]]
) -> set[UnitId]:
    """Return the units that were labelled in the sitting in which they were decided."""
    rows = [(at, False, unit) for unit, times in decided.items() for at in times]
    rows += [(at, True, unit) for unit, at in labelled]
    found: set[UnitId] = set()
    decided_now: set[UnitId] = set()
    before: datetime | None = None
    for at, is_label, unit in sorted(rows):
        if before is not None and at - before >= GAP:
            decided_now.clear()
        before = at
        if not is_label:
            decided_now.add(unit)
        elif unit in decided_now:
            found.add(unit)
    return found
