"""``judge`` with a remote judge, as a person sees it, against a server on this machine."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from tests.kit.answering import run_and_answer
from tests.kit.cli import Ran, run, run_in_terminal, run_program
from tests.kit.judge_server import JudgeServer, Say, judge_server, nouls
from tests.kit.judging import BRIDGE, FILES, LAUNCH, PAIRS, STEEL
from tests.kit.vaults import REPOSITORY, write_file
from tests.kit.writing import ledger_events, notes_bytes, old_vault

if TYPE_CHECKING:
    from pathlib import Path

KEY = "sk-canary-0123456789"
FORBIDDEN = Say(403, b'{"detail": "no such key"}')


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return old_vault(tmp_path / "vault", FILES)


def judge(vault: Path, server: JudgeServer, *arguments: str, env=None) -> Ran:
    return run(vault, "judge", *options(server.url), *arguments, env=env)


def options(url: str) -> list[str]:
    return ["--judge", "systemone", "--base-url", url, "--model", "jev-test"]


def refused(ran: Ran, code: int, *parts: str) -> Ran:
    """Return a run that said what it would take and then failed."""
    assert ran.calm().code == code, ran.err
    said, _, error = ran.err.partition("\nerror: ")
    assert "pairs to ask" in said
    assert "\nhint: " in error
    for part in parts:
        assert part in error
    return ran


def elsewhere(server: JudgeServer) -> str:
    """Return an address of the server that does not look like this machine's own."""
    return f"http://0.0.0.0:{server.server_address[1]}"


def test_what_a_run_says(vault):
    with judge_server(nouls(0.9, 0.1), nouls(0.8, 0.75), nouls(0.5, 0.05)) as server:
        ran = judge(vault, server, "--concurrency", "1").ok()
    host = server.url.removeprefix("http://")
    assert ran.err.startswith(f"3 pairs to ask, 0 have verdicts; jev-test at {host}\n")
    assert "about 3 calls, " in ran.err
    assert ran.err.endswith(" input tokens, no cost, under a minute\n")
    assert ran.out == (
        "3 answered, 0 failed, 0 had verdicts; 1,926 tokens, no cost\n"
        "  0.0-0.1        1  ████████████████████\n"
        "  0.1-0.2        1  ████████████████████\n"
        "  0.2-0.3        0\n"
        "  0.3-0.4        0\n"
        "  0.4-0.5        0\n"
        "  0.5-0.6        1  ████████████████████\n"
        "  0.6-0.7        0\n"
        "  0.7-0.8        1  ████████████████████\n"
        "  0.8-0.9        1  ████████████████████\n"
        "  0.9-1.0        1  ████████████████████\n"
        "3 directions at or above the cutoff (0.7), 1 in the middle band (from 0.4)\n"
        f"mutual  {BRIDGE} (0.80)  ↔  {STEEL} (0.75)\n"
        "next: vaultgraph propose\n"
    ).replace("█" * 20, "█" * 40)
    assert notes_bytes(vault) == {name: text.encode() for name, text in FILES.items()}


def test_the_document(vault):
    with judge_server(nouls(0.9, 0.1)) as server:
        document = judge(vault, server, "--json").ok().json
        assert [(v["first"], v["second"]) for v in document["verdicts"]] == PAIRS
        assert (document["asked"], document["cached"], document["failed"]) == (3, 0, [])
        assert (document["tokens"], document["cost"]) == (1926, 0.0)
        assert (document["cutoff"], document["middle"]) == (0.7, 0.4)
        again = judge(vault, server, "--json").ok().json
        assert (again["asked"], again["cached"], again["tokens"]) == (0, 3, 0)
        assert again["verdicts"] == document["verdicts"]
        assert len(server.heard) == 3


def test_a_cost_that_nobody_told_is_not_nothing(vault, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "*")
    with judge_server(nouls()) as server:
        given = [*options(elsewhere(server)), "--key-variable", "none", "--yes"]
        ran = run_program(vault, "judge", *given).ok()
        write_file(vault / STEEL, "Fifty tonnes.\n")
        document = run_program(vault, "judge", *given, "--json").ok().json
    assert ran.err.count("cost unknown (--price)") == 1
    assert " tokens, cost unknown (--price)\n" in ran.out
    assert (document["asked"], document["cost"]) == (2, None)


