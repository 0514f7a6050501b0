"""Decisions about entries become one planned write of a note."""

from __future__ import annotations

import pytest

from vaultgraph.domain.notes import NoteId, Problem, VaultFile
from vaultgraph.domain.writing import digest_of
from vaultgraph.proposals.plan import Add, Move, PlannedNote, Remove, plan_note
from vaultgraph.vault.resolve import LinkIndex

KEY, OTHER = "depends-on-proposed", "depends-on"
FILES = ("A.md", "B.md", "x/B.md", "C.md", "Hash # tag.md", "picture.png")
INDEX = LinkIndex(FILES)
A = VaultFile("A.md", "A.md", (0, 0, 0, 0))


def plan(data: bytes, *changes, **options):
    return plan_note(A, data, changes, INDEX, **options)


def test_adds_what_reaches_the_note_meant():
    planned = plan(b"Body.\n", Add(KEY, NoteId("x/B.md")), Add(KEY, NoteId("C.md")))
    new = b'---\ndepends-on-proposed:\n  - "[[x/B]]"\n  - "[[C]]"\n---\nBody.\n'
    assert isinstance(planned, PlannedNote)
    assert planned.write.new == new
    assert planned.write.digest == digest_of(b"Body.\n")
    assert planned.write.keys == (KEY,)
    assert planned.created_block
    assert (planned.before, planned.after) == ("Body.\n", new.decode())


def test_removes_every_spelling():
    data = b'---\ndepends-on-proposed: ["[[C|see]]", "[[B]]", "[[c.md#x]]"]\n---\n'
    planned = plan(data, Remove(KEY, NoteId("C.md")))
    assert isinstance(planned, PlannedNote)
    assert planned.after == '---\ndepends-on-proposed: ["[[B]]"]\n---\n'
    assert not planned.created_block


def test_moves():
    data = b"---\ndepends-on-proposed:\n  - '[[C]]'\n---\n"
    planned = plan(data, Move(KEY, OTHER, NoteId("C.md")))
    assert isinstance(planned, PlannedNote)
    assert planned.after == '---\ndepends-on:\n  - "[[C]]"\n---\n'
    assert planned.write.keys == (OTHER, KEY)


def test_nothing_to_do():
    data = b'---\ndepends-on-proposed: "[[C]]"\n---\n'
    assert plan(data, Add(KEY, NoteId("C.md"))) is None
    assert plan(data, Remove(OTHER, NoteId("C.md"))) is None
    assert plan(data) is None


@pytest.mark.parametrize("drop", [True, False])
def test_a_block_of_ours_goes_with_its_last_entry(drop):
    data = b'---\ndepends-on-proposed:\n  - "[[C]]"\n---\nBody.\n'
    planned = plan(data, Remove(KEY, NoteId("C.md")), drop_empty_block=drop)
    assert isinstance(planned, PlannedNote)
    assert planned.after == ("Body.\n" if drop else "---\n---\nBody.\n")


@pytest.mark.parametrize(
    ("data", "basis", "line", "code"),
    [
        (b"\xff", "C.md", 0, "not-utf8"),
        (b"---\na: b: c\n---\n", "C.md", 2, "bad-yaml"),
        (b"----\n", "C.md", 1, "near-miss-frontmatter"),
        (b"Body.\n", "Hash # tag.md", 0, "unlinkable-name"),
        (b"Body.\n", "gone.md", 0, "wrong-target"),
    ],
)
def test_refused_by_name(data, basis, line, code):
    refused = plan(data, Add(KEY, NoteId(basis)))
    assert isinstance(refused, Problem)
    assert (refused.path, refused.line, refused.code) == ("A.md", line, code)
    assert refused.text
