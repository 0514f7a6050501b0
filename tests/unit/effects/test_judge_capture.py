"""Every byte that leaves for a judge is captured, and searched for what must not be in it."""

from __future__ import annotations

import itertools

import pytest

from tests.kit.judge_server import (
    QUESTIONS,
    Say,
    endpoint_for,
    judge_server,
    make_pair,
    nouls,
)
from tests.kit.vaults import SAMPLE_VAULT
from vaultgraph.domain.judging import JudgedNote, JudgedPair, PairError
from vaultgraph.domain.notes import NoteId
from vaultgraph.effects.http_judge import Timing
from vaultgraph.effects.openai_judge import OpenAIJudge
from vaultgraph.effects.systemone import SystemOneJudge
from vaultgraph.judge.pair_text import TextRules
from vaultgraph.text.frontmatter import split_note
from vaultgraph.vault.privacy import Masker

CHAT = Say(
    body=b'{"choices":[{"logprobs":{"content":[{"top_logprobs":'
    b'[{"token":"Yes","logprob":-0.1},{"token":"No","logprob":-2.5}]}]}}]}'
)
TOO_LONG = Say(400, b'{"detail":{"error_type":"max_tokens_exceeded","message":""}}')

NOTE = """---
status: FRONTCANARY
aliases: [ALIASCANARY]
created: 1991-01-01
---
# Bridge plan

status:: FIELDCANARY
- [ ] order steel [due:: 1992-02-02] [status:: BRACKETCANARY] 📅 1993-03-03
- [x] survey ✅ 1994-04-04 (completion:: 1995-05-05) @done(1995-06-06)

Last updated: 1996-06-06 by UPDATECANARY
*Created on 7 July 1997*

The bridge opens on 2031-05-06, which [[Launch]] waits for. Ask Orchid Falcon about it.

See [[people/Orchid Falcon|her]], [her page](people/Orchid%20Falcon.md), **Orchid** Falcon, or
Orchid Falcon's list. #orchid-falcon

1998-08-08
"""
CANARIES = [
    *("FRONTCANARY", "ALIASCANARY", "FIELDCANARY", "BRACKETCANARY", "UPDATECANARY"),
    *(str(year) for year in range(1991, 1999)),
    *("rchid", "alcon", "secret-folder", ".md", "/home/", "vault-canary"),
]


def note_of(text, name):
    path = f"secret-folder/vault-canary/{name}.md"
    # Hashes and paths are for us; only title and body may be shown.
    return JudgedNote(NoteId(path), name, ("ALIASCANARY",), split_note(text).body, "f" * 64)


RULES = TextRules(Masker(["orchid falcon"]))


def judges(server, **settings):
    timing = Timing(sleep=lambda _: None)
    yield SystemOneJudge(endpoint_for(server.url, **settings), RULES, timing=timing)
    yield OpenAIJudge(endpoint_for(server.url, "openai", **settings), RULES, timing=timing)


def captured(pairs, *first):
    """Return all that was heard: paths, headers and bodies."""

    def answer(number, body):
        if number < len(first):
            return first[number]
        return CHAT if b'"messages"' in body else nouls()

    with judge_server(answer=answer) as server:
        for judge in judges(server):
            with judge:
                for pair in pairs:
                    judge.ask(pair, QUESTIONS)
        return server.heard


@pytest.mark.parametrize(
    "first", [(), (TOO_LONG,), (Say(500), Say(429))], ids=["", "half", "retry"]
)
def test_no_canary_is_sent(first):
    launch = note_of(NOTE.replace("[[Launch]]", "this"), "Launch 2032")
    pair = JudgedPair(note_of(NOTE, "Bridge plan"), launch, (11,), ())
    heard = captured([pair], *first)
    assert len(heard) == 3 + len(first)
    for request in heard:
        everything = f"{request.path} {request.headers} {request.body.decode()}"
        assert [canary for canary in CANARIES if canary in everything] == []
    # What is content was sent: the date inside a sentence, and the link.
    assert "opens on 2031-05-06, which [[Launch]] waits for" in heard[-1].body.decode()


def test_no_frontmatter_of_any_sample_is_sent():
    notes, secrets = [], []
    for path in sorted(SAMPLE_VAULT.rglob("*.md")):
        text = path.read_text("utf-8")
        parts = split_note(text)
        if parts.body.strip() and "private:" not in parts.block:
            notes.append(note_of(text, path.stem))
            secrets += [line.strip() for line in parts.block.splitlines() if ":" in line]
    assert len(notes) > 5
    pairs = [JudgedPair(*two, (1,), (1,)) for two in itertools.pairwise(notes)]
    bodies = "".join(note.body for note in notes)
    sent = b"".join(request.body for request in captured(pairs)).decode()
    assert [line for line in secrets if line in sent and line not in bodies] == []


def test_no_key_and_no_cookie_goes_where_none_is_asked_for(monkeypatch):
    monkeypatch.setenv("TYPESAFE_API_KEY", "sk-canary")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    for request in captured([make_pair()]):
        assert "canary" not in str(request)
        assert {"authorization", "cookie"}.isdisjoint(map(str.lower, request.headers))


def test_a_redirect_takes_nothing_elsewhere():
    with judge_server(nouls()) as elsewhere:
        away = Say(307, headers={"Location": f"{elsewhere.url}/v1/systemone"})
        with judge_server(away) as server:
            for judge in judges(server, key_variable="TEST_KEY"):
                with judge, pytest.raises(Exception, match="answered 307"):
                    judge.ask(make_pair(), QUESTIONS)
        assert elsewhere.heard == []


def test_no_failure_shows_what_was_sent():
    def echo(_number, body):
        return Say(422, body)

    with judge_server(answer=echo) as server:
        for judge in judges(server):
            with judge, pytest.raises(PairError) as caught:
                judge.ask(JudgedPair(note_of(NOTE, "A"), note_of(NOTE, "B"), (), ()), QUESTIONS)
            assert "bridge" not in str(caught.value).lower()
