"""Frontmatter read as Obsidian reads it: a python-frontmatter handler, and the facts we need."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from vaultgraph.domain.notes import (
    ENTRY_LISTS,
    PROPERTY,
    Entry,
    EntryList,
    Fault,
    NoteFacts,
    WrittenLink,
)
from vaultgraph.text.frontmatter import split_note
from vaultgraph.text.links import link_value
from vaultgraph.text.plain_block import read_plain_block
from vaultgraph.text.yaml_block import BlockError, compose_block, scalar_value, value_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vaultgraph.domain.settings import Settings

PRIVATE_KEY = "private"
REPORT_KEY = "vaultgraph-report"
_ALIASES_KEY = "aliases"
_ARCHIVED_KEY = "archived"
#: The only values of ``private`` that leave a note open; the key fails closed.
_NOT_PRIVATE = frozenset({"", "false", "no", "off", "0", "null", "~"})
#: A line may end with a lone CR, or otherwise than Obsidian thinks.
_PRIVATE_LINE = re.compile(
    rf"(?:\A|[\r\n\v\f\x85\u2028\u2029])\s*[\"']?{PRIVATE_KEY}[\"']?\s*:", re.IGNORECASE
)
_BAD_YAML = "bad-yaml"
UNQUOTED_LINK, _ODD_ENTRY = "unquoted-link", "odd-entry"
#: An item ``- [[X]]`` is a list in a list.
_BRACKETS = 2
_FENCE_LINE = re.compile(r"^---\r?$", re.MULTILINE)


def load_block(block: str) -> dict[str, Any]:
    """Return the properties of a block as Python values, keys always text.

    Raises:
        BlockError: Obsidian could not read the block either.
    """
    root = compose_block(block)
    if root is None:
        return {}
    value = value_of(root)
    return value if isinstance(value, dict) else {}


def obsidian_handler() -> Any:  # noqa: ANN401 - the library is untyped
    """Return a python-frontmatter handler with Obsidian's fences and YAML 1.2 values.

    Only its ``split`` and ``load`` are for use: the library's ``parse`` strips the body and
    accepts leading blank lines, and its ``dump`` rewrites every line.
    """
    from frontmatter.default_handlers import BaseHandler  # noqa: PLC0415 - 20 ms, rarely needed

    class ObsidianHandler(BaseHandler):
        """Frontmatter by Obsidian's rules."""

        # The library insists on a boundary of its own, which ``detect`` and ``split`` never use.
        FM_BOUNDARY = _FENCE_LINE
        START_DELIMITER = END_DELIMITER = "---"

        def detect(self, text: str) -> bool:
            """Whether Obsidian sees frontmatter in ``text``."""
            return split_note(text).has_frontmatter

        def split(self, text: str) -> tuple[str, str]:
            """Return the block and the body, every character kept."""
            note = split_note(text)
            return note.block, note.body

        def load(self, fm: str, **_: object) -> dict[str, Any]:
            """Return the properties in a block."""
            return load_block(fm)

    return ObsidianHandler()


# A fence precedes the block, and lines count from 1 in the file.
_FIRST_LINE = 2


def property_reader(settings: Settings) -> Callable[[str], NoteFacts]:
    """Return what reads a block into the facts it states, lines counted in the file.

    Bad YAML is a fault in the result, never an exception.
    """
    keys = _Keys(settings)

    # Thousands of notes share one block (``tags: - x``), and it means the same in all of them.
    @lru_cache(maxsize=8192)
    def read(block: str) -> NoteFacts:
        try:
            root = read_plain_block(block) or compose_block(block)
        except BlockError as error:
            text = f"frontmatter is not valid YAML: {error.text}"
            fault = (error.line + _FIRST_LINE, _BAD_YAML, text)
            return NoteFacts(is_private=mentions_private_key(block), faults=(fault,))
        return NoteFacts() if root is None else _Reader(root, keys).read()

    return read


def mentions_private_key(text: str) -> bool:
    """Whether a line of a broken or near-miss block starts with ``private:``."""
    return _PRIVATE_LINE.search(text) is not None


class _Keys:
    """What the properties that matter here are called in this vault, in lower case."""

    def __init__(self, settings: Settings) -> None:
        keys = settings.keys
        self.lists: dict[str, EntryList] = {keys.of_list(x).lower(): x for x in ENTRY_LISTS}
        self.statuses = frozenset(key.lower() for key in settings.status.keys)
        self.superseded_by = keys.superseded_by.lower()
        self.texts = {
            keys.resolved_to.lower(): "resolved_to",
            keys.resolved_on.lower(): "resolved_on",
            keys.reviewed.lower(): "reviewed",
        }


