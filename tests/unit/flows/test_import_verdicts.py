"""``judge --import``: what a person or another tool says reaches the ledger, or is refused."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import run
from tests.kit.vaults import write_file
from tests.kit.writing import import_lines, judged, ledger_events, notes_bytes, old_vault, verdict

if TYPE_CHECKING:
    from pathlib import Path

FILES: dict[str, str | bytes] = {
    "Plan.md": "---\naliases: [The Plan]\n---\nUse the [[Cache Layer]].\n",
    "Cache Layer.md": "Fast.\n",
    "notes/Token Store.md": "Safe.\n",
    "a/Twin.md": "",
    "b/Twin.md": "",
    "2026-11-30.md": "[[Plan]]\n",
    "Report.md": "---\nvaultgraph-report: true\n---\n",
    "Latin.md": b"\xe9",
    "Salary.md": "---\nprivate: true\naliases: [The Exit]\n---\n",
    "z/Twin.md": "---\nprivate: true\n---\n",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return old_vault(tmp_path / "vault", FILES)


def kept(vault: Path) -> list[tuple]:
    """Return the verdicts in the ledger: pair and scores."""
    names = ("first", "second", "first_depends", "second_depends")
    return [
        tuple(event["payload"][name] for name in names)
        for event in ledger_events(vault)
        if event["event"] == "verdict"
    ]


def refused(vault: Path, *lines) -> list[str]:
    report = import_lines(vault, *lines).ok().json
    assert report["verdicts"] == []
    assert [row["line"] for row in report["refused"]] == list(range(1, len(lines) + 1))
    assert ledger_events(vault) == []
    return [row["text"] for row in report["refused"]]


def test_both_forms_and_either_order(vault: Path):
    report = import_lines(
        vault,
        {"dependent": "Plan.md", "basis": "Cache Layer.md"},
        {"dependent": "Token Store", "basis": "Cache Layer.md", "probability": 0.8, "judge": "me"},
        verdict("Token Store", "Plan", 0.9, 0.2),
    )
    expected = [
        ("Cache Layer.md", "Plan.md", 0.0, 1.0),
        ("Cache Layer.md", "notes/Token Store.md", 0.0, 0.8),
        ("Plan.md", "notes/Token Store.md", 0.2, 0.9),
    ]
    assert kept(vault) == expected
    document = report.ok().json
    assert set(document) == {"verdicts", "known", "refused"}
    assert [tuple(row.values())[:4] for row in document["verdicts"]] == expected
    assert document["verdicts"][1] == {
        "first": "Cache Layer.md",
        "second": "notes/Token Store.md",
        "first_depends": 0.0,
        "second_depends": 0.8,
        "judge": "me",
        "model": "",
        "questions": "",
    }
    assert (document["known"], document["refused"]) == (0, [])


@pytest.mark.parametrize("name", ["The Plan", "plan", "PLAN.md", "./Plan"[2:]])
def test_notes_by_path_title_or_alias(vault: Path, name: str):
    judged(vault, (name, "notes/token store"))
    assert kept(vault) == [("Plan.md", "notes/Token Store.md", 0.9, 0.1)]


def test_a_verdict_is_about_the_bodies_as_they_are(vault: Path):
    judged(vault, ("Plan", "Cache Layer"))
    (payload,) = (event["payload"] for event in ledger_events(vault))
    # SHA-256 of "Fast.\n" and of the body alone: the frontmatter may change.
    assert payload["first_hash"] == sha256(b"Fast.\n").hexdigest()
    assert payload["second_hash"] == sha256(b"Use the [[Cache Layer]].\n").hexdigest()


def test_again_is_known(vault: Path):
    lines = [verdict("Plan", "Cache Layer", 0.9), {"dependent": "Plan", "basis": "Token Store"}]
    assert import_lines(vault, *lines).ok().json["known"] == 0
    before = ledger_events(vault)
    again = import_lines(vault, *lines).ok().json
    assert (again["verdicts"], again["known"], again["refused"]) == ([], 2, [])
    # The other order of the same pair says the same.
    turned = {
        "first": "Cache Layer",
        "second": "Plan",
        "first_depends": 0.1,
        "second_depends": 0.9,
    }
    assert import_lines(vault, turned).ok().json["known"] == 1
    assert ledger_events(vault) == before


def test_another_opinion_is_new_and_so_is_the_first_one_after_it(vault: Path):
    for score in (0.9, 0.2, 0.9):
        assert (
            len(import_lines(vault, verdict("Plan", "Cache Layer", score)).json["verdicts"]) == 1
        )
    assert [row[3] for row in kept(vault)] == [0.9, 0.2, 0.9]


def test_after_an_edit_the_same_words_are_new(vault: Path):
    judged(vault, ("Plan", "Cache Layer"))
    write_file(vault / "Cache Layer.md", "Slow.\n")
    judged(vault, ("Plan", "Cache Layer"))
    hashes = [event["payload"]["first_hash"] for event in ledger_events(vault)]
    assert len(set(hashes)) == 2
    write_file(vault / "Cache Layer.md", "Fast.\n")
    assert import_lines(vault, verdict("Plan", "Cache Layer", 0.9)).json["known"] == 1


def test_of_two_lines_about_a_pair_the_last_counts(vault: Path):
    lines = [
        verdict("Plan", "Cache Layer", 0.9),
        verdict("Plan", "Cache Layer", 0.9),
        {"dependent": "Cache Layer", "basis": "Plan"},
    ]
    report = import_lines(vault, *lines).ok().json
    assert kept(vault) == [("Cache Layer.md", "Plan.md", 1.0, 0.0)]
    text = "line 3 says otherwise of the same pair; the last one counts"
    assert report["refused"] == [{"line": 1, "text": text}]
    assert report["known"] == 1
    before = ledger_events(vault)
    assert import_lines(vault, *lines).ok().json["verdicts"] == []
    assert ledger_events(vault) == before


def test_unknown_notes(vault: Path):
    assert refused(vault, verdict("Plan", "Cache", 0.9), verdict("Nowhere", "Plan", 0.9)) == [
        "no note is called Cache",
        "no note is called Nowhere",
    ]


def test_what_makes_no_pair(vault: Path):
    others = ("2026-11-30", "Report", "Latin", "Plan", "Twin")
    assert refused(vault, *(verdict("Plan", other, 0.9) for other in others)) == [
        "2026-11-30.md makes no pair: a record, report or unreadable",
        "Report.md makes no pair: a record, report or unreadable",
        "Latin.md makes no pair: a record, report or unreadable",
        "both notes are the same",
        "3 notes are called Twin: a/Twin.md, b/Twin.md",
    ]


def test_a_private_note_is_refused_without_its_name(vault: Path):
    texts = refused(vault, verdict("Plan", "The Exit", 0.9), verdict("salary", "Plan", 0.9))
    assert texts == ["a private note makes no pair"] * 2
    shown = import_lines(vault, verdict("Plan", "The Exit", 0.9), as_json=False).ok()
    assert "Salary" not in shown.out + shown.err
    # Not even as a suggestion for a name that is nearly right.
    shown = import_lines(vault, verdict("Plan", "Salar", 0.9), as_json=False).ok()
    assert "Salary" not in shown.out + shown.err
    assert not list((vault / ".vaultgraph").rglob("*.jsonl"))


def test_bad_lines_are_named_and_the_others_taken(vault: Path):
    lines = [
        "{",
        "",
        "[1]",
        "nonsense",
        json.dumps(verdict("Plan", "Cache Layer", 0.9)),
        '{"first": "Plan", "second": "Cache Layer", "first_depends": NaN, "second_depends": 0}',
        '{"first": "Plan", "second": "Cache Layer", "first_depends": true, "second_depends": 0}',
        '{"first": "Plan", "second": "Cache Layer", "first_depends": 1.5, "second_depends": 0}',
        '{"first": "Plan", "second": "Cache Layer", "first_depends": 1e999, "second_depends": 0}',
        "[" * 100_000,
        '{"first": "Plan", "second": "Plan"}',
    ]
    report = import_lines(vault, *lines).ok().json
    assert len(report["verdicts"]) == 1
    probabilities = "needs probabilities from 0 to 1"
    assert [(row["line"], row["text"]) for row in report["refused"]] == [
        (1, "not JSON"),
        (3, "not a JSON object"),
        (4, "not JSON"),
        (6, probabilities),
        (7, probabilities),
        (8, probabilities),
        (9, probabilities),
        (10, "not JSON"),
        (11, probabilities),
    ]


def test_a_name_with_a_line_separator_in_it(tmp_path: Path):
    vault = old_vault(tmp_path / "vault", {"A\u2028B.md": "", "C.md": ""})
    line = json.dumps(verdict("A\u2028B", "C", 0.9), ensure_ascii=False)
    assert len(import_lines(vault, line).ok().json["verdicts"]) == 1


def test_byte_order_mark_and_windows_line_ends(vault: Path, tmp_path: Path):
    line = json.dumps(verdict("Plan", "Cache Layer", 0.9))
    path = tmp_path / "v.jsonl"
    path.write_bytes(f"\ufeff{line}\r\n\r\n".encode())
    assert len(run(vault, "judge", "--import", path, "--json").ok().json["verdicts"]) == 1


def test_not_utf_8(vault: Path, tmp_path: Path):
    path = tmp_path / "v.jsonl"
    path.write_bytes(b'{"first": "\xe9"}\n')
    run(vault, "judge", "--import", path).fails(3, "the verdicts are not UTF-8")


def test_an_empty_file(vault: Path):
    assert import_lines(vault).ok().json == {"verdicts": [], "known": 0, "refused": []}
    assert not (vault / ".vaultgraph").exists()


def test_no_note_is_touched(vault: Path):
    before = notes_bytes(vault)
    judged(vault, ("Plan", "Cache Layer"))
    assert notes_bytes(vault) == before
    assert sorted(path.name for path in (vault / ".vaultgraph").iterdir()) == ["ledger"]