def test_a_second_run_asks_only_for_what_changed_and_sums_up_all(vault):
    with judge_server(nouls()) as server:
        judge(vault, server).ok()
        assert judge(vault, server).ok().out.startswith("0 answered, 0 failed, 3 had verdicts;")
        write_file(vault / LAUNCH, f"{FILES[LAUNCH]}And more.\n")
        last = judge(vault, server).ok()
        assert len(server.heard) == 5
        assert all(b"And more." in request.body for request in server.heard[3:])
    assert "2 answered, 0 failed, 1 had verdicts" in last.out
    assert "\n  0.9-1.0        3  █" in last.out


def test_dry_run_sends_and_records_nothing_and_needs_no_key(vault):
    with judge_server(nouls()) as server:
        ran = judge(vault, server, "--dry-run").ok()
        document = judge(vault, server, "--dry-run", "--json", "--price", "1").ok().json
        assert server.count == 0
    assert ran.out == "Nothing was sent.\n"
    assert "3 pairs to ask" in ran.err
    assert (document["pairs"], document["calls"], document["cached"]) == (3, 3, 0)
    assert document["cost"] == pytest.approx(document["tokens"] / 1_000_000)
    assert (document["judge"], document["model"]) == ("systemone", "jev-test")
    assert ledger_events(vault) == []
    ran = run(vault, "judge", "--judge", "systemone", "--dry-run").ok()
    assert "jev-latest at api.typesafe.ai" in ran.err


def test_limit_and_only(vault):
    with judge_server(nouls()) as server:
        ran = judge(vault, server, "--limit", "2").ok()
        assert "2 pairs to ask" in ran.err
        assert "held back by --limit: 1 pair\n" in ran.err
        assert server.count == 2
        assert "1 pair to ask" in judge(vault, server, "--only", "Steel Order", "--limit", "9").err
        assert server.count == 3
        judge(vault, server, "--only", "Nobody").fails(3, "no note is called Nobody")


def test_max_cost(vault):
    # 642 tokens at 1,000 dollars for a million: 0.642 dollars a pair.
    arguments = ("--price", "1000", "--concurrency", "1")
    with judge_server(nouls()) as server:
        ran = judge(vault, server, *arguments, "--max-cost", "0.1").ok()
        assert server.count == 0
        assert "stopped before --max-cost would be exceeded" in ran.out
        ran = judge(vault, server, *arguments, "--max-cost", "1.9", "--json").ok()
        assert ran.json["asked"] == server.count < 3
        assert ran.json["cost"] == pytest.approx(0.642 * server.count)
        assert ran.json["cost"] <= 1.9


def test_max_cost_cannot_hold_where_no_price_is_known(vault):
    with judge_server(nouls()) as server:
        given = [*options(elsewhere(server)), "--key-variable", "none", "--yes"]
        ran = refused(run(vault, "judge", *given, "--max-cost", "1"), 2, "--max-cost cannot hold")
        assert "give --price" in ran.err
        assert server.count == 0


def test_notes_go_elsewhere_only_after_a_yes(vault, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "*")
    with judge_server(nouls()) as server:
        given = ["judge", *options(elsewhere(server)), "--key-variable", "none"]
        host = elsewhere(server).removeprefix("http://")
        for answer in ("n\n", "\n", "\x04"):
            ran = run_and_answer(vault, *given, answer=answer).calm()
            assert ran.code == 0
            assert f"Send excerpts of these notes to {host}? [y/N]" in ran.out
            assert ran.out.endswith("Nothing was sent.\n")
        assert run_and_answer(vault, *given, answer=signal.SIGINT).code == 130
        agree = "give --yes to agree beforehand, or --dry-run to look first"
        refused(run_program(vault, *given), 2, "nothing was sent", agree)
        assert server.count == 0
        assert ledger_events(vault) == []
        ran = run_and_answer(vault, *given, answer="y\n").calm()
        assert (ran.code, server.count) == (0, 3)
        write_file(vault / STEEL, "Changed.\n")
        run_program(vault, *given, "--yes").ok()
        assert server.count == 5


def test_nothing_left_to_ask_asks_nobody(vault, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "*")
    with judge_server(nouls()) as server:
        given = ["judge", *options(elsewhere(server)), "--key-variable", "none"]
        run_program(vault, *given, "--yes").ok()
        ran = run_program(vault, *given, "--json").ok()
    assert ran.json["cached"] == 3


def test_a_judge_that_does_not_exist(vault):
    ran = run(vault, "judge", "--judge", "gpt").fails(3, "no judge is called gpt")
    assert "embedded, systemone, openai" in ran.err


