"""Shapes of YAML that libyaml reads and Obsidian's parser (npm ``yaml`` 2.7) cannot.

Obsidian shows a block with one of them as invalid, whichever property it is in.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml
from yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode

if TYPE_CHECKING:
    from collections.abc import Iterator

_TIGHT = re.compile(r"[^ \t\r\n]#")
#: A line of a comment that goes on behind its ``#`` without a blank.
_TIGHT_LINE = re.compile(r"\n *#[^ \t\r\n]")
#: What begins a text in quotes, brackets or a block.
_SIGNS = re.compile(r"[\"'\[{|>]")
_BLANKS = " \t\r\n"
_QUOTES = frozenset({"'", '"'})


class Unreadable(NamedTuple):
    """What Obsidian cannot read, and on which line of the block, 0-based."""

    text: str
    line: int


def find_unreadable(root: MappingNode, block: str, loader: type[Any]) -> Unreadable | None:
    """Return the first such shape of each kind, if there is one; ``root`` is the block, read."""
    for at in _tight_comments(block, loader):
        return Unreadable("a comment without a space before it", block.count("\n", 0, at))
    # Most blocks hold nothing that could go on over lines, and are not looked through.
    indents = _Indents(block) if _SIGNS.search(block) or _TIGHT_LINE.search(block) else None
    for at in indents.find(root) if indents is not None else ():
        return Unreadable("a line that is not indented enough", block.count("\n", 0, at))
    return None


def _tight_comments(block: str, loader: type[Any]) -> Iterator[int]:
    """Yield where a comment begins right behind something else: ``"text"#comment``."""
    if not _TIGHT.search(block):
        return
    end = 0
    for token in yaml.scan(block, Loader=loader):
        start = token.start_mark.index
        # Between two tokens there are only blanks and comments.
        yield from _tight_in(block, end, start)
        end = token.end_mark.index
        if getattr(token, "style", None) in {"|", ">"}:
            yield from _tight_in(block, start, block.find("\n", start))


def _tight_in(block: str, start: int, end: int) -> Iterator[int]:
    at = block.find("#", start, end)
    if at > 0 and block[at - 1] not in _BLANKS:
        yield at


