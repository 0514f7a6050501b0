from __future__ import annotations

import json

import pytest

from tests.kit.reviewing import log_line
from vaultgraph.review.log_lines import LogFile, read_logs

AT = "2026-12-01T09:30:12.345Z"


def read(*lines: object):
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return read_logs([LogFile("phone", "".join(f"{text}\n" for text in texts).encode())])


def test_a_line_as_the_script_writes_it():
    line = log_line("A.md", "B.md", "accepted", AT, seconds=4.2, probability=0.9, judge="j")
    (one,), problems = read(line)
    assert not problems
    payload = one.event().payload
    assert payload["where"] == "obsidian"
    assert payload["was"] == "proposed"
    assert payload["decided_at"] == AT
    assert payload["device"] == "phone"
    assert (payload["seconds"], payload["probability"], payload["judge"]) == (4.2, 0.9, "j")


def test_an_undone_decision_says_which():
    (one,), _ = read(log_line("A.md", "B.md", "undone", AT, undoes="rejected"))
    assert one.event().payload["was"] == "rejected"


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        "[]",
        "{}",
        log_line("A.md", "B.md", "reset", AT),
        log_line("A.md", "B.md", "accepted", "yesterday"),
        log_line("A.md", "B.md", "accepted", "2026-12-01T09:30:12"),
        {**log_line("A.md", "B.md", "accepted", AT), "basis": 3},
        {**log_line("A.md", "B.md", "accepted", AT), "schema": 0},
        "[" * 100_000,
    ],
)
def test_what_is_no_decision_is_a_problem_and_the_rest_is_read(line):
    found, problems = read(line, log_line("A.md", "B.md", "accepted", AT))
    assert len(found) == 1
    assert [(p.path, p.line) for p in problems] == [(".vaultgraph/decisions/phone.jsonl", 1)]


@pytest.mark.parametrize("seconds", [None, -1, "4", True, 1e999])
def test_seconds_that_are_none_are_not_known(seconds):
    (one,), problems = read(log_line("A.md", "B.md", "accepted", AT, seconds=seconds))
    assert one.seconds is None
    assert not problems


def test_a_torn_last_line_waits_for_its_end():
    whole = json.dumps(log_line("A.md", "B.md", "accepted", AT)).encode()
    assert read_logs([LogFile("phone", whole)]) == ([], [])
    assert read_logs([LogFile("phone", whole[:30])]) == ([], [])


def test_a_copy_of_a_file_holds_nothing_new():
    content = (json.dumps(log_line("A.md", "B.md", "accepted", AT)) + "\n").encode()
    found, _ = read_logs([LogFile("phone", content), LogFile("phone (1)", content)])
    assert len(found) == 1
