"""The forms a property's value can have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from vaultgraph.text.block_edit import Property, Splice, is_marked
from vaultgraph.text.list_edit import BlockList, FlowList
from vaultgraph.text.value_edit import SingleValue
from vaultgraph.text.yaml_block import scalar_value

if TYPE_CHECKING:
    from collections.abc import Sequence


class Form(Protocol):
    """How a value is written; ``entries`` are its texts, as YAML reads them."""

    @property
    def entries(self) -> tuple[str, ...]:
        """The texts in the value, in order; one for a single value, none for an empty one."""

    def rewrite(self, kept: Sequence[bool], added: Sequence[str]) -> list[Splice]:
        """Return what leaves the entries that are ``kept``, then those ``added``: at least one."""

    def delete(self) -> list[Splice]:
        """Return what takes out the property, key and all."""


def form_of(prop: Property) -> Form:
    """Return the form of a property's value.

    Raises:
        EditRefused: entries cannot be told apart, or cannot be moved, line by line.
    """
    value = prop.value
    if is_marked(prop.block, value):
        raise prop.refusal("anchor-or-tag", "has an anchor, alias or tag; write it plainly")
    if isinstance(value, MappingNode):
        raise prop.refusal("mapping-value", "holds properties of its own, not a list of links")
    items = value.value if isinstance(value, SequenceNode) else [value]
    texts = tuple(_text_of(prop, item) for item in items)
    if not isinstance(value, SequenceNode):
        return SingleValue(prop, texts if texts[0] else ())
    spans = tuple((item.start_mark.index, item.end_mark.index) for item in items)
    if value.flow_style:
        return FlowList(prop, texts, spans)
    return BlockList(prop, texts, spans)


def _text_of(prop: Property, item: Node) -> str:
    """Return the text of one entry, empty where it has none."""
    at = item.start_mark.index
    if is_marked(prop.block, item):
        raise prop.refusal("anchor-or-tag", "has an anchor, alias or tag; write it plainly", at)
    if not isinstance(item, ScalarNode):
        text = 'has an entry that is no text; links must be in quotes, as in "[[Note]]"'
        raise prop.refusal("nested-list", text, at)
    if item.style in {"|", ">"} or item.start_mark.line != item.end_mark.line:
        raise prop.refusal("multi-line-scalar", "runs over several lines; put it on one", at)
    return "" if scalar_value(item) is None else str(item.value)
