"""The judge that needs no key and no network: it ranks, and says so.

Its scores order pairs; they are no probabilities until a person's own labels have set the base
rate. docs/embedded-judge.md holds what was measured, and on what.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.domain.judging import Answer
from vaultgraph.judge.embedded.directions import score_directions
from vaultgraph.judge.embedded.features import read_talk
from vaultgraph.judge.embedded.profile import profile_note
from vaultgraph.judge.embedded.reasons import NO_EVIDENCE, UNNAMED, explain
from vaultgraph.judge.embedded.weights import load_weights

if TYPE_CHECKING:
    from vaultgraph.domain.judging import JudgedPair, QuestionSet
    from vaultgraph.judge.embedded.directions import Scores
    from vaultgraph.judge.embedded.features import Talk
    from vaultgraph.judge.embedded.weights import Weights

#: Profiles kept; a note stands in many pairs, and pairs come sorted by their first note.
_PROFILES = 1024


class PairTalk(NamedTuple):
    """How each note of a pair talks about the other; ``None`` where it never points at it."""

    first: Talk | None
    second: Talk | None


class EmbeddedJudge:
    """A small trained model as a judge. Same pair, same answer, whatever else the vault holds."""

    name: str = "embedded"

    def __init__(self, weights: Weights | None = None, *, prior: float | None = None) -> None:
        """Take the package's weights and its base rate unless others are given.

        Raises:
            ValueError: ``prior`` is not between 0 and 1, both excluded.
        """
        if prior is not None and not 0 < prior < 1:
            raise ValueError("a base rate lies between 0 and 1, both excluded")
        self.weights = load_weights() if weights is None else weights
        self.prior = prior
        self._profile = lru_cache(maxsize=_PROFILES)(profile_note)
        #: The base rate is part of what answered: verdicts under another are others.
        self.model: str = self.weights.model + ("" if prior is None else f"-prior-{prior:g}")

    def ask(self, pair: JudgedPair, questions: QuestionSet) -> Answer:  # noqa: ARG002
        """Return both scores; the wording of the questions makes no difference to this judge."""
        return self.judge(pair)

    def judge(self, pair: JudgedPair) -> Answer:
        """Return both scores, with the reasons for the higher one."""
        talk = self.read(pair)
        scores = score_directions(talk.first, talk.second, self.weights, self.prior)
        return Answer(
            first_depends=scores.first,
            second_depends=scores.second,
            model=self.model,
            reasons=self._reasons(talk, scores),
        )

    def read(self, pair: JudgedPair) -> PairTalk:
        """Return how the two notes talk about each other."""
        first, second = self._profile(pair.first), self._profile(pair.second)
        # Where a scan has found nothing in either text, it has not looked at these texts.
        is_scanned = bool(pair.first_lines or pair.second_lines)
        first_lines = frozenset(pair.first_lines) if is_scanned else None
        second_lines = frozenset(pair.second_lines) if is_scanned else None
        return PairTalk(
            first=read_talk(first, second, first_lines),
            second=read_talk(second, first, second_lines),
        )

    def reasons_for(self, pair: JudgedPair) -> PairReasons:
        """Return what counted for each direction, for ``why``."""
        talk = self.read(pair)
        return PairReasons(
            first=self._explain(talk.first, talk.second),
            second=self._explain(talk.second, talk.first),
        )

    def _reasons(self, talk: PairTalk, scores: Scores) -> tuple[str, ...]:
        if scores.first >= scores.second:
            return self._explain(talk.first, talk.second)
        return self._explain(talk.second, talk.first)

    def _explain(self, own: Talk | None, opposite: Talk | None) -> tuple[str, ...]:
        if own is not None:
            return explain(own, self.weights)
        return (NO_EVIDENCE,) if opposite is None else (UNNAMED,)


class PairReasons(NamedTuple):
    """Why each of the two scores is what it is."""

    first: tuple[str, ...]
    second: tuple[str, ...]
