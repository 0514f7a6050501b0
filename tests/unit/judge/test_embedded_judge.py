from __future__ import annotations

import itertools

import pytest

from vaultgraph.domain.judging import JudgedNote, JudgedPair, Question, QuestionSet
from vaultgraph.domain.notes import NoteId
from vaultgraph.judge.embedded.judge import EmbeddedJudge

FILLING = "Water is carried to the far beds by hand every evening. " * 12
QUESTION = Question("Does `A` depend on `B`?", "yes", "no")


def note(title, body="", aliases=()):
    return JudgedNote(NoteId(f"{title}.md"), title, aliases, body, "")


def pair(first, second, first_lines=(), second_lines=()):
    return JudgedPair(first, second, first_lines, second_lines)


def score(body, title="Harbour Plan", judge=None, **kwargs):
    """The score of "a note with this body depends on a note of this title"."""
    judge = judge or EmbeddedJudge()
    return judge.judge(pair(note("A", body), note(title)), **kwargs).first_depends


def test_building_on_a_note_repeatedly_is_depending_on_it_and_not_the_other_way_round():
    body = (
        "This budget builds on [[Harbour Plan]] throughout.\n\n"
        f"{FILLING}\n\nThe rent is based on [[Harbour Plan]].\n\n"
        f"{FILLING}\n\nThe dates depend on [[Harbour Plan]].\n"
    )
    answer = EmbeddedJudge().judge(pair(note("A", body), note("Harbour Plan", FILLING)))
    assert answer.first_depends > 0.6
    assert answer.second_depends < 0.1
    assert answer.second_depends < answer.first_depends / 2


def test_naming_it_more_often_counts_for_more():
    once = f"{FILLING} It follows [[Harbour Plan]]. {FILLING}"
    often = f"{FILLING} It follows [[Harbour Plan]]. " * 3
    assert score(often) > score(once)


def test_naming_it_early_counts_for_more_than_at_the_end():
    assert score(f"About [[Harbour Plan]].\n\n{FILLING}") > score(
        f"{FILLING}\n\nAbout [[Harbour Plan]]."
    )


def test_a_link_counts_for_more_than_a_name():
    assert score(f"About [[Harbour Plan]]. {FILLING}") > score(f"About Harbour Plan. {FILLING}")


@pytest.mark.parametrize(
    "aside",
    [
        "It works unlike [[Harbour Plan]] in most ways.",
        "Some ports, such as [[Harbour Plan]], are larger.",
        "For more, see [[Harbour Plan]].",
        "A port could follow [[Harbour Plan]] in many ways.",
        "An older text was [[Harbour Plan]].",
    ],
)
def test_words_that_set_it_apart_count_against_it(aside):
    plain = f"{FILLING} We take the dates of [[Harbour Plan]]. {FILLING}"
    apart = f"{FILLING} {aside} {FILLING}"
    assert score(apart) < score(plain)


def test_resting_on_it_in_words_counts_for_it():
    assert score(f"The rent is based on [[Harbour Plan]]. {FILLING}") > score(
        f"The rent is told by [[Harbour Plan]]. {FILLING}"
    )


def test_other_names_in_the_sentence_count_against_it():
    assert score(f"Ports: [[Harbour Plan]], [[X]], [[Y]]. {FILLING}") < score(
        f"Ports: [[Harbour Plan]], ports, ports. {FILLING}"
    )


def test_being_named_under_references_only_counts_against_it():
    under_plan = f"# Plan\n\n{FILLING}\n\nHere [[Harbour Plan]] is.\n"
    under_references = f"# References\n\n{FILLING}\n\nHere [[Harbour Plan]] is.\n"
    assert score(under_references) < score(under_plan)


def test_a_heading_in_another_language_counts_for_nothing():
    plain = f"# 甲乙\n\n{FILLING}\n\nHere [[Harbour Plan]] is.\n"
    other = f"# 参考\n\n{FILLING}\n\nHere [[Harbour Plan]] is.\n"
    assert score(plain) == score(other)


