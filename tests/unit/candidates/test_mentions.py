"""Names in prose: whole words, the longest first, over soft breaks, beside markup."""

from __future__ import annotations

import time

import pytest

from vaultgraph.candidates.mentions import Matcher, Probe, longest
from vaultgraph.text.links import view_body
from vaultgraph.text.prose import fold, fold_name


def find(body: str, *names: str, own: tuple[int, ...] = ()) -> list[tuple[str, int]]:
    matcher = Matcher([fold_name(name) for name in names])
    return [(names[found.name], found.line) for found in matcher.find(view_body(body).prose, own)]


HITS = {
    "plain": "the Rate Limiter works",
    "letter case": "the rate LIMITER works",
    "alone": "Rate Limiter",
    "two spaces": "Rate  Limiter",
    "tab": "Rate\tLimiter",
    "no-break space": "Rate\u00a0Limiter",
    "ideographic space": "Rate\u3000Limiter",
    "line break": "the Rate\nLimiter works",
    "line break in a quotation": "> the Rate\n> Limiter works",
    "line break in an item": "- the Rate\n  Limiter works",
    "CRLF": "the Rate\r\nLimiter works",
    "hard break": "the Rate  \nLimiter works",
    "heading": "## Rate Limiter",
    "list": "- Rate Limiter\n",
    "task": "- [ ] Rate Limiter",
    "table": "| Rate Limiter | x |",
    "callout": "> [!note] Rate Limiter",
    "bold": "**Rate Limiter**",
    "underscore": "_Rate Limiter_",
    "highlight": "==Rate Limiter==",
    "struck out": "~~Rate Limiter~~",
    "possessive": "Rate Limiter's",
    "curly possessive": "Rate Limiter’s",  # noqa: RUF001
    "quotes": "“Rate Limiter”",
    "brackets": "(Rate Limiter) [Rate Limiter]",
    "dash": "x–Rate Limiter—y",  # noqa: RUF001
    "hyphen": "pre-Rate Limiter-based",
    "slash": "and/Rate Limiter/or",
    "full stop": "x.Rate Limiter.",
    "escaped": "\\Rate Limiter\\",
    "in html": "<b>Rate Limiter</b>",
    "chinese beside": "用Rate Limiter的人",
    "emoji beside": "🚀Rate Limiter🚀",
    "beside code": "`x`Rate Limiter`y`",
    "beside a link": "[[x]]Rate Limiter[[y]]",
}


@pytest.mark.parametrize("body", HITS.values(), ids=HITS)
def test_found(body: str):
    assert find(body, "Rate Limiter")


MISSES = {
    "part of a word, before": "xRate Limiter",
    "part of a word, after": "Rate Limiters",
    "digit after": "Rate Limiter2",
    "accent after": "Rate Limiter\u0301",
    "letter of another script": "Rate Limiterя",
    "another word between": "Rate the Limiter",
    "hyphen between": "Rate-Limiter",
    "underscore between": "Rate_Limiter",
    "markup between": "Rate **Limiter**",
    "blank line": "Rate\n\nLimiter",
    "over items": "- Rate\n- Limiter",
    "into a heading": "Rate\n# Limiter",
    "out of a heading": "# Rate\nLimiter",
    "out of a quotation": "> Rate\n\nLimiter",
    "into a quotation": "Rate\n> Limiter",
    "table rows": "| a | Rate |\n| Limiter | b |",
    "code": "`Rate Limiter`",
    "over code": "Rate `x` Limiter",
    "fence": "```\nRate Limiter\n```",
    "link": "[[Rate Limiter]] [[x|Rate Limiter]] ![[Rate Limiter.png]]",
    "markdown link": "[Rate Limiter](x.md) [Rate Limiter](https://x.org)",
    "comment": "%% Rate Limiter %%",
    "html comment": "<!-- Rate Limiter -->",
    "attribute": '<a title="Rate Limiter">x</a>',
    "formula": "$Rate Limiter$",
    "over a link": "Rate [[x]] Limiter",
    "over a comment": "Rate <!-- --> Limiter",
    "over a tag": "Rate<br>Limiter",
}


