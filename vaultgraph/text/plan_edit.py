"""What the edits of one property come to, before a character is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode, SequenceNode

from vaultgraph.text.block_edit import (
    Block,
    Property,
    Splice,
    file_line,
    line_end,
    line_start,
)
from vaultgraph.text.edits import EditRefused, Resolve
from vaultgraph.text.form_edit import form_of
from vaultgraph.text.links import link_value
from vaultgraph.text.prose import to_nfc
from vaultgraph.text.quoting import is_linkable, is_writable, quote_key, quote_text, wikilink
from vaultgraph.text.value_edit import SingleValue
from vaultgraph.text.verify_edit import Expected
from vaultgraph.text.yaml_block import scalar_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultgraph.domain.notes import NoteId


class Plan(Protocol):
    """What one property is to become."""

    key: str
    prop: Property | None

    @property
    def is_change(self) -> bool:
        """Whether anything is left to do."""

    def splices(self) -> list[Splice]:
        """Return the changes to the block's text."""

    def expected(self) -> Expected | None:
        """Return what the property must read as afterwards, ``None`` for gone."""


class ListPlan:
    """A list of entries: which of those there stay, and which come after them."""

    def __init__(self, block: Block, key: str, resolve: Resolve) -> None:
        self.key = key
        self.prop = block.find(key)
        self._block = block
        self._resolve = resolve
        self._form = form_of(self.prop) if self.prop else None
        self._entries = self._form.entries if self._form else ()
        self._notes = [self._note_of(entry) for entry in self._entries]
        self._kept = [True] * len(self._entries)
        self._added: dict[NoteId, str] = {}
        self._is_cleared = False

    def _note_of(self, entry: str) -> str | None:
        # A bare name is no link to Obsidian, and yet plainly meant as one.
        target = link_value(entry) or entry.strip()
        return self._resolve(to_nfc(target)) if target else None

    def add(self, target: str, note: NoteId) -> None:
        """Let ``note`` be in the list, last if it is not there yet."""
        if note in self._added or note in self._noted():
            return
        if not is_linkable(target):
            raise EditRefused(
                "unlinkable-name",
                f"no link can name `{target}`: it holds one of # ^ | [ ] %%, or a control"
                " character; rename that note",
                0,
            )
        if self._resolve(to_nfc(target)) != note:
            text = f"a link to `{target}` would not reach the note that is meant"
            raise EditRefused("wrong-target", text, 0)
        self._added[note] = target

    def remove(self, note: NoteId) -> bool:
        """Let ``note`` not be in the list, and return whether it was."""
        was_there = note in self._added or note in self._noted()
        self._added.pop(note, None)
        for number, held in enumerate(self._notes):
            if held == note:
                self._kept[number] = False
        return was_there

    def clear(self) -> None:
        """Let the property be gone."""
        self._kept = [False] * len(self._kept)
        self._added.clear()
        self._is_cleared = True

    def _noted(self) -> set[str | None]:
        return {note for note, stays in zip(self._notes, self._kept, strict=True) if stays}

    @property
    def _is_empty(self) -> bool:
        return not self._added and not any(self._kept)

    @property
    def is_change(self) -> bool:
        """Whether an entry comes or goes, or the property does."""
        if self._form is None:
            return bool(self._added)
        return bool(self._added) or not all(self._kept) or self._is_cleared

    def splices(self) -> list[Splice]:
        """Return the changes to the block's text."""
        added = [wikilink(target) for target in self._added.values()]
        if self._form is None:
            return [_last_property(self._block, self.key, "", added)]
        return self._form.delete() if self._is_empty else self._form.rewrite(self._kept, added)

    def expected(self) -> Expected | None:
        """Return the entries that stay and those that are new."""
        if self._is_empty:
            return None
        stay = (entry for entry, stays in zip(self._entries, self._kept, strict=True) if stays)
        return Expected((*stay, *map(wikilink, self._added.values())), is_list=True)


class TextPlan:
    """A single text: what it is to be."""

    def __init__(self, block: Block, key: str) -> None:
        self.key = key
        self.prop = block.find(key)
        self._block = block
        self._form = _single_value(self.prop) if self.prop else None
        self._value = ""

    def set(self, value: str) -> None:
        """Let ``value`` be the text."""
        if not is_writable(value):
            text = f"a value for `{self.key}` must be one line, without control characters"
            raise EditRefused("unwritable-value", text, 0)
        self._value = value

    @property
    def is_change(self) -> bool:
        """Whether the property does not read so already."""
        value = self.prop.value if self.prop else None
        return not isinstance(value, ScalarNode) or scalar_value(value) != self._value

    def splices(self) -> list[Splice]:
        """Return the changes to the block's text."""
        if self._form is None:
            return [_last_property(self._block, self.key, f" {quote_text(self._value)}", ())]
        return self._form.replace(self._value)

    def expected(self) -> Expected | None:
        """Return the one text."""
        return Expected((self._value,), is_list=False)


def _single_value(prop: Property) -> SingleValue:
    if isinstance(prop.value, SequenceNode):
        raise prop.refusal("list-value", "is a list, where one value was to be written")
    form = form_of(prop)
    if not isinstance(form, SingleValue):  # pragma: no cover - form_of refuses all others
        raise TypeError(form)
    return form


def _last_property(block: Block, key: str, value: str, entries: Sequence[str]) -> Splice:
    """Return what puts in a property below all others, as Obsidian would."""
    _refuse_reading_on(block)
    eol = block.line_ending
    items = (f"{block.indent}  - {quote_text(entry)}{eol}" for entry in entries)
    end = len(block.text)
    return Splice(end, end, f"{block.indent}{quote_key(key)}:{value}{eol}{''.join(items)}")


def _refuse_reading_on(block: Block) -> None:
    """Refuse where Obsidian would read the last text on, into what is put in below it.

    Its YAML library (seen in 2.7.0) forgets how deep a plain text on a line of its own is
    indented, if a comment with no blank behind its sign stands between it and its key.
    """
    leaf: Node | None = block.root
    while isinstance(leaf, CollectionNode) and leaf.value and not leaf.flow_style:
        leaf = leaf.value[-1][1] if isinstance(leaf, MappingNode) else leaf.value[-1]
    if not isinstance(leaf, ScalarNode) or leaf.style:
        return
    text, at = block.text, leaf.start_mark.index
    start = line_start(text, at)
    if text[start:at].strip():
        return
    while start:
        start = line_start(text, start - 1)
        line = text[start : line_end(text, start)].strip()
        if line and not line.startswith("#"):
            return
        if len(line) > 1 and line[1] not in " \t":
            text = "Obsidian would read the text below this comment on; put a blank behind its #"
            raise EditRefused("verify-failed", text, file_line(block.text, start))
