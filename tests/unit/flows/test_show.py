"""``show``: a note amid what it rests on and what rests on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.cli import run
from tests.kit.writing import judged, old_vault, writing_context

if TYPE_CHECKING:
    from pathlib import Path


def needs(*bases: str) -> str:
    return "".join(["---\ndepends-on:\n", *(f'  - "[[{basis}]]"\n' for basis in bases), "---\n"])


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A on B and C, B on C, C on Old (closed), D judged on A, E on D."""
    return old_vault(
        tmp_path / "vault",
        {
            "A.md": needs("B", "C") + "See [[B]].",
            "B.md": needs("C"),
            "C.md": needs("Old"),
            "Old.md": "---\nstatus: superseded\nresolved-to: It moved.\n"
            'superseded-by: "[[New]]"\nresolved-on: 2026-02-27\n---\n',
            "New.md": "[[Old]]",
            "D.md": "[[A]]",
            "E.md": needs("D"),
            "Alone.md": "[[A]]",
        },
    )


def tree(rows: list[dict[str, Any]], way: str) -> Any:
    return [(row["note"][:-3], row["state"], tree(row[way], way)) for row in rows]


def show(vault: Path, note: str, *options: str) -> Any:
    return run(vault, "show", note, "--json", *options).ok().json


def test_one_step_both_ways(vault: Path):
    judged(vault, ("D", "A", 0.8))
    found = show(vault, "a")
    assert (found["note"], found["state"], found["closed"]) == ("A.md", "at-risk", None)
    assert tree(found["rests_on"], "rests_on") == [("B", "at-risk", []), ("C", "stale", [])]
    assert tree(found["resting_on_it"], "resting_on_it") == [("D", "at-risk", [])]
    (finding,) = found["findings"]
    assert finding["path"] == ["A.md", "C.md", "Old.md"]


def test_a_tree_holds_each_note_once_as_near_as_it_comes(vault: Path):
    found = show(vault, "A", "--depth", "3")
    assert tree(found["rests_on"], "rests_on") == [
        ("B", "at-risk", [("C", "stale", [])]),
        ("C", "stale", [("Old", "superseded", [])]),
    ]
    (below,) = found["rests_on"][0]["rests_on"]
    assert below["repeated"]
    assert not found["rests_on"][1]["repeated"]
    shown = run(vault, "show", "A", "--depth", "3").ok().out
    assert "(more of it elsewhere here)" in shown
    assert "│ └ confirmed      C.md" in shown
    assert (
        "  └ confirmed      Old.md  superseded (status: superseded, 2026-02-27)  now: New.md"
        in shown
    )


def test_where_an_edge_is_from(vault: Path):
    judged(vault, ("D", "A", 0.8))
    run(vault, "review", "--accept", "E", "A").ok()
    today = writing_context(vault).ledger.read().events[-1].at.date().isoformat()
    first, second = show(vault, "A")["resting_on_it"]
    assert (first["level"], first["probability"], first["judge"], first["on"]) == (
        "judged",
        0.8,
        "imported",
        today,
    )
    assert (second["level"], second["probability"], second["judge"]) == ("confirmed", None, None)
    shown = run(vault, "show", "A").ok().out
    assert (
        f"├ judged 0.80    D.md  at risk  wikilink in line 1; judged {today} by imported" in shown
    )
    assert f"; accepted {today}" in shown


def test_a_closed_note_and_its_words(vault: Path):
    shown = run(vault, "show", "Old").ok().out
    assert shown.startswith("Old.md  superseded (status: superseded, 2026-02-27)  now: New.md\n")
    assert "“It moved.”" in shown
    assert "rests on: nothing that is known" in shown
    assert show(vault, "Old")["closed"]["words"] == "It moved."


def test_a_ring_ends_and_is_told(tmp_path: Path):
    vault = old_vault(tmp_path / "vault", {"A.md": needs("B"), "B.md": needs("A")})
    found = show(vault, "A", "--depth", "9")
    assert tree(found["rests_on"], "rests_on") == [("B", "live", [("A", "live", [])])]
    assert found["cycles"][0]["notes"] == ["A.md", "B.md"]
    assert "ring  A.md → B.md → A.md" in run(vault, "show", "A").ok().out


def test_a_private_note_rests_on_nothing(tmp_path: Path):
    secret = "---\nprivate: true\ndepends-on: '[[A]]'\n---\n"
    vault = old_vault(tmp_path / "vault", {"A.md": needs("Secret"), "Secret.md": secret})
    assert "private: it rests on nothing here" in run(vault, "show", "Secret").ok().out
    assert show(vault, "Secret")["rests_on"] == []
    ran = run(vault, "show", "A").ok()
    assert "Secret" not in ran.out + ran.err


def test_no_such_note(vault: Path):
    run(vault, "show", "Nothing").fails(3, "no note is called Nothing")
    assert run(vault, "show", "A", "--depth", "0").calm().code == 2
