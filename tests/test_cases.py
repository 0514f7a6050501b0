"""The cases from public bug reports, each run on a copy of its vault through the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kit.cases import CHECKS, CONDITIONS, RUNNERS, Case, check_facts, load_cases, prepare
from tests.kit.propose_cases import check_changed, check_compare_with, run_propose
from tests.kit.review_cases import run_review

if TYPE_CHECKING:
    from pathlib import Path

CASES = load_cases()
RUNNERS.update(propose=run_propose, review=run_review)
CHECKS.update(changed=check_changed, compare_with=check_compare_with)


def test_all_forty_are_here():
    assert len(CASES) == 40


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder.name)
def test_case(case: Case, tmp_path: Path):
    if case.command not in RUNNERS:
        pytest.skip(f"the command {case.command} is not there yet")
    vault = prepare(case, tmp_path / "vault")
    run = RUNNERS[case.command](case, vault)
    run.ran.calm()
    check_facts(run, case.says["expect"])
    for condition in case.says.get("expect_if", ()):
        if CONDITIONS[condition["if"]]:
            check_facts(run, condition["expect"])


def test_every_kind_of_fact_of_the_commands_there_are_is_checked():
    used = {
        kind
        for case in CASES
        if case.command in RUNNERS
        for facts in (
            case.says["expect"],
            *(condition["expect"] for condition in case.says.get("expect_if", ())),
        )
        for kind in facts
    }
    assert used <= {*CHECKS, "complete", "any_of"}
