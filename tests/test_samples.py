"""The sample vault, held to what a careful reader found in it by hand (``samples/truth.json``)."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.cli import run
from tests.kit.vaults import REPOSITORY, SAMPLE_VAULT, file_bytes, tree

if TYPE_CHECKING:
    from pathlib import Path

TRUTH: dict[str, Any] = json.loads((REPOSITORY / "samples" / "truth.json").read_text("utf-8"))


def rows(table: list[dict[str, Any]], *keys: str) -> list[tuple[str, ...]]:
    return sorted({tuple(row[key] for key in keys) for row in table})


def pairs_of(rows_of_truth: list[list[str]]) -> list[tuple[str, ...]]:
    return sorted(map(tuple, rows_of_truth))


@pytest.fixture(scope="module")
def scan() -> dict[str, Any]:
    return run(SAMPLE_VAULT, "scan", "--json", "--no-cache").ok().json  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def stale() -> dict[str, Any]:
    return run(SAMPLE_VAULT, "stale", "--all", "--json", "--no-cache").ok().json  # type: ignore[no-any-return]


def test_notes_found_read_and_skipped(scan: dict[str, Any]):
    counts = scan["counts"]
    assert counts["found"] == TRUTH["notes"]["found"]
    assert counts["skipped"] == len(TRUTH["notes"]["skipped"])
    assert counts["read"] + counts["skipped"] == counts["found"]
    assert {row["path"] for row in scan["skipped"]} == set(TRUTH["notes"]["skipped"])
    for row in scan["skipped"]:
        told = TRUTH["notes"]["skipped"][row["path"]]
        assert any(word in told for word in row["reason"].split())
    assert len(scan["notes"]) == counts["read"] - len(TRUTH["private"])


def test_links(scan: dict[str, Any]):
    assert rows(scan["links"], "note", "to") == pairs_of(TRUTH["links"])


def test_unresolved(scan: dict[str, Any]):
    assert rows(scan["unresolved"], "note", "target") == pairs_of(TRUTH["unresolved"])


def test_mentions(scan: dict[str, Any]):
    assert rows(scan["mentions"], "note", "of") == pairs_of(TRUTH["mentions"])


def test_pairs(scan: dict[str, Any]):
    assert [[pair["first"], pair["second"]] for pair in scan["pairs"]] == TRUTH["pairs"]
    assert scan["counts"]["pairs"] == len(TRUTH["pairs"])
    able = len(scan["notes"]) - len(TRUTH["records"])
    assert scan["counts"]["pairs_possible"] == able * (able - 1) // 2


def test_every_piece_of_evidence_stands_in_the_line_it_names(scan: dict[str, Any]):
    for pair in scan["pairs"]:
        assert pair["evidence"]
        for row in pair["evidence"]:
            text = (SAMPLE_VAULT / row["note"]).read_text("utf-8").split("\n")
            line = " ".join(" ".join(text[row["line"] - 1 : row["line"] + 1]).split())
            if row["kind"] == "mention":
                shown = unicodedata.normalize("NFC", line).casefold()
                assert unicodedata.normalize("NFC", row["name"]).casefold() in shown
            else:
                assert "[[" in line or "](" in line
            assert {row["note"], row["of"]} == {pair["first"], pair["second"]}


def test_closed_notes(stale: dict[str, Any], scan: dict[str, Any]):
    assert scan["counts"]["closed"] == len(TRUTH["closed"])
    by = {"archived": "archived: true", "folder": "in Archive/"}
    for finding in stale["findings"]:
        told = TRUTH["closed"][finding["basis"]]
        closed = finding["closed"]
        assert closed["how"] == told["how"]
        assert closed["successor"] == told["successor"]
        assert closed["sign"].startswith(by.get(told["by"], told["by"]))
    # In this vault some live note points at each of them.
    assert {finding["basis"] for finding in stale["findings"]} == set(TRUTH["closed"])


def test_live_notes_pointing_at_closed_ones(stale: dict[str, Any], scan: dict[str, Any]):
    told = [(row["note"], row["basis"]) for row in TRUTH["live_pointing_at_closed"]]
    assert rows(stale["findings"], "note", "basis") == sorted(told)
    live = {note for note, _ in told}
    assert scan["counts"]["live_pointing_at_closed"] == len(live) == 13
    assert scan["counts"]["closed_pointed_at"] == len({basis for _, basis in told})
    real = {row["note"] for row in TRUTH["live_pointing_at_closed"] if row["real"]}
    assert len(real) == 7


def test_the_declared_one_is_confirmed(stale: dict[str, Any]):
    confirmed = [[f["note"], f["basis"]] for f in stale["findings"] if f["level"] == "confirmed"]
    declared = TRUTH["declared"]["depends-on"]
    assert confirmed == [pair for pair in declared if pair[1] in TRUTH["closed"]]
    assert {finding["state"] for finding in stale["findings"]} == {"stale"}


def test_records(scan: dict[str, Any], stale: dict[str, Any]):
    records = set(TRUTH["records"])
    assert scan["counts"]["records"] == len(records)
    assert records <= set(scan["notes"])
    assert not records & {end for pair in scan["pairs"] for end in (pair["first"], pair["second"])}
    assert not records & {finding["note"] for finding in stale["findings"]}
    assert records & {row["note"] for row in scan["links"]}


def test_the_noisiest_name(scan: dict[str, Any]):
    first = scan["names"][0]
    assert first["name"] == "Next Steps"
    # Eight notes use the phrase, and nothing else joins them to the note.
    mentioning = {row["note"] for row in scan["mentions"] if row["of"] == "Next Steps.md"}
    assert first["pairs"] == first["alone"] == len(mentioning) == 8


def test_problems(scan: dict[str, Any]):
    assert [(row["path"], row["code"]) for row in scan["problems"]] == [
        ("House/Boiler Service.md", "bad-yaml"),
        ("House/Paint Colours.md", "near-miss-frontmatter"),
    ]


def test_csv_holds_the_pairs():
    found = list(
        csv.DictReader(io.StringIO(run(SAMPLE_VAULT, "scan", "--csv", "--no-cache").ok().out))
    )
    assert sorted({(row["first"], row["second"]) for row in found}) == pairs_of(TRUTH["pairs"])
    ran = run(SAMPLE_VAULT, "stale", "--all", "--csv", "--no-cache").ok()
    found = list(csv.DictReader(io.StringIO(ran.out)))
    told = {(row["note"], row["basis"]) for row in TRUTH["live_pointing_at_closed"]}
    assert {(row["note"], row["basis"]) for row in found} == told


@pytest.mark.parametrize("pair", TRUTH["pairs"][::7], ids=" and ".join)
def test_why_shows_evidence_for_every_pair(pair: list[str]):
    document = run(SAMPLE_VAULT, "why", *reversed(pair), "--json", "--no-cache").ok().json
    assert (document["first"], document["second"]) == tuple(pair)
    assert document["pair"]
    assert document["evidence"]


def test_why_tells_that_no_filter_finds_the_hidden_dependency():
    found = run(SAMPLE_VAULT, "why", "Furniture to Sell", "Relocation Plan", "--no-cache").ok()
    assert "no pair" in found.out


COMMANDS = [
    ("scan",),
    ("scan", "--pairs"),
    ("scan", "--json"),
    ("scan", "--csv"),
    ("stale",),
    ("stale", "--all", "--handled"),
    ("stale", "--all", "--json"),
    ("stale", "--all", "--csv"),
    ("stale", "--cycles"),
    ("show", "Budget 2026"),
    ("show", "Home", "--json"),
    ("doctor",),
    ("doctor", "--all"),
    ("doctor", "--json"),
    ("init", "--print"),
    ("why", "Home", "Relocation Plan"),
    ("why", "Home", "Budget 2026"),
    ("why", "Home", "Budget 2026", "--json"),
    ("why", "Job Search Plan", "Home", "--json"),
    ("why", "Job Search Plan", "Seed Order"),
    ("why", "Money/Budget 2026", "Cost of Living"),
    ("why", "no such note", "Home"),
    ("why", "Pain", "Home"),
]


def private_words() -> list[str]:
    """Return the names of the private notes, and what stands in them and nowhere else."""
    words: list[str] = []
    others = "\n".join(
        path.read_text("utf-8")
        for path in SAMPLE_VAULT.rglob("*.md")
        if path.relative_to(SAMPLE_VAULT).as_posix() not in TRUTH["private"]
    )
    for note in TRUTH["private"]:
        path = SAMPLE_VAULT / note
        words += [path.stem, note]
        for line in path.read_text("utf-8").split("\n"):
            text = line.strip(" -#>")
            if len(text) > 12 and text not in others and not text.lower().startswith("private:"):
                words.append(text)
    return words


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_private_notes_stand_in_no_output(command: tuple[str, ...]):
    ran = run(SAMPLE_VAULT, *command).calm()
    shown = ran.out + ran.err
    assert len(private_words()) > 6
    for word in private_words():
        assert word.casefold() not in shown.casefold()


def test_private_notes_stand_in_nothing_that_is_written(sample_vault: Path):
    (sample_vault / ".vaultgraph" / "config.toml").unlink()
    # Without the glob, the note that is private only by its folder is not; so leave it out here.
    (sample_vault / "Private" / "Salary Talks.md").unlink()
    run(sample_vault, "init").ok()
    run(sample_vault, "scan", "--pairs").ok()
    written = b"".join(file_bytes(sample_vault / ".vaultgraph").values()).decode()
    for word in private_words():
        if "Salary" not in word:
            assert word.casefold() not in written.casefold()


def test_the_counts_that_may_be_told_are_told(scan: dict[str, Any], stale: dict[str, Any]):
    assert scan["counts"]["private"] == len(TRUTH["private"])
    assert stale["counts"]["private"] == 0


def test_reading_commands_leave_the_sample_as_it_is(sample_vault: Path):
    before = tree(sample_vault)
    for command in COMMANDS:
        run(sample_vault, *command)
    assert tree(sample_vault) == before
