from __future__ import annotations

import json
from math import exp
from pathlib import Path

import pytest

from tests.kit.judge_server import QUESTIONS, RULES, make_pair
from vaultgraph.judge import wire_openai, wire_systemone
from vaultgraph.judge.pair_text import pair_state
from vaultgraph.judge.reading import AnswerFault
from vaultgraph.judge.wire_openai import NoLogprobsFault, read_probability
from vaultgraph.judge.wire_systemone import read_probabilities

DATA = Path(__file__).parents[2] / "data" / "judge"
STATE = pair_state(make_pair(), RULES)


def recorded(name):
    return json.loads((DATA / f"{name}.json").read_text("utf-8"))


def noul(value):
    return {"type": "noul", "noul": value}


def test_systemone_sends_exactly_three_keys_in_order():
    body = json.loads(wire_systemone.build_request("m", STATE, QUESTIONS))
    assert list(body) == ["model", "state", "questions"]
    assert list(body["state"]) == ["A", "B"]
    assert list(body["state"]["A"]) == ["title", "text"]
    assert list(body["questions"]) == ["a_needs_b", "b_needs_a"]
    assert list(body["questions"]["a_needs_b"]) == ["type", "instructions", "criteria"]
    assert list(body["questions"]["a_needs_b"]["criteria"]) == ["true", "false"]


def test_systemone_reads_both_directions_and_passes_over_the_rest():
    answers = {"b_needs_a": noul(0), "a_needs_b": {**noul(0.91), "x": 1}, "more": noul(7)}
    assert read_probabilities({"answers": answers, "latency_ms": 1}) == (0.91, 0.0)


@pytest.mark.parametrize(
    "answers",
    [
        None,
        [],
        {},
        {"a_needs_b": noul(0.5)},
        {"a_needs_b": noul(0.5), "b_needs_a": None},
        {"a_needs_b": noul(0.5), "b_needs_a": 0.5},
        {"a_needs_b": noul(0.5), "b_needs_a": {"noul": 0.5}},
        {"a_needs_b": noul(0.5), "b_needs_a": {"type": "boolean", "noul": 0.5}},
        {"a_needs_b": noul(0.5), "b_needs_a": {"type": "noul"}},
        {"a_needs_b": noul(0.5), "b_needs_a": noul(True)},
        {"a_needs_b": noul(0.5), "b_needs_a": noul("0.5")},
        {"a_needs_b": noul(0.5), "b_needs_a": noul(1.5)},
        {"a_needs_b": noul(0.5), "b_needs_a": noul(-0.1)},
        {"a_needs_b": noul(0.5), "b_needs_a": noul(float("nan"))},
    ],
)
def test_systemone_refuses_every_other_answer(answers):
    with pytest.raises(AnswerFault):
        read_probabilities({"answers": answers})


def test_openai_asks_for_one_token_with_the_question_last():
    body = json.loads(wire_openai.build_request("m", STATE, QUESTIONS.first_on_second))
    assert {key: body[key] for key in list(body)[:5]} == {
        "model": "m",
        "temperature": 0,
        "max_tokens": 1,
        "logprobs": True,
        "top_logprobs": 20,
    }
    system, user = body["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    assert user["content"].startswith("Note `A`: alpha 0\n\nOne body.\n\nNote `B`: beta 0\n\n")
    assert user["content"].endswith(f"No means: {QUESTIONS.first_on_second.no}")


def test_openai_sends_the_same_notes_first_for_both_questions():
    first, second = (
        json.loads(wire_openai.build_request("m", STATE, question))["messages"][1]["content"]
        for question in (QUESTIONS.first_on_second, QUESTIONS.second_on_first)
    )
    cut = first.index("Does note")
    assert first[:cut] == second[:cut]
    assert cut > len("One body.") + len("Another.")


def test_openai_takes_other_keys():
    extra = {"reasoning_effort": "none"}
    data = wire_openai.build_request(
        "m", STATE, QUESTIONS.first_on_second, limit_key="max_completion_tokens", extra=extra
    )
    body = json.loads(data)
    assert body["reasoning_effort"] == "none"
    assert body["max_completion_tokens"] == 1
    assert "max_tokens" not in body


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("openai_variants", exp(-0.25) + exp(-4.6), exp(-1.7)),
        ("openai_spellings", exp(-1.2) + exp(-1.6) + exp(-2.0), exp(-2.2) + exp(-3.5)),
        ("openai_null_logprob_value", exp(-6.0), exp(-0.01)),
    ],
)
def test_openai_sums_every_spelling(name, yes, no):
    assert read_probability(recorded(name)) == pytest.approx(yes / (yes + no), abs=1e-12)


@pytest.mark.parametrize(
    "name",
    [
        "openai_null_logprobs",
        "openai_no_logprobs_key",
        "openai_empty_content",
        "openai_empty_alternatives",
    ],
)
def test_openai_without_logprobs(name):
    with pytest.raises(NoLogprobsFault):
        read_probability(recorded(name))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("openai_reasoning", "only 0% of the answer's first token"),
        ("openai_smollm2", "only 24% of the answer's first token"),
        ("openai_positive_logprob", "above 0"),
        ("openai_too_much_mass", "more than 1"),
        ("openai_no_choices", "choices is missing"),
    ],
)
def test_openai_refuses_an_answer_that_is_none(name, reason):
    with pytest.raises(AnswerFault, match=reason):
        read_probability(recorded(name))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("token", None),
        ("token", 3),
        ("logprob", "x"),
        ("logprob", True),
        ("logprob", float("nan")),
    ],
)
def test_openai_refuses_a_broken_entry(key, value):
    answer = recorded("openai_variants")
    answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"][1][key] = value
    with pytest.raises(AnswerFault):
        read_probability(answer)
    answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"] = ["Yes"]
    with pytest.raises(AnswerFault):
        read_probability(answer)
