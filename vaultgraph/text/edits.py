"""What can be done to the properties of a note, as values, and how an edit is declined.

Keys compare without regard to letter case, as in Obsidian; entries compare by the note they
resolve to, never as text. A refusal is an outcome, not a fault: the note stays as it is, and
its owner is told what shape was met, where, and what would make it editable.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from vaultgraph.domain.notes import NoteId

#: From the path part of a link, as written, to the id of the note it reaches.
Resolve: TypeAlias = Callable[[str], str | None]

RefusalCode = Literal[
    # the block as a whole
    "near-miss-frontmatter",  # looks like frontmatter, and is body text to Obsidian
    "fence-trailing-space",  # `--- `: Obsidian's indexer and its writer disagree about it
    "document-marker",  # `...`, or `---` with text behind it, inside the block
    "lone-carriage-return",  # a line end to YAML, and none to Obsidian
    "template-commands",  # `<%`: the note is a template yet to be filled in
    "bad-yaml",  # not YAML, or not properties: Obsidian cannot read it either
    "flow-root",  # `{...}`: JSON frontmatter
    # the property that was to be edited
    "duplicate-key",  # given twice, in different letter case
    "odd-key",  # `? key`, or a key whose colon is not beside it
    "anchor-or-tag",  # `&a`, `*a`, `!tag`
    "nested-list",  # an entry that is a list or a mapping, such as an unquoted [[link]]
    "mapping-value",  # properties within the property
    "list-value",  # a list where one value was to be set
    "multi-line-scalar",  # text over several lines
    "comment-in-flow-list",  # a comment between the brackets
    "comment-on-key-line",  # taking the property out would take the comment with it
    "odd-entry",  # an entry that does not stand on the line of its dash
    # what was to be written
    "unlinkable-name",  # no wikilink can name this note
    "wrong-target",  # the link would reach another note than the one meant
    "unwritable-value",  # line breaks or control characters
    # the result
    "verify-failed",  # read again, something else would have changed
]


@dataclass(frozen=True, slots=True)
class AddEntry:
    """``note`` stands in the list ``key``; where it did not yet, as ``[[target]]``, last."""

    key: str
    target: str
    note: NoteId


@dataclass(frozen=True, slots=True)
class RemoveEntry:
    """No entry of the list ``key`` resolves to ``note``; a list left empty goes with its key."""

    key: str
    note: NoteId


@dataclass(frozen=True, slots=True)
class MoveEntry:
    """``note`` stands in ``to_key`` and no longer in ``from_key``, if it stood there at all."""

    from_key: str
    to_key: str
    note: NoteId
    target: str


@dataclass(frozen=True, slots=True)
class SetScalar:
    """The property ``key`` has this one text as its value."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class RemoveKey:
    """There is no property ``key``."""

    key: str


Edit: TypeAlias = AddEntry | RemoveEntry | MoveEntry | SetScalar | RemoveKey


class EditedText(NamedTuple):
    """A note's text after its edits."""

    text: str
    #: The note had no frontmatter before: the block, too, is ours.
    created_block: bool = False


class EditRefused(Exception):  # noqa: N818 - declining is an outcome, not an error
    """The note cannot be edited safely as it stands; nothing was changed."""

    def __init__(self, code: RefusalCode, text: str, line: int) -> None:
        super().__init__(code, text, line)
        self.code = code
        #: What was met, and what the owner can do about it.
        self.text = text
        #: 1-based in the file; 0 where no line is at fault.
        self.line = line
