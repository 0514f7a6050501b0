"""Every row of the shared table, exact to the character, and what a table cannot say.

The table is held against the script that runs inside Obsidian as well. A row has ``text``;
``edits``, in order: ``add``, ``remove``, ``move``, ``set``, ``remove-key``; ``links``, which says
what a link's path, in lower case, reaches; perhaps ``drop_empty_block``; and one outcome:
``becomes`` (with ``creates_block`` where the block is new), ``unchanged`` or ``refused``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from vaultgraph.domain.notes import NoteId
from vaultgraph.text import yaml_block
from vaultgraph.text.edits import (
    AddEntry,
    Edit,
    EditRefused,
    MoveEntry,
    RemoveEntry,
    RemoveKey,
    SetScalar,
)
from vaultgraph.text.entry_edit import apply_edits

TABLE = Path(__file__).parents[2] / "data" / "edit_cases.json"
ROWS: list[dict[str, Any]] = json.loads(TABLE.read_text(encoding="utf-8"))


def edit_of(row: dict[str, str]) -> Edit:
    match row:
        case {"op": "add", "key": key, "target": target, "note": note}:
            return AddEntry(key, target, NoteId(note))
        case {"op": "remove", "key": key, "note": note}:
            return RemoveEntry(key, NoteId(note))
        case {"op": "move", "from": from_key, "to": to_key, "note": note, "target": target}:
            return MoveEntry(from_key, to_key, NoteId(note), target)
        case {"op": "set", "key": key, "value": value}:
            return SetScalar(key, value)
        case {"op": "remove-key", "key": key}:
            return RemoveKey(key)
        case _:
            raise AssertionError(row)


def rows_with(outcome: str) -> list[Any]:
    return [pytest.param(row, id=row["name"]) for row in ROWS if outcome in row]


def run(row: dict[str, Any]) -> tuple[str, bool]:
    links: dict[str, str] = row["links"]
    edited = apply_edits(
        row["text"],
        [edit_of(edit) for edit in row["edits"]],
        lambda target: links.get(target.lower()),
        drop_empty_block=row.get("drop_empty_block", False),
    )
    return edited.text, edited.created_block


@pytest.mark.parametrize("row", rows_with("becomes"))
def test_becomes(row):
    assert row["becomes"] != row["text"]
    assert run(row) == (row["becomes"], row.get("creates_block", False))


@pytest.mark.parametrize("row", rows_with("unchanged"))
def test_unchanged(row):
    assert run(row) == (row["text"], False)


@pytest.mark.parametrize("row", rows_with("refused"))
def test_refused(row):
    with pytest.raises(EditRefused) as refused:
        run(row)
    assert refused.value.code == row["refused"]
    assert refused.value.line <= row["text"].count("\n") + 1


@pytest.mark.parametrize("row", [pytest.param(row, id=row["name"]) for row in ROWS])
def test_the_pure_loader_agrees(row, monkeypatch):
    """Without libyaml the outcome is the same; only tabs are refused in more places."""
    pure = type("PurePlainLoader", (yaml.SafeLoader,), {"yaml_implicit_resolvers": {}})
    monkeypatch.setattr(yaml_block, "_PlainLoader", pure)
    if "refused" in row:
        with pytest.raises(EditRefused) as refused:
            run(row)
        assert refused.value.code == row["refused"]
    else:
        assert run(row)[0] == row.get("becomes", row["text"])


def test_the_table_has_more_cases_of_leaving_alone():
    assert 2 * len(rows_with("becomes")) < len(ROWS)
    assert len({row["name"] for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize(
    "edits", [[SetScalar("k", "x"), RemoveKey("K")], [RemoveKey("k"), SetScalar("k", "x")]]
)
def test_one_key_is_a_list_or_a_text(edits):
    with pytest.raises(ValueError, match="both as a list and as a text"):
        apply_edits("---\nk: y\n---\n", edits, lambda _: None)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("refuse-blank-line-first", 1),
        ("refuse-closing-fence-with-blank", 3),
        ("refuse-only-closing-fence-has-blank", 3),
        ("refuse-dots-in-block", 3),
        ("refuse-templater-command", 2),
        ("refuse-star", 2),
        ("refuse-tab-indent", 3),
        ("refuse-key-twice", 3),
        ("refuse-key-twice-within", 2),
        ("refuse-null-instead-of-properties", 2),
        ("refuse-json", 2),
        ("refuse-key-in-two-cases", 4),
        ("refuse-explicit-key-of-another", 2),
        ("refuse-key-that-is-no-text", 2),
        ("refuse-anchor-on-block", 2),
        ("refuse-anchor-on-entry", 3),
        ("refuse-unquoted-link-in-list", 4),
        ("refuse-objects", 3),
        ("refuse-mapping", 2),
        ("refuse-entry-over-lines", 3),
        ("refuse-comment-in-flow-list", 3),
        ("refuse-remove-last-comment-on-key", 2),
        ("refuse-remove-comment-between-key-and-value", 3),
        ("refuse-remove-entry-under-its-dash", 4),
        ("refuse-text-below-tight-comment", 3),
        ("refuse-name-with-hash", 0),
        ("refuse-value-with-newline", 0),
    ],
)
def test_the_line_of_a_refusal(name, line):
    with pytest.raises(EditRefused) as refused:
        run(next(row for row in ROWS if row["name"] == name))
    assert refused.value.line == line


def test_a_refusal_names_line_shape_and_remedy():
    text = "---\nstatus: x\ndepends-on:\n  - [[B]]\n---\n"
    with pytest.raises(EditRefused) as refused:
        apply_edits(text, [RemoveEntry("depends-on", NoteId("A.md"))], lambda _: None)
    assert refused.value.line == 4
    assert "`depends-on`" in refused.value.text
    assert '"[[Note]]"' in refused.value.text


def test_a_neighbour_that_would_change_is_named():
    text = '---\nnote: |\n  text\nk:\n  # c\n  - "[[A]]"\n---\n'
    with pytest.raises(EditRefused, match="`note` would read otherwise"):
        apply_edits(text, [RemoveEntry("k", NoteId("A.md"))], lambda _: "A.md")


def test_a_megabyte_of_frontmatter_is_edited():
    block = "".join(f'key{number}: "[[Note {number}]]"\n' for number in range(40_000))
    listed = 'k:\n  - "[[A]]"\n' + "".join(f'  - "[[Note {n}]]"\n' for n in range(10_000))
    text = f"---\n{block}{listed}---\nBody.\n"
    edited = apply_edits(
        text,
        [
            RemoveEntry("k", NoteId("a.md")),
            *(AddEntry("k", f"B{n}", NoteId(f"b{n}.md")) for n in range(20)),
        ],
        lambda target: f"{target.lower()}.md",
    )
    added = "".join(f'  - "[[B{number}]]"\n' for number in range(20))
    assert edited.text == text.replace('  - "[[A]]"\n', "").replace(
        "---\nBody", f"{added}---\nBody"
    )
