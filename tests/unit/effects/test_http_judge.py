from __future__ import annotations

import logging
import math
import socket
from datetime import UTC, datetime

import pytest

from tests.kit.judge_server import (
    QUESTIONS,
    RULES,
    Say,
    endpoint_for,
    judge_server,
    make_pair,
    nouls,
)
from vaultgraph.domain.judging import PairError
from vaultgraph.effects.http_judge import RefusedError, Timing, TooLongError
from vaultgraph.effects.systemone import SystemOneJudge
from vaultgraph.errors import JudgeError
from vaultgraph.judge.reading import ProtocolError

NOW = datetime(2026, 12, 1, 12, 0, 0, tzinfo=UTC)
PAIR = make_pair(first="The launch waits for the bridge.", second="The bridge is not built.")
GOOD = nouls()


class Waits(list[float]):
    """Collects the waits instead of waiting."""

    @property
    def timing(self) -> Timing:
        return Timing(sleep=self.append, now=lambda: NOW)


@pytest.fixture
def waits():
    return Waits()


def ask(server, waits, pair=PAIR, **settings):
    endpoint = endpoint_for(server.url, **settings)
    with SystemOneJudge(endpoint, RULES, timing=waits.timing) as judge:
        return judge.ask(pair, QUESTIONS)


def too_long(status=400):
    return Say(status, b'{"detail":{"error_type":"max_tokens_exceeded","message":""}}')


def test_an_answer(waits):
    with judge_server(GOOD) as server:
        answer = ask(server, waits, key_variable="TEST_KEY", headers=(("X-Group", "notes"),))
    assert answer[:3] == (0.9, 0.1, "jev-test")
    assert (answer.input_tokens, answer.output_tokens, answer.cost) == (642, 0, 0.0)
    (heard,) = server.heard
    assert heard.path == "/v1/systemone"
    assert heard.headers["Authorization"] == "Bearer test-key-0123456789"
    assert heard.headers["Content-Type"] == "application/json"
    assert heard.headers["X-Group"] == "notes"
    assert waits == []


def test_what_a_host_says_about_cost_is_believed_else_it_is_reckoned(waits):
    usage = {"input_tokens": 1000, "output_tokens": 7, "cost": 0.5}
    with judge_server(nouls(usage=usage), nouls(usage=None)) as server:
        said = ask(server, waits, price=0.042)
        reckoned = ask(server, waits, price=0.042)
    assert (said.input_tokens, said.output_tokens, said.cost) == (1000, 7, 0.5)
    assert reckoned.input_tokens == int(len(server.heard[1].body) / 3.5) + 250
    assert reckoned.cost == pytest.approx(reckoned.input_tokens * 0.042 / 1e6)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_tried_again_three_times_with_doubling_waits(status, waits):
    with judge_server(Say(status), Say(status), Say(status), GOOD) as server:
        assert ask(server, waits).first_depends == 0.9
    for wait, base in zip(waits, (0.5, 1, 2), strict=True):
        assert 0.75 * base <= wait <= 1.25 * base
    # The very same bytes each time.
    assert len({heard.body for heard in server.heard}) == 1


@pytest.mark.parametrize("status", [429, 500, 529])
def test_given_up_after_four_tries(status, waits):
    with judge_server(Say(status, b'{"detail":"Too busy"}')) as server:
        with pytest.raises(PairError, match=rf"answered {status}: Too busy .*\(4 tries\)"):
            ask(server, waits)
        assert len(server.heard) == 4


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "2"}, 2.0),
        ({"Retry-After": "0"}, 0.0),
        ({"Retry-After": "900"}, 60.0),
        ({"Retry-After": "Tue, 01 Dec 2026 12:00:05 GMT"}, 5.0),
        ({"retry-after-ms": "40", "Retry-After": "9"}, 0.04),
    ],
)
@pytest.mark.parametrize("status", [429, 503, 529])
def test_the_hosts_own_wait_is_kept(headers, wait, status, waits):
    with judge_server(Say(status, headers=headers), GOOD) as server:
        ask(server, waits)
    # A wait of nought is not slept; the limit's own wait for newcomers may come on top.
    assert waits[0] == wait


@pytest.mark.parametrize("status", [401, 402, 403, 404, 405, 501, 301, 307])
def test_a_refusal_for_good_ends_the_run_at_once(status, waits):
    body = b'{"detail":{"error_type":"authentication_error","message":"Must supply a key!"}}'
    with judge_server(Say(status, body, {"Location": "http://127.0.0.1:1/"})) as server:
        with pytest.raises(JudgeError, match=f"answered {status}: Must supply a key!") as caught:
            ask(server, waits)
        assert len(server.heard) == 1
    assert caught.value.hint
    assert caught.value.exit_code == 4
    assert waits == []


def test_a_local_404_says_what_may_be_missing(waits):
    with (
        judge_server(Say(404, b"404 page not found")) as server,
        pytest.raises(JudgeError, match="404 page not found") as caught,
    ):
        ask(server, waits)
    assert "Ollama has /v1/systemone since 0.35" in (caught.value.hint or "")


@pytest.mark.parametrize("status", [400, 409, 415, 418, 422])
def test_other_refusals_are_the_pairs_own(status, waits):
    body = b'{"detail":[{"loc":["body"],"msg":"Field required","type":"missing"}]}'
    with judge_server(Say(status, body, {"x-request-id": "r-7"})) as server:
        with pytest.raises(RefusedError, match=rf"{status}: Field required \(request r-7\)"):
            ask(server, waits)
        assert len(server.heard) == 1


