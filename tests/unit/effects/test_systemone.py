"""Held against ``jevcompat``'s mock, which follows the wire's specification to the letter."""

from __future__ import annotations

import threading
from contextlib import contextmanager

import pytest
from jevcompat.mock import FAULTS, MockConfig, make_server

from tests.kit.judge_server import QUESTIONS, RULES, endpoint_for, make_pair
from vaultgraph.domain.judging import Answer, JudgedPair
from vaultgraph.effects.asking import ask_many
from vaultgraph.effects.http_judge import RefusedError, Timing
from vaultgraph.effects.systemone import SystemOneJudge
from vaultgraph.errors import JudgeError
from vaultgraph.judge.reading import ProtocolError

KEY = "test-key-0123456789"
#: What a fault does to us; the others break what we do not use.
BREAKS = {
    "wrong-route": JudgeError,
    "xssi-200": ProtocolError,
    "first-question-only": ProtocolError,
    "boolean-type": ProtocolError,
    "noul-range": ProtocolError,
    "reject-jev-latest": JudgeError,
    "auth-x-api-key": JudgeError,
    "auth-rejects-header": JudgeError,
}


@contextmanager
def mock(**config):
    # Each server has its handler's configuration for itself.
    server = make_server(MockConfig(**config), port=0)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def judge_for(url, *, key=True, model="jev-latest", rules=RULES):
    endpoint = endpoint_for(url, model=model, key_variable="TEST_KEY" if key else "")
    return SystemOneJudge(endpoint, rules, timing=Timing(sleep=lambda _: None))


def ask(url, **given):
    with judge_for(url, **given) as judge:
        return judge.ask(make_pair(), QUESTIONS)


@pytest.fixture(scope="module")
def right():
    with mock(key=KEY) as url:
        return ask(url)


def test_a_conforming_server(right):
    assert 0 <= right.first_depends <= 1
    assert 0 <= right.second_depends <= 1
    assert right.first_depends != right.second_depends
    assert right.model == "jevcompat-mock-0.1"
    assert right.input_tokens > 0


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_every_fault_gives_the_right_answer_or_an_error(fault, right):
    needs_key = fault != "auth-rejects-header"
    with mock(key=KEY if needs_key else None, faults=frozenset({fault})) as url:
        if fault in BREAKS:
            with pytest.raises(BREAKS[fault]):
                ask(url)
            return
        answer = ask(url)
    if fault.endswith("-leaks"):  # these change the numbers, and nobody can see it
        assert 0 <= answer.first_depends <= 1
    else:
        assert answer[:3] == right[:3]
        assert answer.input_tokens > 0


@pytest.mark.parametrize(
    "fault", [(), ("text-errors",), ("auth-plain",), ("auth-invalid-403-text",)]
)
@pytest.mark.parametrize("key", [True, False])
def test_a_missing_or_wrong_key_ends_the_run(fault, key):
    with (
        mock(key="another-key", faults=frozenset(fault)) as url,
        pytest.raises(JudgeError, match=r"answered 40[13]") as caught,
    ):
        ask(url, key=key)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("fault", [(), ("error-flat",), ("text-errors",)])
def test_an_unknown_model_is_said(fault):
    with (
        mock(key=KEY, faults=frozenset(fault)) as url,
        pytest.raises(RefusedError, match="answered 400: Unknown model: nobody"),
    ):
        ask(url, model="nobody")


def test_our_body_is_one_that_strict_servers_take():
    faults = {"forbid-extra", "string-only-text", "noul-two-sided", "noul-needs-instructions"}
    with mock(key=KEY, faults=frozenset(faults | {"strict-ids"})) as url:
        assert isinstance(ask(url), Answer)


def test_a_busy_server_loses_hardly_a_pair():
    with mock(key=KEY, busy_every=3) as url:
        endpoint = endpoint_for(url, model="jev-latest", key_variable="TEST_KEY", concurrency=4)
        found = {}
        with SystemOneJudge(endpoint, RULES) as judge:
            ask_many(
                judge,
                (make_pair(number) for number in range(30)),
                QUESTIONS,
                lambda pair, answer: found.update({pair.first.note: answer}),
                threads=4,
                stop=judge.stop,
            )
    assert len(found) == 30
    assert sum(isinstance(answer, Answer) for answer in found.values()) >= 28


def test_noise_stays_between_nought_and_one():
    with mock(noise=5.0) as url, judge_for(url, key=False) as judge:
        for number in range(20):
            answer = judge.ask(make_pair(number), QUESTIONS)
            assert 0 <= answer.first_depends <= 1


def test_asked_the_other_way_round_the_answer_turns_with_the_pair():
    pair = make_pair()
    turned = JudgedPair(pair.second, pair.first, pair.second_lines, pair.first_lines)
    with mock() as url, judge_for(url, key=False) as judge:
        one, other = judge.ask(pair, QUESTIONS), judge.ask(turned, QUESTIONS)
    assert (one.first_depends, one.second_depends) == (other.second_depends, other.first_depends)
