from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.judge_server import (
    QUESTIONS,
    RULES,
    Say,
    endpoint_for,
    judge_server,
    make_pair,
)
from vaultgraph.domain.judging import JudgedPair
from vaultgraph.effects.http_judge import RefusedError, Timing
from vaultgraph.effects.openai_judge import OpenAIJudge
from vaultgraph.errors import JudgeError
from vaultgraph.judge.reading import ProtocolError

DATA = Path(__file__).parents[2] / "data" / "judge"
PAIR = make_pair(first="The launch waits for the bridge.", second="It is not built.")


def recorded(name, status=200):
    return Say(status, (DATA / f"{name}.json").read_bytes())


YES = recorded("openai_variants")


def judge_for(server, **settings):
    endpoint = endpoint_for(f"{server.url}/v1", "openai", **settings)
    return OpenAIJudge(endpoint, RULES, timing=Timing(sleep=lambda _: None))


def ask(server, pair=PAIR, **settings):
    with judge_for(server, **settings) as judge:
        return judge.ask(pair, QUESTIONS)


def said(heard):
    return json.loads(heard.body)["messages"][1]["content"]


def test_two_calls_a_pair():
    with judge_server(YES, recorded("openai_null_logprob_value")) as server:
        answer = ask(server, price=1.0)
        first, second = server.heard
    assert answer.first_depends == pytest.approx(0.812, abs=0.001)
    assert answer.second_depends == pytest.approx(0.0025, abs=0.001)
    assert answer.model == "qwen2.5-7b-instruct"
    assert (answer.input_tokens, answer.output_tokens) == (820, 2)
    assert answer.cost == pytest.approx(820 / 1e6)
    assert first.path == "/v1/chat/completions"
    assert "Does note `A` depend on note `B`?" in said(first)
    assert "Does note `B` depend on note `A`?" in said(second)


def test_asked_the_other_way_round_the_bytes_are_the_same():
    turned = JudgedPair(PAIR.second, PAIR.first, PAIR.second_lines, PAIR.first_lines)
    with judge_server(YES, recorded("openai_null_logprob_value")) as server:
        answer = ask(server, turned)
        ask(server)
        bodies = [heard.body for heard in server.heard]
    assert answer.second_depends == pytest.approx(0.812, abs=0.001)
    assert bodies[:2] == bodies[2:]


@pytest.mark.parametrize(
    "name",
    [
        "openai_null_logprobs",
        "openai_no_logprobs_key",
        "openai_empty_content",
        "openai_empty_alternatives",
    ],
)
def test_a_server_without_logprobs_ends_the_run(name):
    with judge_server(recorded(name)) as server:
        with pytest.raises(JudgeError, match="cannot be used as a judge") as caught:
            ask(server)
        assert len(server.heard) == 1
    assert "log-probabilities" in (caught.value.hint or "")


def test_a_model_that_may_not_give_logprobs_ends_the_run():
    with judge_server(recorded("openai_refusal_logprobs", 400)) as server:
        with pytest.raises(JudgeError, match="'logprobs' is not supported"):
            ask(server)
        assert len(server.heard) == 1


@pytest.mark.parametrize("name", ["openai_reasoning", "openai_smollm2"])
def test_a_model_that_does_not_answer_costs_the_pair(name):
    with (
        judge_server(recorded(name)) as server,
        pytest.raises(ProtocolError, match="of the answer's first token is yes or no"),
    ):
        ask(server)


def test_the_other_name_of_the_limit_is_found_out_once():
    refusal = recorded("openai_refusal_max_tokens", 400)
    with judge_server(refusal, YES) as server, judge_for(server) as judge:
        judge.ask(PAIR, QUESTIONS)
        judge.ask(PAIR, QUESTIONS)
        assert judge.requests(PAIR, QUESTIONS) == tuple(heard.body for heard in server.heard[1:3])
        keys = ["max_tokens" in json.loads(heard.body) for heard in server.heard]
    assert keys == [True, False, False, False, False]


def test_a_server_that_takes_neither_name():
    with judge_server(recorded("openai_refusal_max_tokens", 400)) as server:
        with pytest.raises(RefusedError):
            ask(server)
        assert len(server.heard) == 2


def test_too_long_is_halved_once():
    with judge_server(recorded("openai_refusal_too_long", 400), YES) as server:
        ask(server)
        full, first, second = server.heard
    assert len(said(first)) < len(said(full))
    assert said(first).partition("Does note")[0] == said(second).partition("Does note")[0]


def test_other_keys_go_along():
    with judge_server(YES) as server:
        endpoint = endpoint_for(f"{server.url}/v1", "openai")
        extra = {"chat_template_kwargs": {"enable_thinking": False}}
        with OpenAIJudge(endpoint, RULES, extra=extra) as judge:
            judge.ask(PAIR, QUESTIONS)
        assert json.loads(server.heard[0].body)["chat_template_kwargs"] == {
            "enable_thinking": False
        }
