from __future__ import annotations

import threading
from datetime import UTC, datetime

import pytest

from vaultgraph.effects.rate_limit import AdaptiveLimit, backoff, parse_retry_after

NOW = datetime(2026, 12, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "3600"}, 60.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "Tue, 01 Dec 2026 12:00:07 GMT"}, 7.0),
        ({"retry-after": "Tue, 01 Dec 2026 12:00:07 -0000"}, 7.0),
        ({"retry-after": "Tue, 01 Dec 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "Tue, 01 Dec 2027 12:00:00 GMT"}, 60.0),
        ({"retry-after": "Tue, 99 Dec 2026 99:00:00 GMT"}, None),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "x", "retry-after": "9"}, 9.0),
    ],
)
def test_what_a_host_asks_for(headers, wait):
    assert parse_retry_after(headers, NOW) == wait


def test_waits_double_up_to_eight_seconds_and_spread():
    assert [backoff(attempt, 0.5) for attempt in range(6)] == [0.5, 1, 2, 4, 8, 8]
    assert backoff(0, 0.0) == 0.375
    assert backoff(0, 1.0) == 0.625


def limit(most):
    return AdaptiveLimit(most, monotonic=lambda: 0.0, sleep=lambda _: None)


def test_halved_once_for_calls_that_were_under_way_together():
    one = limit(8)
    with one.turn() as first, one.turn() as second:
        one.was_too_much(first, None)
        one.was_too_much(second, None)
    assert one.at_a_time == 4
    for expected in (2, 1, 1):
        with one.turn() as number:
            one.was_too_much(number, None)
        assert one.at_a_time == expected


def test_raised_slowly_and_never_above_where_it_began():
    one = limit(4)
    with one.turn() as number:
        one.was_too_much(number, None)
    answers = 0
    while one.at_a_time < 4:
        one.went_well()
        answers += 1
    assert answers == 10 * 2 + 10 * 3
    for _ in range(500):
        one.went_well()
    assert one.at_a_time == 4


def test_nobody_begins_before_the_hosts_wait_is_over():
    slept: list[float] = []
    one = AdaptiveLimit(2, monotonic=lambda: 100.0, sleep=slept.append)
    with one.turn() as number:
        one.was_too_much(number, 7.0)
        one.was_too_much(number, 3.0)
    with one.turn():
        pass
    assert slept == [7.0]


def test_no_more_at_a_time_than_allowed():
    one = AdaptiveLimit(3, monotonic=lambda: 0.0, sleep=lambda _: None)
    running, most = 0, 0
    lock = threading.Lock()
    # Nobody leaves before three are in: 21 calls pass only if three may run at a time.
    three_are_in = threading.Barrier(3, timeout=60)

    def call():
        nonlocal running, most
        with one.turn():
            with lock:
                running += 1
                most = max(most, running)
            three_are_in.wait()
            with lock:
                running -= 1

    threads = [threading.Thread(target=call) for _ in range(21)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert most == 3
