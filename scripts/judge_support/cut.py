"""How many proposals the default makes, and from which score on: decided on the train parts.

Each corpus is ranked by a model of the other two, both directions of every pair.
"""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING, NamedTuple

from scripts.judge_support import choices
from vaultgraph.judge.embedded.judge import EmbeddedJudge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scripts.judge_support.corpus import Corpus, Row
    from vaultgraph.judge.embedded.weights import Weights


class Ranking(NamedTuple):
    """The directed train rows of one corpus, the highest score first, and its train notes."""

    name: str
    rows: list[tuple[float, Row]]
    notes: int

    @property
    def rate(self) -> float:
        """The share of dependencies among forward rows whose author declares any."""
        return statistics.mean(row.label for _, row in self.rows if row.lists and row.is_forward)

    def precision(self, kept: Sequence[tuple[float, Row]]) -> float:
        """Return the precision of ``kept`` as it would be at the rate of personal notes."""
        believed = [row.label for _, row in kept if row.lists]
        right = sum(believed)
        wrong = (len(believed) - right) * _odds(self.rate) / _odds(choices.PERSONAL_RATE)
        return right / (right + wrong) if believed else math.nan


def _odds(share: float) -> float:
    return share / (1 - share)


def rank(corpus: Corpus, model: Weights) -> Ranking:
    """Return the ranking by a model that has not seen the corpus."""
    judge = EmbeddedJudge(model)
    rows = [row for row in corpus.rows if row.is_train]
    scored = [(score(judge, corpus, row), row) for row in rows]
    notes = {row.dependent for row in corpus.rows if row.is_train_dependent}
    return Ranking(corpus.name, sorted(scored, key=lambda item: -item[0]), len(notes))


def score(judge: EmbeddedJudge, corpus: Corpus, row: Row) -> float:
    """Return the score of one directed question."""
    pair = corpus.pair(row.dependent, row.basis)
    answer = judge.judge(pair)
    return answer.first_depends if pair.first.title == row.dependent else answer.second_depends


def choose_cap(rankings: Sequence[Ranking]) -> float:
    """Return the most proposals per hundred notes whose mean precision is good enough."""
    print(_header("per 100 notes", rankings) + " | lowest scores")
    chosen = choices.CAPS[0]
    for cap in choices.CAPS:
        tops = [ranking.rows[: math.ceil(ranking.notes * cap / 100)] for ranking in rankings]
        mean, line = _mean_precision(rankings, tops)
        print(f"{cap:g} | {line} | " + ", ".join(f"{top[-1][0]:.3f}" for top in tops))
        if mean >= choices.CAP_PRECISION:
            chosen = cap
    return chosen


def choose_floor(rankings: Sequence[Ranking]) -> float:
    """Return the lowest score from which on the mean precision is good enough."""
    print(_header("score", rankings))
    chosen = choices.FLOORS[-1]
    for floor in reversed(choices.FLOORS):
        tops = [[item for item in ranking.rows if item[0] >= floor] for ranking in rankings]
        mean, line = _mean_precision(rankings, tops)
        print(f"{floor} | {line}")
        if mean >= choices.FLOOR_PRECISION:
            chosen = floor
    return chosen


def _header(first: str, rankings: Sequence[Ranking]) -> str:
    names = " | ".join(ranking.name for ranking in rankings)
    return f"\n{first} | precision at a rate of {choices.PERSONAL_RATE}: mean | {names}"


def _mean_precision(
    rankings: Sequence[Ranking], kept: Sequence[Sequence[tuple[float, Row]]]
) -> tuple[float, str]:
    reached = [ranking.precision(top) for ranking, top in zip(rankings, kept, strict=True)]
    mean = statistics.mean(reached)
    return mean, " | ".join(f"{value:.3f}" for value in (mean, *reached))
