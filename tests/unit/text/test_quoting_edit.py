"""What Obsidian's own YAML library writes, taken down from npm yaml 2.7.0."""

from __future__ import annotations

import pytest

from vaultgraph.text.quoting import is_linkable, is_writable, quote_key, quote_text, wikilink

PLAIN = [
    "done",
    "two words",
    "yes",
    "No",
    "2026-03-01",
    "12:30",
    "1_000",
    "a:b",
    "a#b",
    "a, b",
    "it's",
    'say "hi"',
    "?x",
    "-x",
    ":x",
    "=",
    "<<",
    "---",
    "...",
    "---x",
    "a\tb",
    "1.2.3",
    "0x",
    "0b1",
    ".",
    "+",
    "e3",
    "tRUE",
    "nULL",
    "(a)",
    "a [b]",
    "🚀 žluť",
]
QUOTED = [
    ("", '""'),
    (" x", '" x"'),
    ("x ", '"x "'),
    ("\tx", '"\\tx"'),
    ("x\t", '"x\\t"'),
    ("true", '"true"'),
    ("False", '"False"'),
    ("null", '"null"'),
    ("~", '"~"'),
    ("1", '"1"'),
    ("-007", '"-007"'),
    ("1.10", '"1.10"'),
    ("1.", '"1."'),
    (".5", '".5"'),
    ("1e3", '"1e3"'),
    ("0x1F", '"0x1F"'),
    ("0o17", '"0o17"'),
    (".inf", '".inf"'),
    ("-.INF", '"-.INF"'),
    (".nan", '".nan"'),
    ("-", '"-"'),
    ("?", '"?"'),
    ("- a", '"- a"'),
    ("? a", '"? a"'),
    ("a: b", '"a: b"'),
    ("a:", '"a:"'),
    ("a #b", '"a #b"'),
    ("#x", '"#x"'),
    ("@x", '"@x"'),
    ("%x", '"%x"'),
    ("`x", '"`x"'),
    ("!x", '"!x"'),
    ("&x", '"&x"'),
    ("*x", '"*x"'),
    ("|", '"|"'),
    (">x", '">x"'),
    (",x", '",x"'),
    ("{x", '"{x"'),
    ("]x", '"]x"'),
    ("'x'", "\"'x'\""),
    ('"x"', "'\"x\"'"),
    ("'x' \"y\"", '"\'x\' \\"y\\""'),
    ("a: \\b", '"a: \\\\b"'),
    ('a: \\b "c"', "'a: \\b \"c\"'"),
    ("[[A]]", '"[[A]]"'),
    ('[[A "q"]]', "'[[A \"q\"]]'"),
    ("[[it's]]", '"[[it\'s]]"'),
    ('[[it\'s "q"]]', '"[[it\'s \\"q\\"]]"'),
    ("[[a\\b]]", '"[[a\\\\b]]"'),
    ("[[a\tb]]", '"[[a\\tb]]"'),
]


@pytest.mark.parametrize("text", PLAIN)
def test_plain(text):
    assert quote_text(text) == text


@pytest.mark.parametrize(("text", "written"), QUOTED)
def test_quoted(text, written):
    assert quote_text(text) == written


@pytest.mark.parametrize("key", ["depends-on", "hängt ab von", "yes", "a:b", "a\tb"])
def test_plain_key(key):
    assert quote_key(key) == key


@pytest.mark.parametrize("key", ["2024", "true", "a: b", "---", "---x", "...", "%a", ""])
def test_quoted_key(key):
    assert quote_key(key) == f'"{key}"'


@pytest.mark.parametrize(
    "sign", ["#", "^", "|", "[", "]", "%%", "\n", "\r", "\0", "\x85", "\u2028"]
)
def test_no_link_can_name_it(sign):
    assert not is_linkable(f"A{sign}B")


@pytest.mark.parametrize(
    "name", ["A", "100%", "a/b c", "It's", 'say "hi"', "a\\b", "🚀", "A, B: {c}"]
)
def test_a_link_can_name_it(name):
    assert is_linkable(name)
    assert wikilink(name) == f"[[{name}]]"


@pytest.mark.parametrize("text", ["", " "])
def test_nothing_is_no_name(text):
    assert not is_linkable(text)


def test_half_a_character_is_not_writable():
    assert is_writable("🚀\t")
    assert not is_writable("\ud83d")
