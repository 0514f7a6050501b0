"""Every row of the shared table, exact to the character, and what a table cannot say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from vaultgraph.domain.notes import NoteId
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
