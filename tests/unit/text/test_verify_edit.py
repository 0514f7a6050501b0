"""The last look catches what an editor gone wrong could do, whatever the editor."""

from __future__ import annotations

import pytest

from vaultgraph.text.block_edit import read_block
from vaultgraph.text.edits import EditRefused
from vaultgraph.text.frontmatter import NoteText, split_note
from vaultgraph.text.verify_edit import Expected, verify

BEFORE = '---\nstatus: x\nplan: {a: [1, two]}\nk:\n  - "[[A]]"\nlast: y\n---\nBody.\n'
BLOCK = split_note(BEFORE).block
WANTED = {"k": Expected(("[[A]]", "[[B]]"), is_list=True)}
ASKED_FOR = BLOCK.replace('A]]"\n', 'A]]"\n  - "[[B]]"\n')


def check(block, wanted=WANTED, before=BEFORE):
    verify(read_block(split_note(before)), NoteText("", "---\n", block, "---\nBody.\n"), wanted)


def test_what_was_asked_for_passes():
    check(ASKED_FOR)
    check(ASKED_FOR.replace("k:", "K:"))


@pytest.mark.parametrize(
    ("why", "block"),
    [
        ("the block is broken", ASKED_FOR.replace("last: y", "last: *y")),
        ("the block ends early", ASKED_FOR.replace("last: y", "---\nlast: y")),
        ("another value differs", ASKED_FOR.replace("status: x", "status: z")),
        ("another value has quotes", ASKED_FOR.replace("status: x", 'status: "x"')),
        ("another value has a tag", ASKED_FOR.replace("status: x", "status: !x x")),
        ("another value is nested otherwise", ASKED_FOR.replace("[1, two]", "[1, [two]]")),
        ("another value is shorter", ASKED_FOR.replace("[1, two]", "[1]")),
        ("another key differs", ASKED_FOR.replace("status", "state")),
        ("another key is gone", ASKED_FOR.replace("last: y\n", "")),
        ("another key is new", ASKED_FOR + "more: z\n"),
        ("keys change places", "last: y\n" + ASKED_FOR.replace("last: y\n", "")),
        (
            "our key changes its place",
            ASKED_FOR.replace("last: y\n", "").replace("k:", "last: y\nk:"),
        ),
        ("our list lacks an entry", BLOCK),
        ("our list has one more", ASKED_FOR.replace('B]]"\n', 'B]]"\n  - "[[C]]"\n')),
        ("our list is in another order", BLOCK.replace("  - ", '  - "[[B]]"\n  - ')),
        ("our list holds the text otherwise", ASKED_FOR.replace("[[B]]", "[[b]]")),
        ("our list is gone", "status: x\nplan: {a: [1, two]}\nlast: y\n"),
        ("our list is a text", BLOCK.replace('\n  - "[[A]]"', ' "[[A]]"')),
        ("our list is twice there", ASKED_FOR + 'K:\n  - "[[A]]"\n'),
    ],
)
def test_anything_else_is_refused(why, block):
    with pytest.raises(EditRefused):
        check(block)


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        ("k: x\n", "k: z\n", Expected(("y",), is_list=False)),
        ("k: x\n", "k: 7\n", Expected(("7",), is_list=False)),
        ("k: x\n", "k: [y]\n", Expected(("y",), is_list=False)),
        ("k: x\n", "k: y\n", Expected(("y",), is_list=True)),
        ("k: x\n", "", Expected(("y",), is_list=False)),
        ("k: x\n", "k: x\n", None),
        ("", "k: x\n", None),
    ],
)
def test_a_value_must_be_the_one_asked_for(before, after, wanted):
    with pytest.raises(EditRefused) as refused:
        check(after, {"k": wanted}, f"---\n{before}---\n")
    assert refused.value.code == "verify-failed"


def test_new_keys_stand_last_in_order():
    wanted = {key: Expected(("x",), is_list=False) for key in ("n", "m")}
    check(f"{BLOCK}n: x\nm: x\n", wanted)
    with pytest.raises(EditRefused, match="change places"):
        check(f"{BLOCK}m: x\nn: x\n", wanted)


def test_aliases_are_compared_by_what_they_refer_to():
    before = "---\none: &a x\ntwo: &b x\nthree: *a\n---\n"
    with pytest.raises(EditRefused, match="`three`"):
        check("one: &a x\ntwo: &b x\nthree: *b\n", {}, before)
