from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultgraph.domain.judging import JudgedNote, JudgedPair
from vaultgraph.domain.notes import NoteId
from vaultgraph.judge.embedded.cues import declares_supersession, find_cues
from vaultgraph.judge.embedded.judge import EmbeddedJudge
from vaultgraph.judge.embedded.passages import find_passages
from vaultgraph.judge.embedded.pointers import find_pointers
from vaultgraph.judge.embedded.profile import profile_note
from vaultgraph.judge.embedded.sections import find_sections, section_at


def profile(body, title="A", aliases=()):
    return profile_note(JudgedNote(NoteId(f"{title}.md"), title, aliases, body, ""))


def pointers(body, title="Rate Limiter", aliases=(), lines=None):
    """The text of each pointer in a body, links in brackets."""
    note = profile(body)
    found = find_pointers(note, profile("", title, aliases), lines)
    return [
        f"[{note.text[p.start : p.end]}]" if p.is_link else note.text[p.start : p.end]
        for p in found
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("See [[Rate Limiter]].", ["[Rate Limiter]"]),
        ("See [[Rate Limiter|the limiter]].", ["[the limiter]"]),
        ("See [[Notes/Rate Limiter#Tokens]].", ["[Notes/Rate Limiter#Tokens]"]),
        ("See [[rate limiter.md]].", ["[rate limiter.md]"]),
        ("See ![[Rate Limiter]].", ["[Rate Limiter]"]),
        ("| [[Rate Limiter\\|limit]] |", ["[limit]"]),
        ("See [the limiter](Notes/Rate%20Limiter.md).", ["[the limiter]"]),
        ("See [the limiter](<Rate Limiter.md>).", ["[the limiter]"]),
        ("The rate limiter, and the RATE LIMITER.", ["rate limiter", "RATE LIMITER"]),
        ("The rate\nlimiter.", ["rate\nlimiter"]),
        ("The rate limiters.", []),
        ("In `Rate Limiter` and\n\n```\nRate Limiter\n```\n", []),
        ("%% Rate Limiter %% and <!-- Rate Limiter -->", []),
        ("https://example.org/Rate-Limiter/rate limiter", []),
        ("See [web](https://example.org/Rate%20Limiter).", []),
        ("See [[Other|Rate Limiter]].", []),
        ("", []),
    ],
)
def test_where_a_note_is_pointed_at(body, expected):
    assert pointers(body) == expected


def test_a_plain_word_is_no_name_and_a_number_is_one_in_each_spelling():
    assert pointers("The pipeline runs.", "Pipeline") == []
    assert pointers("ERC-20, ERC 20, erc20 and ERC-201.", "ERC-20 Token", ("ERC-20",)) == [
        "ERC-20",
        "ERC 20",
        "erc20",
    ]


def test_the_words_after_a_number_stand_for_the_note_too():
    assert pointers("A token standard.", "ERC-20 Token Standard", ("ERC-20",)) == [
        "token standard"
    ]


def test_a_name_without_spaces_counts_from_four_letters_on():
    assert pointers("按照港口计划办。", "港口计划") == ["港口计划"]
    assert pointers("按照港口办。", "港口") == []


def test_code_counts_only_for_numbers_and_only_where_nothing_else_does():
    code = "```\nimport ERC-20\n```\n"
    note, other = profile(code), profile("", "ERC-20 Token", ("ERC-20",))
    found = find_pointers(note, other, None)
    assert [p.is_code for p in found] == [True]
    assert find_passages(note, other, found) == []
    assert pointers(f"By ERC-20.\n\n{code}", "ERC-20 Token", ("ERC-20",)) == ["ERC-20"]
    assert pointers("Call `x` as `ERC-20` says.", "ERC-20 Token", ("ERC-20",)) == [""]


def test_the_lines_of_a_scan_decide_between_notes_of_one_title():
    body = "[[A/Plan B]]\n[[B/Plan B]]\nPlan B\n"
    assert len(pointers(body, "Plan B")) == 3
    assert len(pointers(body, "Plan B", lines={2})) == 1
    assert pointers(body, "Plan B", lines=set()) == []


def test_a_line_of_a_scan_counts_where_the_names_do_not_show_why():
    body = "First.\nSee [[2025-01-02 Plan]] now.\n\nThe plan.\n"
    assert pointers(body, "Plan", lines={2, 4, 99}) == ["[2025-01-02 Plan]", ""]


