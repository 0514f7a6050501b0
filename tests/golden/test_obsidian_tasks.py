"""Held against what the real app recorded: links, where they lead, and frontmatter values.

``golden.json`` holds notes of the repository that its ``source`` names, and for each the cache
Obsidian itself made of it; its ``resolvedLinks`` covers the whole vault, notes of unknown text
included.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.kit.cli import run
from tests.kit.vaults import write_file
from vaultgraph.domain.settings import Settings
from vaultgraph.vault.note import NoteReader
from vaultgraph.vault.properties import obsidian_handler
from vaultgraph.vault.resolve import LinkIndex

GOLDEN = json.loads(
    Path(__file__).with_name("obsidian_tasks").joinpath("golden.json").read_text("utf-8")
)
NOTES: list[dict[str, Any]] = GOLDEN["notes"]
KNOWN = {note["path"] for note in NOTES}
BY_PATH = pytest.mark.parametrize("note", NOTES, ids=lambda note: Path(note["path"]).stem)


def _path_part(link: str) -> str:
    return link.partition("#")[0]


def test_all_that_was_recorded_is_here():
    assert len(NOTES) == 89
    assert sum(len(note["resolveLinkToPath"]) for note in NOTES) == 60
    recorded = Counter(
        kind
        for note in NOTES
        for kind in ("links", "embeds", "frontmatterLinks")
        for _ in note[kind]
    )
    assert recorded == {"links": 68, "embeds": 3, "frontmatterLinks": 10}


@BY_PATH
def test_the_links_the_app_recorded_and_no_others(note: dict[str, Any]):
    facts = NoteReader(Settings()).read(note["text"].encode()).facts
    in_body = [(path, line) for path, line, kind in facts.links if ":" not in kind]
    recorded = [(_path_part(link), line) for link, line in note["links"] + note["embeds"]]
    # A link to a heading of its own note has no path, and is none of ours.
    assert Counter(in_body) == Counter(row for row in recorded if row[0])
    embeds = [(path, line) for path, line, kind in facts.links if kind == "embed"]
    assert Counter(embeds) == Counter((_path_part(link), line) for link, line in note["embeds"])


@BY_PATH
def test_the_links_in_properties_the_app_recorded_and_no_others(note: dict[str, Any]):
    facts = NoteReader(Settings()).read(note["text"].encode()).facts
    found = [(path, kind) for path, _, kind in facts.links if ":" in kind]
    recorded = [
        # An item's key is the property's with its number; ours is the property's.
        (_path_part(link), f"property:{key.partition('.')[0]}")
        for link, key, _ in note["frontmatterLinks"]
    ]
    assert Counter(found) == Counter(row for row in recorded if row[0])
    lines = note["text"].split("\n")
    where = defaultdict(list)
    for path, line, kind in facts.links:
        where[path, kind].append(lines[line - 1])
    for link, key, original in note["frontmatterLinks"]:
        kind, path = f"property:{key.partition('.')[0]}", _path_part(link)
        assert not path or any(original in line for line in where[path, kind])


@BY_PATH
def test_frontmatter_has_the_values_the_app_read(note: dict[str, Any]):
    handler = obsidian_handler()
    block, body = handler.split(note["text"])
    values = handler.load(block)
    # The app keeps no value for an empty block.
    assert values == (note["frontmatter"] or {})
    assert json.dumps(values, sort_keys=True) == json.dumps(
        note["frontmatter"] or {}, sort_keys=True
    )
    assert note["text"].endswith(body)


RESOLUTIONS = [
    (note["path"], link, path)
    for note in NOTES
    for link, path in sorted(note["resolveLinkToPath"].items())
]


@pytest.mark.parametrize(("source", "link", "path"), RESOLUTIONS)
def test_a_link_reaches_what_it_reached_in_the_app(source: str, link: str, path: str | None):
    index = LinkIndex(sorted({*KNOWN, *GOLDEN["files"]}))
    target = _path_part(link)
    assert (index.resolve(target, source) if target else source) == path


@pytest.fixture
def golden_vault(tmp_path: Path) -> Path:
    """Return the recorded vault: known notes with their text, every other file empty."""
    vault = tmp_path / "vault"
    for path in GOLDEN["files"]:
        write_file(vault / path, "")
    for note in NOTES:
        write_file(vault / note["path"], note["text"])
    return vault


def test_doctor_sees_no_difference_from_the_app(golden_vault: Path, tmp_path: Path):
    table = tmp_path / "resolved.json"
    table.write_text(json.dumps(GOLDEN["resolvedLinks"]), "utf-8")
    found = run(golden_vault, "doctor", "--compare", table, "--json").ok().json["differences"]
    assert [row for row in found if row["note"] in KNOWN] == []
    # Of the notes whose text is unknown here, every link is missing, and is listed.
    listed = {(row["note"], row["to"]): (row["ours"], row["theirs"]) for row in found}
    assert listed == {
        (note, to): (0, count)
        for note, targets in GOLDEN["resolvedLinks"].items()
        for to, count in targets.items()
        if note not in KNOWN and note.endswith(".md") and to != note
    }


def test_what_reaches_nothing_reached_nothing_in_the_app(golden_vault: Path):
    found = run(golden_vault, "scan", "--json").ok().json["unresolved"]
    ours = Counter((row["note"], row["target"]) for row in found)
    theirs = Counter(
        {
            (note, target): count
            for note, targets in GOLDEN["unresolvedLinks"].items()
            for target, count in targets.items()
        }
    )
    assert ours == theirs
