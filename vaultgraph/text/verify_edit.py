"""The last look at an edited note, before anybody writes it.

The edit knows what it cut and what it put in; this knows only the note before, the note after,
and what was asked for. Whatever else changed is a reason to write nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from vaultgraph.text.block_edit import Block, Property, read_block
from vaultgraph.text.edits import EditRefused
from vaultgraph.text.form_edit import form_of
from vaultgraph.text.frontmatter import NoteText, split_note
from vaultgraph.text.yaml_block import scalar_value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Expected:
    """What a property must be after an edit: a list of these texts, or the one text."""

    texts: tuple[str, ...]
    is_list: bool

    def is_met_by(self, prop: Property) -> bool:
        """Whether ``prop`` reads as it must."""
        if isinstance(prop.value, SequenceNode) != self.is_list:
            return False
        if isinstance(prop.value, ScalarNode):
            return (scalar_value(prop.value),) == self.texts
        return form_of(prop).entries == self.texts


def verify(before: Block, after: NoteText, expected: Mapping[str, Expected | None]) -> None:
    """Return if ``after`` is what was asked for and otherwise as before.

    ``expected`` holds the edited properties by key in lower case, ``None`` for one that must be
    gone; new ones stand in it in the order in which they were added.

    Raises:
        EditRefused: ``verify-failed``.
    """
    if split_note("".join(after)) != after:
        raise _failed("the note would be cut at another line afterwards")
    try:
        block = read_block(after)
    except EditRefused as refused:
        raise _failed(f"the block would be broken afterwards: {refused.text}") from None
    _compare_others(before, block, expected)
    _compare_order(before, block, expected)
    for key, value in expected.items():
        prop = block.find(key)
        if (prop is None) != (value is None) or (prop and value and not value.is_met_by(prop)):
            raise _failed(f"`{key}` would not read as asked for")


def _compare_others(before: Block, after: Block, edited: Collection[str]) -> None:
    """Refuse where a property that was not to be edited reads otherwise than before."""
    old, new = _Outline(edited), _Outline(edited)
    for was, now in zip(old.properties(before), new.properties(after), strict=False):
        if was != now:
            raise _failed(
                f"`{was[0][-1]}` would read otherwise afterwards, because it takes in the blank"
                " lines or comments beside what was to be changed"
            )


def _compare_order(before: Block, after: Block, expected: Mapping[str, Expected | None]) -> None:
    old, new = _keys(before), _keys(after)
    stays = [key for key in old if key is None or expected.get(key, True)]
    added = [key for key, value in expected.items() if value is not None and key not in set(old)]
    if new != stays + added:
        raise _failed("other properties would come, go or change places")


def _keys(block: Block) -> list[str | None]:
    pairs = block.root.value if block.root else ()
    return [_key(node) for node, _ in pairs]


def _key(node: Node) -> str | None:
    return str(node.value).lower() if isinstance(node, ScalarNode) else None


def _failed(text: str) -> EditRefused:
    return EditRefused("verify-failed", f"{text}; edit this note by hand", 0)


class _Outline:
    """Flattens nodes to what they mean, the same for two parses of the same YAML."""

    def __init__(self, left_out: Collection[str]) -> None:
        self._left_out = left_out
        # An alias is its anchor's own node: met again, it is named by when it was first met.
        # That also ends the walk where a node contains itself.
        self._met: dict[int, int] = {}

    def properties(self, block: Block) -> Iterator[list[tuple[object, ...]]]:
        """Yield each property of ``block`` that is not left out."""
        for key, value in block.root.value if block.root else ():
            if _key(key) not in self._left_out:
                yield [*self._flat(key), *self._flat(value)]

    def _flat(self, top: Node) -> Iterator[tuple[object, ...]]:
        waiting = [top]
        while waiting:
            node = waiting.pop()
            if id(node) in self._met:
                yield ("again", self._met[id(node)])
                continue
            self._met[id(node)] = len(self._met)
            if isinstance(node, ScalarNode):
                yield (node.tag, node.style, node.value)
                continue
            yield (node.tag, len(node.value))
            if isinstance(node, MappingNode):
                waiting.extend(part for pair in reversed(node.value) for part in reversed(pair))
            else:
                waiting.extend(reversed(node.value))
