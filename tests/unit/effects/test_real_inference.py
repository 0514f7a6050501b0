"""Both wires against real inference, on this machine and without a network: shape and range only.

The model is far too small to judge; nothing here says anything about what it answers.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.kit.cli import run
from tests.kit.judge_server import QUESTIONS, RULES, endpoint_for, make_pair
from vaultgraph.domain.judging import Answer
from vaultgraph.effects.asking import ask_many
from vaultgraph.effects.http_judge import RefusedError, TooLongError
from vaultgraph.effects.openai_judge import OpenAIJudge
from vaultgraph.effects.systemone import SystemOneJudge
from vaultgraph.judge.reading import ProtocolError

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        # CI installs it, and fails where that went wrong.
        importlib.util.find_spec("xllamacpp") is None and os.environ.get("CI") != "true",
        reason="needs the group judge-real",
    ),
]

SERVER = Path(__file__).with_name("real_judge_server.py")
PAIR = make_pair(
    first="The launch of the service waits for the bridge to be built, see [[beta 0]].",
    second="The bridge is built in spring. Steel is ordered.",
)


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    environment = {**os.environ, "OMP_NUM_THREADS": "2"}
    with subprocess.Popen(
        [sys.executable, str(SERVER), str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        text=True,
    ) as child:
        try:
            assert child.stdout is not None
            address = child.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:")
            yield address
        finally:
            child.terminate()
            child.wait(20)


def test_systemone(url):
    with SystemOneJudge(endpoint_for(url), RULES) as judge:
        first, again = judge.ask(PAIR, QUESTIONS), judge.ask(PAIR, QUESTIONS)
    for answer in (first, again):
        assert 0 <= answer.first_depends <= 1
        assert 0 <= answer.second_depends <= 1
        assert answer.model
        assert answer.input_tokens > 100
    # A warm prompt cache moves the answer a little.
    assert again.first_depends == pytest.approx(first.first_depends, abs=0.1)


def test_systemone_the_request_is_the_one_that_is_shown(url):
    with SystemOneJudge(endpoint_for(url), RULES) as judge:
        (body,) = judge.requests(PAIR, QUESTIONS)
        reply = httpx.post(judge.endpoint.url, content=body, timeout=120, trust_env=False)
    assert reply.status_code == 200
    answers = reply.json()["answers"]
    assert set(answers) == {"a_needs_b", "b_needs_a"}
    assert {answer["type"] for answer in answers.values()} == {"noul"}


def test_systemone_a_text_that_is_too_long_is_halved_once(url):
    rules = RULES._replace(tokens_per_note=14_000)
    paragraphs = [f"Paragraph {number} tells of steel and stone." for number in range(800)]
    with SystemOneJudge(endpoint_for(url), rules) as judge:
        answer = judge.ask(make_pair(first="\n\n".join(paragraphs[:70])), QUESTIONS)
        assert 0 <= answer.first_depends <= 1
        # The text was read, not passed over.
        assert answer.input_tokens > 600
        with pytest.raises(TooLongError, match="exceeds the available context size"):
            judge.ask(make_pair(first="\n\n".join(paragraphs)), QUESTIONS)


def test_the_whole_program(url, make_vault):
    vault = make_vault({"Alpha Plan.md": PAIR.first.body, "Beta Plan.md": "See [[Alpha Plan]]."})
    ran = run(vault, "judge", "--judge", "systemone", "--base-url", url, "--model", "m", "--json")
    (verdict,) = ran.ok().json["verdicts"]
    assert (verdict["first"], verdict["second"]) == ("Alpha Plan.md", "Beta Plan.md")
    assert 0 <= verdict["first_depends"] <= 1
    assert 0 <= verdict["second_depends"] <= 1


def test_many_pairs_at_once(url):
    found = []
    with SystemOneJudge(endpoint_for(url), RULES) as judge:
        pairs = map(make_pair, range(2))
        ask_many(judge, pairs, QUESTIONS, lambda _, answer: found.append(answer), threads=2)
    assert len(found) == 2
    assert all(isinstance(answer, Answer) for answer in found)


def test_openai_log_probabilities_have_the_shape_we_read(url):
    with OpenAIJudge(endpoint_for(f"{url}/v1", "openai"), RULES) as judge:
        first, second = judge.requests(PAIR, QUESTIONS)
        reply = httpx.post(judge.endpoint.url, content=first, timeout=120, trust_env=False)
        assert reply.status_code == 200
        (token,) = reply.json()["choices"][0]["logprobs"]["content"]
        assert len(token["top_logprobs"]) == 20
        assert json.loads(second)["top_logprobs"] == 20
        # This model often begins with neither yes nor no, and then says so.
        with suppress(ProtocolError):
            assert 0 <= judge.ask(PAIR, QUESTIONS).first_depends <= 1


def test_openai_a_question_that_it_answers(url):
    said = ("Is fire hot?", "Yes", "Is ice hot?", "No", "Is the sea wet?", "Yes", "Is sand wet?")
    messages = [
        {"role": role, "content": text}
        for role, text in zip(("user", "assistant") * 4, said, strict=False)
    ]
    endpoint = endpoint_for(f"{url}/v1", "openai")
    with OpenAIJudge(endpoint, RULES, extra={"messages": messages}) as judge:
        answer = judge.ask(PAIR, QUESTIONS)
    assert 0 <= answer.first_depends <= 1
    assert answer.second_depends == pytest.approx(answer.first_depends, abs=0.1)
    assert answer.input_tokens > 20
    assert answer.output_tokens > 0


def test_a_server_without_a_decision_model_or_address(url):
    with (
        SystemOneJudge(endpoint_for(url, path="/v1/nowhere"), RULES) as judge,
        pytest.raises(Exception, match="answered 404"),
    ):
        judge.ask(PAIR, QUESTIONS)
    with (
        OpenAIJudge(endpoint_for(f"{url}/v1", "openai"), RULES, extra={"messages": 3}) as judge,
        pytest.raises((RefusedError, ProtocolError)),
    ):
        judge.ask(PAIR, QUESTIONS)
