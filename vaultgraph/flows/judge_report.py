"""What a run of a judge comes to, counted: the same for every judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vaultgraph.domain.judging import Verdict
    from vaultgraph.proposals.decide import Cutoffs

_BINS = 10


@dataclass(frozen=True, slots=True)
class Summary:
    """The verdicts of a run by score; every direction counts once, but for ``mutual``."""

    #: Directions with a score in [0, .1), [.1, .2) … [.9, 1].
    histogram: tuple[int, ...]
    above: int
    middle: int
    #: Pairs with both directions at or above the cutoff, strongest first.
    mutual: list[Verdict]


def summarise(verdicts: list[Verdict], cutoffs: Cutoffs) -> Summary:
    """Return the verdicts counted at a judge's cutoffs."""
    histogram = [0] * _BINS
    above = middle = 0
    for verdict in verdicts:
        for score in (verdict.first_depends, verdict.second_depends):
            histogram[min(int(score * _BINS), _BINS - 1)] += 1
            above += score >= cutoffs.cutoff
            middle += cutoffs.middle <= score < cutoffs.cutoff
    mutual = [v for v in verdicts if min(v.first_depends, v.second_depends) >= cutoffs.cutoff]
    mutual.sort(key=lambda v: (-min(v.first_depends, v.second_depends), v.first, v.second))
    return Summary(tuple(histogram), above, middle, mutual)


def judge_document(
    verdicts: list[Verdict],
    cutoffs: Cutoffs,
    *,
    asked: int,
    cached: int,
    decided: int,
    failed: list[tuple[str, str, str]],
    tokens: int,
    cost: float | None,
) -> dict[str, Any]:
    """Return a run as ``judge --json`` documents it, sorted: answers come in any order."""
    summary = summarise(verdicts, cutoffs)
    return {
        "verdicts": [
            {
                "first": v.first,
                "second": v.second,
                "first_depends": v.first_depends,
                "second_depends": v.second_depends,
                "judge": v.judge,
                "model": v.model,
                "questions": v.questions,
            }
            for v in sorted(verdicts)
        ],
        "asked": asked,
        "cached": cached,
        "decided": decided,
        "failed": [
            {"first": first, "second": second, "reason": reason}
            for first, second, reason in sorted(failed)
        ],
        "tokens": tokens,
        "cost": cost,
        "cutoff": cutoffs.cutoff,
        "middle": cutoffs.middle,
        "above_cutoff": summary.above,
        "in_middle": summary.middle,
        "mutual": len(summary.mutual),
        "histogram": list(summary.histogram),
    }
