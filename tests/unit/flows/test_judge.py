"""Each pair is asked for once, as long as its notes stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kit.judge_server import QUESTIONS
from tests.kit.judging import BRIDGE, FILES, LAUNCH, PAIRS, STEEL, ScriptedJudge
from tests.kit.vaults import write_file
from tests.kit.writing import ledger_events, old_vault, writing_context
from vaultgraph.domain.judging import Answer, PairError
from vaultgraph.effects.asking import ask_many
from vaultgraph.errors import InputError, JudgeError
from vaultgraph.flows.judge import JudgeOptions, JudgeRun, ask_judge, plan_judging

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return old_vault(tmp_path / "vault", FILES)


def ask(vault: Path, judge: ScriptedJudge, questions=QUESTIONS, **options: object) -> JudgeRun:
    context, narrowed = writing_context(vault), JudgeOptions(**options)  # type: ignore[arg-type]
    run = plan_judging(context, judge, questions, narrowed)
    ask_judge(context, run, ask_many, narrowed, lambda _: None)
    return run


def test_every_candidate_pair_is_asked_in_order_and_remembered(vault):
    judge = ScriptedJudge()
    run = ask(vault, judge)
    assert judge.asked == PAIRS
    assert (run.cached, run.asked, run.held_back, run.failed) == (0, 3, 0, [])
    assert (run.tokens, run.cost) == (330, 1.5)
    first = ledger_events(vault)[0]
    assert first["event"] == "verdict"
    payload = first["payload"]
    assert (payload["first"], payload["second"]) == (BRIDGE, LAUNCH)
    assert (payload["first_depends"], payload["second_depends"]) == (0.9, 0.1)
    assert (payload["judge"], payload["model"], payload["asked"]) == ("scripted", "m-1", "m-1")
    assert (payload["questions"], payload["questions_hash"]) == ("depends.v1", QUESTIONS.hash)


def test_a_second_run_asks_nothing(vault):
    ask(vault, ScriptedJudge())
    before = ledger_events(vault)
    judge = ScriptedJudge()
    run = ask(vault, judge)
    assert (judge.asked, run.cached, run.asked) == ([], 3, 0)
    assert ledger_events(vault) == before


def test_a_changed_body_is_asked_for_anew_and_a_changed_property_is_not(vault):
    ask(vault, ScriptedJudge())
    text = FILES[LAUNCH].replace("active", "done")
    write_file(vault / LAUNCH, text)
    judge = ScriptedJudge()
    ask(vault, judge)
    assert judge.asked == []
    write_file(vault / STEEL, "Fifty tonnes.\n")
    run = ask(vault, judge)
    assert judge.asked == [(BRIDGE, STEEL), (LAUNCH, STEEL)]
    assert run.cached == 1
    # What was said of the old text holds again once that text is back.
    write_file(vault / STEEL, FILES[STEEL])
    assert ask(vault, ScriptedJudge()).asked == 0


def test_another_model_judge_or_question_set_is_asked_anew(vault):
    ask(vault, ScriptedJudge())
    assert ask(vault, ScriptedJudge(model="m-2")).asked == 3
    other = ScriptedJudge()
    other.name = "another"
    assert ask(vault, other).asked == 3
    assert ask(vault, ScriptedJudge()).asked == 0


def test_an_edited_question_set_is_asked_anew(vault):
    from dataclasses import replace

    ask(vault, ScriptedJudge())
    edited = replace(QUESTIONS, hash="1" * 64)
    run = plan_judging(writing_context(vault), ScriptedJudge(), edited, JudgeOptions())
    assert (run.cached, len(run.to_ask)) == (0, 3)


def test_a_moving_alias_is_asked_once(vault):
    judge = ScriptedJudge(lambda _: Answer(0.9, 0.1, "jev-1.13"), model="jev-latest")
    ask(vault, judge)
    assert ledger_events(vault)[0]["payload"]["model"] == "jev-1.13"
    assert ask(vault, judge).asked == 0


def test_limit_and_the_rest_next_time(vault):
    judge = ScriptedJudge()
    run = ask(vault, judge, limit=2)
    assert (judge.asked, run.held_back) == (PAIRS[:2], 1)
    ask(vault, judge, limit=2)
    assert judge.asked == PAIRS
    assert ask(vault, judge, limit=0).asked == 0


def test_only_one_notes_pairs(vault):
    judge = ScriptedJudge()
    run = ask(vault, judge, only="Launch Plan")
    assert judge.asked == [(BRIDGE, LAUNCH), (LAUNCH, STEEL)]
    assert run.cached == 0
    with pytest.raises(InputError, match="no note is called Lunch Plan"):
        ask(vault, judge, only="Lunch Plan")


@pytest.mark.parametrize(
    ("most", "asked"), [(0.0, 0), (0.49, 0), (0.5, 1), (0.99, 1), (1.0, 2), (1.5, 3), (9.0, 3)]
)
def test_max_cost_is_never_exceeded(vault, most, asked):
    context, options, judge = writing_context(vault), JudgeOptions(max_cost=most), ScriptedJudge()
    run = plan_judging(context, judge, QUESTIONS, options)
    run.expected_cost = 0.5
    ask_judge(context, run, ask_many, options, lambda _: None)
    assert (len(judge.asked), run.stopped_by_cost) == (asked, asked < 3)
    assert run.cost <= most


def test_one_bad_pair_does_not_stop_the_others(vault):
    def answer(pair):
        if pair.second.note == STEEL and pair.first.note == BRIDGE:
            raise PairError("the answer is no number")
        return Answer(0.2, 0.1, "m-1")

    run = ask(vault, ScriptedJudge(answer))
    assert run.failed == [(BRIDGE, STEEL, "the answer is no number")]
    assert len(run.verdicts) == 2
    judge = ScriptedJudge()
    ask(vault, judge)
    assert judge.asked == [(BRIDGE, STEEL)]


def test_what_was_answered_before_a_refusal_is_kept(vault):
    def answer(pair):
        if (pair.first.note, pair.second.note) == PAIRS[2]:
            raise JudgeError("no more", hint="pay")
        return Answer(0.2, 0.1, "m-1")

    with pytest.raises(JudgeError):
        ask(vault, ScriptedJudge(answer))
    judge = ScriptedJudge()
    ask(vault, judge)
    assert judge.asked == PAIRS[2:]


def test_progress_sees_each_answer_on_disk(vault):
    context, options = writing_context(vault), JudgeOptions()
    run = plan_judging(context, ScriptedJudge(), QUESTIONS, options)
    seen: list[tuple[int, int]] = []
    ask_judge(
        context,
        run,
        ask_many,
        options,
        lambda done: seen.append((done.asked, len(ledger_events(vault)))),
    )
    assert seen == [(1, 1), (2, 2), (3, 3)]
