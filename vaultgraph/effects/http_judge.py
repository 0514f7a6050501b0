"""One POST to a judge's server, tried again where that can help, and its answer or its refusal.

    JudgeError      the server cannot be reached, or refuses altogether: the run ends
    PairError       this pair cannot be judged
    ├── RefusedError    with what the server said
    ├── TooLongError    half the text may do
    └── ProtocolError   the answer is not what the wire says

No error holds a note's text or a key, and redirects are never followed: both would go elsewhere.
"""

from __future__ import annotations

import threading
import time
import zlib
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from vaultgraph.domain.judging import PairError
from vaultgraph.effects.clock import SystemClock
from vaultgraph.effects.rate_limit import AdaptiveLimit, backoff, parse_retry_after
from vaultgraph.errors import JudgeError
from vaultgraph.judge.reading import (
    AnswerFault,
    ProtocolError,
    find_words,
    is_too_long,
    parse_object,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    import httpx

    from vaultgraph.judge.servers import Endpoint

_T = TypeVar("_T")
_TRIES = 4
_RETRIED = frozenset({408, 429, 500, 502, 503, 504, 529})
#: The host has more work than it can do.
_TOO_MUCH = frozenset({429, 503, 529})
_MOST_BYTES = 1 << 20
_CONNECT_TIMEOUT = 10.0
_OLD_SERVER = (
    "this server has no such address (Ollama has /v1/systemone since 0.35, llama.cpp since"
    " b11361), or the model is not pulled"
)


class RefusedError(PairError):
    """The server refused a request; trying again would not help."""

    def __init__(self, text: str, status: int, words: str) -> None:
        super().__init__(text)
        self.status = status
        self.words = words


class TooLongError(PairError):
    """The server found the text of a pair too long."""


class Timing(NamedTuple):
    """The clock and the sleep of a caller; tests bring their own."""

    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], datetime] = SystemClock().now


class _Reply(NamedTuple):
    status: int
    headers: Mapping[str, str]
    data: bytes
    is_whole: bool
    #: The round of the limit in which the call began.
    round: int

    @property
    def request_id(self) -> str:
        for name in ("x-typesafe-request-id", "x-request-id"):
            value = self.headers.get(name, "")
            if value.isascii() and value.isprintable() and value:
                return value[:80]
        return ""

    @property
    def named(self) -> str:
        """How to ask the host about this reply, in brackets, or nothing."""
        return f" (request {self.request_id})" if self.request_id else ""

    def parse(self) -> dict[str, object]:
        if not self.is_whole:
            raise AnswerFault("the answer is larger than a megabyte")
        return parse_object(self.data)


class _LostError(Exception):
    """A call brought no answer; the text says why."""


