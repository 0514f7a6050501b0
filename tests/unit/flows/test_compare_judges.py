"""Where two judges agree, and where they differ most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kit.judge_server import QUESTIONS
from tests.kit.judging import BRIDGE, FILES, LAUNCH, STEEL
from tests.kit.vaults import write_file
from tests.kit.writing import import_lines, old_vault, verdict, writing_context
from vaultgraph.errors import InputError, UsageError
from vaultgraph.flows.compare_judges import Comparison, compare_judges, comparison_document
from vaultgraph.flows.judge import JudgeOptions
from vaultgraph.flows.rank import rank_pairs
from vaultgraph.judge.embedded.judge import EmbeddedJudge

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return old_vault(tmp_path / "vault", FILES)


def say(vault: Path, judge: str, *lines: dict) -> None:
    taken = import_lines(vault, *({**line, "judge": judge} for line in lines)).ok().json
    assert taken["refused"] == []


def compare(vault: Path, one: str, other: str) -> Comparison:
    return compare_judges(writing_context(vault), one, other, EmbeddedJudge())


@pytest.fixture
def judged(vault: Path) -> Path:
    say(
        vault,
        "ann",
        verdict(LAUNCH, BRIDGE, 0.9, 0.1),
        verdict(BRIDGE, STEEL, 0.8, 0.2),
        verdict(LAUNCH, STEEL, 0.75, 0.3),
    )
    say(vault, "bob", verdict(LAUNCH, BRIDGE, 0.7, 0.75), verdict(BRIDGE, STEEL, 0.1, 0.15))
    return vault


def test_directions_that_both_scored_the_widest_apart_first(judged):
    comparison = compare(judged, "ann", "bob")
    assert [tuple(row) for row in comparison.rows] == [
        (BRIDGE, STEEL, 0.8, 0.1),
        (BRIDGE, LAUNCH, 0.1, 0.75),
        (LAUNCH, BRIDGE, 0.9, 0.7),
        (STEEL, BRIDGE, 0.2, 0.15),
    ]
    counts = (
        comparison.both_yes,
        comparison.only_one,
        comparison.only_other,
        comparison.neither,
    )
    assert counts == (1, 1, 1, 1)
    assert comparison.agreement == 0.5
    assert comparison.kappa == 0.0


def test_turned_round(judged):
    one, other = compare(judged, "ann", "bob"), compare(judged, "bob", "ann")
    assert (one.only_one, one.only_other) == (other.only_other, other.only_one)
    assert [(r.one, r.other) for r in one.rows] == [(r.other, r.one) for r in other.rows]


def test_kappa_against_a_published_example():
    # Fleiss, Statistical Methods for Rates and Proportions, and every text since: 20, 5, 10, 15.
    comparison = Comparison("a", "b", [None] * 50, 20, 5, 10, 15)  # type: ignore[list-item]
    assert comparison.agreement == pytest.approx(0.7)
    assert comparison.kappa == pytest.approx(0.4)


def test_no_kappa_where_chance_alone_agrees(vault):
    for judge in ("ann", "bob"):
        say(vault, judge, verdict(LAUNCH, BRIDGE, 0.1, 0.1))
    comparison = compare(vault, "ann", "bob")
    assert (comparison.agreement, comparison.kappa) == (1.0, None)


def test_verdicts_on_texts_that_have_changed_do_not_count(judged):
    write_file(judged / STEEL, "Fifty tonnes.\n")
    assert {row.basis for row in compare(judged, "ann", "bob").rows} == {BRIDGE, LAUNCH}


def test_nothing_in_common(vault):
    say(vault, "ann", verdict(LAUNCH, BRIDGE, 0.9))
    say(vault, "bob", verdict(BRIDGE, STEEL, 0.9))
    comparison = compare(vault, "ann", "bob")
    assert (comparison.rows, comparison.agreement, comparison.kappa) == ([], None, None)


def test_a_note_that_became_private_is_not_named(judged):
    write_file(judged / BRIDGE, f"---\nprivate: true\n---\n{FILES[BRIDGE]}")
    comparison = compare(judged, "ann", "bob")
    assert comparison.rows == []
    assert "Bridge" not in str(comparison_document(comparison))


def test_the_embedded_judge_is_asked_about_the_others_pairs(judged):
    rank_pairs(
        writing_context(judged),
        EmbeddedJudge(),
        QUESTIONS,
        _NoScores(),
        JudgeOptions(),
        recut=False,
        progress=lambda _done, _of: None,
    )
    comparison = compare(judged, "ann", "embedded")
    # Most of its own scores are too low for the ledger.
    assert len(comparison.rows) == 6
    scores: dict[tuple[str, str], float] = {
        (row.dependent, row.basis): row.other for row in comparison.rows
    }
    assert scores[LAUNCH, BRIDGE] > scores[BRIDGE, LAUNCH]


class _NoScores:
    def read(self, _model):
        return {}

    def write(self, _model, _scores):
        pass


def test_a_judge_nobody_asked(judged):
    with pytest.raises(InputError, match="no verdict of a judge called eve") as caught:
        compare(judged, "ann", "eve")
    assert caught.value.hint == "it has of: ann, bob"
    with pytest.raises(UsageError, match="ann agrees with itself"):
        compare(judged, "ann", "ann")


def test_the_document(judged):
    document = comparison_document(compare(judged, "ann", "bob"))
    assert document == {
        "judges": ["ann", "bob"],
        "directions": 4,
        "both_yes": 1,
        "only_first": 1,
        "only_second": 1,
        "neither": 1,
        "agreement": 0.5,
        "kappa": 0.0,
        "rows": [
            {"dependent": BRIDGE, "basis": STEEL, "one": 0.8, "other": 0.1},
            {"dependent": BRIDGE, "basis": LAUNCH, "one": 0.1, "other": 0.75},
            {"dependent": LAUNCH, "basis": BRIDGE, "one": 0.9, "other": 0.7},
            {"dependent": STEEL, "basis": BRIDGE, "one": 0.2, "other": 0.15},
        ],
    }