@pytest.mark.parametrize("count", [8, 40])
def test_an_index_is_demoted(count):
    others = "".join(f"- [[Note {number}]]\n" for number in range(count))
    wordy = "".join(f"- [[Note {number}]] {'word ' * 12}\n" for number in range(count // 5))
    index = f"- [[Harbour Plan]]\n{others}"
    assert score(index) < score(f"- [[Harbour Plan]]\n{wordy}") - 0.15
    judge = EmbeddedJudge()
    reasons = judge.reasons_for(pair(note("A", index), note("Harbour Plan")))
    assert reasons.first[0] == "- is an index: it names many notes once each"


@pytest.mark.parametrize(
    "declaration",
    [
        "This page supersedes [[Harbour Plan]].",
        "This replaces: [[Harbour Plan]].",
        "It is the successor to [[Harbour Plan]] now.",
        "[[Harbour Plan]] was superseded by this page.",
    ],
)
def test_a_declared_supersession_is_demoted_whichever_note_declares_it(declaration):
    judge = EmbeddedJudge()
    body = f"About [[Harbour Plan]] we say much. {FILLING}"
    before = judge.judge(pair(note("A", body), note("Harbour Plan"))).first_depends
    declared = judge.judge(pair(note("A", f"{body}\n\n{declaration}"), note("Harbour Plan")))
    assert declared.first_depends < before - 0.1
    assert "takes the other's place" in declared.reasons[0]
    other = note("Harbour Plan", f"{FILLING} It was superseded by [[A]]. ")
    by_other = judge.judge(pair(note("A", body), other)).first_depends
    assert by_other < before - 0.1


def test_replacing_a_part_of_it_is_no_supersession():
    whole = f"This replaces [[Harbour Plan]]. {FILLING}"
    part = f"This replaces [[Harbour Plan]]'s dates. {FILLING}"
    assert score(part) > score(whole) + 0.1


def test_no_mention_either_way_is_low_both_ways():
    answer = EmbeddedJudge().judge(pair(note("A", FILLING), note("Harbour Plan", FILLING)))
    assert answer.first_depends == answer.second_depends <= 0.02
    assert answer.reasons == ("- neither note names the other in its text",)


def test_empty_bodies_are_no_evidence():
    answer = EmbeddedJudge().judge(pair(note("A"), note("B")))
    assert answer.first_depends == answer.second_depends <= 0.02


def test_the_note_that_is_only_named_keeps_a_small_chance_below_the_other():
    judge = EmbeddedJudge()
    for body in ("[[B note]]", f"{FILLING} Some, such as B note, might.", FILLING + "[[B note]]"):
        answer = judge.judge(pair(note("A", body), note("B note", FILLING)))
        assert 0 < answer.second_depends < answer.first_depends
        assert answer.second_depends <= 0.05
    reasons = judge.reasons_for(pair(note("A", "[[B note]]"), note("B note")))
    assert reasons.second == ("- never names it, though it is named by it",)


def test_where_each_names_the_other_the_weaker_direction_loses():
    judge = EmbeddedJudge()
    strong = note("A", f"It builds on [[B]]. {FILLING} " * 2)
    weak = note("B", f"{FILLING} {FILLING} Read on in [[A]].")
    alone = judge.judge(pair(note("A", FILLING), weak)).second_depends
    both = judge.judge(pair(strong, weak))
    assert both.second_depends < alone
    assert both.first_depends == judge.judge(pair(strong, note("B", FILLING))).first_depends


BODIES = [
    ("It builds on [[B]]. " * 3 + FILLING, FILLING),
    ("See [[B]].", f"{FILLING} [[A]] and [[C]]."),
    ("", "[[A]]"),
    ("", ""),
]


@pytest.mark.parametrize(("one", "other"), BODIES)
def test_asked_the_other_way_round_it_says_the_same(one, other):
    judge = EmbeddedJudge()
    a, b = note("A", one), note("B", other)
    straight, swapped = judge.judge(pair(a, b)), judge.judge(pair(b, a))
    assert straight[:2] == (swapped.second_depends, swapped.first_depends)
    if straight.first_depends != straight.second_depends:
        assert straight.reasons == swapped.reasons


@pytest.mark.parametrize(("one", "other"), BODIES)
def test_a_higher_base_rate_never_lowers_a_score(one, other):
    asked = pair(note("A", one), note("B", other))
    answers = [EmbeddedJudge(prior=prior).judge(asked) for prior in (0.01, 0.1, 0.3, 0.6, 0.95)]
    for before, after in itertools.pairwise(answers):
        assert before.first_depends <= after.first_depends
        assert before.second_depends <= after.second_depends
    assert answers[0].first_depends < answers[-1].first_depends


def test_the_trained_base_rate_is_the_default():
    trained = EmbeddedJudge().weights.base_rate
    body = f"About [[Harbour Plan]]. {FILLING}"
    assert score(body, judge=EmbeddedJudge(prior=trained)) == pytest.approx(score(body))


@pytest.mark.parametrize("prior", [0, 1, -0.1, 1.5])
def test_a_base_rate_lies_between_0_and_1(prior):
    with pytest.raises(ValueError, match="base rate"):
        EmbeddedJudge(prior=prior)


def test_two_judges_say_the_same_to_the_last_digit():
    asked = pair(note("A", BODIES[0][0]), note("B", FILLING))
    assert EmbeddedJudge().judge(asked) == EmbeddedJudge().judge(asked)


def test_it_is_a_judge_like_any_other():
    questions = QuestionSet("depends.v1", QUESTION, QUESTION, "00")
    judge = EmbeddedJudge()
    asked = pair(note("A", BODIES[0][0]), note("B", FILLING))
    answer = judge.ask(asked, questions)
    assert answer == judge.judge(asked)
    assert judge.name == "embedded"
    assert answer.model == judge.model
    assert answer.cost is None


def test_a_base_rate_makes_it_another_model():
    assert EmbeddedJudge(prior=0.2).model == f"{EmbeddedJudge().model}-prior-0.2"


def test_reasons_are_words_a_person_understands():
    body = f"The rent is based on [[Harbour Plan]].\n\n{FILLING}\n\nSo says [[Harbour Plan]].\n"
    reasons = EmbeddedJudge().judge(pair(note("A", body), note("Harbour Plan"))).reasons
    text = "; ".join(reasons)
    assert "names it twice in " in text
    assert "says “based on” beside it" in text
    assert "names it near its beginning" in text
    assert len(reasons) <= 4


def test_reasons_are_those_of_the_higher_score():
    answer = EmbeddedJudge().judge(pair(note("A"), note("B", f"It builds on [[A]]. {FILLING}")))
    assert answer.second_depends > answer.first_depends
    assert "+ says “builds on” beside it" in answer.reasons


def test_status_words_in_the_text_of_others_do_not_matter():
    body = f"About [[Harbour Plan]]. {FILLING}"
    judge = EmbeddedJudge()
    live = judge.judge(pair(note("A", body), note("Harbour Plan", "We go.")))
    dead = judge.judge(pair(note("A", body), note("Harbour Plan", "Abandoned and withdrawn.")))
    assert live.first_depends == dead.first_depends


def test_chinese_notes_are_judged_by_what_needs_no_language():
    filling = "每天晚上都要用手把水提到远处的菜地。" * 12
    often = f"我们按照[[港口计划]]定房租。{filling}日期也来自[[港口计划]]。{filling}"
    once = f"{filling}{filling}参见[[港口计划]]。"
    assert score(often, "港口计划") > score(once, "港口计划") + 0.1
    assert score(f"港口计划很长。{filling}", "港口计划") > 0.02
