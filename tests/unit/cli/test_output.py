"""Text as it may stand in a terminal, and lines that keep their words however narrow it is."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultgraph.cli.output import Output, shown


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Plan.md", "Plan.md"),
        ("Résumé 双链 🚀", "Résumé 双链 🚀"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        ("a\x1b[31m", "a\\x1b[31m"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("a\x7fb\x85c", "a\\x7fb\\x85c"),
        ("a\u202eb\u2066c\u200f", "a\\u202eb\\u2066c\\u200f"),
        ("a\u2028b\u2029c", "a\\u2028b\\u2029c"),
        ("\ufeffa\u200b", "\\ufeffa\\u200b"),
        ("\ue000\ud800", "\\ue000\\ud800"),
        ("[red]a[/red] {x} %s", "[red]a[/red] {x} %s"),
    ],
)
def test_shown(text: str, expected: str):
    assert shown(text) == expected


@given(st.text())
def test_what_is_shown_moves_no_cursor_and_turns_no_line(text: str):
    for character in shown(text):
        assert character.isprintable() or character in "\u200c\u200d" or not character.isascii()
        assert (
            character not in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f"
        )
        assert character >= " "


WORDS = st.lists(st.sampled_from(["a", "word", "longer-word", "双链笔记", "é" * 9]), min_size=1)


@pytest.mark.parametrize("columns", ["10", "40", "80"])
@given(WORDS, st.integers(0, 30), st.integers(0, 12))
def test_a_folded_line_keeps_its_words(columns: str, words: list[str], indent: int, lead: int):
    screen = Screen()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", columns)
        patch.setenv("TERM", "xterm")
        patch.setenv("NO_COLOR", "1")
        Output(screen).line(" " * lead, *(f"{word} " for word in words), indent=indent)
    # A word longer than a line is broken, and so only letters are compared.
    assert "".join(screen.getvalue().split()) == "".join(words)


def test_without_a_terminal_a_line_is_a_line():
    stream = io.StringIO()
    Output(stream).line(("bold ", "bold"), "x " * 500, indent=4)
    assert stream.getvalue() == "bold " + "x " * 500 + "\n"


@pytest.mark.parametrize("count", [0, 1, 4095, 4096, 4097, 8192, 10_000])
def test_a_document_of_any_length_is_what_json_makes_of_it(count: int):
    rows = [{"note": f"Ä {number}", "lines": [number, None]} for number in range(count)]
    document = {"version": 1, "rows": rows, "pairs": tuple(map(tuple, rows)), "end": {"a": []}}
    for whole in ({}, {"rows": rows}, document):
        stream = io.StringIO()
        Output(stream).json(whole)
        plain = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
        assert stream.getvalue() == f"{plain}\n"


def test_on_a_terminal_documents_and_rows_move_no_cursor():
    name = "a\x1b[31m\x9b2J\x7f\u202eb\u2066 Ä 双"
    plain, screen = io.StringIO(), Screen()
    for stream in (plain, screen):
        Output(stream).json({"note": name, "rows": [{name: [name]}]})
    assert json.loads(screen.getvalue()) == json.loads(plain.getvalue())
    assert json.loads(plain.getvalue())["note"] == name
    table, shown_table = io.StringIO(), Screen()
    for stream in (table, shown_table):
        Output(stream).csv(["note", "line"], [[name, 7]])
    assert name in table.getvalue()
    assert shown_table.getvalue() == f"note,line\n{shown(name)},7\n"
    for text in (screen.getvalue(), shown_table.getvalue()):
        assert not set("\x1b\x9b\x7f\u202e\u2066") & set(text)
        assert "Ä 双" in text
