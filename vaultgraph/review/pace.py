"""How fast decisions were made: sittings, and whether they became hasty."""

from __future__ import annotations

from datetime import timedelta
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from vaultgraph.review.history import PacedDecision

#: Decisions with a shorter gap between them belong to one sitting.
GAP = timedelta(minutes=30)
#: Fewer decisions in each half say nothing of a trend.
_ENOUGH = 3


class Sitting(NamedTuple):
    """Decisions made one after the other, on whatever device."""

    began: datetime
    ended: datetime
    decisions: int
    #: Median seconds a decision.
    seconds: float
    #: The same, of the earlier and the later half; ``None`` where too few were made.
    first_half: float | None
    second_half: float | None


def find_sittings(decisions: Iterable[PacedDecision]) -> list[Sitting]:
    """Return the sittings, oldest first."""
    groups: list[list[PacedDecision]] = []
    for one in sorted(decisions):
        if groups and one.at - groups[-1][-1].at < GAP:
            groups[-1].append(one)
        else:
            groups.append([one])
    return [_sitting(group) for group in groups]


def _sitting(group: list[PacedDecision]) -> Sitting:
    seconds = [one.seconds for one in group]
    half = len(seconds) // 2
    halves = (seconds[:half], seconds[-half:]) if half >= _ENOUGH else None
    return Sitting(
        began=group[0].at,
        ended=group[-1].at,
        decisions=len(group),
        seconds=_median(seconds),
        first_half=_median(halves[0]) if halves else None,
        second_half=_median(halves[1]) if halves else None,
    )


def _median(seconds: list[float]) -> float:
    return round(median(seconds), 2)