class _Indents:
    """Finds lines that stand too far left for what they go on with.

    A text in quotes or brackets, over several lines, must be indented by more blanks than the key
    or dash that it belongs to; tabs do not count. A text without any, begun on a line of its own
    below a comment, must end where its indent ends: ``_swallowed``.
    """

    def __init__(self, block: str) -> None:
        self._block = block
        self._has_tight_line = _TIGHT_LINE.search(block) is not None

    def find(self, root: MappingNode) -> Iterator[int]:
        """Yield where such lines begin, or the text that they belong to."""
        # Each node with how many blanks it needs. An alias is the node that it stands for.
        pending: list[tuple[Node, int]] = [(root, 0)]
        met: set[int] = set()
        while pending:
            node, least = pending.pop()
            if isinstance(node, ScalarNode):
                yield from self._in_scalar(node, least)
            elif isinstance(node, CollectionNode) and id(node) not in met:
                met.add(id(node))
                if node.flow_style:
                    yield from self._in_flow(node, self._allowed(node.start_mark.index, least))
                else:
                    pending += self._inside(node, least)

    def _inside(self, node: Node, least: int) -> Iterator[tuple[Node, int]]:
        if isinstance(node, MappingNode):
            for key, value in node.value:
                inside = key.start_mark.column + 1
                if not isinstance(key, ScalarNode) or key.style:
                    yield key, inside
                yield value, inside
        else:
            # Behind an anchor the first dash is not where the list begins.
            at = node.start_mark.index
            inside = node.start_mark.column + 1 if self._block[at : at + 1] == "-" else least
            yield from ((item, inside) for item in node.value)

    def _in_scalar(self, node: ScalarNode, least: int) -> Iterator[int]:
        first, last = node.start_mark, node.end_mark
        if node.style and first.line == last.line:
            return
        allowed = self._allowed(first.index, least)
        if not node.style:
            if allowed < least:
                yield from self._swallowed(last.index, allowed)
        elif node.style in _QUOTES:
            yield from self._outdented(first.index, last.index, allowed)
        elif first.column < least or (allowed < least and not node.value.strip()):
            yield first.index

    def _lines(self, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Yield place, number of blanks and the rest of each line that begins in a stretch."""
        at = self._block.find("\n", start, end)
        while at >= 0:
            following = self._block.find("\n", at + 1, end)
            line = self._block[at + 1 : following if following >= 0 else end].rstrip("\r")
            rest = line.lstrip(" ")
            yield at + 1, len(line) - len(rest), rest
            at = following

    def _outdented(self, start: int, end: int, least: int) -> Iterator[int]:
        for at, blanks, rest in self._lines(start, end):
            if rest and blanks < least:
                yield at

    def _in_flow(self, node: Node, least: int) -> Iterator[int]:
        start, end = node.start_mark.index, node.end_mark.index
        if "\n" not in self._block[start:end]:
            return
        texts = _quoted_texts(node)
        for at, blanks, rest in self._lines(start, end):
            text = rest.lstrip("\t ")
            while texts and texts[-1][1] < at:
                texts.pop()
            if texts and texts[-1][0] < at:
                # A line of such a text counts whatever it begins with.
                is_fine = not rest
            else:
                # The last bracket may stand below the key.
                is_last = at + blanks == end - 1 and blanks == least - 1
                is_fine = not text or text[0] == "#" or is_last
            if not is_fine and blanks < least:
                yield at

    def _swallowed(self, end: int, allowed: int) -> Iterator[int]:
        """Yield where the line behind a plain text begins, if it is taken for more of the text."""
        block = self._block
        # A comment behind the text ends it.
        if block[end : block.find("\n", end)].strip(_BLANKS):
            return
        for at, blanks, rest in self._lines(end, len(block)):
            if rest.strip(_BLANKS):
                if not rest.startswith("#") and blanks >= allowed:
                    yield at
                return

    def _allowed(self, start: int, least: int) -> int:
        """Return how many blanks are enough for further lines of the text that begins there.

        Fewer than ``least`` where it begins on a line of its own, below a comment further left
        without a blank behind its ``#``.
        """
        if not self._has_tight_line:
            return least
        above = self._block.rfind("\n", 0, start) + 1
        if not above or self._block[above:start].strip(" "):
            return least
        lefts = (
            blanks
            for blanks, rest in self._comments_above(above)
            if len(rest) > 1 and rest[1] not in _BLANKS
        )
        return min([least, *lefts])

    def _comments_above(self, at: int) -> Iterator[tuple[int, str]]:
        """Yield blanks and rest of the lines above a place that hold no more than a comment.

        The rest goes on over the line's end: it is looked at by its first two characters.
        """
        block = self._block
        while at > 0:
            start = block.rfind("\n", 0, at - 1) + 1
            line = block[start : at - 1]
            rest = line.lstrip(" ")
            if rest.strip(_BLANKS) and not rest.lstrip(_BLANKS).startswith("#"):
                return
            blanks = len(line) - len(rest)
            yield blanks, block[start + blanks : start + blanks + 2]
            at = start


def _quoted_texts(flow: Node) -> list[tuple[int, int]]:
    """Return where quoted texts over several lines begin and end in brackets, the last first."""
    pending, met = [flow], set[int]()
    found: list[tuple[int, int]] = []
    while pending:
        node = pending.pop()
        if isinstance(node, ScalarNode):
            if node.style in _QUOTES and node.start_mark.line != node.end_mark.line:
                found.append((node.start_mark.index, node.end_mark.index))
        elif id(node) not in met:
            met.add(id(node))
            for item in node.value:
                pending += item if isinstance(item, tuple) else (item,)
    return sorted(found, reverse=True)
