"""What ``docs/json.md`` shows of review and obsidian has the very keys that the program prints."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.cli import run
from tests.kit.reviewing import log, log_line, waiting_vault
from tests.kit.vaults import REPOSITORY, write_file
from tests.kit.writing import edit

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENT = (REPOSITORY / "docs" / "json.md").read_text("utf-8")
FILES = {
    **{f"Plan {n}.md": f"Number {n} waits for the [[Session Cache]].\n" for n in range(6)},
    "Session Cache.md": "Keeps sessions.\n",
}
PAIRS = tuple((f"Plan {n}.md", "Session Cache.md", 0.75 + n / 40) for n in range(6))


def examples(command: str) -> list[Any]:
    """Return the examples below the heading of a command."""
    section = DOCUMENT.split(f"\n## `{command}", 1)[1].split("\n## ", 1)[0]
    return [json.loads(text) for text in re.findall(r"```json\n(.*?)```", section, re.DOTALL)]


def shape(value: Any) -> Any:
    """Return the keys of a document; of a list, those of its first row."""
    if isinstance(value, dict):
        return {key: shape(part) for key, part in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [shape(value[0])]
    return None


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return waiting_vault(tmp_path / "vault", FILES, *PAIRS)


def test_the_queue_and_a_decision(vault: Path):
    queue, decision = examples("review --json")
    assert shape(run(vault, "review", "--json").ok().json) == shape(queue)
    accepted = run(vault, "review", "--accept", *PAIRS[0][:2], "--json").ok().json
    assert shape(accepted) == shape(decision)
    assert {key: accepted[key] for key in ("decision", "was", "written")} == {
        key: decision[key] for key in ("decision", "was", "written")
    }


def test_the_status(vault: Path):
    (documented,) = examples("review --status --json")
    edit(vault / "Plan 0.md", FILES["Plan 0.md"])
    log(
        vault,
        "obsidian-1",
        *(
            log_line(*pair[:2], "accepted", f"2026-11-30T10:0{n}:00Z", seconds=9.0 - n)
            for n, pair in enumerate(PAIRS[1:5])
        ),
    )
    for pair in PAIRS[1:5]:
        text = (vault / pair[0]).read_text("utf-8")
        edit(vault / pair[0], text.replace("depends-on-proposed", "depends-on"))
    status = run(vault, "review", "--status", "--json").ok().json
    assert shape(status) == shape(documented)
    assert status["vanished_pairs"] == [{"dependent": "Plan 0.md", "basis": "Session Cache.md"}]
    (sitting,) = status["sittings"]
    assert (sitting["decisions"], sitting["median_seconds"], sitting["checks"]) == (4, 7.5, 0)
    assert sitting["began"] == "2026-11-30T10:00:00+00:00"


def test_the_documented_numbers_add_up():
    (documented,) = examples("review --status --json")
    fates = ("accepted", "rejected", "waiting", "vanished", "reset", "unclear")
    assert sum(documented[fate] for fate in fates) == documented["proposed"]
    for table in ("by_judge", "by_score"):
        for fate in fates:
            assert sum(row[fate] for row in documented[table]) == documented[fate]


def test_obsidian(tmp_path: Path):
    (documented,) = examples("obsidian status --json")
    vault = tmp_path / "vault"
    write_file(vault / ".obsidian" / "app.json", "{}")
    write_file(vault / "Note.md", "x\n")
    before = run(vault, "obsidian", "status", "--json").ok().json
    given = ("--scripts", "Scripts", "--templates", "Templates")
    document = run(vault, "obsidian", "install", *given, "--json").ok().json
    assert shape(before) == shape(document) == shape(documented)
    assert document["files"][0] == documented["files"][0]


def test_closing_and_acknowledging(vault: Path):
    closed, acknowledged = examples("resolve --json")
    run(vault, "review", "--accept", *PAIRS[0][:2]).ok()
    document = run(vault, "resolve", "Session Cache", "--to", "Gone", "--yes", "--json").ok().json
    assert shape({**document, "becomes": []}) == shape(closed)
    assert [row["note"] for row in document["becomes"]] == [f"Plan {n}.md" for n in range(6)]
    document = run(vault, "ack", "Plan 0", "--yes", "--json").ok().json
    assert shape(document) == shape(acknowledged)