@pytest.mark.parametrize("status", [400, 413, 422])
def test_too_long_is_halved_once(status, waits):
    with judge_server(too_long(status), GOOD) as server:
        assert ask(server, waits).first_depends == 0.9
    full, half = (len(heard.body) for heard in server.heard)
    assert half < full


def test_too_long_twice_is_given_up(waits):
    with judge_server(too_long()) as server:
        with pytest.raises(TooLongError):
            ask(server, waits)
        assert len(server.heard) == 2


@pytest.mark.parametrize(
    "body",
    [
        b"<!DOCTYPE html><title>Sign in to the hotel</title>",
        b"",
        b"null",
        b"[]",
        b'{"answers":{}}',
        b'{"answers":{"a_needs_b":{"type":"noul","noul":NaN},"b_needs_a":{"type":"noul","noul":1}}}',
        b'{"answers":' * 5000,
    ],
)
def test_an_answer_that_breaks_the_wire_names_host_status_and_request(body, waits):
    with judge_server(Say(200, body, {"x-typesafe-request-id": "req_9"})) as server:
        with pytest.raises(ProtocolError, match=r"answered 200 \(request req_9\): ") as caught:
            ask(server, waits)
        assert len(server.heard) == 1
        assert str(caught.value).startswith(f"127.0.0.1:{server.server_address[1]}")
    assert "hotel" not in str(caught.value)


def test_a_huge_answer_is_not_read_to_its_end(waits):
    with (
        judge_server(Say(200, b'{"x":"' + b"x" * (8 << 20) + b'"}')) as server,
        pytest.raises(ProtocolError, match="larger than a megabyte"),
    ):
        ask(server, waits)
    with (
        judge_server(Say(400, b"x" * (8 << 20))) as server,
        pytest.raises(RefusedError, match=r"answered 400: x{200}$"),
    ):
        ask(server, waits)


def test_a_dropped_connection_is_tried_again(waits):
    drop = Say(drop=True)
    with judge_server(drop, drop, GOOD) as server:
        assert ask(server, waits).first_depends == 0.9
        assert len(server.heard) == 3
    with judge_server(drop) as server:
        with pytest.raises(JudgeError, match=r"cannot be reached: .* broke the connection off"):
            ask(server, waits)
        assert len(server.heard) == 4


def test_a_host_that_was_reached_before_costs_one_pair_only(waits):
    with judge_server(GOOD, Say(drop=True)) as server:
        endpoint = endpoint_for(server.url)
        with SystemOneJudge(endpoint, RULES, timing=waits.timing) as judge:
            judge.ask(PAIR, QUESTIONS)
            with pytest.raises(PairError, match=r"broke the connection off \(4 tries\)"):
                judge.ask(PAIR, QUESTIONS)


def test_a_slow_answer_is_given_up(waits):
    with (
        judge_server(Say(delay=math.inf)) as server,
        pytest.raises(JudgeError, match=r"no answer within 0\.05 seconds"),
    ):
        ask(server, waits, timeout=0.05)


def test_an_answer_that_only_drips_is_given_up(waits):
    with (
        judge_server(GOOD._replace(drip=0.01)) as server,
        pytest.raises(JudgeError, match="too slowly"),
    ):
        ask(server, waits, timeout=0.1)


def test_nobody_listens(waits):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    endpoint = endpoint_for(url)
    with (
        SystemOneJudge(endpoint, RULES, timing=waits.timing) as judge,
        pytest.raises(JudgeError, match="cannot be connected to") as caught,
    ):
        judge.ask(PAIR, QUESTIONS)
    assert caught.value.hint == "is the server running?"
    assert len(waits) == 3


def test_no_proxy_stands_between_this_machine_and_itself(waits, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with judge_server(GOOD) as server:
        assert ask(server, waits).first_depends == 0.9


@pytest.mark.parametrize("status", [200, 400, 401, 404, 422, 429, 500])
def test_no_error_repeats_a_note_or_a_key(status, waits, caplog):
    caplog.set_level(logging.DEBUG)

    def echo(_number, body):
        return Say(status, b"cannot do: test-key-0123456789 " + body)

    with judge_server(answer=echo) as server, pytest.raises((PairError, JudgeError)) as caught:
        ask(server, waits, key_variable="TEST_KEY")
    for text in (str(caught.value), repr(caught.value), caplog.text):
        assert "bridge" not in text
        assert "test-key" not in text
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_after_a_stop_nothing_more_is_sent(waits):
    with judge_server(GOOD) as server:
        with SystemOneJudge(endpoint_for(server.url), RULES, timing=waits.timing) as judge:
            judge.stop()
            with pytest.raises(PairError, match="stopped"):
                judge.ask(PAIR, QUESTIONS)
        assert server.heard == []


def test_what_is_shown_is_what_is_sent(waits):
    with judge_server(GOOD) as server:
        with SystemOneJudge(endpoint_for(server.url), RULES, timing=waits.timing) as judge:
            shown = judge.requests(PAIR, QUESTIONS)
            judge.ask(PAIR, QUESTIONS)
        assert tuple(heard.body for heard in server.heard) == shown
