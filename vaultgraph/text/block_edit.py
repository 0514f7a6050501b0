"""The properties of a note where they stand in its text, or why they cannot be edited.

PyYAML only locates: it says at which character each key and value begins and ends. Text is cut
and put in at those places and nowhere else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from yaml.nodes import MappingNode, Node, ScalarNode

from vaultgraph.text.edits import EditRefused, RefusalCode
from vaultgraph.text.frontmatter import NoteText, is_near_miss
from vaultgraph.text.yaml_block import BlockError, compose_block

_BLANK_FENCE = re.compile(r"^---[ \t]+\r?$", re.MULTILINE)
_MARKER = re.compile(r"^(?:---|\.\.\.)(?=[ \t\r\n])", re.MULTILINE)
_LONE_RETURN = re.compile(r"\r(?!\n)")
_CONTENT = re.compile(r"^[ \t]*[^\s#]", re.MULTILINE)
_EXPLICIT_KEY = re.compile(r"^( *)\?(?=[ \t\r\n])", re.MULTILINE)


class Splice(NamedTuple):
    """One change: what stands from ``start`` to ``end`` becomes ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Property:
    """One property, and the block it stands in."""

    block: str
    key: ScalarNode
    value: Node
    #: Just past the colon.
    colon: int

    @property
    def span(self) -> tuple[int, int]:
        """Where the value begins and ends; equal, at the colon, where there is none."""
        return self.value.start_mark.index, self.value.end_mark.index

    def refusal(self, code: RefusalCode, text: str, at: int | None = None) -> EditRefused:
        """Return the refusal of an edit of this property, at offset ``at`` or at the key."""
        where = self.key.start_mark.index if at is None else at
        return EditRefused(code, f"`{self.key.value}` {text}", file_line(self.block, where))


@dataclass(frozen=True, slots=True)
class Block:
    """A frontmatter block, parsed."""

    text: str
    root: MappingNode | None
    #: Blanks before each key: none, but for whoever indents a whole block.
    indent: str
    #: How the line above the block's end ends, and so how a line put in there does.
    line_ending: str

    def find(self, key: str) -> Property | None:
        """Return the property ``key``, whatever its letter case, or ``None``.

        Raises:
            EditRefused: it is there twice, or its key has an anchor or a tag.
        """
        found = None
        for node, value in self.root.value if self.root else ():
            if isinstance(node, ScalarNode) and node.value.lower() == key.lower():
                if found:
                    raise found.refusal(
                        "duplicate-key",
                        "is given twice, in different letter case; merge the two by hand",
                        node.start_mark.index,
                    )
                found = self._property(node, value)
        return found

    def _property(self, key: ScalarNode, value: Node) -> Property:
        # Between a key that is no explicit one and its colon YAML allows blanks only.
        colon = self.text.find(":", key.end_mark.index)
        prop = Property(self.text, key, value, colon + 1)
        if is_marked(self.text, key):
            raise prop.refusal("anchor-or-tag", "has an anchor, alias or tag; write it plainly")
        return prop


def read_block(note: NoteText) -> Block:
    """Return the block of ``note``, an empty one where the note has no frontmatter.

    Raises:
        EditRefused: no property of this note can be edited safely.
    """
    if not note.has_frontmatter:
        _refuse_near_miss(note)
        return Block("", None, "", ending_before(note.rest, line_end(note.rest, 0)))
    _refuse_unsafe_text(note.block)
    root = compose(note.block)
    column = 0
    if root is None:
        content = _CONTENT.search(note.block)
        if content:
            at = file_line(note.block, content.start())
            raise EditRefused("bad-yaml", "the block holds a value and no properties", at)
    else:
        _refuse_odd_root(note.block, root)
        column = root.start_mark.column
    above = note.opening + note.block
    ending = ending_before(above, len(above))
    return Block(note.block, root, " " * column, ending)


