"""Two scores for a pair: what each direction is worth in the light of the other.

Where both notes name each other, seldom does each depend on the other, so the weaker direction
loses something. Where only one does, the opposite direction is not ruled out.

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
    from vaultgraph.judge.embedded.weights import Beliefs, Weights

#: Of a score. Mathematical libraries differ in the last of sixteen, and machines must not.
_DIGITS = 6


class Scores(NamedTuple):
    """How likely each note is to depend on the other."""

    first: float
    second: float


def score_directions(
    first: Talk | None, second: Talk | None, weights: Weights, prior: float | None
) -> Scores:
    """Return the scores, given how each note talks about the other."""
    shift = weights.shift(prior)
    if any(talk is not None and talk.says_superseded for talk in (first, second)):
        shift += weights.beliefs.superseded
    odds = [_odds(talk, weights, shift) for talk in (first, second)]
    return Scores(
        first=round(_settle(odds[0], odds[1], weights.beliefs, shift), _DIGITS),
        second=round(_settle(odds[1], odds[0], weights.beliefs, shift), _DIGITS),
    )


def _odds(talk: Talk | None, weights: Weights, shift: float) -> float | None:
    """Return the log-odds that a note depends on the one it talks about, if it does."""
    if talk is None:
        return None
    return weights.log_odds(talk.values) + weights.beliefs.of_index(talk.index_kind) + shift


def _settle(own: float | None, opposite: float | None, beliefs: Beliefs, shift: float) -> float:
    """Return the score of one direction, given the log-odds of both."""
    if own is not None:
        is_weaker = opposite is not None and own < opposite
        return squash(own + beliefs.weaker if is_weaker else own)
    if opposite is None:
        return squash(logit(beliefs.no_evidence) + shift)
    return min(squash(logit(beliefs.unnamed) + shift), squash(opposite) * beliefs.unnamed_part)
