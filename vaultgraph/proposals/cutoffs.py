"""From which score on verdicts are proposed: the owner's setting, or a ranker's first run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.domain.writing import NewEvent
from vaultgraph.proposals.decide import Cutoffs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultgraph.domain.settings import Settings
    from vaultgraph.domain.writing import LedgerEvent

CUTOFF = "cutoff"


def cutoff_event(judge: str, model: str, cutoff: float, floor: float, notes: int) -> NewEvent:
    """Return that a judge's cutoff is set, and from what."""
    return NewEvent(
        CUTOFF,
        {"judge": judge, "model": model, "cutoff": cutoff, "floor": floor, "notes": notes},
    )


def read_cutoffs(events: Iterable[LedgerEvent]) -> dict[str, Cutoffs]:
    """Return the cutoffs that judges brought, by judge: the latest of each.

    The middle band of such a judge begins at its floor.
    """
    found: dict[str, Cutoffs] = {}
    for event in events:
        if event.kind != CUTOFF:
            continue
        judge, cutoff = event.payload.get("judge"), event.payload.get("cutoff")
        floor = event.payload.get("floor")
        if isinstance(judge, str) and isinstance(cutoff, float) and isinstance(floor, float):
            found[judge] = Cutoffs(cutoff, min(floor, cutoff))
    return found


def cutoff_model(events: Iterable[LedgerEvent], judge: str) -> str:
    """Return the model for which a judge's cutoff was set; empty where there is none."""
    models = [
        str(event.payload.get("model", ""))
        for event in events
        if event.kind == CUTOFF and event.payload.get("judge") == judge
    ]
    return models[-1] if models else ""


def cutoffs_of(settings: Settings) -> Cutoffs:
    """Return the cutoffs for every judge that brought none."""
    return Cutoffs(settings.proposals.cutoff, settings.proposals.middle)
