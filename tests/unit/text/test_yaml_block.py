"""YAML values as Obsidian's own library (npm ``yaml`` 2.7, YAML 1.2) reads them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultgraph.text.yaml_block import BlockError, compose_block, value_of


def value(text: str) -> object:
    root = compose_block(f"k: {text}\n")
    assert root is not None
    found = value_of(root)
    assert isinstance(found, dict)
    return found["k"]


#: Each was run through npm yaml 2.7.0, the library the app uses.
SCALARS = [
    ("yes", "yes"),
    ("NO", "NO"),
    ("off", "off"),
    ("on", "on"),
    ("y", "y"),
    ("true", True),
    ("True", True),
    ("TRUE", True),
    ("tRue", "tRue"),
    ("false", False),
    ("007", 7),
    ("0o17", 15),
    ("0x1F", 31),
    ("0b101", "0b101"),
    ("-12", -12),
    ("+12", 12),
    ("1.10", 1.1),
    ("1e3", 1000),
    (".5", 0.5),
    ("1_000", "1_000"),
    ("12:30", "12:30"),
    ("190:20:30", "190:20:30"),
    ("2024-05-01", "2024-05-01"),
    ("2024-13-45", "2024-13-45"),
    ("2024-05-25T15:17:00", "2024-05-25T15:17:00"),
    ("~", None),
    ("null", None),
    ("Null", None),
    ("nUll", "nUll"),
    ("", None),
    (".inf", math.inf),
    ("-.INF", -math.inf),
    ('"12"', "12"),
    ("'true'", "true"),
    ('""', ""),
    ("'~'", "~"),
    ("v1.2", "v1.2"),
    ("[a, 1, yes]", ["a", 1, "yes"]),
    ("{a: 1, b: [x]}", {"a": 1, "b": ["x"]}),
    ("[[X]]", [["X"]]),
    ("a # comment", "a"),
    ("a#b", "a#b"),
    ("|\n  two\n  lines", "two\nlines\n"),
    (">-\n  two\n  lines", "two lines"),
    ("\ttab", "tab"),
]


@pytest.mark.parametrize(("text", "expected"), SCALARS)
def test_scalars_are_yaml_1_2(text: str, expected: object):
    found = value(text)
    assert found == expected
    assert type(found) in {type(expected), float if expected == 1000 else type(expected)}


def test_not_a_number():
    found = value(".nan")
    assert isinstance(found, float)
    assert math.isnan(found)


def test_a_list_with_empty_items():
    root = compose_block("k:\n  -\n  - a\n  -\n")
    assert root is not None
    assert value_of(root) == {"k": [None, "a", None]}


@pytest.mark.parametrize("key", ["off", "2024", "yes", "1.5", "null", "true", "~"])
def test_keys_are_text(key: str):
    root = compose_block(f"{key}: x\n")
    assert root is not None
    assert value_of(root) == {key: "x"}


def test_a_merge_key_is_a_key_like_any_other():
    root = compose_block("a: &x {b: 1}\nc:\n  <<: *x\n")
    assert root is not None
    assert value_of(root) == {"a": {"b": 1}, "c": {"<<": {"b": 1}}}


def test_a_template_placeholder_is_a_map():
    assert isinstance(value("{{date}}"), dict)


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "~\n", "null\n"])
def test_a_block_without_a_value(text: str):
    assert compose_block(text) is None


#: Not readable for the app either: the block, and the 0-based line where it goes wrong.
BROKEN = {
    "tab indent": ("a:\n\tb: 1\n", 1),
    "two colons": ("a: 1\nk: a: b\n", 1),
    "at sign": ("k: @x\n", 0),
    "percent": ("a: 1\nb: 2\nk: %x\n", 2),
    "backtick": ("k: `x`\n", 0),
    "two links": ("k: [[A]], [[B]]\n", 0),
    "open bracket": ("a: 1\nk: [x\n", None),
    "open quote": ('a: 1\nk: "x\n', None),
    "star": ("k: *\n", 0),
    "unknown alias": ("a: 1\nk: *nowhere\n", 1),
    "a list": ("- a\n- b\n", 0),
    "a text": ("just words\n", 0),
    "given twice": ("a: 1\nb: 2\na: 3\n", 2),
    "given twice, quoted": ('a: 1\n"a": 3\n', 1),
    "given twice below": ("top:\n  a: 1\n  b: 1\n  a: 3\n", 3),
    "given twice in a flow map in a list": ("top: [1, {a: 1, a: 2}]\n", 0),
    "control character": ("a: 1\nb: \x01\n", 1),
    "two documents": ("a: 1\n--- \nb: 2\n", None),
}


@pytest.mark.parametrize(("block", "line"), BROKEN.values(), ids=BROKEN)
def test_what_the_app_cannot_read_is_an_error_with_its_line(block: str, line: int | None):
    with pytest.raises(BlockError) as caught:
        compose_block(block)
    assert caught.value.text
    assert "\n" not in caught.value.text
    if line is not None:
        assert caught.value.line == line
    assert 0 <= caught.value.line <= block.count("\n")


def test_keys_that_differ_in_case_are_two():
    root = compose_block("a: 1\nA: 2\n")
    assert root is not None
    assert value_of(root) == {"a": 1, "A": 2}


def test_aliases_that_stand_for_billions():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for number in range(1, 12):
        items = ", ".join([f"*a{number - 1}"] * 10)
        lines.append(f"a{number}: &a{number} [{items}]")
    root = compose_block("\n".join(lines) + "\n")
    assert root is not None
    with pytest.raises(BlockError):
        value_of(root)


def test_a_value_that_contains_itself():
    root = compose_block("a: &a [*a]\n")
    assert root is not None
    with pytest.raises(BlockError):
        value_of(root)


def test_nesting_without_end():
    with pytest.raises(BlockError):
        compose_block("k: " + "[" * 20_000 + "]" * 20_000 + "\n")


YAML_LIKE = st.text(
    st.sampled_from(list("ab: \n-[]{}\"'#&*!|>%@`\t,?~0.xé\u2028\x85\ufeff\x00🚀")), max_size=60
)


@given(YAML_LIKE | st.text())
def test_any_text_is_a_block_or_an_error(block: str):
    try:
        root = compose_block(block)
        if root is not None:
            assert isinstance(value_of(root), dict)
    except BlockError as error:
        assert error.line >= 0  # noqa: PT017 - either outcome is right
