"""What the embedded judge makes of one pair, each way round, and what counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from vaultgraph.domain.judging import JudgedPair
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.judge.embedded.judge import EmbeddedJudge


class DirectionScore(NamedTuple):
    """One direction of a pair: a rank among others from 0 to 1, and no probability."""

    dependent: NoteId
    basis: NoteId
    score: float
    #: In words; "it" is the basis.
    reasons: tuple[str, ...]


def score_both_ways(
    judge: EmbeddedJudge, pair: JudgedPair
) -> tuple[DirectionScore, DirectionScore]:
    """Return both directions, that of the first note first."""
    answer, reasons = judge.judge(pair), judge.reasons_for(pair)
    first, second = pair.first.note, pair.second.note
    return (
        DirectionScore(first, second, answer.first_depends, reasons.first),
        DirectionScore(second, first, answer.second_depends, reasons.second),
    )


def scores_document(scores: tuple[DirectionScore, ...]) -> list[dict[str, Any]]:
    """Return scores as ``why --json`` and ``judge --show --json`` document them."""
    return [{**row._asdict(), "reasons": list(row.reasons)} for row in scores]
