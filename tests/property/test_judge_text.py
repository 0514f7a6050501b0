"""Law 5: a judge sees no state, no age and no private note, whatever the note looks like."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.judge_server import QUESTIONS
from vaultgraph.domain.judging import JudgedNote, JudgedPair
from vaultgraph.domain.notes import NoteId
from vaultgraph.judge.cleaning import clean_body, clean_title
from vaultgraph.judge.excerpt import size
from vaultgraph.judge.pair_text import (
    BYTES_PER_TOKEN,
    TextRules,
    halved_state,
    pair_state,
    texts_of,
)
from vaultgraph.judge.wire_openai import build_request as build_chat
from vaultgraph.judge.wire_systemone import build_request
from vaultgraph.text.prose import to_nfc
from vaultgraph.vault.privacy import Masker

#: Stands for a status, an age or a private name; found nowhere else.
CANARY = "QXZW"
YEARS = st.integers(1000, 1999)  # canaries: content dates below are of this century
MONTHS, DAYS = st.integers(1, 12), st.integers(1, 28)


@st.composite
def canary_dates(draw):
    year, month, day = draw(YEARS), draw(MONTHS), draw(DAYS)
    form = draw(
        st.sampled_from(
            ["{y}-{m:02}-{d:02}", "{y}/{m}/{d}", "{d}.{m}.{y}", "[[{y}-{m:02}-{d:02}]]"]
        )
    )
    return form.format(y=year, m=month, d=day)


FIELDS = st.sampled_from(
    [
        "status",
        "Status",
        "due",
        "created",
        "updated",
        "modified",
        "completion",
        "scheduled",
        "**Last Updated**",
        "resolved-to",
        "review_date",
        "archived",
        "state",
    ]
)
BULLETS = st.sampled_from(["", "- ", "* ", "1. ", "- [ ] ", "> ", "  - [x] ", "> - "])
TASK_SIGNS = st.sampled_from(["📅", "✅", "\u2795", "⏳", "🛫", "❌", "🗓\ufe0f"])
LABELS = st.sampled_from(
    [
        "Last updated",
        "Created",
        "Updated",
        "Last modified on",
        "Date",
        "Due",
        "Written",
        "Edited",
        "*Last edited*",
        "**Created on**",
        "Published",
        "Completed",
        "Last reviewed",
    ]
)
WORDS = st.lists(
    st.sampled_from(
        ["the", "launch", "waits", "for", "[[Bridge plan]]", "steel", "über", "計画", "it"]
    ),
    min_size=3,
    max_size=9,
).map(" ".join)


@st.composite
def sentences(draw):
    """Return a line of content, with a date inside that must stay."""
    year, month, day = draw(st.integers(2000, 2099)), draw(MONTHS), draw(DAYS)
    date = f"{year}-{month:02}-{day:02}"
    return draw(
        st.sampled_from(
            [f"We say {draw(WORDS)} on {date} and {draw(WORDS)}.", f"Then {draw(WORDS)}."]
        )
    )


@st.composite
def stamps(draw):
    """Return a line of nothing but state or age."""
    date, bullet = draw(canary_dates()), draw(BULLETS)
    return bullet + draw(
        st.sampled_from(
            [
                f"{draw(FIELDS)}:: {CANARY} {draw(WORDS)}",
                f"{draw(FIELDS)}::{date}",
                f"[{draw(FIELDS)}:: {CANARY}]",
                f"({draw(FIELDS)}:: {date})",
                f"{draw(LABELS)}: {date}",
                f"{draw(LABELS)} {date} by {CANARY}",
                f"any-field:: {date}",
                date,
            ]
        )
    )


@st.composite
def tasks(draw):
    """Return (line, what is left of it): a task with its dates among its words."""
    words = [draw(WORDS) for _ in range(3)]
    marks = [
        draw(
            st.sampled_from(
                [
                    f"{draw(TASK_SIGNS)} {draw(canary_dates())}",
                    f"[{draw(FIELDS)}:: {draw(canary_dates())}]",
                    f"({draw(FIELDS)}:: {CANARY})",
                    f"@done({draw(canary_dates())})",
                ]
            )
        )
        for _ in range(2)
    ]
    bullet = draw(st.sampled_from(["- [ ] ", "* [x] ", "2. "]))
    line = f"{bullet}{words[0]} {marks[0]} {words[1]} {marks[1]}"
    return line, f"{bullet}{words[0]} {words[1]}"


@st.composite
def notes(draw):
    """Return (body, lines that must stay) of a note with canaries all over."""
    lines, kept = [], []
    for kind in draw(
        st.lists(st.sampled_from(["sentence", "stamp", "task", "blank"]), max_size=12)
    ):
        if kind == "sentence":
            lines.append(draw(sentences()))
            kept.append(lines[-1])
        elif kind == "stamp":
            lines.append(draw(stamps()))
        elif kind == "task":
            line, left = draw(tasks())
            lines.append(line)
            kept.append(left)
        else:
            lines.append("")
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return end.join(lines), kept


def has_canary(text):
    return CANARY in text or any(str(year) in text for year in range(1000, 2000))


@given(notes(), notes())
def test_no_state_and_no_age_is_sent_and_every_sentence_is(first, second):
    pair = JudgedPair(
        JudgedNote(NoteId("a.md"), "Launch", (), first[0], ""),
        JudgedNote(NoteId("b.md"), "Bridge plan", (), second[0], ""),
        (1, 3),
        (),
    )
    rules = TextRules(Masker(()), tokens_per_note=5_000)
    state = pair_state(pair, rules)
    for text in texts_of(state):
        assert not has_canary(text)
    for name, (_, kept) in (("A", first), ("B", second)):
        assert state[name]["text"].split() == " ".join(kept).split()


PIECES = st.sampled_from(
    [
        "status",
        "due",
        "created",
        "::",
        ":",
        "[",
        "]",
        "(",
        ")",
        "[[",
        "]]",
        " ",
        "  ",
        "\n",
        "\n\n",
        "2001-02-03",
        "3 May 2001",
        "📅",
        "✅",
        "@",
        "{",
        "}",
        "@done(",
        "Last updated",
        "by Ana",
        "- ",
        "* ",
        "> ",
        "# ",
        "|",
        "**",
        "_",
        "---\n",
        "a: b\n",
        "word",
        "two words",
        "3 days ago",
        "1.",
        "this note was",
        "updated",
        "on",
        "#status/x",
        "\r",
        "\t",
        "x" * 61,
        "10:20",
    ]
)
MESSES = st.lists(PIECES, max_size=40).map("".join)


@given(st.text(max_size=400) | MESSES, st.text(max_size=60) | MESSES)
def test_cleaning_twice_is_cleaning_once_and_keeps_lines(body, title):
    cleaned = clean_body(body)
    assert clean_body(cleaned) == cleaned
    assert cleaned.count("\n") == body.count("\n")
    assert clean_title(clean_title(title)) == clean_title(title)


@given(notes())
def test_cleaning_a_real_note_twice_is_cleaning_it_once(note):
    assert clean_body(clean_body(note[0])) == clean_body(note[0])


BODIES = st.lists(st.text(max_size=80) | WORDS, max_size=30).flatmap(
    lambda parts: st.sampled_from(["\n", "\n\n", " "]).map(lambda joint: joint.join(parts))
)
LINES = st.lists(st.integers(-3, 40), max_size=4).map(tuple)


@given(BODIES, BODIES, LINES, LINES, st.integers(50, 300))
def test_whatever_the_text_it_fits_turns_and_can_be_sent(first, second, lines, others, tokens):
    one = JudgedNote(NoteId("a.md"), "Launch", ("L",), first, "")
    other = JudgedNote(NoteId("b.md"), "Bridge plan", (), second, "")
    rules = TextRules(Masker(["bridge plan"]), tokens_per_note=tokens)
    pair, turned = JudgedPair(one, other, lines, others), JudgedPair(other, one, others, lines)
    limit = int(tokens * BYTES_PER_TOKEN)
    for make in (pair_state, halved_state):
        state = make(pair, rules)
        assert state == make(turned, rules)
        assert all(size(note["text"]) <= limit for note in state.values())
        assert json.loads(build_request("m", state, QUESTIONS))["state"] == state
        assert json.loads(build_chat("m", state, QUESTIONS.first_on_second))
    shown = sum(size(note["text"]) for note in pair_state(pair, rules).values())
    assert sum(size(note["text"]) for note in halved_state(pair, rules).values()) <= shown


SPELLINGS = st.sampled_from(
    [
        "Orchid Falcon",
        "orchid falcon",
        "ORCHID\nFALCON",
        "> Orchid\n> Falcon",
        "[[x/Orchid Falcon]]",
        "[she](Orchid%20Falcon.md)",
        "**Orchid** _Falcon_",
        "#orchid-falcon",
        "Orchid\xa0Falcon",
    ]
)


@given(st.lists(WORDS | SPELLINGS, max_size=40), st.integers(50, 200), st.integers(1, 40))
def test_no_part_of_a_private_name_is_sent(parts, tokens, line):
    body = "\n".join(parts)
    one = JudgedNote(NoteId("a.md"), "With Orchid Falcon", (), body, "")
    other = JudgedNote(NoteId("b.md"), "Bridge plan", (), f"x {' '.join(parts)} y", "")
    rules = TextRules(Masker(["orchid falcon"]), tokens_per_note=tokens)
    for text in texts_of(pair_state(JudgedPair(one, other, (line,), (1,)), rules)):
        assert "rchid" not in text.lower()
        assert "alcon" not in to_nfc(text).lower()
