"""Two scores for a pair: forward where a note names the other, and what is left where it does not.

In specifications the note that is named hardly ever depends on the one that names it (2 of 3,765
training rows); in project and personal notes it did in about one pair of eight: a design lists
its iterations, an index of decisions names the record that rests on them. No training row can
tell these apart, so that score is a stated belief, and always below the opposite one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.judge.embedded.weights import logit, squash

if TYPE_CHECKING:
    from vaultgraph.judge.embedded.features import Talk
    from vaultgraph.judge.embedded.weights import Weights


class Scores(NamedTuple):
    """How likely each note is to depend on the other."""

    first: float
    second: float


def score_directions(
    first: Talk | None, second: Talk | None, weights: Weights, prior: float | None
) -> Scores:
    """Return the scores, given how each note talks about the other."""
    shift = weights.shift(prior)
    superseded = any(talk is not None and talk.says_superseded for talk in (first, second))
    if superseded:
        shift += weights.beliefs.superseded
    forward = [_forward(talk, weights, shift) for talk in (first, second)]
    return Scores(
        first=_settle(forward[0], forward[1], weights, shift),
        second=_settle(forward[1], forward[0], weights, shift),
    )


def _forward(talk: Talk | None, weights: Weights, shift: float) -> float | None:
    """Return the score of depending on a note that one names, or ``None`` where one does not."""
    if talk is None:
        return None
    index = weights.beliefs.index if talk.is_index else 0.0
    return squash(weights.log_odds(talk.values) + index + shift)


def _settle(own: float | None, opposite: float | None, weights: Weights, shift: float) -> float:
    if own is not None:
        return own
    beliefs = weights.beliefs
    if opposite is None:
        return squash(logit(beliefs.no_evidence) + shift)
    return min(squash(logit(beliefs.unnamed) + shift), opposite * beliefs.unnamed_part)
