"""Any model behind ``/chat/completions`` that gives log-probabilities: two requests for a pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from vaultgraph.domain.judging import Answer
from vaultgraph.effects.http_judge import HttpCaller, RefusedError, Timing, TooLongError
from vaultgraph.errors import JudgeError
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
from vaultgraph.judge.servers import OPENAI
from vaultgraph.judge.wire_openai import NoLogprobsFault, build_request, read_probability

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultgraph.domain.judging import JudgedPair, Question, QuestionSet
    from vaultgraph.judge.servers import Endpoint

_NO_LOGPROBS_HINT = (
    "this judge reads log-probabilities; use a server or model that gives them (llama.cpp, vLLM,"
    " Ollama since 0.12.11), or --judge systemone"
)


class _Half(NamedTuple):
    """The answer to one of the two questions."""

    probability: float
    model: str
    input_tokens: int
    output_tokens: int
    cost: float | None


class OpenAIJudge:
    """A judge behind the chat-completions wire."""

    name = OPENAI

    def __init__(
        self,
        endpoint: Endpoint,
        rules: TextRules,
        *,
        extra: Mapping[str, object] | None = None,
        timing: Timing | None = None,
    ) -> None:
        """``extra`` goes into every body: ``reasoning_effort``, ``chat_template_kwargs``, …."""
        self.endpoint = endpoint
        self.model = endpoint.model
        self._rules = rules
        self._extra = extra
        self._caller = HttpCaller(endpoint, timing)
        #: What this server calls the limit on tokens; found out once.
        self._limit_key = "max_tokens"

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
        state = pair_state(pair, self._rules)
        return (
            self._body(state, questions.first_on_second, self._limit_key),
            self._body(state, questions.second_on_first, self._limit_key),
        )

    def ask(self, pair: JudgedPair, questions: QuestionSet) -> Answer:
        """Return the server's answer for one pair; raises ``JudgeError`` and ``PairError``."""
        try:
            answer = self._ask(pair_state(pair, self._rules), questions)
        except TooLongError:
            answer = self._ask(halved_state(pair, self._rules), questions)
        return as_asked(pair, answer)

    def _ask(self, state: State, questions: QuestionSet) -> Answer:
        first = self._ask_one(state, questions.first_on_second)
        second = self._ask_one(state, questions.second_on_first)
        costs = (first.cost, second.cost)
        return Answer(
            first_depends=first.probability,
            second_depends=second.probability,
            model=first.model,
            input_tokens=first.input_tokens + second.input_tokens,
            output_tokens=first.output_tokens + second.output_tokens,
            cost=None if None in costs else sum(cost or 0.0 for cost in costs),
        )

    def _ask_one(self, state: State, question: Question) -> _Half:
        limit_key = self._limit_key
        try:
            return self._post(state, question, limit_key)
        except RefusedError as refused:
            if refused.status != 400:
                raise
            if "logprobs" in refused.words:
                raise JudgeError(str(refused), hint=_NO_LOGPROBS_HINT) from None
            if "max_tokens" not in refused.words or limit_key != "max_tokens":
                raise
        half = self._post(state, question, "max_completion_tokens")
        self._limit_key = "max_completion_tokens"
        return half

    def _post(self, state: State, question: Question, limit_key: str) -> _Half:
        body = self._body(state, question, limit_key)

        def read(answer: Mapping[str, object]) -> _Half:
            try:
                probability = read_probability(answer)
            except NoLogprobsFault as fault:
                text = f"{self.endpoint.host} cannot be used as a judge: {fault}"
                raise JudgeError(text, hint=_NO_LOGPROBS_HINT) from None
            tokens = read_count(answer, "prompt_tokens") or estimate_tokens(len(body))
            cost = read_cost(answer)
            return _Half(
                probability=probability,
                model=read_model(answer, self.model),
                input_tokens=tokens,
                output_tokens=read_count(answer, "completion_tokens"),
                cost=cost_of(tokens, self.endpoint.price) if cost is None else cost,
            )

        return self._caller.post(body, read, texts_of(state))

    def _body(self, state: State, question: Question, limit_key: str) -> bytes:
        return build_request(self.model, state, question, limit_key=limit_key, extra=self._extra)
