from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from jevkit_lint import lint

from vaultgraph.errors import InputError
from vaultgraph.judge.questions import (
    DEFAULT_QUESTIONS,
    is_question_set_name,
    parse_question_set,
)
from vaultgraph.judge.wire_systemone import build_request, questions_on_wire

PROMPTS = Path(__file__).parents[3] / "prompts"
GOOD = (PROMPTS / "depends.v1.toml").read_bytes()


def test_the_default_set_is_there():
    found = parse_question_set(DEFAULT_QUESTIONS, GOOD)
    assert found.id == "depends.v1"
    assert found.hash == sha256(GOOD).hexdigest()


def test_a_set_that_verdicts_may_carry_is_never_edited():
    # A changed hash here means that an old set was edited: make a new version instead.
    assert (
        sha256(GOOD).hexdigest()
        == "6220a549768a2e2b8f462ec519188bccb1f9c10d482869c918a524f2f3c62723"
    )


def test_both_directions_ask_the_same_of_the_other_note():
    found = parse_question_set("depends.v1", GOOD)
    swap = str.maketrans("AB", "BA")
    for part in ("instructions", "yes", "no"):
        text = getattr(found.first_on_second, part)
        assert getattr(found.second_on_first, part) == text.translate(swap)


@pytest.mark.parametrize("path", sorted(PROMPTS.glob("*.toml")), ids=lambda path: path.stem)
def test_the_linter_for_questions_finds_nothing(path):
    questions = parse_question_set(path.stem, path.read_bytes())
    state = {name: {"title": "A title", "text": "A text."} for name in "AB"}
    result = lint(questions_on_wire(questions), state)
    assert list(result.diagnostics) == []
    assert build_request("m", state, questions)


@pytest.mark.parametrize(
    ("name", "is_name"),
    [
        ("depends.v1", True),
        ("my-own-set.v12", True),
        ("depends", False),
        ("depends.v0", False),
        ("../depends.v1", False),
        ("Depends.v1", False),
        ("a/b.v1", False),
        ("", False),
    ],
)
def test_a_name_cannot_leave_its_folder(name, is_name):
    assert is_question_set_name(name) is is_name


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b"version = 1", b"version = 2", "do not agree"),
        (b"version = 1", b"version = true", "do not agree"),
        (b"version = 1", b"version = '1'", "do not agree"),
        (b'id = "depends"', b'id = "other"', "do not agree"),
        (b"version = 1", b"", "version is missing"),
        (b"version = 1", b"version = 1\nextra = 1", "extra is not known"),
        (b"yes =", b"maybe =", "first_on_second.yes is missing"),
        (b"[second_on_first]", b"[third]", "second_on_first is missing"),
        (b"Does note `A`", b"Does the note", "does not name both"),
        (b"[first_on_second]", b"[first_on_second", "not TOML"),
        (b"depends", b"\xff", "not UTF-8"),
    ],
)
def test_a_faulty_set_is_named_with_its_fault(old, new, reason):
    with pytest.raises(InputError, match=reason) as caught:
        parse_question_set("depends.v1", GOOD.replace(old, new, 1))
    assert "depends.v1" in caught.value.message


@pytest.mark.parametrize("value", ["3", "''", "'   '", f"'{'x' * 3000}'"])
def test_each_part_of_a_question_is_a_text_of_some_length(value):
    start = GOOD.index(b"no = ")
    end = GOOD.index(b"\n", start)
    data = GOOD[:start] + f"no = {value}".encode() + GOOD[end:]
    with pytest.raises(InputError, match=r"first_on_second\.no"):
        parse_question_set("depends.v1", data)


def test_a_question_that_is_no_table():
    data = b"id = 'depends'\nversion = 1\nfirst_on_second = 1\nsecond_on_first = 1\n"
    with pytest.raises(InputError, match="not a table"):
        parse_question_set("depends.v1", data)
