"""Text made comparable: spellings that are one, and places where a name ends."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultgraph.text.prose import (
    fold,
    fold_name,
    goes_on,
    has_cjk,
    is_cjk,
    reads_on,
    to_nfc,
    unquote,
)

ALIKE = [
    ("Rate Limiter", "RATE limiter"),
    ("Résumé", "RE\u0301SUME\u0301"),
    ("Straße", "STRASSE"),
    ("ΟΔΟΣ", "οδος"),
    ("ΟΔΟΣ", "οδοσ"),
    ("İstanbul", "I\u0307stanbul"),
    ("ﬀ", "FF"),
    ("Å", "\u212b"),
    ("한글", unicodedata.normalize("NFD", "한글")),
    ("が", "か\u3099"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_spellings_that_are_one(one: str, other: str):
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Resume", "Résumé"), ("istanbul", "İstanbul"), ("ı", "i"), ("o", "ö")],  # noqa: RUF001
)
def test_spellings_that_are_not(one: str, other: str):
    assert fold(one) != fold(other)


def test_white_space_in_names_is_one_space():
    assert fold_name("  Rate\u00a0\t Limiter\n") == "rate limiter"
    assert fold_name(" \n ") == ""


@given(st.text())
def test_folding_does_not_depend_on_the_form(text: str):
    for form in ("NFC", "NFD"):
        assert fold(unicodedata.normalize(form, text)) == fold(text)
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_nfc_is_nfc(text: str):
    assert to_nfc(text) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize("character", "中文かなカナ々한ㄅ㐀𠀀豈")
def test_scripts_without_spaces(character: str):
    assert is_cjk(character)
    assert has_cjk(f"a{character}b")


@pytest.mark.parametrize("character", "aé1_ 。、「Ａя🚀ａ")  # noqa: RUF001
def test_other_characters(character: str):
    assert not is_cjk(character)
    assert not has_cjk(character)


@pytest.mark.parametrize("outside", "aZé1я٣Ａ\u0301²")  # noqa: RUF001
def test_a_word_goes_on(outside: str):
    assert goes_on(outside, "r")


@pytest.mark.parametrize("outside", " \n_.,;:-–'\"’“”()[]*/\\@#&+。、中か한🚀\x00\u200b")  # noqa: RUF001
def test_a_word_ends(outside: str):
    assert not goes_on(outside, "r")


def test_a_mark_belongs_to_the_letter_before_it_in_any_script():
    assert goes_on("\u0301", "中")
    assert not goes_on("a", "中")


@pytest.mark.parametrize(
    "lines",
    [
        ["Rate", "Limiter"],
        ["a Rate  ", "Limiter b"],
        ["- Rate", "  Limiter"],
        ["> Rate", "> Limiter"],
        ["> > Rate", ">> Limiter"],
        ["Rate\r", "Limiter\r"],
        ["a", "b", "c"],
        ["Rate", "#tag"],
        ["Rate", "-5 degrees"],
        ["Rate", "2024 was"],
        ["Rate", "*Limiter*"],
    ],
)
def test_lines_that_read_on(lines: list[str]):
    assert reads_on(lines)


@pytest.mark.parametrize(
    "lines",
    [
        ["Rate", "", "Limiter"],
        ["Rate", "  \t", "Limiter"],
        ["Rate", "\r", "Limiter"],
        ["# Rate", "Limiter"],
        ["Rate", "# Limiter"],
        ["###### Rate", "Limiter"],
        ["- Rate", "- Limiter"],
        ["Rate", "* Limiter"],
        ["Rate", "+ Limiter"],
        ["Rate", "1. Limiter"],
        ["Rate", "12) Limiter"],
        ["Rate", "  - Limiter"],
        ["> Rate", "Limiter"],
        ["Rate", "> Limiter"],
        ["> Rate", ">> Limiter"],
        ["> Rate", ">", "> Limiter"],
        ["> Rate", "> - Limiter"],
        ["| Rate", "| Limiter"],
        ["Rate", "[^1]: Limiter"],
        ["a", "b", "", "c"],
    ],
)
def test_lines_that_do_not(lines: list[str]):
    assert not reads_on(lines)


def test_quotation_marks_at_line_starts_are_no_text():
    assert unquote("> a\n>> b\n > > c\nd > e") == "a\nb\nc\nd > e"