@pytest.mark.parametrize("body", MISSES.values(), ids=MISSES)
def test_not_found(body: str):
    assert find(body, "Rate Limiter") == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("after Payment Gateway Timeout", ["Payment Gateway Timeout"]),
        (
            "Payment Gateway and Payment Gateway Timeout",
            ["Payment Gateway", "Payment Gateway Timeout"],
        ),
        ("Payment Gateway Timeouts", ["Payment Gateway"]),
        ("Old Payment Gateway", ["Payment Gateway"]),
        ("Big Old Payment Gateway", ["Big Old Payment"]),
    ],
)
def test_the_longest_wins_and_hides_no_other(body: str, expected: list[str]):
    names = ("Payment Gateway", "Payment Gateway Timeout", "Old Pay", "Big Old Payment")
    assert [name for name, _ in find(body, *names)] == expected


def test_of_two_that_are_equally_long_the_earlier_stays():
    assert find("aa bb cc", "bb cc", "aa bb") == [("aa bb", 1)]


def test_chinese_needs_no_boundaries_of_its_own():
    assert find("我把搬家清单给了妹妹", "搬家清单") == [("搬家清单", 1)]
    assert find("看obsidian双链笔记2024", "obsidian双链笔记") == [("obsidian双链笔记", 1)]
    assert find("看xobsidian双链笔记", "obsidian双链笔记") == []


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("Große STRASSE", "Grosse Straße"),
        ("İstanbul Trip", "i\u0307stanbul trip"),
        ("RE\u0301SUME\u0301 one", "Résumé One"),
        ("die ﬁnale Liste", "finale liste"),
        ("ΟΔΟΣ one", "οδοσ one"),
        ("👩‍👩‍👧 Family Plan 👩‍👩‍👧", "Family Plan"),
        ("the C++ (old) notes", "C++ (old)"),
        ("Cost + Benefit", "cost + benefit"),
    ],
)
def test_spellings(body: str, name: str):
    assert find(body, name) == [(name, 1)]


def test_own_names_are_no_mentions_and_take_what_they_cover():
    names = ("Rate Limiter", "Rate Limiter Design")
    assert find("Rate Limiter Design", *names, own=(1,)) == []
    assert find("Rate Limiter Design", *names) == [("Rate Limiter Design", 1)]
    assert find("Rate Limiter", *names, own=(1,)) == [("Rate Limiter", 1)]


def test_the_line_is_where_the_name_begins():
    body = "a\n\n> b\n> the Rate\n> Limiter\n\n```\nx\n```\n- Rate Limiter\n"
    assert find(body, "Rate Limiter") == [("Rate Limiter", 4), ("Rate Limiter", 10)]


def test_no_names_no_mentions():
    assert Matcher([]).find("Rate Limiter") == []


def test_longest_places():
    assert longest([(0, 5, 0), (3, 12, 1), (11, 14, 2), (12, 15, 3)]) == [(3, 12, 1), (12, 15, 3)]
    assert longest([]) == []


def test_many_mentions_take_time_in_step_with_the_text():
    matcher = Matcher(["rate limiter", "cache layer"])

    def seconds(times: int) -> float:
        prose = "The Rate\nLimiter feeds\nthe Cache Layer here.\n" * times
        start = time.process_time()
        assert len(matcher.find(prose)) == 2 * times
        return time.process_time() - start

    seconds(100)
    # Eight times the text in at most thirty times the time: quadratic would be sixty-four.
    assert seconds(4_000) <= max(30 * seconds(500), 0.5)


def test_names_of_any_script_stand_where_they_stand():
    body = "🚀 Ünder Wasser, 双链笔记 Ünder Wasser\n👩‍👩‍👧 rate limiter 双链笔记"
    assert find(body, "ünder wasser", "双链笔记", "Rate Limiter") == [
        ("ünder wasser", 1),
        ("双链笔记", 1),
        ("ünder wasser", 1),
        ("Rate Limiter", 2),
        ("双链笔记", 2),
    ]


def test_a_name_that_is_no_unicode_text_hides_no_other():
    # A file's name may be any bytes; what of it is no text comes as half a character.
    assert find("é Rate Limiter", "\udcff half", "Rate Limiter") == [("Rate Limiter", 1)]


def test_all_that_is_not_ascii_and_becomes_it_is_known():
    from vaultgraph.candidates.mentions import _BECOMES_ASCII

    becoming = {
        chr(number).encode()
        for number in (*range(0x80, 0xD800), *range(0xE000, 0x110000))
        if any(character < "\x80" for character in fold(chr(number)))
    }
    assert set(_BECOMES_ASCII) == becoming
    for name, note in (("strasse", "Straße"), ("fish", "ﬁsh"), ("kelvin", "\u212aelvin")):
        assert Probe([name]).may_find(note.encode())
        assert not Probe([name]).may_find("große ﬁnte \u212aenia".encode())
