"""What of a body is code, comment or formula, by CommonMark's rules and Obsidian's own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultgraph.text.opaque import FILLER, cut_opaque, cut_out

#: Bodies in which every ``cut`` is opaque, and every ``kept`` is not.
BODIES = {
    "inline code": "kept `cut` kept",
    "more ticks": "kept ``cut ` cut`` kept",
    "ticks of another length do not close": "kept `` kept ` cut ` kept",
    "inline code over a line": "kept `cut\ncut` kept",
    "inline code ends with its paragraph": "kept ` kept\n\nkept ` kept",
    "a lone tick in one item opens nothing in the next": "- kept ` kept\n- kept `cut` kept",
    "a lone tick in a heading": "# kept ` kept\nkept `cut` kept",
    "a lone tick before a heading": "kept ` kept\n## kept `cut` kept",
    "a lone tick before a quotation": "kept ` kept\n> kept `cut` kept",
    "a lone tick in a quotation": "> kept ` kept\n>\n> kept `cut` kept",
    "code over the lines of a quotation": "> kept `cut\n> cut` kept",
    "a lone tick in a table row": "| kept ` kept |\n|---|\n| kept `cut` kept |",
    "a lone tick before a rule": "kept ` kept\n---\nkept `cut` kept",
    "a lone tick before a fence": "kept ` kept\n```\ncut\n```\nkept `cut` kept",
    "two ticks alone": "kept `` kept",
    "escaped tick": "kept \\` kept ` kept",
    "escaped tick inside code closes": "kept `cut\\` kept ` kept",
    "escaped backslash": "kept \\\\`cut` kept",
    "fence": "kept\n```\ncut\n\ncut\n```\nkept",
    "fence with a language": "kept\n```python cut\ncut\n```\nkept",
    "fence of tildes": "kept\n~~~\ncut ``` cut\n~~~\nkept",
    "longer fence": "kept\n````\ncut\n```\ncut\n````\nkept",
    "closed by a longer one": "kept\n```\ncut\n`````\nkept",
    "not closed by a fence with text": "kept\n```\ncut\n``` cut\ncut\n```\nkept",
    "never closed": "kept\n```\ncut\n\ncut",
    "indented fence": "kept\n   ```\ncut\n   ```\nkept",
    "fence in a list item": "- kept\n  ```\n  cut\n  ```\n- kept",
    "fence right after the bullet": "- ```\n  cut\n  ```\n- kept",
    "fence in a quotation": "> kept\n> ```\n> cut\n> ```\n> kept",
    "fence ends with its quotation": "> ```\n> cut\n\nkept",
    "ticks in the info line are no fence": "``` kept ` kept\nkept",
    "fence in the middle of a line is inline": "kept ``` cut ``` kept",
    "CRLF": "kept\r\n```\r\ncut\r\n```\r\nkept\r\n",
    "tilde in the middle": "kept ~~~ kept",
    "indented code": "kept\n\n    cut\n\tcut\n\nkept",
    "indented code at the start": "    cut\nkept",
    "indented code goes on over blank lines": "kept\n\n    cut\n\n    cut\n\nkept",
    "indented paragraph line": "kept\n    kept\n",
    "indented list continuation": "- kept\n\n    kept\n",
    "indented after a list has ended": "- kept\n\nkept\n\n    cut\n",
    "comment": "kept <!-- cut --> kept",
    "comment over lines": "kept\n<!-- cut\n\ncut -->\nkept",
    "shortest comment": "kept <!--> kept",
    "comment never closed, at a line's start": "kept\n\n<!-- cut\n\ncut",
    "comment never closed, within a line": "kept <!-- kept",
    "escaped comment": "kept \\<!-- kept -->",
    "code in a comment": "kept <!-- `cut --> kept` kept",
    "comment in code": "kept `<!-- cut` kept -->",
    "formula": "kept $cut$ kept",
    "formula with spaces inside": "kept $ kept $ kept",
    "prices": "kept $5 kept or $6 kept",
    "prices without spaces": "kept $kept-$6 kept",
    "price and formula": "kept $5 kept",
    "escaped dollar": "kept \\$kept$ kept",
    "formula on its own lines": "kept\n$$\ncut\n\ncut\n$$\nkept",
    "formula in a line": "kept $$cut$$ kept",
    "formula never closed": "kept $$ kept",
    "dollar over a line": "kept $kept\nkept$ kept",
    "dollar in code": "kept `$cut` kept$",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_what_is_cut(body: str):
    left = cut_opaque(body)
    assert "cut" not in left
    assert left.count("kept") == body.count("kept")
    assert left.count("\n") == body.count("\n")


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_lines_stay_where_they_are(body: str):
    before, after = body.split("\n"), cut_opaque(body).split("\n")
    for number, line in enumerate(before):
        if "cut" not in line and line.count("kept") == 1 and "`" not in line:
            assert "kept" in after[number]


def test_what_is_cut_leaves_a_mark_that_joins_nothing():
    left = cut_opaque("Rate `x` Limiter")
    assert left == f"Rate {FILLER} Limiter"


def test_spans_inside_others_are_passed_over():
    assert cut_out("abcdef", [(1, 4), (2, 3), (3, 5)]) == f"a{FILLER}{FILLER}f"
    assert cut_out("abcdef", []) == "abcdef"
    assert cut_out("a\nb\nc", [(0, 4)]) == f"{FILLER}\n\nc"


PIECES = st.lists(
    st.sampled_from(
        ["`", "``", "```", "~~~", "$", "$$", "<!--", "-->", "\\", "\n", "\n\n", "    ", "\t", "> ",
         "- ", "1. ", "a", "word ", "\r\n", "%%", "[[x]]", "é", "中文", "\x00"]
    ),
    max_size=40,
).map("".join)  # fmt: skip


@given(PIECES | st.text())
def test_lines_are_counted_alike_before_and_after(body: str):
    left = cut_opaque(body)
    assert left.count("\n") == body.count("\n")
    # What is left was there before, in that order.
    at = 0
    for part in left.replace("\n", FILLER).split(FILLER):
        at = body.index(part, at) + len(part)
