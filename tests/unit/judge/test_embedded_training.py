"""The trainer's and the bench's own arithmetic, against cases worked out by hand."""

from __future__ import annotations

import json
import math
import subprocess
import sys

import pytest

from scripts.judge_support.corpus import read_corpora
from scripts.judge_support.fit import Example, fit
from scripts.judge_support.judges import LOCAL_JUDGES
from scripts.judge_support.lines import to_line, true_directions, whole_sets
from scripts.judge_support.metrics import Scored, intervals, measure
from tests.kit.judge_server import Say, judge_server, nouls
from tests.kit.vaults import REPOSITORY
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
    assert corpus.shortened().notes["Budget"].body == "It builds on [[Old Plan]] and OP-1."


def test_labels_need_not_say_more_than_what_depends_on_what(bench):
    (bench / "tiny" / "labels.jsonl").write_text('{"a": "Budget", "b": "Old Plan", "label": 1}\n')
    ((row,),) = (corpus.rows for corpus in read_corpora(bench))
    assert (row.is_forward, row.lists, row.label, row.is_train) == (True, True, True, False)


@pytest.mark.parametrize("name", sorted(LOCAL_JUDGES))
def test_every_judge_answers_a_corpus(bench, name):
    (corpus,) = read_corpora(bench)
    question = Question("Does `A` depend on `B`?", "yes", "no")
    questions = QuestionSet("depends.v1", question, question, "00")
    answer = LOCAL_JUDGES[name]().ask(corpus.pair("Budget", "Old Plan"), questions)
    assert answer.first_depends > 0.5 > answer.second_depends
    scores = {
        ("Budget", "Old Plan"): answer.first_depends,
        ("Old Plan", "Budget"): answer.first_depends,
    }
    _, everything = whole_sets(corpus)
    line = to_line(everything, name, scores, 0.5, true_directions(corpus))
    # Forward rows are measured; both directions are kept here, and one of them is reversed.
    assert (len(line.scored), line.kept, line.turned) == (1, 2, 1)


BENCH = [sys.executable, str(REPOSITORY / "scripts" / "bench_judge")]


def run_bench(*arguments):
    return subprocess.run([*BENCH, *arguments], capture_output=True, text=True, check=False)


def test_a_remote_judge_is_measured_once_its_cost_is_agreed_to(bench, tmp_path):
    kept = tmp_path / "answers.jsonl"
    with judge_server(nouls(0.8, 0.2)) as server:
        asked = [
            *("--bench", str(bench), "--judge", "systemone", "--base-url", server.url),
            *("--model", "jev-test", "--draws", "0", "--answers", str(kept), "--price", "1"),
        ]
        before = run_bench(*asked)
        assert server.count == 0
        after = run_bench(*asked, "--yes")
        assert server.count == 1
        # What was answered is not asked again, and nothing needs agreeing to.
        again = run_bench(*asked)
        assert server.count == 1
    assert (before.returncode, before.stdout) == (0, "")
    assert "1 pairs to ask jev-test at 127.0.0.1" in before.stderr
    assert "--yes asks" in before.stderr
    assert len(kept.read_text("utf-8").splitlines()) == 1
    for ran in (after, again):
        assert ran.returncode == 0, ran.stderr
        rows = [line for line in ran.stdout.splitlines() if line.startswith("| tiny")]
        # The one forward row is a dependency: kept, and not reversed.
        assert rows[0].startswith("| tiny, A lists | systemone jev-test | 1 | 1 | nan | 1.000 |")
        assert rows[0].endswith("| 0 of 1 |")


def test_what_a_remote_judge_takes_is_told_without_a_key(bench, monkeypatch):
    monkeypatch.delenv("TYPESAFE_API_KEY", raising=False)
    ran = run_bench("--bench", str(bench), "--judge", "systemone")
    assert (ran.returncode, ran.stdout) == (0, "")
    assert "1 pairs to ask jev-latest at api.typesafe.ai: about 1 calls" in ran.stderr
    refused = run_bench("--bench", str(bench), "--judge", "systemone", "--yes")
    assert refused.returncode == 1
    assert "set TYPESAFE_API_KEY" in refused.stderr


def test_pairs_that_fail_are_left_out_and_counted(bench):
    with judge_server(Say(422, b"{}")) as server:
        ran = run_bench(
            *("--bench", str(bench), "--judge", "systemone", "--base-url", server.url),
            *("--model", "m", "--draws", "0", "--yes"),
        )
    assert ran.returncode == 0, ran.stderr
    assert "1 failed and are left out" in ran.stdout


def test_a_server_that_cannot_be_asked_is_one_line(bench):
    ran = run_bench("--bench", str(bench), "--judge", "openai", "--base-url", "http://127.0.0.1:9")
    assert ran.returncode == 1
    assert ran.stderr == "error: no model is named for 127.0.0.1:9\nhint: name it: --model NAME\n"