def compose(block: str) -> MappingNode | None:
    """Return the root mapping of ``block``, lines cut where Obsidian cuts them.

    Raises:
        EditRefused: ``bad-yaml``.
    """
    try:
        return compose_block(block)
    except BlockError as error:
        text = f"the block is not properties in valid YAML: {error.text}; correct that line"
        raise EditRefused("bad-yaml", text, error.line + 2) from None


def _refuse_near_miss(note: NoteText) -> None:
    if not is_near_miss(note):
        return
    blank = _BLANK_FENCE.search(note.rest, 3)
    if blank and note.rest.startswith(("---\n", "---\r\n")):
        raise _blank_fence(note.rest, blank.start(), first_line=1)
    raise EditRefused(
        "near-miss-frontmatter",
        "looks like frontmatter, but Obsidian sees none: the first line must be exactly ---"
        " and a later line exactly ---",
        1,
    )


def _refuse_unsafe_text(block: str) -> None:
    blank = _BLANK_FENCE.search(block)
    if blank:
        raise _blank_fence(block, blank.start(), first_line=2)
    for pattern, code, text in _UNSAFE:
        found = pattern.search(block)
        if found:
            raise EditRefused(code, text, file_line(block, found.start()))


_UNSAFE: tuple[tuple[re.Pattern[str], RefusalCode, str], ...] = (
    (
        # Part of the key behind it or not: that depends on what stands above.
        re.compile("^\ufeff", re.MULTILINE),
        "bad-yaml",
        "a line of the block starts with a byte order mark; remove it",
    ),
    (
        _MARKER,
        "document-marker",
        "a line of the block starts with `---` or `...`, which ends the YAML; remove it",
    ),
    (
        _LONE_RETURN,
        "lone-carriage-return",
        "a carriage return without a line feed; save the note with ordinary line endings",
    ),
    (
        re.compile("<%"),
        "template-commands",
        "the block holds template commands (<%); templates are not written to",
    ),
)


def _blank_fence(text: str, at: int, *, first_line: int) -> EditRefused:
    return EditRefused(
        "fence-trailing-space",
        "a line `---` with blanks behind it: whether it closes the block is in doubt;"
        " remove the blanks",
        text.count("\n", 0, at) + first_line,
    )


def _refuse_odd_root(block: str, root: MappingNode) -> None:
    line = file_line(block, root.start_mark.index)
    if is_marked(block, root):
        raise EditRefused("anchor-or-tag", "the block as a whole has an anchor or a tag", line)
    if root.flow_style:
        raise EditRefused("flow-root", "the block is JSON, in braces; write it as lines", line)
    for match in _EXPLICIT_KEY.finditer(block):
        if len(match[1]) == root.start_mark.column:
            line = file_line(block, match.start())
            raise EditRefused("odd-key", "a key written with `?`; write it as `key:`", line)
    for key, _ in root.value:
        if not isinstance(key, ScalarNode):
            line = file_line(block, key.start_mark.index)
            raise EditRefused("odd-key", "a key that is no text; put it in quotes", line)


def is_marked(block: str, node: Node) -> bool:
    """Whether ``node`` has an anchor or a tag, or is an alias of a node that has an anchor."""
    return block[node.start_mark.index : node.start_mark.index + 1] in {"&", "!", "*"}


def file_line(block: str, at: int) -> int:
    """Return the 1-based line in the file of offset ``at`` in the block."""
    return block.count("\n", 0, at) + 2


def line_start(text: str, at: int) -> int:
    """Return where the line of offset ``at`` begins."""
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """Return where the line after that of offset ``at`` begins, or the end of the text."""
    newline = text.find("\n", at)
    return len(text) if newline < 0 else newline + 1


def ending_before(text: str, at: int) -> str:
    """Return how the line that ends at offset ``at`` ends; where none does, as a line feed."""
    return "\r\n" if text.endswith("\r\n", 0, at) else "\n"
