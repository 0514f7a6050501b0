"""The trainer's and the bench's own arithmetic, against cases worked out by hand."""

from __future__ import annotations

import json
import math

import pytest

from scripts.judge_support.corpus import read_corpora
from scripts.judge_support.fit import Example, fit
from scripts.judge_support.judges import JUDGES
from scripts.judge_support.lines import to_line, true_directions, whole_sets
from scripts.judge_support.metrics import Scored, intervals, measure
from vaultgraph.domain.judging import Question, QuestionSet
from vaultgraph.judge.embedded.features import FEATURES

WIDTH = len(FEATURES)


def example(value, *, label, weight=1.0):
    return Example((value,) + (0.0,) * (WIDTH - 1), label, weight)


def test_without_a_penalty_it_is_the_log_odds_of_the_counts():
    # 3 of 4 are true where the feature is 1, and 1 of 4 where it is 0.
    examples = [example(1.0, label=n < 3) for n in range(4)]
    examples += [example(0.0, label=n < 1) for n in range(4)]
    found = fit(examples, penalty=1e-9)
    assert found.base_rate == pytest.approx(0.5)
    feature = found.features[0]
    assert found.intercept + feature.adds(1.0) == pytest.approx(math.log(3), abs=1e-6)
    assert found.intercept + feature.adds(0.0) == pytest.approx(-math.log(3), abs=1e-6)
    assert all(other.weight == 0 for other in found.features[1:])


def test_a_penalty_shrinks_and_weights_count():
    examples = [example(float(n % 2), label=n % 4 in (1, 2, 3)) for n in range(40)]
    assert abs(fit(examples, 1.0).features[0].weight) < abs(fit(examples, 0.01).features[0].weight)
    double = [example(1.0, label=True, weight=2.0), example(0.0, label=False)]
    twice = [example(1.0, label=True)] * 2 + [example(0.0, label=False)]
    one, other = fit(double, 0.1), fit(twice, 0.1)
    assert one.base_rate == pytest.approx(other.base_rate)


ROWS = [
    Scored("a", 0.9, True),
    Scored("a", 0.8, False),
    Scored("b", 0.7, True),
    Scored("b", 0.1, False),
]


def test_figures_worked_out_by_hand():
    quality = measure(ROWS, 0.75)
    # Of the four pairs of a dependency and another, one is the wrong way round.
    assert quality.roc_auc == pytest.approx(3 / 4)
    assert quality.pr_auc == pytest.approx((1 / 1 + 2 / 3) / 2)
    assert (quality.precision, quality.recall) == (0.5, 0.5)
    assert quality.brier == pytest.approx((0.01 + 0.64 + 0.09 + 0.01) / 4)
    assert quality.ece == pytest.approx((0.1 + 0.8 + 0.3 + 0.1) / 4)


def test_equal_scores_are_half_won():
    rows = [Scored("a", 0.5, True), Scored("b", 0.5, False)]
    assert measure(rows, 0.5).roc_auc == 0.5
    assert measure(rows, 0.5).pr_auc == 0.5


def test_figures_without_a_meaning_are_no_numbers():
    quality = measure([Scored("a", 0.2, False)], 0.5)
    assert math.isnan(quality.roc_auc)
    assert math.isnan(quality.precision)
    assert quality.brier == pytest.approx(0.04)


def test_intervals_are_drawn_by_note_and_the_same_each_time():
    rows = [Scored(str(n % 9), n * 37 % 100 / 100, n % 3 == 0) for n in range(60)]
    one = intervals(rows, 0.5, draws=50)
    assert one == intervals(rows, 0.5, draws=50)
    assert one != intervals(rows, 0.5, draws=50, seed=1)
    for interval, figure in zip(one, measure(rows, 0.5), strict=True):
        assert interval.low < figure < interval.high
    (still,) = {intervals(ROWS[:2], 0.5, draws=9)}
    assert still[0] == (1.0, 1.0)


@pytest.fixture
def bench(tmp_path):
    vault = tmp_path / "tiny" / "vault"
    vault.mkdir(parents=True)
    (vault / "Old Plan.md").write_text("---\naliases: [OP-1]\n---\nThe old plan.\n")
    (vault / "Budget.md").write_text("It builds on [[Old Plan]] and OP-1.\n\nOld plan.\n")
    (vault / "README.md").write_text("[[Old Plan]]\n")
    rows = [
        {"a": "Budget", "b": "Old Plan", "label": 1, "direction": "forward", "a_lists_any": 1},
        {"a": "Old Plan", "b": "Budget", "label": 0, "direction": "backward", "a_lists_any": 0},
    ]
    labels = tmp_path / "tiny" / "labels.jsonl"
    labels.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def test_a_corpus_without_a_split_is_all_unseen(bench):
    (corpus,) = read_corpora(bench)
    assert corpus.name == "tiny"
    assert set(corpus.notes) == {"Budget", "Old Plan"}
    assert corpus.notes["Old Plan"].aliases == ("OP-1",)
    assert corpus.lines["Budget"] == {"Old Plan": (1, 3)}
    assert not any(row.is_train or row.is_train_dependent for row in corpus.rows)
    pair = corpus.pair("Old Plan", "Budget")
    assert (pair.first.title, pair.first_lines, pair.second_lines) == ("Budget", (1, 3), ())
    assert corpus.context(pair) == (1, 2, 0, 0, 0, 2)
    assert corpus.shortened().notes["Budget"].body == "It builds on [[Old Plan]] and OP-1."


@pytest.mark.parametrize("name", sorted(JUDGES))
def test_every_judge_answers_a_corpus(bench, name):
    (corpus,) = read_corpora(bench)
    question = Question("Does `A` depend on `B`?", "yes", "no")
    questions = QuestionSet("depends.v1", question, question, "00")
    answer = JUDGES[name](corpus).ask(corpus.pair("Budget", "Old Plan"), questions)
    assert answer.first_depends > 0.5 > answer.second_depends
    scores = {
        ("Budget", "Old Plan"): answer.first_depends,
        ("Old Plan", "Budget"): answer.first_depends,
    }
    _, everything = whole_sets(corpus)
    line = to_line(everything, name, scores, 0.5, true_directions(corpus))
    # Forward rows are measured; both directions are kept here, and one of them is reversed.
    assert (len(line.scored), line.kept, line.turned) == (1, 2, 1)
