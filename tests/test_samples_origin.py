"""Where the sample vault has its city from, held to ``samples/truth.json``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.cli import run
from tests.kit.vaults import REPOSITORY, SAMPLE_VAULT, copy_vault
from tests.kit.writing import age, import_lines

if TYPE_CHECKING:
    from pathlib import Path

_ALL: dict[str, Any] = json.loads((REPOSITORY / "samples" / "truth.json").read_text("utf-8"))
TRUTH: dict[str, Any] = _ALL["origin"]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the vault, judged by one who knows the truth also of pairs that nothing joins."""
    vault = copy_vault(SAMPLE_VAULT, tmp_path_factory.mktemp("origin") / "vault")
    age(vault)
    lines = [
        {"dependent": row["dependent"], "basis": row["basis"], "probability": 0.9}
        for row in _ALL["dependencies"]
    ]
    assert import_lines(vault, *lines).ok().json["refused"] == []
    return vault


def test_word_search_finds_them_all_and_the_origin_comes_first(judged: Path):
    found = run(judged, "origin", "Lisbon", "--json").ok().json
    assert sorted(row["note"] for row in found["notes"]) == sorted(TRUTH["states"])
    assert found["origin"] == TRUTH["origin"]
    first = found["notes"][0]
    assert first["note"] == TRUTH["origin"]
    assert (first["state"], first["closed"]["sign"]) == ("ended", f"status: {TRUTH['status']}")
    assert [row["note"] for row in first["resting_on_it"]] == TRUTH["rest_on_it"]
    assert [row["note"] for row in first["rests_on"]] == ["Move/Cost of Living.md"]
    assert found["counts"]["private"] == len(_ALL["private"])


def test_what_a_person_reads(judged: Path):
    shown = run(judged, "origin", "lisbon").ok().out
    assert shown.startswith("Move/Relocation Plan.md  ended (status: abandoned, 2026-02-27)\n")
    assert "11 notes state “lisbon”; 7 of the others rest on Move/Relocation Plan.md" in shown


def test_the_documented_example_has_the_keys_that_are_printed(judged: Path):
    document = (REPOSITORY / "docs" / "json.md").read_text("utf-8")
    section = document.split("\n## `origin --json`", 1)[1].split("\n## ", 1)[0]
    row = json.loads(section.split("```json\n")[1].split("```")[0].replace(", …", ""))
    printed = run(judged, "origin", "Lisbon", "--json").ok().json
    assert {*row} == {*printed["notes"][0]}
    assert {*row["resting_on_it"][0]} == {*printed["notes"][0]["resting_on_it"][0]}
    for key in ({*printed} | {*printed["counts"]}) - {"notes", "counts"}:
        assert f"`{key}`" in section, key


def test_before_any_judge_the_one_that_most_point_at():
    found = run(SAMPLE_VAULT, "origin", "Lisbon", "--json", "--no-cache").ok().json
    assert found["origin"] == TRUTH["origin"]
    first = found["notes"][0]
    known = {row["note"] for row in first["resting_on_it"]}
    assert known == {"Money/Budget 2026.md"}
    # What nothing joins to it cannot point at it.
    missing = {*TRUTH["rest_on_it"]} - known - {*first["pointing_at_it"]}
    assert missing == {"Move/Furniture to Sell.md"}
