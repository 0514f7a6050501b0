"""What the lines of an audit's ledger amount to: locked, drawn, labelled, abandoned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vaultgraph.audit.events import Line
    from vaultgraph.audit.units import UnitId


class LabelLine(NamedTuple):
    """One label as it was given."""

    labeller: str
    unit: UnitId
    label: str
    #: From the unit on the screen to the key; ``None`` where nobody measured.
    seconds: float | None
    #: Its line in the ledger.
    number: int
    at: str


@dataclass(frozen=True, slots=True)
class History:
    """An audit's past."""

    #: What was fixed; ``None`` before the lock.
    locked: Mapping[str, Any] | None
    locked_at: str
    #: The units of each stratum, in the order they were drawn; empty before the draw.
    drawn: Mapping[str, tuple[UnitId, ...]]
    #: Every label given, corrected ones too, in order.
    labels: tuple[LabelLine, ...]
    #: Why the audit was given up; ``None`` if it was not.
    abandoned: str | None

    @property
    def units(self) -> tuple[UnitId, ...]:
        """All units drawn, stratum by stratum."""
        return tuple(unit for units in self.drawn.values() for unit in units)

    @property
    def labellers(self) -> tuple[str, ...]:
        """Who labelled, the one whose labels count first: whoever gave the first."""
        return tuple(dict.fromkeys(line.labeller for line in self.labels))

    def labels_of(self, labeller: str) -> dict[UnitId, str]:
        """Return the label that stands for each unit somebody labelled."""
        return {line.unit: line.label for line in self.labels if line.labeller == labeller}

    def corrections_of(self, labeller: str) -> int:
        """Return how many labels were given anew."""
        given = [line.unit for line in self.labels if line.labeller == labeller]
        return len(given) - len(set(given))


def read_history(lines: Sequence[Line]) -> History:
    """Return what the lines amount to; those that say nothing we know are passed over."""
    locked = next((line for line in lines if line.kind == "locked"), None)
    drawn: dict[str, tuple[UnitId, ...]] = {}
    abandoned: str | None = None
    for line in lines:
        if line.kind == "drawn" and not drawn:
            drawn = _read_draw(line.payload)
        elif line.kind == "abandoned":
            abandoned = str(line.payload.get("why", ""))
    return History(
        locked=locked.payload if locked is not None else None,
        locked_at=locked.at if locked is not None else "",
        drawn=drawn,
        labels=tuple(read_label(line) for line in lines if line.kind == "labelled"),
        abandoned=abandoned,
    )


def read_label(line: Line) -> LabelLine:
    """Return the label of a ``labelled`` line."""
    payload = line.payload
    seconds = payload.get("seconds")
    return LabelLine(
        labeller=str(payload.get("labeller", "")),
        unit=payload.get("unit", ""),
        label=str(payload.get("label", "")),
        seconds=float(seconds) if isinstance(seconds, int | float) else None,
        number=line.number,
        at=line.at,
    )


def _read_draw(payload: Mapping[str, Any]) -> dict[str, tuple[UnitId, ...]]:
    strata = payload.get("strata")
    if not isinstance(strata, list):
        return {}
    return {
        str(stratum.get("name")): tuple(stratum.get("units") or ())
        for stratum in strata
        if isinstance(stratum, dict)
    }
