from __future__ import annotations

import dataclasses

from tests.kit.judge_server import QUESTIONS, RULES, make_note, make_pair
from vaultgraph.domain.judging import Answer, JudgedPair
from vaultgraph.judge.excerpt import GAP, size
from vaultgraph.judge.pair_text import (
    BYTES_PER_TOKEN,
    TextRules,
    as_asked,
    halved_state,
    in_id_order,
    pair_state,
    texts_of,
)
from vaultgraph.judge.wire_systemone import build_request
from vaultgraph.vault.privacy import Masker

LONG = "\n\n".join(f"Paragraph {number} {'word ' * 30}end." for number in range(100))


def test_titles_and_bodies_under_a_and_b():
    pair = make_pair(first="Uses [[beta 0]].\n", second="Says what holds.")
    assert pair_state(pair, RULES) == {
        "A": {"title": "alpha 0", "text": "Uses [[beta 0]]."},
        "B": {"title": "beta 0", "text": "Says what holds."},
    }


def test_the_bytes_of_a_request():
    pair = make_pair(first='Uses "[[beta 0]]".\n\nÜber 語.', second="Says.")
    body = build_request("jev-1.13.0", pair_state(pair, RULES), QUESTIONS).decode()
    assert body.startswith(
        '{"model":"jev-1.13.0","state":{"A":{"title":"alpha 0",'
        '"text":"Uses \\"[[beta 0]]\\".\\n\\nÜber 語."},"B":{"title":"beta 0","text":"Says."}},'
        '"questions":{"a_needs_b":{"type":"noul",'
        '"instructions":"Does note `A` depend on note `B`?",'
        '"criteria":{"true":"If what note `B` says'
    )


def test_asked_either_way_round_the_bytes_are_the_same():
    pair = make_pair(first=f"{LONG}\n\nbeta 0\n\n{LONG}", second=LONG)
    pair = dataclasses.replace(pair, first_lines=(201,), second_lines=(9, 33))
    turned = JudgedPair(pair.second, pair.first, pair.second_lines, pair.first_lines)
    assert pair_state(pair, RULES) == pair_state(turned, RULES)
    assert in_id_order(turned) == pair
    answer = Answer(0.9, 0.1, "m")
    assert as_asked(pair, answer) == answer
    assert as_asked(turned, answer)[:2] == (0.1, 0.9)


def test_a_long_note_is_cut_to_its_budget_around_the_evidence():
    body = f"{LONG}\n\nThis rests on beta 0 entirely.\n\n{LONG}"
    pair = dataclasses.replace(make_pair(first=body), first_lines=(201,))
    text = pair_state(pair, RULES)["A"]["text"]
    assert size(text) <= 800 * BYTES_PER_TOKEN
    assert text.startswith("Paragraph 0 ")
    assert "This rests on beta 0 entirely." in text
    assert GAP in text
    small = RULES._replace(tokens_per_note=100)
    assert size(pair_state(pair, small)["A"]["text"]) <= 350


def test_no_budget_goes_beyond_what_servers_take():
    huge = make_pair(first="word " * 40_000, second="word " * 40_000)
    state = pair_state(huge, RULES._replace(tokens_per_note=10**9))
    assert sum(map(size, texts_of(state))) < 30_000 * BYTES_PER_TOKEN


def test_within_a_long_line_the_window_is_where_the_name_stands():
    body = "filler " * 2000 + "it rests on [[Token Bucket|it]] here " + "filler " * 2000
    note, other = make_note("a", body), make_note("b", "x", title="Token bucket")
    text = pair_state(JudgedPair(note, other, (1,), ()), RULES)["A"]["text"]
    assert "it rests on [[Token Bucket|it]] here" in text


def test_half_is_half_of_what_was_shown():
    pair = make_pair(first=LONG, second="short")
    full, half = pair_state(pair, RULES), halved_state(pair, RULES)
    assert size(half["A"]["text"]) <= size(full["A"]["text"]) / 2
    assert half["B"] == full["B"]
    # A whole note is halved too, though it is far below the budget.
    whole = make_pair(first="One sentence.\n\n" * 12, second="x")
    assert size(halved_state(whole, RULES)["A"]["text"]) <= 12 * 15 / 2


def test_private_names_are_masked_in_titles_and_before_any_cut():
    rules = TextRules(Masker(["secret merger"]), tokens_per_note=60)
    body = "\n\n".join(["word " * 5 + "Secret Merger " + "more " * 30] * 40)
    pair = JudgedPair(
        make_note("a", body, title="After the Secret Merger"), make_note("b", body), (3,), ()
    )
    for text in texts_of(pair_state(pair, rules)):
        assert "ecret" not in text
        assert "erger" not in text


def test_a_heading_that_repeats_a_dated_title_loses_the_date():
    note = make_note("a", "# 2025-03-01 Sync\n\nText.", title="2025-03-01 Sync")
    assert pair_state(JudgedPair(note, make_note("b", "x"), (), ()), RULES)["A"] == {
        "title": "Sync",
        "text": "# Sync\n\nText.",
    }


def test_cleaned_lines_leave_no_hole():
    pair = make_pair(first="One.\nstatus:: done\n\n\nLast updated: 2025-03-01\n\nTwo.")
    assert pair_state(pair, RULES)["A"]["text"] == "One.\n\nTwo."
