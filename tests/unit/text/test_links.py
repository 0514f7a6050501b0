"""What the app records as a link, and what it does not: the table read from its own caches."""

from __future__ import annotations

import time

import pytest

from vaultgraph.text.links import decode_address, is_inside_vault, link_path, link_value, view_body


def links(body: str) -> list[tuple[str, int, str]]:
    return list(view_body(body).links)


def paths(body: str) -> list[str]:
    return [path for path, _, _ in links(body)]


#: A body and the paths of its links.
READ = {
    "plain": ("[[W]]", ["W"]),
    "display": ("[[W|a]]", ["W"]),
    "folder": ("[[F/W]]", ["F/W"]),
    "with the suffix": ("[[W.md]]", ["W.md"]),
    "another kind of file": ("[[x.pdf]]", ["x.pdf"]),
    "split at the first bar": ("[[W||x]]", ["W"]),
    "heading": ("[[W#H]]", ["W"]),
    "two headings": ("[[W#H#H2]]", ["W"]),
    "heading and display": ("[[W#H|a]]", ["W"]),
    "block": ("[[W#^b]]", ["W"]),
    "first hash cuts": ("[[pa#th/x]]", ["pa"]),
    "own heading": ("[[#H]] [[#^b]] [t](#H)", []),
    "empty": ("[[]] []() [t]()", []),
    "nothing before the bar": ("[[|]] [[|a]]", ["|", "|a"]),
    "spaces around": ("[[ W ]] [[W |a]]", ["W", "W"]),
    "no-break space": ("[[A\u00a0B]]", ["A B"]),
    "not decoded": ("[[A%20B]]", ["A%20B"]),
    "bar escaped in a table": ("| [[A\\|b]] | [[F/C#h\\|d]] |", ["A", "F/C"]),
    "several": ("[[A]][[B]] and [[C]]", ["A", "B", "C"]),
    "twice": ("[[A]] [[A]]", ["A", "A"]),
    "bracket in front": ("[[[A]]]", ["A"]),
    "inner of two": ("[[a [[b]]", ["b"]),
    "over a line": ("[[a\nb]]", []),
    "single brackets": ("[a] [b]]", []),
    "one closing": ("[[a]", []),
    "markdown": ("[t](n.md)", ["n.md"]),
    "markdown, no suffix": ("[t](n)", ["n"]),
    "markdown, encoded": ("[t](Test%20Data/n.md#h)", ["Test Data/n.md"]),
    "markdown, angle brackets": ("[t](<My note.md>)", ["My note.md"]),
    "markdown, angle brackets, encoded": ("[t](<My%20note.md>)", ["My note.md"]),
    "markdown, title": ("[t](n.md \"T\") [t](m.md 'T') [t](o.md (T))", ["n.md", "m.md", "o.md"]),
    "markdown, parentheses": ("[t](a(b).md)", ["a(b).md"]),
    "markdown, spaces": ("[t](My note.md)", []),
    "markdown, relative": ("[t](../a/n.md) [t](./n.md)", ["../a/n.md", "./n.md"]),
    "markdown, colon after ./": ("[t](./a:b.md)", ["./a:b.md"]),
    "markdown, empty text": ("[](n.md)", ["n.md"]),
    "markdown, brackets in the text": ("[a [b] c](n.md)", ["n.md"]),
    "markdown, text over a line": ("[a\nb](n.md)", ["n.md"]),
    "markdown, text over a blank line": ("[a\n\nb](n.md)", []),
    "elsewhere": ("[t](https://x.org/n.md) [t](mailto:a@b.c) [t](obsidian://open)", []),
    "text before the address": ("[t] (n.md)", []),
    "heading line": ("## See [[W]]", ["W"]),
    "list item": ("- [[A]]\n  1. [[B]]", ["A", "B"]),
    "task": ("- [ ] do [[A]]\n- [x] done [b](B.md)", ["A", "B.md"]),
    "quotation": ("> [[A]]\n>> [[B]]", ["A", "B"]),
    "callout": ("> [!note] [[A]]\n> text [[B]]", ["A", "B"]),
    "footnote": ("Text[^1].\n\n[^1]: see [[A]]", ["A"]),
    "emphasis": ("**[[A]]** _[[B]]_ ==[[C]]==", ["A", "B", "C"]),
    "html around": ("<b>[[A]]</b>", ["A"]),
    "comment, inline": ("%% [[x]] %%", ["x"]),
    "comment, block": ("%%\n[[x]]\n%%", ["x"]),
    "inline code": ("`[[x]]` and ``a ` [[y]]`` and `[t](z.md)`", []),
    "code over a line": ("`a\n[[x]]`", []),
    "tick without a partner": ("a ` b [[x]]", ["x"]),
    "fenced": ("```\n[[x]]\n```\n[[y]]", ["y"]),
    "fenced, tildes": ("~~~ md\n[[x]]\n~~~\n[[y]]", ["y"]),
    "fenced, never closed": ("```\n[[x]]\n", []),
    "fenced in a list": ("- a\n  ```\n  [[x]]\n  ```\n- [[y]]", ["y"]),
    "html comment": ("<!-- [[x]] --> [[y]]", ["y"]),
    "html comment over lines": ("<!--\n[[x]]\n-->\n[[y]]", ["y"]),
    "escaped": ("\\[\\[x\\]\\] \\[[y]]", []),
    "backslash escaped before": ("\\\\[[x]]", ["x"]),
    "formula": ("$[[1,2],[3,4]]$ and $$\n[[a]]\n$$ [[y]]", ["y"]),
}


