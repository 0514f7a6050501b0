"""When a note is closed, how, and by which sign."""

from __future__ import annotations

import pytest

from vaultgraph.domain.notes import Closing, NoteFacts, NoteId
from vaultgraph.domain.settings import CLOSED_VALUES, Settings, StatusSettings
from vaultgraph.vault.closing import closing_rule, status_word

NOTES = {"New Plan": NoteId("New Plan.md"), "Other": NoteId("x/Other.md")}


def close(
    facts: NoteFacts, *, in_archive: bool = False, settings: Settings | None = None
) -> Closing | None:
    decide = closing_rule(settings or Settings(), lambda target, _note: NOTES.get(target))
    return decide(NoteId("Folder/Old Plan.md"), facts, in_archive)


def status(*values: str) -> NoteFacts:
    return NoteFacts(statuses=tuple(("status", value) for value in values))


@pytest.mark.parametrize("value", CLOSED_VALUES)
def test_every_value_of_the_list_closes(value: str):
    assert close(status(value)) is not None


@pytest.mark.parametrize(
    "value",
    ["Done", "DONE", "✅ done", "done!", "[[Done]]", "[[done|finished]]", "won't do", "Won't-Do",
     "wont_do", "won\u2019t do", "WON\u2019T FIX", "no-longer", "not_planned", " Cancelled ",
     "[[Statuses/Done]]", "#done"],
)  # fmt: skip
def test_in_several_spellings(value: str):
    assert close(status(value)) is not None


@pytest.mark.parametrize(
    "value", ["active", "in progress", "parked", "draft", "undone", "not done", "done soon", "",
              "to be closed", "almost finished", "waiting", "open", "1", "true"],
)  # fmt: skip
def test_other_values_do_not(value: str):
    assert close(status(value)) is None


def test_one_of_several_values_is_enough():
    assert close(status("active", "done")) is not None


@pytest.mark.parametrize(
    ("facts", "in_archive", "how", "sign"),
    [
        (status("done"), False, "ended", "status: done"),
        (status("Superseded"), False, "superseded", "status: Superseded"),
        (status("obsolete"), False, "superseded", "status: obsolete"),
        (NoteFacts(resolved_to="moved on"), False, "ended", "resolved-to"),
        (NoteFacts(superseded_by=("[[New Plan]]",)), False, "superseded", "superseded-by"),
        (NoteFacts(archived=True), False, "ended", "archived: true"),
        (NoteFacts(), True, "ended", "in Folder/"),
        (NoteFacts(), False, None, None),
    ],
)
def test_each_sign(facts: NoteFacts, in_archive: bool, how: str | None, sign: str | None):
    closing = close(facts, in_archive=in_archive)
    assert (closing and closing.how) == how
    assert (closing and closing.sign) == sign


def test_the_first_sign_speaks_and_the_others_are_kept():
    facts = NoteFacts(
        statuses=(("status", "done"),),
        resolved_to="It became the new plan.",
        resolved_on="2026-02-01",
        superseded_by=("[[New Plan]]", "[[Nowhere]]", "Other"),
        archived=True,
    )
    closing = close(facts, in_archive=True)
    assert closing == Closing(
        how="superseded",
        sign="status: done",
        words="It became the new plan.",
        on="2026-02-01",
        successors=(NoteId("New Plan.md"), NoteId("x/Other.md")),
    )


def test_the_owners_own_values_replace_the_list():
    settings = Settings(status=StatusSettings(closed=("Over & Out",), superseded=("moved",)))
    assert close(status("over out"), settings=settings) is not None
    moved = close(status("moved"), settings=settings)
    assert moved is not None
    assert moved.how == "superseded"
    assert close(status("done"), settings=settings) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Won't-Do", "wont do"),
        ("won\u2019t do", "won't do"),
        ("✅ done", "DONE"),
        ("in_progress", "In Progress"),
    ],
)
def test_words_that_are_one(one: str, other: str):
    assert status_word(one) == status_word(other)
