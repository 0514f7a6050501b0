"""Jev, and every other server that speaks ``POST /v1/systemone``: one request for a pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from vaultgraph.domain.judging import Answer
from vaultgraph.effects.http_judge import HttpCaller, Timing, TooLongError
from vaultgraph.judge.estimates import cost_of, estimate_tokens
from vaultgraph.judge.pair_text import (
    State,
    TextRules,
    as_asked,
    halved_state,
    pair_state,
    texts_of,
)
from vaultgraph.judge.reading import read_cost, read_count, read_model
from vaultgraph.judge.servers import SYSTEMONE
from vaultgraph.judge.wire_systemone import build_request, read_probabilities

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultgraph.domain.judging import JudgedPair, QuestionSet
    from vaultgraph.judge.servers import Endpoint


class SystemOneJudge:
    """A judge behind the System One wire."""

    name = SYSTEMONE

    def __init__(
        self, endpoint: Endpoint, rules: TextRules, *, timing: Timing | None = None
    ) -> None:
        self.endpoint = endpoint
        self.model = endpoint.model
        self._rules = rules
        self._caller = HttpCaller(endpoint, timing)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def stop(self) -> None:
        """Begin no further request."""
        self._caller.stop()

    def close(self) -> None:
        """Stop, and give the connections back."""
        self._caller.close()

    def requests(self, pair: JudgedPair, questions: QuestionSet) -> tuple[bytes, ...]:
        """Return the bodies that :meth:`ask` would send."""
        return (build_request(self.model, pair_state(pair, self._rules), questions),)

    def ask(self, pair: JudgedPair, questions: QuestionSet) -> Answer:
        """Return the server's answer for one pair; raises ``JudgeError`` and ``PairError``."""
        try:
            answer = self._ask(pair_state(pair, self._rules), questions)
        except TooLongError:
            answer = self._ask(halved_state(pair, self._rules), questions)
        return as_asked(pair, answer)

    def _ask(self, state: State, questions: QuestionSet) -> Answer:
        body = build_request(self.model, state, questions)

        def read(answer: Mapping[str, object]) -> Answer:
            first, second = read_probabilities(answer)
            tokens = read_count(answer, "input_tokens") or estimate_tokens(len(body))
            cost = read_cost(answer)
            return Answer(
                first_depends=first,
                second_depends=second,
                model=read_model(answer, self.model),
                input_tokens=tokens,
                output_tokens=read_count(answer, "output_tokens"),
                cost=cost_of(tokens, self.endpoint.price) if cost is None else cost,
            )

        return self._caller.post(body, read, texts_of(state))
