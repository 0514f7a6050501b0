"""How fast decisions were made, and how attentively: sittings, and whether they became hasty."""

from __future__ import annotations

from datetime import timedelta
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from vaultgraph.review.checks import CheckAnswer
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
    #: Median seconds a decision, those about attention checks among them.
    seconds: float
    #: The same, of the earlier and the later half; ``None`` where too few were made.
    first_half: float | None
    second_half: float | None
    #: Attention checks that were answered, and how many of them were accepted.
    checks: int = 0
    checks_accepted: int = 0


class _Answer(NamedTuple):
    at: datetime
    seconds: float
    #: Of a check whether it was accepted; ``None`` for a proposal.
    check: bool | None


def find_sittings(
    decisions: Iterable[PacedDecision], checks: Iterable[CheckAnswer] = ()
) -> list[Sitting]:
    """Return the sittings, oldest first."""
    answers = [_Answer(*one, None) for one in decisions]
    answers += [_Answer(one.at, one.seconds, one.was_accepted) for one in checks]
    groups: list[list[_Answer]] = []
    for one in sorted(answers, key=lambda answer: answer[:2]):
        if groups and one.at - groups[-1][-1].at < GAP:
            groups[-1].append(one)
        else:
            groups.append([one])
    return [_sitting(group) for group in groups]


def _sitting(group: list[_Answer]) -> Sitting:
    seconds = [one.seconds for one in group]
    half = len(seconds) // 2
    halves = (seconds[:half], seconds[-half:]) if half >= _ENOUGH else None
    return Sitting(
        began=group[0].at,
        ended=group[-1].at,
        decisions=sum(one.check is None for one in group),
        seconds=_median(seconds),
        first_half=_median(halves[0]) if halves else None,
        second_half=_median(halves[1]) if halves else None,
        checks=sum(one.check is not None for one in group),
        checks_accepted=sum(one.check is True for one in group),
    )


def _median(seconds: list[float]) -> float:
    return round(median(seconds), 2)
