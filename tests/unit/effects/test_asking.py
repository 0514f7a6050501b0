from __future__ import annotations

import os
import signal
import threading
import time
import tracemalloc

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
from vaultgraph.domain.judging import Answer, PairError
from vaultgraph.effects.asking import FAILURES_IN_A_ROW, ask_many
from vaultgraph.effects.systemone import SystemOneJudge
from vaultgraph.errors import JudgeError

GOOD = Answer(0.9, 0.1, "m")


class Judge:
    """Does what ``script`` says for the pair of each number; else answers."""

    name, model = "scripted", ""

    def __init__(self, script=None):
        self.script = script or {}
        self.asked = []
        self.stopped = threading.Event()

    def stop(self):
        self.stopped.set()

    def ask(self, pair, questions):
        number = number_of(pair)
        self.asked.append(number)
        act = self.script.get(number, GOOD)
        if callable(act):
            act = act()
        if isinstance(act, BaseException):
            raise act
        return act


def number_of(pair):
    return int(pair.first.note.removeprefix("alpha ").removesuffix(".md"))


def run(judge, count, threads, on_answer=lambda pair, answer: None):
    ask_many(
        judge, map(make_pair, range(count)), QUESTIONS, on_answer, threads=threads, stop=judge.stop
    )


@pytest.mark.parametrize("threads", [0, 1, 4])
def test_every_pair_is_answered_in_the_calling_thread(threads):
    found, callers = {}, set()

    def keep(pair, answer):
        found[number_of(pair)] = answer
        callers.add(threading.current_thread())

    failure = PairError("no")
    run(Judge({3: failure}), 50, threads, keep)
    assert found == {number: failure if number == 3 else GOOD for number in range(50)}
    assert callers == {threading.current_thread()}


@pytest.mark.parametrize("threads", [0, 1, 4])
def test_no_pairs(threads):
    judge, answered = Judge(), []
    run(judge, 0, threads, lambda pair, answer: answered.append(pair))
    assert (judge.asked, answered) == ([], [])


def test_no_more_than_two_pairs_a_thread_are_held():
    taken = given = most = 0

    def pairs():
        nonlocal taken, most
        for number in range(200):
            taken += 1
            most = max(most, taken - given)
            yield make_pair(number)

    def keep(_pair, _answer):
        nonlocal given
        given += 1

    ask_many(Judge(), pairs(), QUESTIONS, keep, threads=3)
    assert given == 200
    assert most <= 7


@pytest.mark.parametrize("threads", [0, 4])
def test_a_refusal_ends_the_run_and_what_was_answered_is_given_back(threads):
    judge = Judge({10: JudgeError("no")})
    found = []
    with pytest.raises(JudgeError, match="no"):
        run(judge, 1000, threads, lambda pair, answer: found.append((number_of(pair), answer)))
    assert judge.stopped.is_set()
    assert len(judge.asked) < 40
    assert sorted(number for number, _ in found) == sorted(set(judge.asked) - {10})
    assert all(answer == GOOD for _, answer in found)


def test_calls_under_way_may_still_end_when_a_refusal_comes(monkeypatch):
    monkeypatch.setattr("vaultgraph.effects.asking._GRACE", 60)
    slow_has_begun = threading.Event()

    def slow():
        slow_has_begun.set()
        judge.stopped.wait(60)
        return GOOD

    def refuse():
        slow_has_begun.wait(60)
        raise JudgeError("no")

    judge = Judge({0: slow, 1: refuse})
    found = []
    with pytest.raises(JudgeError):
        run(judge, 2, 2, lambda pair, _: found.append(number_of(pair)))
    assert found == [0]


def test_a_call_that_hangs_does_not_keep_a_refused_run(monkeypatch):
    monkeypatch.setattr("vaultgraph.effects.asking._GRACE", 0.05)
    release, hung_to_the_end = threading.Event(), threading.Event()

    def hang():
        release.wait(60)
        hung_to_the_end.set()
        return GOOD

    with pytest.raises(JudgeError):
        run(Judge({0: hang, 5: JudgeError("no")}), 100, 2)
    assert not hung_to_the_end.is_set()
    release.set()


@pytest.mark.parametrize("threads", [0, 2])
def test_too_many_failures_in_a_row_end_the_run(threads):
    judge = Judge({number: PairError(f"bad {number}") for number in range(5, 1000)})
    found = []
    with pytest.raises(JudgeError, match=f"{FAILURES_IN_A_ROW} pairs in a row .*: bad") as caught:
        run(judge, 1000, threads, lambda pair, answer: found.append(answer))
    assert len(found) <= 5 + FAILURES_IN_A_ROW
    assert caught.value.hint


def test_failures_with_answers_between_them_end_nothing():
    judge = Judge({number: PairError("bad") for number in range(200) if number % 10})
    run(judge, 200, 1)
    assert len(judge.asked) == 200


