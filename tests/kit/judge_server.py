"""A judge's server of our own on the loopback interface, and pairs to ask it about.

It does what ``jevcompat``'s mock cannot: 529, slow, dripping, dropped, HTML, huge, and
``Retry-After`` in every form.
"""

from __future__ import annotations

import json
import math
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.domain.judging import JudgedNote, JudgedPair
from vaultgraph.domain.notes import NoteId
from vaultgraph.effects.prompts import read_question_set
from vaultgraph.judge.pair_text import TextRules
from vaultgraph.judge.servers import ServerSettings, resolve_endpoint
from vaultgraph.vault.privacy import Masker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from vaultgraph.judge.servers import Endpoint

QUESTIONS = read_question_set("depends.v1")
RULES = TextRules(Masker(()))


def make_note(name: str, body: str, title: str | None = None) -> JudgedNote:
    return JudgedNote(NoteId(f"{name}.md"), name if title is None else title, (), body, "0" * 64)


def make_pair(number: int = 0, first: str = "One body.", second: str = "Another.") -> JudgedPair:
    return JudgedPair(
        make_note(f"alpha {number}", first), make_note(f"beta {number}", second), (1,), ()
    )


class Say(NamedTuple):
    """What the server does with one request."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = {}
    #: Seconds before the first byte, ``inf`` for never, and between single bytes of the body.
    delay: float = 0.0
    drip: float = 0.0
    #: Whether the connection is closed without an answer.
    drop: bool = False


def nouls(first: float = 0.9, second: float = 0.1, **more: object) -> Say:
    """Return a good answer on the System One wire."""
    answers = {
        "a_needs_b": {"type": "noul", "noul": first},
        "b_needs_a": {"type": "noul", "noul": second},
    }
    body = {"model": "jev-test", "answers": answers, "usage": {"input_tokens": 642}, **more}
    return Say(body=json.dumps(body).encode(), headers={"x-typesafe-request-id": "req_1"})


class Heard(NamedTuple):
    """A request as it came."""

    path: str
    headers: Mapping[str, str]
    body: bytes


class JudgeServer(ThreadingHTTPServer):
    """Answers each request as ``answer`` says, which is given its number, from 0, and body."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, answer: Callable[[int, bytes], Say]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.heard: list[Heard] = []
        self.keeps = True
        self.count = 0
        self.at_once = 0
        self.most_at_once = 0
        self.lock = threading.Lock()
        self.is_over = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: clients that hang up are part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Headers and body are two writes; without this, the second waits for an acknowledgement.
    disable_nagle_algorithm = True
    server: JudgeServer

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        server = self.server
        with server.lock:
            number = server.count
            server.count += 1
            if server.keeps:
                server.heard.append(Heard(self.path, dict(self.headers), body))
            server.at_once += 1
            server.most_at_once = max(server.most_at_once, server.at_once)
        try:
            self._say(server.answer(number, body))
        finally:
            with server.lock:
                server.at_once -= 1

    def _say(self, say: Say) -> None:
        self.server.is_over.wait(None if say.delay == math.inf else say.delay)
        if say.drop:
            self.close_connection = True
            return
        self.send_response(say.status)
        for name, value in {"Content-Length": str(len(say.body)), **say.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if not say.drip:
            self.wfile.write(say.body)
            return
        for byte in say.body:
            self.wfile.write(bytes([byte]))
            time.sleep(say.drip)


@contextmanager
def judge_server(
    *says: Say, answer: Callable[[int, bytes], Say] | None = None
) -> Iterator[JudgeServer]:
    """Run a server that says each thing in turn, the last one for ever."""
    server = JudgeServer(answer or (lambda number, _: says[min(number, len(says) - 1)]))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.is_over.set()
        server.shutdown()
        thread.join()
        server.server_close()


def endpoint_for(url: str, judge: str = "systemone", **settings: object) -> Endpoint:
    """Return the endpoint of a server on this machine."""
    given = {"base_url": url, "model": "jev-test", **settings}
    return resolve_endpoint(judge, ServerSettings(**given), {"TEST_KEY": "test-key-0123456789"})  # type: ignore[arg-type]
