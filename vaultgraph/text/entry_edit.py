"""Edits of a note's properties that change the lines of the keys they name, and nothing else.

Pure text to text. All edits of one call are planned against the text as it was, made in one
go, and the result is read again and compared before it is returned; where any of that is in
doubt the note is refused, never guessed at. New entries look as Obsidian would write them:
https://obsidian.md/help/properties
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from vaultgraph.text.block_edit import Block, read_block
from vaultgraph.text.edits import (
    AddEntry,
    Edit,
    EditedText,
    MoveEntry,
    RemoveEntry,
    RemoveKey,
    Resolve,
    SetScalar,
)
from vaultgraph.text.frontmatter import NoteText, is_near_miss, split_note
from vaultgraph.text.plan_edit import ListPlan, Plan, TextPlan
from vaultgraph.text.verify_edit import verify

if TYPE_CHECKING:
    from collections.abc import Sequence


def apply_edits(
    text: str, edits: Sequence[Edit], resolve: Resolve, *, drop_empty_block: bool = False
) -> EditedText:
    """Return ``text`` with all ``edits`` made; the very same text where they change nothing.

    ``resolve`` answers for links written in this note. A block that loses its last property
    stays, empty, unless ``drop_empty_block``: that is for whoever knows that we created it.

    Raises:
        EditRefused: the note, or what was to be written, has a shape that is not safe to edit.
        ValueError: one key is edited both as a list and as a single text; a bug.
    """
    note = split_note(text)
    block = read_block(note)
    plans = [plan for plan in _plan_edits(block, edits, resolve) if plan.is_change]
    if not plans:
        return EditedText(text)
    edited = _with_block(note, _spliced(block.text, plans), block.line_ending)
    verify(block, edited, {plan.key.lower(): plan.expected() for plan in plans})
    if drop_empty_block and note.has_frontmatter and not edited.block:
        return EditedText(_without_block(edited))
    return EditedText("".join(edited), created_block=not note.has_frontmatter)


def _plan_edits(block: Block, edits: Sequence[Edit], resolve: Resolve) -> list[Plan]:
    """Return one plan for each key that ``edits`` name: those in the block, then new ones.

    Raises:
        EditRefused: a property is in no form that can be edited, or a link cannot be written.
        ValueError: one key is edited both as a list and as a single text.
    """
    planner = _Planner(block, resolve)
    for edit in edits:
        planner.take(edit)
    return sorted(planner.plans.values(), key=lambda plan: plan.prop is None)


class _Planner:
    """Gathers the plans of one note, each edit seeing what the ones before it left."""

    def __init__(self, block: Block, resolve: Resolve) -> None:
        self._block = block
        self._resolve = resolve
        self.plans: dict[str, Plan] = {}

    def take(self, edit: Edit) -> None:
        """Let the plans of the keys that ``edit`` names follow it."""
        match edit:
            case AddEntry(key, target, note):
                self._list(key).add(target, note)
            case RemoveEntry(key, note):
                self._list(key).remove(note)
            case MoveEntry(from_key, to_key, note, target):
                # Whoever moves an entry has seen it; if it is gone, somebody decided meanwhile.
                if from_key.lower() != to_key.lower() and self._list(from_key).remove(note):
                    self._list(to_key).add(target, note)
            case SetScalar(key, value):
                self._text(key).set(value)
            case RemoveKey(key):
                self._list(key).clear()
            case _:
                assert_never(edit)

    def _list(self, key: str) -> ListPlan:
        match self.plans.get(key.lower()):
            case None:
                plan = ListPlan(self._block, key, self._resolve)
                self.plans[key.lower()] = plan
                return plan
            case ListPlan() as plan:
                return plan
            case _:
                raise ValueError(f"{key} is edited both as a list and as a text")

    def _text(self, key: str) -> TextPlan:
        match self.plans.get(key.lower()):
            case None:
                plan = TextPlan(self._block, key)
                self.plans[key.lower()] = plan
                return plan
            case TextPlan() as plan:
                return plan
            case _:
                raise ValueError(f"{key} is edited both as a list and as a text")


def _spliced(text: str, plans: Sequence[Plan]) -> str:
    """Return ``text`` with all that the plans cut and put in; their offsets refer to ``text``."""
    # The sort is stable: of what is put in at one place, the first plan's stands first.
    splices = sorted(
        (splice for plan in plans for splice in plan.splices()),
        key=lambda splice: (splice.start, splice.end),
    )
    parts: list[str] = []
    at = 0
    for start, end, new in splices:
        parts += (text[at:start], new)
        at = end
    return "".join((*parts, text[at:]))


def _with_block(note: NoteText, block: str, eol: str) -> NoteText:
    if note.has_frontmatter:
        return note._replace(block=block)
    return NoteText(note.bom, f"---{eol}", block, f"---{eol}{note.rest}")


def _without_block(note: NoteText) -> str:
    bare = note.bom + note.body
    again = split_note(bare)
    # A body that itself begins like frontmatter would become what it looks like.
    if again.has_frontmatter or is_near_miss(again):
        return "".join(note)
    return bare
