"""``stale`` on vaults of a few files: what the ledger adds, what options narrow, what is said."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.cli import run
from tests.kit.vaults import write_file
from tests.kit.writing import (
    edit,
    import_lines,
    judged,
    old_vault,
    propose,
    verdict,
    writing_context,
)
from vaultgraph.flows.stale import find_stale
from vaultgraph.proposals.cutoffs import cutoff_event

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ENDED = "---\nstatus: done\nresolved-on: 2026-02-27\nresolved-to: We stay.\n---\nOld words.\n"


def rows(vault: Path, *options: str) -> list[tuple[str, str, str, str]]:
    found = run(vault, "stale", "--json", *options).ok().json["findings"]
    return [(row["note"], row["basis"], row["level"], row["state"]) for row in found]


def counts(vault: Path, *options: str) -> dict[str, Any]:
    return run(vault, "stale", "--json", *options).ok().json["counts"]  # type: ignore[no-any-return]


def test_verdicts_from_the_cutoff_on_count_as_long_as_they_hold(tmp_path: Path):
    files = {"Old.md": ENDED, "A.md": "[[Old]]", "B.md": "[[Old]]", "C.md": "[[Old]]"}
    vault = old_vault(tmp_path / "vault", files)
    judged(vault, ("A", "Old", 0.7), ("B", "Old", 0.69), ("C", "Old", 0.2))
    assert rows(vault) == [("A.md", "Old.md", "judged", "stale")]
    assert counts(vault)["unjudged"] == 0
    edit(vault / "A.md", "[[Old]] and more")
    assert rows(vault) == []
    assert counts(vault)["unjudged"] == 1
    # A property is no part of what was judged.
    edit(vault / "A.md", "---\na: b\n---\n[[Old]]")
    assert rows(vault) == [("A.md", "Old.md", "judged", "stale")]


def test_a_judge_that_brought_a_cutoff_is_held_to_it(tmp_path: Path):
    vault = old_vault(tmp_path / "vault", {"Old.md": ENDED, "A.md": "[[Old]]"})
    import_lines(vault, {**verdict("A", "Old", 0.75), "judge": "ranker"}).ok()
    assert len(rows(vault)) == 1
    writing_context(vault).ledger.append([cutoff_event("ranker", "", 0.8, 0.5, 2)])
    assert rows(vault) == []


def test_a_proposal_counts_as_a_judges_word_until_it_is_decided(tmp_path: Path):
    vault = old_vault(tmp_path / "vault", {"Old.md": ENDED, "A.md": "[[Old]]", "B.md": "[[Old]]"})
    judged(vault, ("A", "Old"), ("B", "Old"))
    propose(vault).ok()
    assert [row[2] for row in rows(vault)] == ["judged", "judged"]
    run(vault, "review", "--accept", "A", "Old").ok()
    run(vault, "review", "--reject", "B", "Old").ok()
    assert rows(vault, "--all") == [("A.md", "Old.md", "confirmed", "stale")]
    assert counts(vault)["rejected"] == 1


def test_edges_know_where_they_are_from(tmp_path: Path):
    vault = old_vault(tmp_path / "vault", {"Old.md": ENDED, "A.md": "[[Old]]", "B.md": "[[Old]]"})
    import_lines(vault, {**verdict("A", "Old", 0.9), "judge": "j", "model": "m"}).ok()
    judged(vault, ("B", "Old", 0.8))
    run(vault, "review", "--accept", "A", "Old").ok()
    context = writing_context(vault)
    today = context.ledger.read().events[-1].at.date().isoformat()
    first, second = find_stale(context.reading, context.ledger).edges
    assert first[2:] == (
        "confirmed", ((3, "depends-on"), (5, "wikilink")), 0.9, "j", "m", today,
    )  # fmt: skip
    assert second[2:] == ("judged", ((1, "wikilink"),), 0.8, "imported", "", today)


def test_a_basis_that_changes_after_it_was_accepted_makes_a_suspect(tmp_path: Path):
    vault = old_vault(
        tmp_path / "vault", {"Plan.md": "Once.", "A.md": "[[Plan]]", "B.md": "[[A]]"}
    )
    run(vault, "review", "--accept", "A", "Plan").ok()
    run(vault, "review", "--accept", "B", "A").ok()
    assert rows(vault) == []
    edit(vault / "Plan.md", "---\ntags: x\n---\nOnce.")
    assert rows(vault) == []
    edit(vault / "Plan.md", "Twice.")
    assert rows(vault) == [
        ("A.md", "Plan.md", "confirmed", "suspect"),
        ("B.md", "A.md", "confirmed", "at-risk"),
    ]
    assert run(vault, "stale", "--check").calm().code == 1
    shown = run(vault, "stale").ok().out
    assert "Plan.md\n  confirmed    A.md" in shown
    assert "B.md → A.md → Plan.md" in shown


def test_a_folder_narrows_the_dependents(tmp_path: Path):
    needs = '---\ndepends-on: "[[Old]]"\n---\n'
    files = {"Old.md": ENDED, "Work/A.md": needs, "Workshop/B.md": needs, "C.md": needs}
    vault = old_vault(tmp_path / "vault", files)
    for folder in ("Work", "Work/", "/Work", "./Work"):
        assert [row[0] for row in rows(vault, "--folder", folder)] == ["Work/A.md"]
    assert counts(vault, "--folder", "Work")["notes"] == 1
    assert len(rows(vault, "--folder", ".")) == 3
    run(vault, "stale", "--folder", "Wor").fails(3, "no note lies below Wor")


def test_a_day_narrows_to_what_closed_or_changed_since(tmp_path: Path):
    needs = '---\ndepends-on: ["[[Old]]", "[[Older]]", "[[Undated]]", "[[Plan]]"]\n---\n'
    vault = old_vault(
        tmp_path / "vault",
        {
            "Old.md": ENDED,
            "Older.md": "---\nstatus: done\nresolved-on: 2025-01-01\n---\n",
            "Undated.md": "---\nstatus: done\n---\n",
            "Plan.md": "Once.",
            "A.md": needs,
            "On A.md": '---\ndepends-on: "[[A]]"\n---\n',
        },
    )
    every = rows(vault)
    assert [row[1] for row in every] == ["Old.md", "Older.md", "Undated.md", "A.md"]
    assert [row[1] for row in rows(vault, "--since", "2026-02-27")] == ["Old.md", "A.md"]
    assert rows(vault, "--since", "2026-02-28") == []
    assert counts(vault, "--since", "2025-06-01")["undated"] == 1
    assert "nobody knows on what day" in run(vault, "stale", "--since", "2026-02-27").ok().out
    run(vault, "stale", "--since", "yesterday").fails(2, "--since yesterday is no date")


def test_since_goes_by_the_files_day_where_a_basis_changed(tmp_path: Path):
    vault = old_vault(tmp_path / "vault", {"Plan.md": "Once.", "A.md": "[[Plan]]"})
    run(vault, "review", "--accept", "A", "Plan").ok()
    edit(vault / "Plan.md", "Twice.", age_of=10 * 86400)
    today = writing_context(vault).ledger.read().events[-1].at.date()
    assert rows(vault, "--since", str(today)) == []
    assert len(rows(vault, "--since", str(today.replace(year=today.year - 1)))) == 1


def test_check_and_csv_hold_what_is_listed(make_vault: Callable[..., Path]):
    vault = make_vault(
        {"Old.md": ENDED, "A.md": '---\ndepends-on: "[[Old]]"\n---\n', "B.md": "[[Old]]"}
    )
    assert run(vault, "stale", "--check").calm().code == 1
    (row,) = csv.DictReader(io.StringIO(run(vault, "stale", "--csv").ok().out))
    assert row == {
        "note": "A.md", "basis": "Old.md", "level": "confirmed", "state": "stale",
        "how": "ended", "sign": "status: done", "words": "We stay.", "on": "2026-02-27",
        "successor": "", "path": "A.md > Old.md", "probability": "", "sections": "",
        "line": "2", "kind": "depends-on",
    }  # fmt: skip
    write_file(vault / "A.md", '---\ndepends-on: "[[Old]]"\nreviewed: 2026-03-01\n---\n')
    run(vault, "stale", "--check").ok()
    run(vault, "stale", "--check", "--handled").ok()
    assert run(vault, "stale", "--check", "--all").calm().code == 1


def test_rings_are_told_of_and_listed(tmp_path: Path):
    needs = '---\ndepends-on: "[[{}]]"\n---\n'
    files = {"A.md": needs.format("B"), "B.md": "[[A]]", "C.md": needs.format("C")}
    vault = old_vault(tmp_path / "vault", files)
    assert "rest on each other" not in run(vault, "stale").ok().out
    assert "No live notes rest on each other." in run(vault, "stale", "--cycles").ok().out
    judged(vault, ("B", "A", 0.8))
    assert "1 ring of live notes that rest on each other: --cycles" in run(vault, "stale").ok().out
    shown = run(vault, "stale", "--cycles").ok().out
    assert shown.startswith("A.md → B.md → A.md\n  least sure: judged 0.80  B.md on A.md\n")
    assert run(vault, "stale", "--json").ok().json["cycles"] == [
        {
            "notes": ["A.md", "B.md"],
            "weakest": {
                "dependent": "B.md",
                "basis": "A.md",
                "level": "judged",
                "probability": 0.8,
            },
        }
    ]


@pytest.mark.parametrize("level", ["depends-on", "pointer"])
def test_private_notes_take_no_part_and_are_counted(make_vault: Callable[..., Path], level: str):
    text = "[[Old]]" if level == "pointer" else '---\ndepends-on: "[[Old]]"\n---\n'
    vault = make_vault({"Old.md": ENDED, "Secret.md": f"{text}\n", "A.md": "x"})
    write_file(vault / ".vaultgraph" / "config.toml", '[scope]\nprivate = ["Secret.md"]\n')
    document = run(vault, "stale", "--all", "--json").ok().json
    assert document["findings"] == []
    assert document["counts"]["private"] == 1
    assert "1 with a private note" in run(vault, "stale").ok().out


def test_a_broken_ledger_is_told_of_and_stops_nothing(tmp_path: Path):
    vault = old_vault(tmp_path / "vault", {"Old.md": ENDED, "A.md": "[[Old]]"})
    judged(vault, ("A", "Old"))
    (path,) = (vault / ".vaultgraph" / "ledger").glob("*.jsonl")
    path.write_bytes(path.read_bytes() + b"what is this\n")
    document = run(vault, "stale", "--json").ok().json
    assert len(document["findings"]) == 1
    assert [problem["code"] for problem in document["problems"]] == ["ledger-line"]


def test_every_live_note_that_links_to_a_closed_one_is_found_among_1417(tmp_path: Path):
    """A public report, told again: 13 notes closed, 11 of them still linked from 28 live notes."""
    files = {f"Topics/Topic {n:04}.md": f"See [[Topic {(n + 7) % 1376:04}]]." for n in range(1376)}
    closed = [f"Proposal {n:02}" for n in range(13)]
    files |= {f"Proposals/{name}.md": "---\nstatus: rejected\n---\n" for name in closed}
    # Each of 28 notes links to one or two of the first eleven; the last two nobody links to.
    told = set()
    for n in range(28):
        linked = [closed[n % 11]] + ([closed[(n + 5) % 11]] if n % 3 == 0 else [])
        note = f"Decisions/Decision {n:02}.md"
        files[note] = "As of " + " and ".join(f"[[{name}|it]]" for name in linked) + "."
        told |= {(note, f"Proposals/{name}.md") for name in linked}
    assert len(files) == 1417
    document = run(old_vault(tmp_path / "vault", files), "stale", "--all", "--json").ok().json
    found = document["findings"]
    assert {(row["note"], row["basis"]) for row in found} == told
    assert (document["counts"]["notes"], document["counts"]["bases"]) == (28, 11)
