from __future__ import annotations

import json
from pathlib import Path

import pytest

from vaultgraph.judge.reading import (
    AnswerFault,
    as_number,
    as_object,
    as_probability,
    find_words,
    is_too_long,
    parse_object,
    read_cost,
    read_count,
    read_model,
)

DATA = Path(__file__).parents[2] / "data" / "judge"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[1]",
        b'"text"',
        b"<html>",
        b")]}'\n{}",
        b"\xff\xfe",
        b"[" * 100_000,
        b"1" * 9000,
    ],
)
def test_only_a_json_object_is_an_answer(data):
    with pytest.raises(AnswerFault, match=r"not (JSON|a JSON object)"):
        parse_object(data)


@pytest.mark.parametrize(
    "value", [True, False, None, "0.5", [], {}, float("nan"), float("inf"), 10**400]
)
def test_what_is_no_number(value):
    with pytest.raises(AnswerFault, match=r"^x is not a"):
        as_number(value, "x")


@pytest.mark.parametrize("value", [-0.001, 1.001, -1, 2, float("nan"), True])
def test_what_is_no_probability(value):
    with pytest.raises(AnswerFault):
        as_probability(value, "x")


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, 0.5, 1e-300])
def test_what_is_a_probability(value):
    assert as_probability(value, "x") == value


def test_what_is_no_object():
    values: list[object] = [None, [], "x", 1]
    for value in values:
        with pytest.raises(AnswerFault, match=r"^answers is missing"):
            as_object(value, "answers")


@pytest.mark.parametrize(
    ("usage", "count"),
    [
        ({"input_tokens": 642}, 642),
        ({"input_tokens": 642.0}, 642),
        ({"input_tokens": True}, 0),
        ({"input_tokens": -1}, 0),
        ({"input_tokens": float("nan")}, 0),
        ({"input_tokens": "642"}, 0),
        ({}, 0),
        (None, 0),
        ([], 0),
    ],
)
def test_counts_that_cannot_be_believed_are_none(usage, count):
    assert read_count({"usage": usage}, "input_tokens") == count
    assert read_count({}, "input_tokens") == 0


def test_cost_and_model():
    assert read_cost({"usage": {"cost": 0.0001}}) == 0.0001
    assert read_cost({"usage": {"cost": float("inf")}}) is None
    assert read_cost({"usage": {}}) is None
    assert read_model({"model": "jev-1.13.0"}, "jev-latest") == "jev-1.13.0"
    assert read_model({"model": "a\x1b[31m\nb" + "c" * 500}, "x") == "a [31m b" + "c" * 92
    assert read_model({"model": 3}, "asked") == "asked"
    assert read_model({"model": ""}, "asked") == "asked"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"detail": {"error_type": "x", "message": "one"}, "message": "two"}, "one"),
        ({"detail": "one", "error": "two"}, "one"),
        ({"detail": [{"loc": ["body"], "msg": "one", "type": "x"}], "error": "two"}, "one"),
        ({"error": {"message": "one", "code": 4}, "message": "two"}, "one"),
        ({"error": "one", "message": "two"}, "one"),
        ({"message": "one", "error_type": "x"}, "one"),
        ({"detail": {"message": ""}, "message": "two"}, ""),
        ({"detail": []}, '{"detail": []}'),
        (["x"], '["x"]'),
    ],
)
def test_where_servers_put_their_words(body, words):
    assert find_words(json.dumps(body).encode()) == words


def test_words_that_are_no_json_are_the_start_of_the_body_on_one_line():
    assert find_words(b"<html>\n <b>Bad\x1b[31m gateway</b>" + b"x" * 999).startswith(
        "<html> <b>Bad [31m gateway</b>xxx"
    )
    assert len(find_words(b"x" * 999)) == 200
    assert find_words(b"") == ""


@pytest.mark.parametrize(
    "hidden",
    [
        "Something long before; the launch waits for the bridge, and something after",
        "the launch waits\nfor the bridge",
        "bridge",
    ],
)
def test_words_that_quote_what_was_sent_are_not_shown(hidden):
    data = json.dumps({"detail": "cannot read: the launch waits for the bridge"}).encode()
    assert "bridge" not in find_words(data, [hidden])
    assert find_words(data, ["quite another text", "", "a"]).endswith("bridge")


def test_words_that_quote_in_escapes_are_not_shown():
    text = "計画は橋が完成するまで待つことになっている"
    data = json.dumps({"detail": json.dumps(text)}).encode()
    assert "8a08" not in find_words(data, [text])


@pytest.mark.parametrize("name", ["openai", "llamacpp", "typesafe"])
def test_a_refusal_of_too_many_tokens(name):
    assert is_too_long((DATA / f"{name}_refusal_too_long.json").read_bytes())


def test_other_refusals():
    for name in ("openai_refusal_max_tokens", "openai_refusal_logprobs"):
        assert not is_too_long((DATA / f"{name}.json").read_bytes())
    for data in (b"", b"max_tokens_exceeded", b"[]", b'{"detail": [1]}', b'{"error": null}'):
        assert not is_too_long(data)
