"""Private names are masked in whatever is shown, in every spelling, and nothing else is."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultgraph.text.prose import fold_name
from vaultgraph.vault.privacy import MASK, Masker

NAMES = ("Salary Talks", "Straße 12", "体检报告", "Zoë", "C++ (old)")
MASKER = Masker([fold_name(name) for name in NAMES])

MASKED = {
    "plain": ("after the Salary Talks today", "after the [private] today"),
    "letter case": ("SALARY talks", "[private]"),
    "twice": ("Salary Talks, salary talks", "[private], [private]"),
    "two spaces": ("the Salary  Talks", "the [private]"),
    "tab": ("the Salary\tTalks", "the [private]"),
    "two lines": ("the Salary\nTalks on", "the [private]\n[private] on"),
    "no-break space": ("the Salary\u00a0Talks", "the [private]"),
    "markup beside": ("**Salary Talks** _Salary Talks_", "**[private]** _[private]_"),
    "possessive": ("Salary Talks's", "[private]'s"),
    "link": ("see [[Salary Talks]].", "see [private]."),
    "link with display": ("see [[Private/Salary Talks|the talks]].", "see [private]."),
    "embed": ("![[Salary Talks#Day]]", "[private]"),
    "markdown link": ("see [the talks](Private/Salary%20Talks.md).", "see [private]."),
    "markdown link, angle": ("see [the talks](<Private/Salary Talks.md>).", "see [private]."),
    "name in a display text": ("see [[Other|Salary Talks]].", "see [private]."),
    "other links stay": ("[[Home]] and [[Salary Talks]]", "[[Home]] and [private]"),
    "chinese in chinese": ("我的体检报告出来了", "我的[private]出来了"),
    "chinese beside latin": ("my体检报告2024", "my[private]2024"),
    "latin in chinese": ("看了Salary Talks的结果", "看了[private]的结果"),
    "one word": ("with Zoë, later", "with [private], later"),
    "decomposed": (f"with {unicodedata.normalize('NFD', 'Zoë')}, later", "with [private], later"),
    "ss for ß": ("in STRASSE 12 now", "in [private] now"),
    "signs": ("in C++ (old) too", "in [private] too"),
    "in a path": ("Private/Salary Talks.md", "Private/[private].md"),
}


@pytest.mark.parametrize(("text", "shown"), MASKED.values(), ids=MASKED)
def test_what_is_masked(text: str, shown: str):
    assert MASKER.mask(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "in Straße 12 now",  # ß for ss: found only when folded
        "obsidian://open?file=Salary%20Talks",
        "obsidian://open?file=Private%2FSalary%20Talks.md",
        "see [the talks](<x> Salary%20Talks",
    ],
)
def test_what_cannot_be_cut_out_masks_all(text: str):
    assert MASKER.mask(text) == MASK


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the salary, and talks",
        "Salary Talkshow",
        "xSalary Talks",
        "Zoëlle",
        "[[Home]] 100% of it",
        "体检 报告",
        "a  b\tc\u00a0d",
    ],
)
def test_what_stays_as_it_is(text: str):
    assert MASKER.mask(text) == text


def test_nothing_private_nothing_masked():
    assert Masker([]).mask("Salary  Talks [[x]]") == "Salary  Talks [[x]]"
    assert Masker([""]).mask("Salary") == "Salary"


def test_a_note_called_private():
    masker = Masker(["private"])
    assert masker.mask("my private notes") == "my [private] notes"
    assert masker.mask("[[Private]]") == MASK


WORDS = st.sampled_from(
    ["Salary", "Talks", "salary talks", " ", "  ", "\n", "[[", "]]", "|", "](", "[", ")", "%20",
     "Strasse", "12", "体检报告", "报", "zoë", "-", "_", "x", "C++ (old)", "é", "\u0308"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=12).map("".join))
def test_no_name_is_left_standing(text: str):
    left = " ".join(fold_name(MASKER.mask(text).replace(MASK, " ")).split())
    for name in map(fold_name, NAMES):
        at = left.find(name)
        while at >= 0:
            before, after = left[at - 1 : at], left[at + len(name) : at + len(name) + 1]
            # What is left is part of a longer word: `xSalary Talks`, `zoëlle`.
            assert any(c.isalnum() or unicodedata.combining(c) for c in before + after)
            at = left.find(name, at + 1)