def test_a_missing_key(vault):
    ran = run(vault, "judge", "--judge", "systemone", env={"TYPESAFE_API_KEY": ""})
    assert "set TYPESAFE_API_KEY" in ran.fails(3, "api.typesafe.ai wants a key").err
    ran = run(vault, "judge", "--judge", "systemone", "--base-url", "https://judge.example")
    assert "--key-variable" in ran.fails(3, "which key is for judge.example?").err


def test_a_server_that_is_not_there(vault):
    with judge_server(nouls()) as server:
        gone = server.url
    ran = run(vault, "judge", *options(gone))
    refused(ran, 4, "the judge cannot be reached", "is the server running?")
    assert ran.out == ""
    assert ledger_events(vault) == []


def test_no_silent_fallback_to_another_judge(vault):
    with judge_server(FORBIDDEN) as server:
        ran = refused(judge(vault, server, "--json"), 4, "answered 403: no such key")
        assert ran.out == ""
        write_file(vault / ".vaultgraph/config.toml", '[judge]\nname = "systemone"\n')
        run(vault, "judge", env={"TYPESAFE_API_KEY": ""}).fails(3, "wants a key")
    assert ledger_events(vault) == []


def test_what_was_answered_before_a_refusal_is_kept_and_told(vault):
    with judge_server(nouls(), nouls(), FORBIDDEN) as server:
        ran = judge(vault, server, "--concurrency", "1")
    assert ran.calm().code == 4
    assert "2 answered, 0 failed" in ran.err
    with judge_server(nouls()) as server:
        judge(vault, server).ok()
        assert server.count == 1


