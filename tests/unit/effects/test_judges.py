"""Every judge setting has its effect, seen at a server on this machine."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest

from tests.kit.judge_server import (
    QUESTIONS,
    RULES,
    JudgeServer,
    Say,
    judge_server,
    make_pair,
    nouls,
)
from vaultgraph.domain.settings import JudgeSettings
from vaultgraph.effects.judges import JUDGES, check_judge_name, open_remote_judge
from vaultgraph.errors import InputError

YES = Say(
    body=b'{"choices":[{"logprobs":{"content":[{"top_logprobs":'
    b'[{"token":"Yes","logprob":-0.1},{"token":"No","logprob":-2.5}]}]}}]}'
)
KEY = "sk-0123456789"


def settings(server: JudgeServer, name: str = "systemone", **more: object) -> JudgeSettings:
    return replace(JudgeSettings(name=name, base_url=server.url, model="m-1"), **more)  # type: ignore[arg-type]


def ask(given: JudgeSettings, environment=None, **options):
    with open_remote_judge(given, RULES, environment or {}, **options) as judge:
        return judge.ask(make_pair(), QUESTIONS)


@pytest.mark.parametrize(("name", "say", "calls"), [("systemone", nouls(), 1), ("openai", YES, 2)])
def test_name_address_and_model(name, say, calls):
    with judge_server(say) as server:
        answer = ask(settings(server, name))
    assert len(server.heard) == calls
    assert answer.first_depends == pytest.approx(0.9, abs=0.02)
    paths = {"systemone": "/v1/systemone", "openai": "/chat/completions"}
    assert {request.path for request in server.heard} == {paths[name]}
    assert {json.loads(request.body)["model"] for request in server.heard} == {"m-1"}


def test_preset_names_address_path_model_and_key():
    given = JudgeSettings(name="systemone", preset="openrouter")
    with open_remote_judge(given, RULES, {"OPENROUTER_API_KEY": KEY}) as judge:
        endpoint = judge.endpoint
    assert endpoint.url == "https://openrouter.ai/api/v1/systemone"
    assert (endpoint.model, endpoint.key) == ("typesafe/jev-1.13", KEY)
    given = replace(given, preset="nowhere")
    with pytest.raises(InputError, match="no such preset"):
        ask(given)


def test_path():
    with judge_server(nouls()) as server:
        ask(settings(server, path="/other/way"))
    assert server.heard[0].path == "/other/way"


def test_key_variable():
    with judge_server(nouls()) as server:
        ask(settings(server, key_variable="MY_KEY"), {"MY_KEY": KEY, "TYPESAFE_API_KEY": "no"})
        ask(settings(server, key_variable="none"), {"TYPESAFE_API_KEY": "no"})
    assert server.heard[0].headers["Authorization"] == f"Bearer {KEY}"
    assert "Authorization" not in server.heard[1].headers


def test_headers():
    with judge_server(nouls()) as server:
        ask(settings(server, headers=("X-Team: garden ", "X-Empty:")))
        with pytest.raises(InputError, match="no colon") as caught:
            ask(settings(server, headers=("sk-a-secret",)))
    assert server.heard[0].headers["X-Team"] == "garden"
    assert server.heard[0].headers["X-Empty"] == ""
    assert len(server.heard) == 1
    assert "sk-a-secret" not in f"{caught.value} {caught.value.hint}"


def test_extra_goes_into_every_request_of_openai():
    lines = ('reasoning_effort: "none"', 'chat_template_kwargs: {"enable_thinking": false}')
    with judge_server(YES) as server:
        ask(settings(server, "openai", extra=lines))
    for request in server.heard:
        body = json.loads(request.body)
        assert body["reasoning_effort"] == "none"
        assert body["chat_template_kwargs"] == {"enable_thinking": False}
        assert body["logprobs"] is True


@pytest.mark.parametrize("line", ["reasoning_effort", "reasoning_effort: none", ": 1", "a: {"])
def test_extra_that_is_no_json(line):
    with judge_server(YES) as server, pytest.raises(InputError, match=r"judge\.extra holds"):
        ask(settings(server, "openai", extra=(line,)))
    assert server.heard == []


def test_extra_is_refused_where_it_would_do_nothing():
    with judge_server(nouls()) as server, pytest.raises(InputError, match="openai alone"):
        ask(settings(server, extra=("a: 1",)))


def test_timeout():
    with judge_server(nouls()) as server:
        for timeout, seconds in ((0, 180), (7, 7)):
            with open_remote_judge(settings(server, timeout=timeout), RULES, {}) as judge:
                assert judge.endpoint.timeout == seconds
        with pytest.raises(InputError, match="timeout must lie between 0 and 3600"):
            ask(settings(server, timeout=4000))


def test_concurrency_and_price():
    with judge_server(nouls()) as server:
        given = settings(server, concurrency=5)
        with open_remote_judge(given, RULES, {}, price=2.0) as judge:
            endpoint = judge.endpoint
        answer = ask(given, price=2.0)
        with open_remote_judge(settings(server), RULES, {}) as judge:
            usual = judge.endpoint
    assert (endpoint.concurrency, endpoint.price) == (5, 2.0)
    assert (usual.concurrency, usual.price) == (2, 0.0)
    # The server counts 642 input tokens.
    assert answer.cost == pytest.approx(642 * 2.0 / 1_000_000)


def test_the_settings_that_others_use_are_all_there_is():
    # These go elsewhere: ``name`` and ``questions`` choose, ``tokens_per_note`` is the text's,
    # and the last three are the embedded judge's. Their tests stand with the command line's.
    elsewhere = {"name", "questions", "tokens_per_note", "cap", "floor", "prior"}
    tested = {
        *("preset", "base_url", "path", "model", "key_variable", "headers", "extra"),
        *("timeout", "concurrency"),
    }
    assert {field.name for field in fields(JudgeSettings)} == elsewhere | tested


def test_a_missing_key_is_a_fault_only_where_something_is_sent():
    given = JudgeSettings(name="systemone")
    with pytest.raises(InputError, match=r"api\.typesafe\.ai wants a key") as caught:
        ask(given)
    assert caught.value.hint == "set TYPESAFE_API_KEY"
    with open_remote_judge(given, RULES, {}, needs_key=False) as judge:
        assert judge.endpoint.url == "https://api.typesafe.ai/v1/systemone"
        assert len(judge.requests(make_pair(), QUESTIONS)) == 1


def test_names():
    for name in JUDGES:
        check_judge_name(name)
    with pytest.raises(InputError, match="no judge is called gpt") as caught:
        check_judge_name("gpt")
    assert caught.value.hint == "there are: embedded, systemone, openai"
