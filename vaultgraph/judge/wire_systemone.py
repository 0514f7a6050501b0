"""The System One wire: ``POST /v1/systemone``, state and questions in, probabilities out.

Exactly the keys ``model``, ``state``, ``questions``, in this order: the hosted service refuses
others, and a model's answer moves with the order of what it reads. The two questions go in one
request; they are answered apart.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from vaultgraph.judge.reading import AnswerFault, as_object, as_probability

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultgraph.domain.judging import Question, QuestionSet
    from vaultgraph.judge.pair_text import State

#: The wire's ids of the two questions; models do not see them.
FIRST_ON_SECOND = "a_needs_b"
SECOND_ON_FIRST = "b_needs_a"


def build_request(model: str, state: State, questions: QuestionSet) -> bytes:
    """Return the body of the one request for a pair."""
    return encode({"model": model, "state": state, "questions": questions_on_wire(questions)})


def questions_on_wire(questions: QuestionSet) -> dict[str, dict[str, object]]:
    """Return the two questions as the wire has them."""
    return {
        FIRST_ON_SECOND: _noul(questions.first_on_second),
        SECOND_ON_FIRST: _noul(questions.second_on_first),
    }


def encode(body: Mapping[str, object]) -> bytes:
    """Return a body as it is sent: compact, keys in the order given, letters as they are."""
    text = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def read_probabilities(answer: Mapping[str, object]) -> tuple[float, float]:
    """Return how probable it is that ``A`` depends on ``B``, and ``B`` on ``A``.

    Raises:
        AnswerFault: the answer breaks the wire.
    """
    answers = as_object(answer.get("answers"), "answers")
    return _probability(answers, FIRST_ON_SECOND), _probability(answers, SECOND_ON_FIRST)


def _noul(question: Question) -> dict[str, object]:
    return {
        "type": "noul",
        "instructions": question.instructions,
        "criteria": {"true": question.yes, "false": question.no},
    }


def _probability(answers: Mapping[str, object], name: str) -> float:
    answer = as_object(answers.get(name), f"answers.{name}")
    if answer.get("type") != "noul":
        raise AnswerFault(f"answers.{name} is not of type noul")
    return as_probability(answer.get("noul"), f"answers.{name}.noul")
