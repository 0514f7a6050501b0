from __future__ import annotations

import pytest

from vaultgraph.judge.excerpt import (
    GAP,
    Paragraph,
    cut_around,
    join_excerpt,
    size,
    split_paragraphs,
)

TEXTS = [f"Paragraph {number} says {'word ' * 20}of {number}." for number in range(12)]


def test_paragraphs_know_their_first_lines():
    assert split_paragraphs("\na\nb\n\n \n\nc\n") == [Paragraph(2, "a\nb"), Paragraph(7, "c")]
    assert split_paragraphs("") == []
    assert split_paragraphs("a") == [Paragraph(1, "a")]


def test_what_fits_is_whole():
    whole = "\n\n".join(TEXTS)
    assert join_excerpt(TEXTS, {}, size(whole)) == whole
    assert join_excerpt([], {}, 0) == ""


def test_without_evidence_the_head_is_shown():
    shown = join_excerpt(TEXTS, {}, 400)
    assert shown.startswith(TEXTS[0])
    assert shown.endswith(GAP)
    assert shown.count(GAP) == 1
    assert size(shown) <= 400


def test_head_and_window_are_shown_and_the_gaps_marked():
    shown = join_excerpt(TEXTS, {8: 0}, 600).split("\n\n")
    assert shown[0] == TEXTS[0]
    assert shown[1] == GAP
    assert TEXTS[8] in shown
    assert shown[-1] == GAP


def test_neighbours_of_the_evidence_come_before_the_rest_of_the_head():
    shown = join_excerpt(TEXTS, {8: 0}, 800)
    assert TEXTS[7] in shown
    assert TEXTS[9] in shown
    assert TEXTS[3] not in shown


def test_many_marks_share_the_room():
    shown = join_excerpt(TEXTS, dict.fromkeys(range(2, 12), 0), 900)
    assert size(shown) <= 900
    assert sum(f"Paragraph {number} " in shown for number in range(2, 12)) >= 3


def test_a_long_paragraph_is_cut_at_words_around_its_mark():
    text = "before " * 500 + "MARK " + "after " * 500
    shown = join_excerpt([text], {0: text.index("MARK")}, 300)
    assert "MARK" in shown
    assert size(shown) <= 300
    assert cut_around(text, text.index("MARK"), 100).strip("…").split()[0] == "before"


@pytest.mark.parametrize("limit", [0, 1, 10, 59, 60, 61, 100, 500])
@pytest.mark.parametrize(
    "text", ["word " * 300, "語" * 900, "e\u0301" * 600, "x" * 2000, "🛫" * 400]
)
def test_no_excerpt_is_larger_than_its_limit(text, limit):
    assert size(join_excerpt([text, text], {1: 700}, limit)) <= limit
    if limit >= 6:
        assert size(cut_around(text, 700, limit)) <= limit
