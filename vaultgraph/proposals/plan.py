"""Decisions about entries become planned writes, note by note."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.domain.notes import NoteId, Problem
from vaultgraph.domain.writing import PlannedWrite, digest_of
from vaultgraph.text.edits import AddEntry, Edit, EditRefused, MoveEntry, RemoveEntry, SetScalar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultgraph.domain.notes import VaultFile
    from vaultgraph.vault.resolve import LinkIndex


class PlannedNote(NamedTuple):
    """One note's edits: its text before and after, and the write that makes them."""

    note: NoteId
    before: str
    after: str
    write: PlannedWrite
    #: The note had no frontmatter before: the block, too, is ours.
    created_block: bool


class Add(NamedTuple):
    """``basis`` is to stand in the list ``key``."""

    key: str
    basis: NoteId


class Remove(NamedTuple):
    """``basis`` is to stand in the list ``key`` no longer."""

    key: str
    basis: NoteId


class Move(NamedTuple):
    """``basis`` is to stand in ``to_key`` instead of ``from_key``."""

    from_key: str
    to_key: str
    basis: NoteId


class SetText(NamedTuple):
    """The property ``key`` is to have this one text as its value."""

    key: str
    value: str


Change = Add | Remove | Move | SetText


def plan_note(
    file: VaultFile,
    data: bytes,
    changes: Sequence[Change],
    index: LinkIndex,
    *,
    drop_empty_block: bool = False,
) -> PlannedNote | Problem | None:
    """Return how to make ``changes`` in one note, why not, or ``None`` where nothing changes.

    ``data`` is what the note holds now; the write is made only while it still does.
    """
    note = NoteId(file.path)
    # What edits YAML takes a thirtieth of a second to import, and most who name changes make none.
    from vaultgraph.text.entry_edit import apply_edits  # noqa: PLC0415

    try:
        before = data.decode()
    except UnicodeDecodeError:
        return Problem(note, 0, "not-utf8", "is not UTF-8; save it as UTF-8")

    def resolve(target: str) -> str | None:
        return index.resolve(target, note)

    try:
        edits = [_edit(change, index, note) for change in changes]
        edited = apply_edits(before, edits, resolve, drop_empty_block=drop_empty_block)
    except EditRefused as refused:
        return Problem(note, refused.line, refused.code, refused.text)
    if edited.text == before:
        return None
    new = edited.text.encode()
    write = PlannedWrite(note, file.os_path, digest_of(data), new, _keys(changes))
    return PlannedNote(note, before, edited.text, write, edited.created_block)


def _keys(changes: Sequence[Change]) -> tuple[str, ...]:
    keys: set[str] = set()
    for change in changes:
        keys |= {change.from_key, change.to_key} if isinstance(change, Move) else {change.key}
    return tuple(sorted(keys))


def _edit(change: Change, index: LinkIndex, note: NoteId) -> Edit:
    """Return a change as an edit; raises ``EditRefused`` where no link reaches the basis."""
    if isinstance(change, SetText):
        return SetScalar(change.key, change.value)
    if isinstance(change, Remove):
        return RemoveEntry(change.key, change.basis)
    target = index.link_text(change.basis, note)
    if target is None:
        raise EditRefused("wrong-target", f"no link from here reaches {change.basis}", 0)
    if isinstance(change, Move):
        return MoveEntry(change.from_key, change.to_key, change.basis, target)
    return AddEntry(change.key, target, change.basis)
