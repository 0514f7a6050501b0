"""How many calls run at a time, and how long to wait before the next.

No host states its limits in a header that can be relied on, so they are felt out: halved when a
host says that it is too much, raised again one by one.
"""

from __future__ import annotations

import math
import threading
from contextlib import contextmanager
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

LONGEST_WAIT = 60.0
_FIRST_WAIT, _LONGEST_BACKOFF = 0.5, 8.0
_JITTER = 0.25
#: Answers per call at a time before one more is tried.
_ANSWERS_PER_RAISE = 10


def backoff(attempt: int, share: float) -> float:
    """Return the seconds to wait after the failed attempt number ``attempt``, from 0.

    ``share``, from 0 to 1, spreads calls that failed together.
    """
    wait: float = min(_LONGEST_BACKOFF, _FIRST_WAIT * 2**attempt)
    return wait * (1 + _JITTER * (2 * share - 1))


def parse_retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds a host asks to wait, at most a minute; ``None`` where it does not say."""
    wait = _number(headers.get("retry-after-ms"))
    if wait is not None:
        wait /= 1000
    else:
        written = headers.get("retry-after")
        wait = _number(written)
        if wait is None and written:
            wait = _seconds_until(written, now)
    return None if wait is None else min(LONGEST_WAIT, max(0.0, wait))


def _number(written: str | None) -> float | None:
    try:
        number = float(written or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _seconds_until(written: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(written)
    except (TypeError, ValueError, OverflowError):
        return None
    # "-0000" is read as a time without a zone; HTTP knows only GMT.
    return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - now).total_seconds()


class AdaptiveLimit:
    """At most so many calls at a time; shared by all threads of a judge."""

    def __init__(
        self, most: int, *, monotonic: Callable[[], float], sleep: Callable[[float], None]
    ) -> None:
        self._most = most
        self._now = most
        self._monotonic = monotonic
        self._sleep = sleep
        self._free = threading.Condition()
        self._running = 0
        self._answers = 0
        #: Grows with each halving: a refusal counts once, however many calls were under way.
        self._round = 0
        self._not_before = 0.0

    @property
    def at_a_time(self) -> int:
        """How many calls may run now."""
        return self._now

    @contextmanager
    def turn(self) -> Iterator[int]:
        """Wait for a turn; yields the round it belongs to, for :meth:`was_too_much`."""
        with self._free:
            while self._running >= self._now:
                self._free.wait()
            self._running += 1
            number, wait = self._round, self._not_before - self._monotonic()
        try:
            if wait > 0:
                self._sleep(wait)
            yield number
        finally:
            with self._free:
                self._running -= 1
                self._free.notify_all()

    def went_well(self) -> None:
        """Count an answer; enough of them allow one more call at a time."""
        with self._free:
            self._answers += 1
            if self._now < self._most and self._answers >= _ANSWERS_PER_RAISE * self._now:
                self._now += 1
                self._answers = 0
                self._free.notify_all()

    def was_too_much(self, number: int, wait: float | None) -> None:
        """Halve what runs at a time, and let nobody begin before the host's wait is over."""
        with self._free:
            if wait is not None:
                self._not_before = max(self._not_before, self._monotonic() + wait)
            if number == self._round:
                self._now = max(1, self._now // 2)
                self._answers = 0
                self._round += 1
