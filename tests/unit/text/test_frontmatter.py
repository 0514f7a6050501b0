"""Where Obsidian sees a block: the rule read from the app,
and the texts that only look like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultgraph.text.frontmatter import is_near_miss, split_note

SEEN = {
    "plain": ("---\na: 1\n---\nBody\n", "a: 1\n", "Body\n"),
    "CRLF": ("---\r\na: 1\r\n---\r\nBody\r\n", "a: 1\r\n", "Body\r\n"),
    "opened by LF, closed by CRLF": ("---\na: 1\r\n---\r\nBody", "a: 1\r\n", "Body"),
    "empty": ("---\n---\nBody\n", "", "Body\n"),
    "only the fences": ("---\n---", "", ""),
    "ends at the fence": ("---\na: 1\n---", "a: 1\n", ""),
    "no body": ("---\na: 1\n---\n", "a: 1\n", ""),
    "a rule in the body": (
        "---\na: 1\n---\nBody\n\n---\n\nMore\n",
        "a: 1\n",
        "Body\n\n---\n\nMore\n",
    ),
    "an indented fence closes nothing": ("---\na: |\n  ---\n---\nBody", "a: |\n  ---\n", "Body"),
    "a fence inside a block scalar at the margin closes": (
        "---\na: |\n---\nb\n---\n",
        "a: |\n",
        "b\n---\n",
    ),
    "a longer line closes nothing": ("---\na: 1\n----\n---\nBody", "a: 1\n----\n", "Body"),
    "a trailing space closes nothing": ("---\na: 1\n--- \n---\nBody", "a: 1\n--- \n", "Body"),
    "text after the dashes closes nothing": ("---\n--- a\n---\nBody", "--- a\n", "Body"),
    "dots close nothing": ("---\na: 1\n...\nb: 2\n---\nBody", "a: 1\n...\nb: 2\n", "Body"),
    "blank lines kept": ("---\n\na: 1\n\n---\n\n\nBody", "\na: 1\n\n", "\n\nBody"),
    "a lone CR ends no line": ("---\na: 1\r---\r\n---\nBody", "a: 1\r---\r\n", "Body"),
}

NOT_SEEN = {
    "blank line first": "\n---\na: 1\n---\nBody\n",
    "space first": " ---\na: 1\n---\n",
    "space after the opening": "--- \na: 1\n---\n",
    "four dashes": "----\na: 1\n---\n",
    "never closed": "---\na: 1\nBody\n",
    "closed by dots": "---\na: 1\n...\nBody\n",
    "closed with a trailing space only": "---\na: 1\n--- \nBody\n",
    "lone CR": "---\ra: 1\r---\r",
    "opening line alone": "---",
    "opening with nothing after": "---\n",
}


@pytest.mark.parametrize(("text", "block", "body"), SEEN.values(), ids=SEEN)
def test_frontmatter_is_seen(text: str, block: str, body: str):
    note = split_note(text)
    assert note.has_frontmatter
    assert note.block == block
    assert note.body == body
    assert text[note.body_start :] == body
    assert not is_near_miss(note)


@pytest.mark.parametrize("text", NOT_SEEN.values(), ids=NOT_SEEN)
def test_what_only_looks_like_frontmatter_is_body(text: str):
    note = split_note(text)
    assert not note.has_frontmatter
    assert note.block == ""
    assert note.body == text
    assert note.body_start == 0
    assert is_near_miss(note)


@pytest.mark.parametrize("text", ["", "Body", "Body\n---\na: 1\n---\n", "-- -\n", "# ---\n"])
def test_what_does_not_even_look_like_frontmatter(text: str):
    note = split_note(text)
    assert not note.has_frontmatter
    assert not is_near_miss(note)


def test_a_byte_order_mark_stands_before_the_block():
    note = split_note("\ufeff---\na: 1\n---\nBody")
    assert (note.bom, note.block, note.body) == ("\ufeff", "a: 1\n", "Body")
    assert note.body_start == len("\ufeff---\na: 1\n---\n")


def test_a_byte_order_mark_is_no_part_of_a_body_without_a_block():
    note = split_note("\ufeffBody")
    assert (note.bom, note.body, note.body_start) == ("\ufeff", "Body", 1)


def test_a_second_byte_order_mark_is_text():
    assert not split_note("\ufeff\ufeff---\na: 1\n---\n").has_frontmatter


LINES = st.lists(
    st.sampled_from(
        ["---", "---\r", "--- ", "----", "...", "a: 1", "", "\ufeff---", "Body", " ---", "\r"]
    ),
    max_size=8,
).map("\n".join)


@given(LINES | st.text())
def test_the_parts_are_the_text(text: str):
    note = split_note(text)
    assert note.bom + note.opening + note.block + note.rest == text
    assert text[note.body_start :] == note.body
    if note.has_frontmatter:
        assert note.opening.rstrip("\r\n") == "---"
        assert note.rest.startswith("---")
        lines = note.block.split("\n")
        assert not any(line.removesuffix("\r") == "---" for line in lines)