@pytest.mark.parametrize(("body", "expected"), READ.values(), ids=READ)
def test_paths(body: str, expected: list[str]):
    assert paths(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("[[W]]", "wikilink"),
        ("![[W]]", "embed"),
        ("![[W.png|100]]", "embed"),
        ("\\![[W]]", "wikilink"),
        ("[t](W.md)", "markdown"),
        ("![t](W.png)", "embed"),
        ("\\![t](W.md)", "markdown"),
    ],
)
def test_kinds(body: str, expected: str):
    assert [kind for _, _, kind in links(body)] == [expected]


def test_a_picture_that_is_a_link():
    assert sorted(links("[![alt](p.png)](n.md)")) == [
        ("n.md", 1, "markdown"),
        ("p.png", 1, "embed"),
    ]


def test_lines_count_from_one():
    body = "a\n[[A]]\n\n```\n[[x]]\n```\n[b](B.md) [[C]]\n<!--\n\n-->\n![[D]]\n"
    # Within a line, the order has no meaning.
    assert sorted(links(body)) == [
        ("A", 2, "wikilink"),
        ("B.md", 7, "markdown"),
        ("C", 7, "wikilink"),
        ("D", 11, "embed"),
    ]


def test_lines_with_crlf():
    assert links("a\r\n[[A]]\r\n\r\n[b](B.md)\r\n") == [
        ("A", 2, "wikilink"),
        ("B.md", 4, "markdown"),
    ]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("a%20b", "a b"),
        ("%C3%A9t%C3%A9", "été"),
        ("a%23b", "a%23b"),
        ("a%2Fb%2fc", "a%2Fb%2Fc"),
        ("%3B%3F%3A%40%26%3D%2B%24%2C", "%3B%3F%3A%40%26%3D%2B%24%2C"),
        ("%21%27%28%29%2A%5B%5D", "!'()*[]"),
        ("100%", "100%"),
        ("100%25", "100%"),
        ("%E9", "%E9"),
        ("%E9%20", "%E9%20"),
    ],
)
def test_addresses_are_decoded_as_javascript_does(address: str, expected: str):
    # What stays encoded may come out in the other letter case: `%2f` or `%2F`.
    assert decode_address(address).upper() == expected.upper()


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("n.md", True),
        ("a/b", True),
        ("./a:b", True),
        ("../a:b", True),
        ("https://x", False),
        ("mailto:x", False),
        ("a:b.md", False),
    ],
)
def test_what_lies_inside_the_vault(address: str, expected: bool):
    assert is_inside_vault(address) is expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("W", "W"),
        ("W|a", "W"),
        ("W\\|a", "W"),
        ("W#h|a", "W"),
        ("|a", "|a"),
        ("#h", ""),
        (" W ", "W"),
    ],
)
def test_the_path_in_a_wikilink(written: str, expected: str):
    assert link_path(written) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("[[X]]", "X"),
        (" [[X]] ", "X"),
        ("[[F/X#h|a]]", "F/X"),
        ("[t](x.md)", "x.md"),
        ("[t](My%20x.md)", "My x.md"),
        ("see [[X]]", None),
        ("[[X]] and more", None),
        ("[[X]] [[Y]]", None),
        ("[[X]][[Y]]", None),
        ("[t](https://x.org)", None),
        ("[[]]", None),
        ("[[#h]]", None),
        ("X", None),
        ("", None),
        ("[X]", None),
        ("[[X", None),
    ],
)
def test_a_property_is_a_link_where_all_of_it_is_one(value: str, expected: str | None):
    assert link_value(value) == expected