def test_attachments_are_no_links_between_notes():
    assert profile("![[plan.png]] ![x](plan.pdf) [[Node.js]] ![[Note]]").links_to.keys() == {
        "node.js",
        "note",
    }


def passages(body, title="Rate Limiter"):
    note, other = profile(body), profile("", title)
    return find_passages(note, other, find_pointers(note, other, None))


def test_a_passage_is_the_sentence_without_names():
    body = "First one. We extend [[Rate Limiter]] by [[X]] and Rate Limiter, e.g. so. Last one."
    (found,) = passages(body)
    assert found.before == " We extend "
    assert found.after == " by \x01 and \x01, e.g. so."
    assert found.companions == 1


@pytest.mark.parametrize(
    "body",
    [
        "- other item\n- the [[Rate Limiter]]\n- unlike",
        "Unlike.\n\nThe [[Rate Limiter]]\n\nUnlike.",
        "不同。按照[[Rate Limiter]]。不同",
        "| unlike |\n| [[Rate Limiter]] |\n| unlike |",
    ],
)
def test_a_passage_ends_with_its_sentence_item_or_row(body):
    (found,) = passages(body)
    assert "nlike" not in found.text
    assert "不同" not in found.text


def test_cues_count_by_the_share_of_sentences():
    found = find_cues(passages("It is unlike [[Rate Limiter]]. It is [[Rate Limiter]]."))
    assert found["compares"] == (0.5, "unlike")
    assert found["example"] == (0.0, "")
    assert find_cues([])["example"] == (0.0, "")


def test_based_on_must_stand_close_before_the_name():
    near = find_cues(passages("It is based on [[Rate Limiter]]."))
    behind = find_cues(passages("For [[Rate Limiter]] it is based on trust."))
    assert (near["rests"].share, behind["rests"].share) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("It supersedes [[Rate Limiter]].", True),
        ("**Superseded by**: [[Rate Limiter]]", True),
        ("[[Rate Limiter]] is replaced by this.", True),
        ("It does not replace [[Rate Limiter]].", False),
        ("It supersedes [[X]] and uses [[Rate Limiter]].", False),
        ("It replaces [[Rate Limiter]]'s timers.", False),
        ("[[Rate Limiter]] replaces nothing.", False),
    ],
)
def test_supersession_must_be_declared(body, expected):
    assert declares_supersession(passages(body)) is expected


def test_a_section_is_what_the_outermost_heading_that_can_be_told_says():
    text = (
        "Lead.\n# Rivers\nx\n## Background\ny\n### Plan\nz\n## Decision\nu\n# See also\nv\n"
        "## Plan\nw\n"
    )
    sections = find_sections(text)
    assert [section.kind for section in sections] == [
        "", "", "aside", "aside", "matter", "sources", "sources",
    ]  # fmt: skip
    assert section_at(sections, 0).kind == ""
    assert section_at(sections, text.index("v\n")).kind == "sources"


@given(st.text(alphabet=st.sampled_from("aA [](!)|#`-\n.İß$%<>é\u0301港")), st.text())
def test_any_body_can_be_read(body, other):
    note = profile(body + "[[B b]]" + other)
    assert len(note.text) == len(note.flat)
    judged = JudgedNote(NoteId("a.md"), "a", (), body, "")
    basis = JudgedNote(NoteId("b.md"), "B b", ("x-1",), other, "")
    answer = EmbeddedJudge().judge(JudgedPair(judged, basis, (), ()))
    assert 0 < answer.first_depends < 1
    assert 0 < answer.second_depends < 1


@pytest.mark.parametrize(
    "body",
    [
        "Plan B " * 50_000,
        "[[Plan B]] " * 30_000,
        "[" * 100_000,
        "](" * 100_000,
        "![" * 50_000 + "](x",
        "`" * 100_000,
        "a" * 300_000,
        "%%" * 100_000,
        "\n" * 200_000,
        "# " * 100_000,
    ],
)
def test_a_hostile_body_takes_no_long_time(body):
    began = time.process_time()
    pair = JudgedPair(
        JudgedNote(NoteId("a.md"), "A", (), body, ""),
        JudgedNote(NoteId("b.md"), "Plan B", ("B-7",), body, ""),
        (),
        (),
    )
    EmbeddedJudge().judge(pair)
    assert time.process_time() - began < 10
