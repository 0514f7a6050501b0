"""Frontmatter of the plainest kind, read at a quarter of what a YAML parser costs.

Most blocks are keys with a word, a text in quotes or a list of such, one a line. They are read
here, and whatever is not certain to be of that kind is left to ``compose_block``: what both read
they read alike (``tests/property/test_plain_block.py``).
"""

from __future__ import annotations

import re

from yaml.error import Mark
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

_STR, _SEQ, _MAP = (f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map"))
#: Begins with a letter or digit, and holds no sign that means anything to YAML.
_WORDS = r"""[^\W_](?:[^\n:#'"\[\]{},&*!|>%@`]*[^\s:#'"\[\]{},&*!|>%@`])?"""
_QUOTED = r""""[^"\\\n]*"|'[^'\n]*'"""
_LINE = re.compile(
    rf"(?:([^\W_](?:[\w -]{{0,98}}\w)?):(?: ({_WORDS}|{_QUOTED}|\[\]))?"
    rf"|( {{0,4}})- ({_WORDS}|{_QUOTED}))\n"
)


class _Mark(Mark):
    """Where a node begins: its line, 0-based, and no more than that."""

    def __init__(self, line: int) -> None:
        self.line = line


def read_plain_block(block: str) -> MappingNode | None:
    """Return what ``compose_block`` does, marks knowing lines only; ``None`` where unsure."""
    # Tabs, and the letters that YAML or Obsidian take for something else, are not printable.
    if not block.replace("\n", "").isprintable():
        return None
    pairs: list[tuple[Node, Node]] = []
    keys: set[str] = set()
    items: list[Node] = []
    indent: str | None = None
    # Whether the last key may still get a list.
    is_open = False
    at = line = 0
    while at < len(block):
        found = _LINE.match(block, at)
        if found is None:
            return None
        key, value, blanks, item = found.groups()
        mark = _Mark(line)
        if key is not None:
            if key in keys:
                return None
            keys.add(key)
            is_open, indent = value is None, None
            pairs.append((ScalarNode(_STR, key, mark), _value(value or "", mark)))
        elif is_open:
            items, is_open, indent = [_value(item, mark)], False, blanks
            pairs[-1] = (pairs[-1][0], SequenceNode(_SEQ, items, mark))
        elif blanks == indent:
            items.append(_value(item, mark))
        else:
            return None
        at, line = found.end(), line + 1
    return MappingNode(_MAP, pairs, _Mark(0)) if pairs else None


def _value(text: str, mark: _Mark) -> Node:
    if text == "[]":
        return SequenceNode(_SEQ, [], mark)
    if text[:1] in {'"', "'"}:
        return ScalarNode(_STR, text[1:-1], mark, style=text[0])
    return ScalarNode(_STR, text, mark)