#: What is left as prose: words that must be in it, and words that must not.
PROSE = {
    "wikilink": ("kept [[cut|cut]] kept", "cut"),
    "embed": ("kept ![[cut]] kept", "cut"),
    "markdown link, also to elsewhere": (
        "kept [cut](cut.md) [cut](https://cut.org/cut) kept",
        "cut",
    ),
    "picture": ("kept ![cut](cut.png) kept", "cut"),
    "address": ("kept https://cut.org/cut?cut=cut#cut kept", "cut"),
    "address in angle brackets": ("kept <https://cut.org/cut> kept", "cut"),
    "inline code": ("kept `cut cut` kept", "cut"),
    "fence": ("kept\n```\ncut\n```\nkept", "cut"),
    "indented code": ("kept\n\n    cut\n\nkept", "cut"),
    "html comment": ("kept <!-- cut --> kept", "cut"),
    "comment": ("kept %% cut %% kept", "cut"),
    "comment over lines": ("kept\n%%\ncut\n\ncut\n%%\nkept", "cut"),
    "tag": ('kept <span title="cut">kept</span> kept', "cut"),
    "formula": ("kept $cut$ kept $$cut\ncut$$ kept", "cut"),
}


@pytest.mark.parametrize(("body", "gone"), PROSE.values(), ids=PROSE)
def test_prose_is_what_is_left(body: str, gone: str):
    prose = view_body(body).prose
    assert gone not in prose
    assert prose.count("kept") == body.count("kept")
    assert prose.count("\n") == body.count("\n")


def test_an_address_ends_at_chinese_punctuation():
    assert "kept" in view_body("看https://x.org/cut。kept").prose


#: One kind of text, half a million times or so: each must take time in step with its length.
HOSTILE = [
    "[",
    "]",
    "[[",
    "[[a|",
    "[[a]",
    "![",
    "[](",
    "[](<",
    "[a](b",
    "\\![a](b)",
    "\\[[a]]",
    "[a](b(",
    "[a](b (",
    '[a](b "',
    "`",
    "``a`",
    "` ",
    "$",
    "$a ",
    "$$a$",
    "%%",
    "%",
    "<!--",
    "<!-- a",
    "<a ",
    "</",
    "a://",
    "://",
    "~~~",
    "> ```\n",
    "- ```\n  ",
    "    a\n\n",
    "\n \n",
    "\\",
    "|",
    "(",
    "a](",
    "x" * 50 + "://",
    "%20",
    "[^1]: ",
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_takes_linear_time(unit: str):
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.process_time()
        view_body(text)
        return time.process_time() - start

    small, large = 60_000, 480_000
    seconds(small)
    # Eight times the text in at most thirty times the time: quadratic would be sixty-four.
    assert seconds(large) <= max(30 * seconds(small), 0.5)
