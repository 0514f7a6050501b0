"""A survey as columns, and as plain values that can be stored."""

from __future__ import annotations

import marshal
from typing import TYPE_CHECKING

from tests.kit.surveys import survey
from tests.kit.vaults import SAMPLE_VAULT
from vaultgraph.domain.survey import Columns, Survey

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_columns_keep_rows_in_order():
    assert len(Columns.of([])) == 0
    rows = Columns.of([1, 2, 3, 4, 0, 0, 2**32 - 1, 7])
    assert list(rows) == [(1, 2, 3, 4), (0, 0, 2**32 - 1, 7)]
    assert len(rows) == 2
    assert Columns.from_plain(rows.to_plain()) == rows
    assert rows != Columns()


def test_rows_of_some_notes_are_replaced():
    rows = Columns.of([0, 1, 1, 0, 2, 1, 1, 0, 2, 2, 2, 0, 5, 1, 1, 0])
    new = Columns.of([1, 9, 9, 9, 2, 8, 8, 8, 7, 7, 7, 7])
    assert list(rows.with_rows_of([1, 2, 5, 7], new)) == [
        (0, 1, 1, 0),
        (1, 9, 9, 9),
        (2, 8, 8, 8),
        (7, 7, 7, 7),
    ]
    assert rows.with_rows_of([], Columns()) == rows
    assert list(rows.with_rows_of([0], Columns())) == list(rows)[1:]
    assert rows.with_rows_of(range(8), rows) == rows


def test_a_survey_survives_being_stored(make_vault: Callable[..., Path]):
    for vault in (
        SAMPLE_VAULT,
        make_vault({}),
        make_vault({"a.md": "[[b]]", "b.md": "\ud7ff"}, "x"),
    ):
        made = survey(vault)
        stored = marshal.loads(marshal.dumps(made.to_plain(), 2))
        assert Survey.from_plain(stored) == made


def test_what_may_pair_and_what_may_be_named(make_vault: Callable[..., Path]):
    made = survey(
        make_vault(
            {
                "2024-05-01.md": "",
                "Open.md": "",
                "Report.md": "---\nvaultgraph-report: true\n---\n",
                "Secret.md": "---\nprivate: true\n---\n",
                "Torn.md": b"\xff",
            }
        )
    )
    numbers = {note: number for number, note in enumerate(made.notes)}
    assert [note for note in made.notes if made.can_pair(numbers[note])] == ["Open.md"]
    assert [note for note in made.notes if made.is_private(numbers[note])] == ["Secret.md"]
    assert [note for note in made.notes if made.is_record(numbers[note])] == ["2024-05-01.md"]
