"""Sections of a body: where they begin, and which of them changed."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultgraph.text.sections import BEGINNING, GONE, changed_sections, hash_sections

BODY = """\
The plan in short.

# Flat
Two rooms.

## Rent ##
1,450

# Flat
Again.
"""


def changed(before: str, after: str) -> tuple[str, ...]:
    return changed_sections(hash_sections(before), after)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", ()),
        ("in short", "at length", (BEGINNING,)),
        ("Two rooms", "Three rooms", ("Flat",)),
        ("1,450", "1,300", ("Rent",)),
        ("## Rent ##", "### Rent", ()),
        ("Again.", "Once more.", ("Flat",)),
        ("# Flat\nAgain.\n", "", (GONE,)),
        ("## Rent ##", "## Deposit", ("Deposit", GONE)),
        ("1,450\n", "1,450\n\n#### Water\n40\n", ("Water",)),
        ("The plan in short.\n\n", "", (GONE,)),
        ("Two rooms.", "Two rooms.\r", ("Flat",)),
    ],
)
def test_what_changed(old: str, new: str, expected: tuple[str, ...]):
    assert changed(BODY, BODY.replace(old, new)) == expected


@pytest.mark.parametrize(
    "line",
    [
        "#tag", "    # four spaces", "####### seven", "text # in it", "\\# escaped",
        "```\n# in code\n```", "~~~~ md\n# in code\n~~~\n# still\n~~~~~", "```\n# no end",
        "``` a\n# in code\n``` b\n# in code", "\u2028# after another line end",
    ],
)  # fmt: skip
def test_no_heading(line: str):
    assert changed("x\n\n# End", f"x\n\n{line}\n") == (BEGINNING, GONE)


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("# One", "One"), ("   ###### Six  ", "Six"), ("#\tTab", "Tab"), ("# C#", "C#"),
        ("# a ## ", "a"), ("#", ""), ("## ##", ""), ("# `x` **y**", "`x` **y**"),
        ("``` a ` b\n# After no fence", "After no fence"), ("# One\r", "One"),
    ],
)  # fmt: skip
def test_a_heading(line: str, heading: str):
    body = f"{line}\ntext\n"
    assert changed("", body)[-1] == heading


def test_the_hashes_are_short_and_hold_no_text():
    hashes = hash_sections(BODY)
    assert len(hashes) == 4
    assert len({key for key, _ in hashes}) == 4
    assert hashes[0][0] == ""
    parts = [part for section in hashes for part in section][1:]
    assert all(re.fullmatch("[0-9a-f]{12}", part) for part in parts)


def test_without_any_heading_there_are_no_sections():
    assert changed("one", "two") == changed("", "two") == changed("one", "") == ()
    assert changed("one", "one\n# Two") == (BEGINNING, "Two")


bodies = st.lists(
    st.sampled_from(["# A\n", "# B\n", "## A\r\n", "```\n", "~~~\n", "one\n", "two", "\n", "é "])
).map("".join)


@given(bodies, bodies)
def test_changed_is_what_differs(before: str, after: str):
    assert changed(after, after) == ()
    named = changed(before, after)
    assert named.count(GONE) <= 1
    if any(key for key, _ in (*hash_sections(before), *hash_sections(after))):
        # Sections that only changed places are the same sections.
        assert bool(named) != (sorted(hash_sections(before)) == sorted(hash_sections(after)))
    else:
        assert named == ()


@pytest.mark.parametrize("body", ["# " * 200_000, "#" * 300_000, "\n" * 300_000, "```\n" * 99_999])
def test_a_hostile_body_takes_no_long_time(body: str):
    began = time.process_time()
    hash_sections(body)
    assert time.process_time() - began < 10
