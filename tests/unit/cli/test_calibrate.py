"""``calibrate`` on a vault of 60 judged pairs of which every one was labelled, or some."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from tests.kit.cli import run
from tests.kit.vaults import file_bytes, write_vault
from tests.kit.writing import import_lines, verdict

if TYPE_CHECKING:
    from pathlib import Path

#: Twenty pairs at each score, and how many of them depend.
SCORES = {0.9: 19, 0.6: 8, 0.2: 1}
CONFIG = ".vaultgraph/config.toml"


def pairs() -> list[tuple[str, str, float, bool]]:
    return [
        (f"Basis {score} {number}.md", f"Plan {score} {number}.md", score, number < depends)
        for score, depends in SCORES.items()
        for number in range(20)
    ]


def make_vault(root: Path, **more: str) -> Path:
    files: dict[str, str] = {}
    for basis, plan, score, depends in pairs():
        key = "depends-on" if depends else "depends-on-rejected"
        decided = f'---\n{key}:\n  - "[[{basis[:-3]}]]"\n---\n' if score == 0.9 else ""
        files |= {basis: "A basis.\n", plan: f"{decided}See [[{basis[:-3]}]].\n"}
    vault = write_vault(root / "vault", {**files, **more})
    lines = [verdict(basis, plan, 0.05, score) for basis, plan, score, _ in pairs()]
    import_lines(vault, *lines).ok()
    return vault


def hold(vault: Path, name: str, *plan: str) -> None:
    """Plan, lock and draw an audit, and label it by the truth."""
    run(vault, "audit", "plan", name, "--seed", "s", *plan).ok()
    run(vault, "audit", "lock", name).ok()
    drawn = run(vault, "audit", "draw", name).ok()
    assert drawn.code == 0
    truth = {frozenset(row[:2]): row[3] for row in pairs()}
    ledger = vault / ".vaultgraph" / "audits" / name / "ledger.jsonl"
    strata = json.loads(ledger.read_text("utf-8").splitlines()[1])["payload"]["strata"]
    lines = [
        json.dumps({"unit": unit, "label": "depends" if truth[frozenset(unit)] else "does-not"})
        for stratum in strata
        for unit in (written.split("\n") for written in stratum["units"])
    ]
    file = vault.parent / f"{name}.jsonl"
    file.write_text("\n".join(lines), "utf-8")
    run(vault, "audit", "merge", name, file, "--as", "owner").ok()


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    vault = make_vault(tmp_path)
    hold(vault, "all", "--kind", "recall", "--size", "60", "--judge", "imported")
    return vault


def test_all_figures_are_those_worked_out_by_hand(vault: Path):
    found = run(vault, "calibrate", "--judge", "imported", "--json").ok().json
    audits, of_decisions, decisions = found["groups"]
    assert (audits["group"], audits["audits"], audits["unscored"]) == ("audits", ["all"], 0)
    reliability = audits["reliability"]
    assert (reliability["n"], reliability["k"]) == (60, 28)
    # 19 and 1 at 0.9, 8 and 12 at 0.6, 1 and 19 at 0.2.
    squares = 19 * 0.01 + 0.81 + 8 * 0.16 + 12 * 0.36 + 0.64 + 19 * 0.04
    assert reliability["brier"] == pytest.approx(squares / 60)
    assert reliability["calibration_error"] == pytest.approx((1 + 4 + 3) / 60)
    assert [each["n"] for each in reliability["bins"]] == [0, 0, 20, 0, 0, 0, 20, 0, 0, 20]
    assert of_decisions["reliability"] is None
    # Of the decisions every one at 0.9: 19 accepted, 1 rejected.
    assert (decisions["group"], decisions["reliability"]["n"]) == ("decisions", 20)
    assert decisions["reliability"]["k"] == 19
    # Everything is labelled, so precision is known: 95 %, and with the next twenty 67.5 %.
    assert (found["audit"], found["directed"], found["cutoff"]) == ("all", False, 0.65)
    assert found["tested"][-1] == {
        "cutoff": 0.6, "units": 40, "n": 40, "k": 27, "precision": 0.675, "bound": 0.675
    }  # fmt: skip
    assert found["recall"]["value"] == found["recall"]["low"] == pytest.approx(19 / 28)
    assert found["recall"]["method"] == "census"


def test_a_sample_claims_less_than_a_census(vault: Path):
    hold(vault, "some", "--kind", "recall", "--size", "45", "--judge", "imported")
    found = run(vault, "calibrate", "--judge", "imported", "--audit", "some", "--json").ok().json
    assert found["cutoff"] is None
    (step,) = found["tested"]
    # 15 of the 20 were drawn; were all right, 0.05^(1/15) = 0.82 would pass.
    assert (step["n"], step["units"]) == (15, 20)
    assert (step["k"] == 15) is (step["bound"] >= 0.8)


def test_it_says_so_in_words(vault: Path):
    before = file_bytes(vault)
    text = run(vault, "calibrate", "--judge", "imported").ok().out
    assert file_bytes(vault) == before
    assert "audits\n  60 labels, 28 depend; Brier score 0.133, expected calibration error" in text
    assert "review decisions  no sample, and made with the score in sight" in text
    assert "0.65  is the lowest whose precision is at least 80%, with 95% confidence" in text
    assert "recall = 68%, 95% interval 68% to 68% (census; n = 60 of 60 units)" in text
    assert "Labels say whether either note depends on the other, not which." in text


def test_write_sets_the_cutoff_with_where_it_comes_from(tmp_path: Path):
    config = "# mine\n[names]\nminimum-words = 3 # three\n\n[proposals]\ncutoff = 0.7\n"
    vault = make_vault(tmp_path, **{CONFIG: config})
    hold(vault, "all", "--kind", "recall", "--size", "60", "--judge", "imported")
    before = file_bytes(vault)
    run(vault, "calibrate", "--judge", "imported", "--write").ok()
    after = file_bytes(vault)
    assert {name for name in after if after[name] != before.get(name)} == {CONFIG}
    lines = (vault / CONFIG).read_text("utf-8").splitlines()
    assert lines[:5] == config.splitlines()[:5]
    assert lines[5].startswith("cutoff = 0.65 # vaultgraph calibrate, 20")
    assert ": precision at least 0.8 with 95% confidence; " in lines[5]
    assert lines[5].endswith("; 19 of 20 labels of audit all; judge imported")
    # The next plan goes by it.
    plan = run(vault, "audit", "plan", "next", "--kind", "recall", "--size", "3", "--seed", "s")
    assert "kept: 1 of 20" in plan.ok().out


def test_without_a_cutoff_nothing_is_written(vault: Path):
    ran = run(vault, "calibrate", "--judge", "imported", "--precision", "0.99", "--write")
    ran.fails(3, "no cutoff passed, and nothing was written", "--precision")
    assert "No cutoff has a precision of 99% with 95% confidence: none passed." in ran.out
    assert not (vault / CONFIG).exists()


def test_the_middle_band_must_lie_below_it(tmp_path: Path):
    vault = make_vault(tmp_path, **{CONFIG: "[proposals]\ncutoff = 0.7\nmiddle = 0.68\n"})
    hold(vault, "all", "--kind", "recall", "--size", "60", "--judge", "imported")
    before = (vault / CONFIG).read_bytes()
    ran = run(vault, "calibrate", "--judge", "imported", "--write")
    ran.fails(3, "the middle band begins at 0.68", "set middle = 0.65 or less")
    assert (vault / CONFIG).read_bytes() == before


def test_what_a_person_accepted_decides_no_cutoff(tmp_path: Path):
    vault = make_vault(tmp_path)
    hold(vault, "right", "--kind", "precision", "--size", "19")
    found = run(vault, "calibrate", "--judge", "imported", "--json").ok().json
    assert (found["audit"], found["cutoff"], found["tested"]) == (None, None, [])
    assert found["groups"][0]["reliability"] is None
    assert found["groups"][1]["reliability"]["n"] == 19
    assert "--kind recall" in run(vault, "calibrate", "--judge", "imported").ok().out
    named = run(vault, "calibrate", "--judge", "imported", "--audit", "right")
    named.fails(2, "the audit right cannot decide a cutoff")


def test_proposals_decide_down_to_their_cutoff(tmp_path: Path):
    vault = make_vault(tmp_path)
    hold(
        vault, "proposed", "--kind", "precision", "--source", "proposed", "--cutoff", "0.5",
        "--size", "40", "--judge", "imported",
    )  # fmt: skip
    arguments = ("calibrate", "--judge", "imported", "--precision", "0.6", "--json")
    found = run(vault, *arguments).ok().json
    assert (found["directed"], found["cutoff"], found["recall"]) == (True, 0.5, None)
    assert found["tested"][-1]["precision"] == 0.675
    text = run(vault, *arguments[:-1]).ok().out
    assert "recall is not known: that takes an audit of kind recall" in text


def test_a_pair_edited_since_has_no_score(vault: Path):
    basis = vault / "Basis 0.9 0.md"
    basis.write_text("Another basis.\n", "utf-8")
    found = run(vault, "calibrate", "--judge", "imported", "--json").ok().json
    assert found["groups"][0]["unscored"] == 1
    assert found["groups"][0]["reliability"]["n"] == 59
    assert found["tested"][-1]["units"] == 39


def test_a_picture_is_written(vault: Path, tmp_path: Path):
    file = tmp_path / "reliability.svg"
    run(vault, "calibrate", "--judge", "imported", "--picture", file).ok()
    tree = ET.fromstring(file.read_text("utf-8"))
    assert len([each for each in tree.iter() if each.get("class") == "dot"]) == 3
    note = vault / "Plan 0.2 0.md"
    before = note.read_bytes()
    for name in (tmp_path / "no" / "x.svg", note):
        ran = run(vault, "calibrate", "--judge", "imported", "--picture", name)
        ran.fails(3, "cannot be written", "--picture")
    assert note.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        ((), 3, "no verdict of the judge embedded holds now"),
        (("--judge", "nobody"), 3, "give --judge imported"),
        (("--judge", "imported", "--precision", "80"), 2, "a precision is between 0 and 1"),
        (("--judge", "imported", "--confidence", "0.2"), 2, "a confidence is from 0.5"),
        (("--judge", "imported", "--audit", "none"), 2, "these can: all"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(vault: Path, arguments, code, part):
    run(vault, "calibrate", *arguments).fails(code, part)


def test_nothing_labelled_says_what_to_do(tmp_path: Path):
    vault = write_vault(tmp_path / "vault", {"A.md": "[[B]]\n", "B.md": "b\n"})
    import_lines(vault, verdict("A.md", "B.md", 0.9)).ok()
    ran = run(vault, "calibrate", "--judge", "imported")
    ran.fails(3, "no label has a score of the judge imported", "audit plan NAME --kind recall")
