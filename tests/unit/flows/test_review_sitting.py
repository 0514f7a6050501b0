"""A sitting without its screen: real notes, the real writer and ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import run
from tests.kit.reviewing import brief, decided, sit, waiting_vault
from tests.kit.writing import edit, notes_bytes
from vaultgraph.flows.review import ReviewOptions

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "Plan.md": "\ufeff---\r\nzip: 007 # keep\r\n---\r\nWaits for the Session Cache.\r\nMore.\r\n",
    "Session Cache.md": "Keeps sessions for the Token Store.\n",
    "Token Store.md": "Tokens.\n",
}
PAIRS = (
    ("Plan.md", "Session Cache.md", 0.9),
    ("Plan.md", "Token Store.md", 0.8),
    ("Session Cache.md", "Token Store.md", 0.75),
)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return waiting_vault(tmp_path / "vault", FILES, *PAIRS)


def test_each_decision_is_on_disk_at_once_and_undo_gives_back_the_bytes(vault: Path):
    states = [notes_bytes(vault)]
    sitting = sit(vault)
    for decision in ("accepted", "rejected", "accepted"):
        assert sitting.view() is not None
        assert sitting.decide(decision).kind == "done"
        states.append(notes_bytes(vault))
    assert sitting.view() is None
    assert b"zip: 007 # keep\r\n" in states[-1]["Plan.md"]
    for state in reversed(states[:-1]):
        outcome = sitting.undo()
        assert outcome is not None
        assert outcome.kind == "done"
        assert notes_bytes(vault) == state
    assert sitting.undo() is None
    assert [row[2] for row in brief(vault)] == ["accepted", "rejected", "accepted"] + [
        "undone"
    ] * 3
    first = decided(vault)[0]
    assert (first["probability"], first["judge"]) == (0.9, "imported")
    assert first["seconds"] >= 0
    assert first["run"]


def test_vaultgraph_undo_covers_a_decision(vault: Path):
    before = notes_bytes(vault)
    sitting = sit(vault)
    sitting.view()
    sitting.decide("rejected")
    run(vault, "undo", "--yes").ok()
    assert notes_bytes(vault) == before


def test_an_undo_leaves_what_was_edited_since_and_moves_the_entry(vault: Path):
    sitting = sit(vault)
    sitting.view()
    sitting.decide("accepted")
    path = vault / "Plan.md"
    edit(path, path.read_bytes().replace(b"More.", b"More, and more."))
    outcome = sitting.undo()
    assert outcome is not None
    assert outcome.kind == "done"
    assert b"More, and more." in path.read_bytes()
    assert b"depends-on:" not in path.read_bytes()
    view = sitting.view()
    assert view is not None
    assert (view.number, view.item.basis) == (1, "Session Cache.md")


def test_a_note_edited_between_showing_and_deciding_is_read_again(vault: Path):
    sitting = sit(vault)
    sitting.view()
    path = vault / "Plan.md"
    edit(path, path.read_bytes().replace(b"More.", b"Typed just now."))
    assert sitting.decide("accepted").kind == "done"
    assert b"Typed just now.\r\n" in path.read_bytes()
    assert b"depends-on:\r\n" in path.read_bytes()


def test_what_was_decided_elsewhere_meanwhile_is_passed_over(vault: Path):
    sitting = sit(vault)
    assert sitting.view() is not None
    path = vault / "Plan.md"
    edit(path, path.read_bytes().replace(b'  - "[[Session Cache]]"\r\n', b""))
    assert sitting.decide("accepted").kind == "gone"
    edit(path, path.read_bytes().replace(b"depends-on-proposed", b"depends-on"))
    view = sitting.view()
    assert view is not None
    assert view.item.direction == ("Session Cache.md", "Token Store.md")


def test_a_note_that_became_private_is_shown_no_more(vault: Path):
    sitting = sit(vault)
    path = vault / "Plan.md"
    edit(path, path.read_bytes().replace(b"zip: 007", b"private: true"))
    view = sitting.view()
    assert view is not None
    assert view.number == 3


def test_a_refused_note_is_told_and_the_queue_goes_on(vault: Path):
    path = vault / "Plan.md"
    edit(
        path,
        path.read_bytes().replace(b"depends-on-proposed:\r\n", b"depends-on-proposed: # x\r\n"),
    )
    before = path.read_bytes()
    sitting = sit(vault)
    sitting.view()
    assert sitting.decide("accepted").kind == "done"
    sitting.view()
    refused = sitting.decide("accepted")
    assert refused.kind == "refused"
    assert refused.problem is not None
    assert refused.problem.code == "comment-on-key-line"
    view = sitting.view()
    assert view is not None
    assert view.item.dependent == "Session Cache.md"
    assert path.read_bytes() != before


def test_the_skipped_come_last_next_time(vault: Path):
    sitting = sit(vault)
    sitting.view()
    sitting.skip()
    view = sitting.view()
    assert view is not None
    assert view.number == 2
    later = sit(vault)
    assert [item.basis[0] for item in later.queue] == ["T", "T", "S"]
    assert later.queue[-1].is_skipped
    assert brief(vault) == []


def test_frontmatter_is_hidden_and_the_lines_that_speak_of_the_other_are_marked(vault: Path):
    sitting = sit(vault)
    view = sitting.view()
    assert view is not None
    assert view.dependent.lines[:2] == ["Waits for the Session Cache.", "More."]
    assert view.dependent.marked == {0}
    assert view.basis.marked == set()
    sitting.decide("accepted")
    # The block has grown by our own edit; the marks stay where they are.
    sitting.undo()
    again = sitting.view()
    assert again is not None
    assert again.dependent.marked == {0}


def test_private_names_are_masked(tmp_path: Path):
    vault = waiting_vault(
        tmp_path / "vault",
        {
            "Plan.md": "Ask the Secret Gardener about the Session Cache.\nThe Secret\nGardener.\n",
            "Session Cache.md": "See [[Secret Gardener]].\n",
            "Secret Gardener.md": "---\nprivate: true\n---\nnothing\n",
        },
        ("Plan.md", "Session Cache.md", 0.9),
    )
    view = sit(vault).view()
    assert view is not None
    text = "\n".join((*view.dependent.lines, *view.basis.lines))
    assert "Gardener" not in text
    assert "[private]" in text


def test_a_long_note_is_shown_around_its_evidence(tmp_path: Path):
    body = "".join(f"line {n}\n" for n in range(5000))
    vault = waiting_vault(
        tmp_path / "vault",
        {
            "Plan.md": f"{body}the Session Cache\n{body}",
            "Session Cache.md": "x" * 10_000 + "\n",
        },
        ("Plan.md", "Session Cache.md", 0.9),
    )
    view = sit(vault).view()
    assert view is not None
    (marked,) = view.dependent.marked
    assert view.dependent.lines[marked] == "the Session Cache"
    assert view.dependent.above == 5000 - marked
    assert view.dependent.above + len(view.dependent.lines) + view.dependent.below == 10_002
    assert len(view.basis.lines[0]) == 4001


def test_a_blind_sitting_is_remembered_as_such(vault: Path):
    sitting = sit(vault, ReviewOptions(order="note", is_blind=True))
    sitting.view()
    sitting.decide("accepted")
    assert decided(vault)[0]["blind"] is True
