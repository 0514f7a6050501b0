"""Many pairs asked at once, each answer given back from one thread as it comes.

However the run ends, by the last pair, an error or Ctrl-C, every answer that had arrived is given
back first; at most the calls under way are lost. A thread begins no call before its last answer
was given back, so a run that is killed loses no more than one call a thread.
"""

from __future__ import annotations

import signal
import threading
import time
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from vaultgraph.domain.judging import Answer, PairError
from vaultgraph.errors import JudgeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import FrameType

    from vaultgraph.domain.judging import JudgedPair, JudgePort, QuestionSet

    OnAnswer = Callable[[JudgedPair, Answer | PairError], None]
    _Outcome = tuple[JudgedPair, Answer | BaseException]

#: So many failures in a row mean that the judge does not work, whatever it says about each pair.
FAILURES_IN_A_ROW = 20
#: Seconds that calls under way may still take once a run has to end; they may have been paid for.
_GRACE = 2.0
#: How often a waiting run looks whether Ctrl-C was pressed.
_TICK = 0.1


def ask_many(
    judge: JudgePort,
    pairs: Iterable[JudgedPair],
    questions: QuestionSet,
    on_answer: OnAnswer,
    *,
    threads: int = 0,
    stop: Callable[[], None] | None = None,
) -> None:
    """Ask ``judge`` about every pair, on ``threads`` threads; 0 means in the calling one.

    ``pairs`` is read, and ``on_answer`` called, in the calling thread alone; no more than two
    pairs a thread are held at a time. ``stop`` keeps a judge from beginning further calls.

    Raises:
        JudgeError: the judge refuses altogether, or failed too often in a row.
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    crew = _Crew(judge, questions, threads)
    deliver = _Delivery(on_answer)
    with _noticed_interrupts() as is_interrupted:
        try:
            for outcome in crew.ask(iter(pairs), is_interrupted):
                deliver.one(*outcome)
        except BaseException as error:
            if stop is not None:
                stop()
            if not deliver.is_broken:
                grace = _GRACE if isinstance(error, JudgeError) else 0.0
                deliver.answers(crew.late_outcomes(grace))
            raise
        finally:
            crew.dismiss()


class _Delivery:
    """Gives outcomes back, and ends the run where there is no point in going on."""

    def __init__(self, on_answer: OnAnswer) -> None:
        self._on_answer = on_answer
        self._failures = 0
        #: Whether the receiver itself failed: it is given nothing more.
        self.is_broken = False

    def one(self, pair: JudgedPair, outcome: Answer | BaseException) -> None:
        if not isinstance(outcome, Answer | PairError):
            raise outcome
        self._give(pair, outcome)
        self._failures = 0 if isinstance(outcome, Answer) else self._failures + 1
        if self._failures == FAILURES_IN_A_ROW:
            raise JudgeError(
                f"{FAILURES_IN_A_ROW} pairs in a row could not be judged; the last: {outcome}",
                hint="what was answered is kept; run it again once the cause is gone",
            )

    def answers(self, outcomes: Iterable[_Outcome]) -> None:
        for pair, outcome in outcomes:
            if isinstance(outcome, Answer):
                self._give(pair, outcome)

    def _give(self, pair: JudgedPair, outcome: Answer | PairError) -> None:
        try:
            self._on_answer(pair, outcome)
        except BaseException:
            self.is_broken = True
            raise


class _Crew:
    """Threads that ask, and the two queues between them and the run."""

    def __init__(self, judge: JudgePort, questions: QuestionSet, threads: int) -> None:
        self._judge = judge
        self._questions = questions
        self._threads = threads
        self._under_way = 0
        #: One for each answer that is not given back yet, beside those being asked for.
        self._free = threading.Semaphore(threads)
        self._to_ask: SimpleQueue[JudgedPair | None] = SimpleQueue()
        self._asked: SimpleQueue[_Outcome] = SimpleQueue()
        for number in range(threads):
            # A call that hangs must not keep the program from ending.
            threading.Thread(target=self._work, name=f"judge-{number}", daemon=True).start()

    def ask(
        self, pairs: Iterator[JudgedPair], is_interrupted: threading.Event
    ) -> Iterator[_Outcome]:
        """Yield the outcome of every pair as it comes."""
        for pair in pairs:
            if is_interrupted.is_set():
                raise KeyboardInterrupt
            if not self._threads:
                yield self._outcome(pair)
                continue
            self._to_ask.put(pair)
            self._under_way += 1
            if self._under_way >= 2 * self._threads:
                yield self._next(is_interrupted)
                self._free.release()
        while self._under_way:
            yield self._next(is_interrupted)
            self._free.release()

    def late_outcomes(self, grace: float) -> Iterator[_Outcome]:
        """Yield what has arrived, and what arrives within ``grace`` seconds of calls under way."""
        while self._take_back():
            self._under_way -= 1
        end = time.monotonic() + grace
        while self._under_way:
            try:
                outcome = self._asked.get(timeout=max(0.0, end - time.monotonic()))
            except Empty:
                return
            self._under_way -= 1
            yield outcome

    def dismiss(self) -> None:
        """Let the threads end after what they are at."""
        while self._take_back():
            pass
        for _ in range(self._threads):
            self._to_ask.put(None)
            self._free.release()

    def _take_back(self) -> bool:
        try:
            self._to_ask.get_nowait()
        except Empty:
            return False
        return True

    def _next(self, is_interrupted: threading.Event) -> _Outcome:
        while not is_interrupted.is_set():
            try:
                outcome = self._asked.get(timeout=_TICK)
            except Empty:
                continue
            self._under_way -= 1
            return outcome
        raise KeyboardInterrupt

    def _work(self) -> None:
        while True:
            self._free.acquire()
            pair = self._to_ask.get()
            if pair is None:
                return
            self._asked.put(self._outcome(pair))

    def _outcome(self, pair: JudgedPair) -> _Outcome:
        try:
            return pair, self._judge.ask(pair, self._questions)
        except BaseException as error:  # noqa: BLE001 -- handed to the run, which raises it
            return pair, error


@contextmanager
def _noticed_interrupts() -> Iterator[threading.Event]:
    """Let Ctrl-C set an event instead of breaking into the keeping of an answer.

    A second one breaks in. Outside the main thread, or where somebody else handles the signal,
    nothing changes.
    """
    noticed = threading.Event()
    is_ours = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )

    def notice(_signal: int, _frame: FrameType | None) -> None:
        if noticed.is_set():
            raise KeyboardInterrupt
        noticed.set()

    if is_ours:
        signal.signal(signal.SIGINT, notice)
    try:
        yield noticed
    finally:
        if is_ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