class HttpCaller:
    """A connection pool to one endpoint, used by many threads."""

    def __init__(self, endpoint: Endpoint, timing: Timing | None = None) -> None:
        import httpx

        self._endpoint = endpoint
        self._timing = timing or Timing()
        self._stopped = threading.Event()
        self._was_reached = False
        self.limit = AdaptiveLimit(
            endpoint.concurrency, monotonic=self._timing.monotonic, sleep=self._timing.sleep
        )
        headers = {
            "User-Agent": "vaultgraph",
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
        }
        if endpoint.key:
            headers["Authorization"] = f"Bearer {endpoint.key}"
        headers.update(endpoint.headers)
        most, connect = endpoint.concurrency, min(_CONNECT_TIMEOUT, endpoint.timeout)
        self._client = httpx.Client(
            headers=headers,
            timeout=httpx.Timeout(endpoint.timeout, connect=connect, pool=None),
            limits=httpx.Limits(max_connections=most, max_keepalive_connections=most),
            follow_redirects=False,
            # A proxy is for the world, not for this machine.
            trust_env=not endpoint.is_local,
        )

    def stop(self) -> None:
        """Begin no further request; the ones under way end as they may."""
        self._stopped.set()

    def close(self) -> None:
        """Stop, and give the connections back."""
        self.stop()
        self._client.close()

    def post(
        self,
        body: bytes,
        read: Callable[[Mapping[str, object]], _T],
        hidden: tuple[str, ...] = (),
    ) -> _T:
        """Return what ``read`` finds in the JSON object that the server answers.

        ``read`` may raise ``AnswerFault``. ``hidden`` are the texts in ``body`` that no error may
        repeat.

        Raises:
            JudgeError: the server cannot be reached, or refuses altogether.
            PairError: it gave no usable answer to this.
        """
        reason = ""
        for attempt in range(_TRIES):
            if self._stopped.is_set():
                raise PairError("the run was stopped")
            wait: float | None = None
            try:
                reply = self._send(body)
            except _LostError as lost:
                reason = str(lost)
            else:
                self._was_reached = True
                if reply.status not in _RETRIED:
                    return self._read(reply, read, hidden)
                reason = f"answered {reply.status}: {self._words(reply, hidden)}"
                wait = parse_retry_after(reply.headers, self._timing.now())
                if reply.status in _TOO_MUCH:
                    self.limit.was_too_much(reply.round, wait)
            if attempt < _TRIES - 1:
                # No two bodies are alike, so calls that failed together come back apart.
                spread = zlib.crc32(body, attempt) / 0xFFFFFFFF
                self._timing.sleep(backoff(attempt, spread) if wait is None else wait)
        raise self._gave_up(reason)

    def _send(self, body: bytes) -> _Reply:
        import httpx

        endpoint, monotonic = self._endpoint, self._timing.monotonic
        with self.limit.turn() as number:
            deadline = monotonic() + endpoint.timeout
            try:
                with self._client.stream("POST", endpoint.url, content=body) as response:
                    data = self._receive(response, deadline)
            except httpx.TimeoutException:
                raise _LostError(f"gave no answer within {endpoint.timeout:g} seconds") from None
            except httpx.ConnectError:
                raise _LostError("cannot be connected to") from None
            except (httpx.HTTPError, httpx.StreamError, RuntimeError):
                # A RuntimeError is what a closed client says to a thread that comes too late.
                raise _LostError("broke the connection off") from None
        is_whole = len(data) <= _MOST_BYTES
        return _Reply(response.status_code, response.headers, bytes(data), is_whole, number)

    def _receive(self, response: httpx.Response, deadline: float) -> bytearray:
        data = bytearray()
        for chunk in response.iter_bytes():
            data += chunk
            if len(data) > _MOST_BYTES:
                break
            if self._timing.monotonic() > deadline:
                raise _LostError("sends its answer too slowly")
        return data

    def _read(
        self,
        reply: _Reply,
        read: Callable[[Mapping[str, object]], _T],
        hidden: tuple[str, ...],
    ) -> _T:
        if reply.status != 200:
            raise self._refusal(reply, hidden)
        self.limit.went_well()
        try:
            return read(reply.parse())
        except AnswerFault as fault:
            source = f"{self._endpoint.host} answered 200{reply.named}"
            raise ProtocolError(f"{source}: {fault}") from None

    def _words(self, reply: _Reply, hidden: tuple[str, ...]) -> str:
        words = find_words(reply.data, (*hidden, self._endpoint.key))
        return f"{words or 'no reason given'}{reply.named}"

    def _refusal(self, reply: _Reply, hidden: tuple[str, ...]) -> JudgeError | PairError:
        host, status = self._endpoint.host, reply.status
        words = self._words(reply, hidden)
        text = f"{host} answered {status}: {words}"
        if status == 413 or (status in {400, 422} and is_too_long(reply.data)):
            return TooLongError(text)
        if status in {401, 402, 403}:
            return JudgeError(text, hint="check the key and the account it belongs to")
        if status in {404, 405}:
            hint = _OLD_SERVER if self._endpoint.is_local else "check the address and the model"
            return JudgeError(text, hint=hint)
        if status == 501:
            return JudgeError(text, hint="the server's model is not one that answers questions")
        if 300 <= status < 400:
            return JudgeError(text, hint="it redirects; give the address it redirects to")
        return RefusedError(text, status, words)

    def _gave_up(self, reason: str) -> JudgeError | PairError:
        text = f"{self._endpoint.host} {reason}"
        if self._was_reached:
            return PairError(f"{text} ({_TRIES} tries)")
        hint = "is the server running?" if self._endpoint.is_local else "check the network"
        return JudgeError(f"the judge cannot be reached: {text}", hint=hint)