def test_ctrl_c_keeps_what_was_answered(vault):
    stuck = threading.Event()
    processes: list[subprocess.Popen[str]] = []

    def answer(number, _body):
        if number == 2:
            processes[0].send_signal(signal.SIGINT)
            stuck.wait(60)
        return nouls()

    with judge_server(answer=answer) as server:
        given = [*options(server.url), "--concurrency", "1"]
        command = [sys.executable, "-m", "vaultgraph", "--vault", os.fspath(vault), "judge"]
        with subprocess.Popen(
            [*command, *given], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            processes.append(process)
            out, err = process.communicate(timeout=60)
        stuck.set()
        assert (process.returncode, out) == (130, "")
        assert "2 answered, 0 failed, 0 had verdicts" in err
        assert len(ledger_events(vault)) == 2
    with judge_server(nouls()) as server:
        judge(vault, server).ok()
        assert server.count == 1


def test_failures_are_listed_with_their_reasons_and_asked_again(vault):
    def answer(number, body):
        return Say(422, b'{"detail": "too odd"}') if b"Forty tonnes" in body else nouls()

    with judge_server(answer=answer) as server:
        ran = judge(vault, server).ok()
        assert "1 answered, 2 failed, 0 had verdicts" in ran.out
        for first in (BRIDGE, LAUNCH):
            assert f"failed  {first}  —  {STEEL}: " in ran.out
        assert "answered 422: too odd" in ran.out
        document = judge(vault, server, "--json").ok().json
        assert [(f["first"], f["second"]) for f in document["failed"]] == PAIRS[1:]
        assert all("too odd" in failure["reason"] for failure in document["failed"])
        assert document["cached"] == 1


def test_the_key_stands_nowhere(vault):
    def echo(_number, _body):
        return Say(422, json.dumps({"detail": f"Bearer {KEY} is odd"}).encode())

    environment = {"MY_KEY": KEY}
    with judge_server(answer=echo) as server:
        given = ["--key-variable", "MY_KEY"]
        runs = [
            judge(vault, server, *given, *more, env=environment).calm()
            for more in ([], ["--json"], ["--dry-run"], ["--show", "Bridge Plan", "Launch Plan"])
        ]
        assert server.heard[0].headers["Authorization"] == f"Bearer {KEY}"
    for ran in runs:
        assert KEY not in ran.out + ran.err
    for path in vault.parent.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes()


def test_show_is_what_is_sent(vault):
    with judge_server(nouls()) as server:
        ran = judge(vault, server, "--show", "Launch Plan", "Bridge Plan").ok()
        as_json = judge(vault, server, "--show", "Bridge Plan", "Launch Plan", "--json").ok().json
        assert server.count == 0
        judge(vault, server, "--concurrency", "1").ok()
        sent = server.heard[0]
    assert ran.err == f"POST {server.url}{sent.path}\n"
    assert ran.out.encode() == sent.body + b"\n"
    assert as_json == {
        "judge": "systemone",
        "url": f"{server.url}/v1/systemone",
        "requests": [json.loads(sent.body)],
    }


def test_show_on_a_terminal_can_be_read_and_steers_nothing(vault):
    write_file(vault / STEEL, "Forty \x1b[2J tonnes.\u202e\n")
    ran = run_in_terminal(vault, "judge", *options("http://127.0.0.1:9"), "--show", LAUNCH, STEEL)
    assert ran.code == 0
    assert '      "title": "Launch Plan"' in ran.out
    assert "\x1b[2J" not in ran.out
    assert "\u202e" not in ran.out


def test_show_needs_no_key_and_a_real_pair(vault):
    shown = run(vault, "judge", "--judge", "systemone", "--show", LAUNCH, STEEL).ok()
    assert shown.err == "POST https://api.typesafe.ai/v1/systemone\n"
    for other in ("Salary Talks", "2026-01-01", LAUNCH):
        ran = run(vault, "judge", "--judge", "systemone", "--show", LAUNCH, other)
        ran.fails(3, "these two make no pair, so nothing is ever sent of them")


def test_one_thing_at_a_time(vault):
    ran = run(vault, "judge", "--show", LAUNCH, STEEL, "--compare", "a", "b")
    ran.fails(2, "--import, --show and --compare go one at a time")


def test_compare(vault):
    with judge_server(nouls(0.9, 0.1), nouls(0.2, 0.1), nouls(0.9, 0.8)) as server:
        judge(vault, server, "--concurrency", "1").ok()
    run(vault, "judge").ok()
    ran = run(vault, "judge", "--compare", "systemone", "embedded").ok()
    assert ran.out.startswith("6 directions, agreement ")
    assert ran.out.splitlines()[1] == "where they differ most; first systemone, then embedded:"
    assert ran.out.count("  depends on  ") == 6
    document = run(vault, "judge", "--compare", "systemone", "embedded", "--json").ok().json
    assert document["judges"] == ["systemone", "embedded"]
    assert document["directions"] == 6
    run(vault, "judge", "--compare", "systemone", "eve").fails(3, "a judge called eve")


def test_progress_is_one_line_on_a_terminal_and_gone_at_the_end(vault):
    with judge_server(nouls()._replace(delay=0.3)) as server:
        given = [*options(server.url), "--concurrency", "1", "--price", "100"]
        ran = run_in_terminal(vault, "judge", *given)
    assert ran.code == 0
    assert re.search(r"\r\x1b\[2K1 of 3  \d/s  \$0\.0642  \d+ s left", ran.out)
    assert ran.out.count("\x1b[2K") == ran.out.count("\r\x1b[2K") >= 3
    assert "of 3" not in ran.out.rpartition("\x1b[2K")[2]


def test_no_progress_in_a_pipe(vault):
    with judge_server(nouls()._replace(delay=0.3)) as server:
        ran = run_program(vault, "judge", *options(server.url)).ok()
    assert "s left" not in ran.out + ran.err


def test_tokens_per_note_of_the_configuration(vault):
    write_file(vault / STEEL, "Forty tonnes. " * 400)
    shipped = run(vault, "judge", *options("http://127.0.0.1:9"), "--show", LAUNCH, STEEL).ok()
    write_file(vault / ".vaultgraph/config.toml", "[judge]\ntokens-per-note = 100\n")
    short = run(vault, "judge", *options("http://127.0.0.1:9"), "--show", LAUNCH, STEEL).ok()
    assert len(shipped.out) > 3000 > len(short.out)


def test_a_question_set_of_the_vaults_own_is_asked_and_edited_asked_anew(vault):
    write_file(vault / ".vaultgraph/config.toml", '[judge]\nquestions = "mine.v1"\n')
    run(vault, "judge", *options("http://127.0.0.1:9")).fails(
        3, "no question set is called mine.v1"
    )
    shipped = (REPOSITORY / "prompts" / "depends.v1.toml").read_text("utf-8")
    own = shipped.replace('id = "depends"', 'id = "mine"').replace("Does note", "Would note")
    write_file(vault / ".vaultgraph/prompts/mine.v1.toml", own)
    with judge_server(nouls()) as server:
        document = judge(vault, server, "--json").ok().json
        assert {verdict["questions"] for verdict in document["verdicts"]} == {"mine.v1"}
        assert all(b"Would note `A` depend on note `B`?" in heard.body for heard in server.heard)
        assert judge(vault, server, "--json").ok().json["asked"] == 0
        write_file(vault / ".vaultgraph/prompts/mine.v1.toml", own.replace("Would", "Will"))
        assert judge(vault, server, "--json").ok().json["asked"] == 3