@pytest.mark.parametrize("threads", [0, 2])
def test_a_bug_in_a_judge_is_no_failed_pair(threads):
    with pytest.raises(ZeroDivisionError):
        run(Judge({4: lambda: 1 // 0}), 100, threads)


@pytest.mark.parametrize("threads", [0, 2])
def test_a_receiver_that_fails_is_given_nothing_more(threads):
    given = []

    def keep(pair, _answer):
        given.append(pair)
        raise OSError("disk full")

    judge = Judge()
    with pytest.raises(OSError, match="disk full"):
        run(judge, 100, threads, keep)
    assert len(given) == 1
    assert judge.stopped.is_set()


def test_pairs_that_cannot_be_read_end_the_run():
    def pairs():
        yield make_pair(0)
        raise KeyError("note")

    found = []
    with pytest.raises(KeyError):
        ask_many(Judge(), pairs(), QUESTIONS, lambda pair, _: found.append(pair), threads=1)
    assert len(found) <= 1


@pytest.fixture
def interrupts():
    """Let SIGINT do what it does in a program; test runners change it."""
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals reach the main thread only")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield lambda: os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("threads", [0, 3])
def test_ctrl_c_ends_the_run_at_once_and_keeps_what_was_answered(threads, interrupts):
    def press():
        interrupts()
        time.sleep(0.05)
        return GOOD

    release, hung_to_the_end = threading.Event(), threading.Event()

    def hang():
        release.wait(60)
        hung_to_the_end.set()
        return GOOD

    judge = Judge({30: press, 31: hang})
    found = []
    with pytest.raises(KeyboardInterrupt):
        run(judge, 10_000, threads, lambda pair, _: found.append(number_of(pair)))
    assert not hung_to_the_end.is_set()
    assert judge.stopped.is_set()
    assert set(range(30)) <= set(found)
    assert len(judge.asked) < 100
    release.set()


def test_ctrl_c_does_not_break_into_the_keeping_of_an_answer(interrupts):
    kept = []

    def keep(pair, _answer):
        if number_of(pair) == 7:
            interrupts()
            time.sleep(0.02)
        kept.append(number_of(pair))

    with pytest.raises(KeyboardInterrupt):
        run(Judge(), 100, 0, keep)
    assert kept == list(range(8))


def test_a_second_ctrl_c_breaks_in(interrupts):
    went_on = []

    def keep(_pair, _answer):
        interrupts()
        interrupts()
        time.sleep(5)
        went_on.append(True)

    with pytest.raises(KeyboardInterrupt):
        run(Judge(), 100, 0, keep)
    assert not went_on


def test_in_another_thread_nothing_is_done_about_signals():
    done = []
    thread = threading.Thread(target=lambda: done.append(run(Judge(), 10, 2)))
    thread.start()
    thread.join(60)
    assert done == [None]


def test_eight_at_a_time_keep_a_server_busy():
    """The pace itself is measured by ``scripts/bench_judge_http.py``."""
    eight = threading.Barrier(8)

    def answer(_number, _body):
        # Nobody gets an answer until eight have asked.
        eight.wait(30)
        return nouls()

    answers = []
    with (
        judge_server(answer=answer) as server,
        SystemOneJudge(endpoint_for(server.url, concurrency=8), RULES) as judge,
    ):
        keep = lambda _pair, answer: answers.append(answer)  # noqa: E731
        ask_many(judge, map(make_pair, range(200)), QUESTIONS, keep, threads=8)
    assert server.most_at_once == 8
    assert [type(answer) for answer in answers] == [Answer] * 200


def test_memory_does_not_grow_with_the_number_of_pairs():
    with judge_server(nouls()) as server:
        server.keeps = False
        with SystemOneJudge(endpoint_for(server.url, concurrency=4), RULES) as judge:

            def ask(count):
                tracemalloc.reset_peak()
                pairs = (make_pair(number, first="x " * 20_000) for number in range(count))
                ask_many(judge, pairs, QUESTIONS, lambda *_: None, threads=4)
                return tracemalloc.get_traced_memory()[1]

            tracemalloc.start()
            try:
                few, many = ask(40), ask(160)
            finally:
                tracemalloc.stop()
    assert many < 1.5 * few


def test_a_run_under_429_slows_down_and_ends_whole():
    lock = threading.Lock()
    state = {"at_once": 0}

    def answer(_number, _body):
        with lock:
            state["at_once"] += 1
            is_busy = state["at_once"] > 2
        time.sleep(0.005)
        with lock:
            state["at_once"] -= 1
        return Say(429, headers={"Retry-After": "0.01"}) if is_busy else nouls()

    found = []
    with (
        judge_server(answer=answer) as server,
        SystemOneJudge(endpoint_for(server.url, concurrency=8), RULES) as judge,
    ):
        pairs = map(make_pair, range(100))
        ask_many(judge, pairs, QUESTIONS, lambda _, got: found.append(got), threads=8)
    assert sum(isinstance(one, Answer) for one in found) == 100
    assert server.count < 160


def test_no_more_than_one_answer_a_thread_waits_to_be_given_back():
    given = most = 0
    judge = Judge()

    def keep(_pair, _answer):
        nonlocal given, most
        # Time enough for every thread to run ahead, if it could.
        time.sleep(0.005)
        most = max(most, len(judge.asked) - given)
        given += 1

    run(judge, 60, 3, keep)
    assert given == 60
    assert most <= 3
