"""What is read without a YAML parser is what the parser reads."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from yaml.nodes import MappingNode, Node, ScalarNode

from tests.kit.vaults import REPOSITORY, SAMPLE_VAULT
from vaultgraph.text.frontmatter import split_note
from vaultgraph.text.plain_block import read_plain_block
from vaultgraph.text.yaml_block import compose_block

KEYS = (
    *("tags", "a", "A", "depends-on", "key two", "1", "null", "über", "_x", "-x", "x-", "a.b"),
    "标签",
)
VALUES = (
    *("word", "two words", "2024-05-01", "12:30", "a:b", "a: b", "a:", "x #y", "x#y", "#x", "-x"),
    *("- x", "- - x", "~", "null", "true", "0x1F", "1e3", ".5", "[]", "[ ]", "[a]", "[[x]]", "{}"),
    *("{a: b}", "*x", "&x y", "!x y", "|", ">", "%x", "@x", "`x`", "? x", "?", "x?", "it's", "''"),
    *('""', "'it''s'", "'a'", '"a"', '"a\\n"', '"a: #b"', "'[[Plan|x]]'", '"[[Plan]]" # c'),
    *('" a "', "'a' b", '"a', 'a"b', "é ü", "双链 笔记", "a\u00a0b", "a\u0085b", "a\u2028b"),
    *(
        "a\ufeffb",
        "a\u200db",
        "a\ue000b",
        "a\x07b",
        "a\tb",
        "x ",
        " x",
        "...",
        "---",
        "--- x",
        "=",
    ),
    *("<<", "a, b", "a]b", "a%b", "$x", "(x)", "x(y)", "x/y\\z", "½", "٣", "ﬁ", "🚀"),
)
GAPS = ("", " ", "  ", "    ", "     ", "\t")

lines = st.one_of(
    st.builds(
        "{}:{}{}".format, st.sampled_from(KEYS), st.sampled_from(GAPS), st.sampled_from(VALUES)
    ),
    st.builds("{}:".format, st.sampled_from(KEYS)),
    st.builds("{}: {}".format, st.sampled_from(KEYS), st.sampled_from(VALUES)),
    st.builds("{}- {}".format, st.sampled_from(GAPS), st.sampled_from(VALUES)),
    st.builds("  - {}".format, st.sampled_from(VALUES)),
    st.builds("{}{}".format, st.sampled_from(GAPS), st.sampled_from(VALUES)),
)
blocks = st.lists(lines, max_size=6).map(lambda some: "".join(f"{line}\n" for line in some))


def shape(node: Node) -> object:
    """Return all of a node that reading a note goes by."""
    place = (type(node).__name__, node.tag, node.start_mark.line)
    if isinstance(node, ScalarNode):
        return (*place, node.value, node.style or None)
    if isinstance(node, MappingNode):
        return (*place, [(shape(key), shape(value)) for key, value in node.value])
    return (*place, [shape(item) for item in node.value])


def check(block: str) -> bool:
    """Hold one block to the parser, and return whether it was read without it."""
    plain = read_plain_block(block)
    if plain is None:
        return False
    whole = compose_block(block)
    assert whole is not None
    assert shape(plain) == shape(whole)
    return True


@settings(max_examples=2000)
@given(blocks)
@example("a" * 2000 + ": b\n")
@example("a:\n- b\n - c\n")
@example("a: b\n  - c\n")
@example("a: b\r\n")
@example("a: b")
def test_what_is_read_is_read_alike(block: str):
    check(block)


@given(st.text(alphabet="ab:-#'\" \n[]|>1~é", max_size=30))
def test_any_text(block: str):
    check(block)
    check(f"k: x\n{block}\n")


@pytest.mark.parametrize(
    "block",
    [
        "tags: x\n", "tags:\n", "tags:\n  - one\n  - two words\n",
        "tags:\n- a\n- b\nkey two: 'x: y'\n",
        'depends-on:\n    - "[[Plan|the plan]]"\nstatus: active\n', "aliases: []\ntags:\n  - a\n",
        "created: 2024-05-01\nrating: 7\nüber: 双链 笔记\n",
    ],
)  # fmt: skip
def test_the_plainest_are_read(block: str):
    assert check(block)


@pytest.mark.parametrize(
    "block",
    [
        *(
            "",
            "a: b",
            "a: b\r\n",
            "a: 1\na: 2\n",
            "a: b: c\n",
            "a:\n  b: c\n",
            "- a\n",
            "a: b\n\n",
        ),
        *("a: b #c\n", "a: x # c\n", "# c\na: b\n", "a: b\n c\n", "a:\n- b\n - c\n", "a: [b]\n"),
    ],
)
def test_what_is_not_certain_is_left_to_the_parser(block: str):
    assert read_plain_block(block) is None


def test_the_table_of_edits_and_the_samples():
    table = json.loads((REPOSITORY / "tests" / "data" / "edit_cases.json").read_text("utf-8"))
    notes = [path.read_bytes().decode(errors="replace") for path in SAMPLE_VAULT.rglob("*.md")]
    found = [split_note(text) for text in (*notes, *(case["text"] for case in table))]
    read = [check(note.block) for note in found if note.has_frontmatter]
    assert len(read) > 300
    assert sum(read) > 50