class _Reader:
    """Reads one root mapping, property by property."""

    def __init__(self, root: MappingNode, keys: _Keys) -> None:
        self._root = root
        self._keys = keys
        self._found: dict[str, Any] = {}
        self._links: list[WrittenLink] = []
        self._entries: list[Entry] = []
        self._faults: list[Fault] = []

    def read(self) -> NoteFacts:
        for key_node, value in self._root.value:
            if isinstance(key_node, ScalarNode):
                self._read_property(str(key_node.value), value)
        return NoteFacts(
            **self._found,
            links=tuple(self._links),
            entries=tuple(self._entries),
            faults=tuple(self._faults),
        )

    def _read_property(self, written: str, value: Node) -> None:
        key = written.lower()
        in_list = self._keys.lists.get(key)
        if in_list is not None:
            self._read_entries(in_list, written, value)
            return
        self._read_links(written, value)
        if key == _ALIASES_KEY:
            self._found["aliases"] = tuple(_aliases(value))
        elif key in self._keys.statuses:
            texts = tuple((written, text) for text in self._read_texts(written, value))
            self._found["statuses"] = self._found.get("statuses", ()) + texts
        elif key in self._keys.texts:
            self._found[self._keys.texts[key]] = ", ".join(self._read_texts(written, value))
        elif key == self._keys.superseded_by:
            self._found["superseded_by"] = tuple(self._read_texts(written, value))
        elif key == _ARCHIVED_KEY:
            self._found["archived"] = isinstance(value, ScalarNode) and _is_on(value)
        elif key == PRIVATE_KEY:
            # Written twice in two letter cases, one yes is enough.
            self._found["is_private"] = self._found.get("is_private") or not _is_left_open(value)
        elif key == REPORT_KEY:
            self._found["is_report"] = isinstance(value, ScalarNode) and _is_on(value)

    def _read_links(self, key: str, value: Node) -> None:
        for text, line in _texts(value):
            if text.startswith(("[", "!", " ")):
                target = link_value(text)
                if target:
                    self._links.append((target, line + _FIRST_LINE, f"{PROPERTY}:{key}"))

    def _read_texts(self, key: str, value: Node) -> list[str]:
        """Return the texts of a property that we go by, unquoted links among them."""
        texts: list[str] = []
        for item in _items(value):
            if not isinstance(item, ScalarNode):
                target = self._unquoted(key, item)
                texts += [f"[[{target}]]"] if target else []
            elif scalar_value(item) is not None and item.value.strip():
                texts.append(str(item.value).strip())
        return texts

    def _unquoted(self, key: str, item: Node) -> str | None:
        """Return the name in an unquoted link, and tell of the item, whatever it is.

        The app sees no link there, yet one is plainly meant: what is closed or decided that way
        counts, and the person is told how to write it.
        """
        target = _unquoted_link(item)
        line = item.start_mark.line + _FIRST_LINE
        text = f"a value of {key} is not text"
        if target is None:
            self._faults.append((line, _ODD_ENTRY, text))
        else:
            text += f', so Obsidian sees no link; write "[[{target}]]" in quotes'
            self._faults.append((line, UNQUOTED_LINK, text))
        return target

    def _read_entries(self, in_list: EntryList, key: str, value: Node) -> None:
        if isinstance(value, MappingNode):
            line = value.start_mark.line + _FIRST_LINE
            self._faults.append((line, _ODD_ENTRY, f"{key} is not a list of links"))
            return
        for item in _items(value):
            if isinstance(item, ScalarNode):
                written = "" if scalar_value(item) is None else str(item.value).strip()
            else:
                target = self._unquoted(key, item)
                written = f"[[{target}]]" if target else ""
            if written:
                # A bare name without brackets is no link to the app, and yet meant as one.
                line = item.start_mark.line + _FIRST_LINE
                self._entries.append((in_list, link_value(written) or written, line))


def _unquoted_link(node: Node) -> str | None:
    """Return the inside of a ``[[Name, once]]`` that YAML took for a list in a list."""
    # Not for as long as there are lists: with an alias, one may hold itself.
    for _ in range(_BRACKETS):
        if isinstance(node, SequenceNode) and len(node.value) == 1:
            node = node.value[0]
    parts = _items(node)
    if not parts or not all(isinstance(part, ScalarNode) for part in parts):
        return None
    return ", ".join(str(part.value) for part in parts).strip() or None


def _items(value: Node) -> list[Node]:
    return value.value if isinstance(value, SequenceNode) else [value]


def _texts(value: Node) -> Iterator[tuple[str, int]]:
    """Yield the texts of a scalar or a list of scalars, each with its 0-based line."""
    for item in _items(value):
        if isinstance(item, ScalarNode) and scalar_value(item) is not None:
            yield str(item.value).strip(), item.start_mark.line


def _aliases(value: Node) -> Iterator[str]:
    """Yield the aliases as the app takes them: texts only, no splitting at commas."""
    for item in _items(value):
        if isinstance(item, ScalarNode) and isinstance(scalar_value(item), str):
            alias = " ".join(str(item.value).split())
            if alias:
                yield alias


def _is_on(value: ScalarNode) -> bool:
    return str(value.value).strip().lower() in {"true", "yes", "on", "1"}


def _is_left_open(value: Node) -> bool:
    return isinstance(value, ScalarNode) and str(value.value).strip().lower() in _NOT_PRIVATE
