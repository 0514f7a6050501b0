"""The YAML of a frontmatter block as nodes with character offsets, read as Obsidian reads it.

Obsidian uses YAML 1.2 (npm ``yaml`` 2.x, core schema): ``yes``, ``12:30`` and dates are text,
keys are text, a key given twice is an error. PyYAML implements 1.1, so only its parser is used,
which cuts the text into nodes; what a plain scalar means is decided here.
"""

from __future__ import annotations

import math
import re
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from vaultgraph.text.yaml_strict import find_unreadable

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # pragma: no cover - only where PyYAML was built without libyaml
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]

# PyYAML ends lines at these, or refuses them; Obsidian's parser takes them for text. They are
# read as private-use characters, which no note needs to hold, and put back afterwards.
_STAND_INS = {0x85: 0xE085, 0x2028: 0xE128, 0x2029: 0xE129, 0xFEFF: 0xEFEF}
_OWN = {stand_in: own for own, stand_in in _STAND_INS.items()}
_STR_TAG = "tag:yaml.org,2002:str"
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE = frozenset({"true", "True", "TRUE"})
_FALSE = frozenset({"false", "False", "FALSE"})
_INT = re.compile(r"[-+]?[0-9]+\Z")
_BASED = re.compile(r"0(?:o[0-7]+|x[0-9a-fA-F]+)\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_INFINITY = re.compile(r"[-+]?\.(?:inf|Inf|INF)\Z")
_NAN = frozenset({".nan", ".NaN", ".NAN"})


class BlockError(Exception):
    """The block is not YAML that Obsidian could read; ``line`` is 0-based within the block."""

    def __init__(self, text: str, line: int) -> None:
        super().__init__(text)
        self.text = text
        self.line = line


class _PlainLoader(_Loader):
    """A loader that resolves no plain scalar: the node keeps its text, ``style`` its quoting."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - PyYAML's own interface


def compose_block(block: str) -> MappingNode | None:
    """Return the root mapping of ``block``, or ``None`` where the block holds no value.

    Raises:
        BlockError: not YAML, not a mapping, or a key given twice.
    """
    stood_in = block if block.isascii() else block.translate(_STAND_INS)
    try:
        root = yaml.compose(stood_in, Loader=_PlainLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = " ".join(str(error.problem or error.context or "cannot be parsed").split())
        raise BlockError(reason, mark.line if mark else 0) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        # Control characters raise ReaderError, which has a position and no mark.
        at = getattr(error, "position", 0)
        line = block.count("\n", 0, at) if isinstance(at, int) else 0
        raise BlockError("a character YAML does not allow, or nesting too deep", line) from None
    if root is None or _is_null(root):
        return None
    if not isinstance(root, MappingNode):
        raise BlockError("not a list of properties", root.start_mark.line)
    if stood_in != block:
        _put_back(root, set())
    _refuse_duplicates(root)
    unreadable = find_unreadable(root, stood_in, _PlainLoader)
    if unreadable is not None:
        raise BlockError(*unreadable)
    return root


def _put_back(node: Node, done: set[int]) -> None:
    """Give the texts below ``node`` their own characters again."""
    if id(node) in done:
        return
    done.add(id(node))
    if isinstance(node, ScalarNode):
        node.value = node.value.translate(_OWN)
    else:
        for item in node.value:
            for child in item if isinstance(item, tuple) else (item,):
                _put_back(child, done)


def _refuse_duplicates(root: MappingNode) -> None:
    """Raise where a mapping, however deep inside the block, has a key twice."""
    pending: list[Node] = [root]
    # Aliases make one node stand in many places, or inside itself.
    met: set[int] = set()
    while pending:
        node = pending.pop()
        if isinstance(node, ScalarNode) or id(node) in met:
            continue
        met.add(id(node))
        if isinstance(node, MappingNode):
            seen: set[str] = set()
            for key, value in node.value:
                pending.append(value)
                if isinstance(key, ScalarNode):
                    if key.value in seen:
                        raise BlockError("a property is given twice", key.start_mark.line)
                    seen.add(key.value)
        else:
            pending += node.value


def _is_null(node: Node) -> bool:
    return (
        isinstance(node, ScalarNode)
        and not node.style
        and node.tag == _STR_TAG
        and node.value in _NULL
    )


def scalar_value(node: ScalarNode) -> object:
    """Return what YAML 1.2's core schema makes of a scalar: text, number, bool or ``None``."""
    text: str = node.value
    # A quoted or block scalar, and one with an explicit tag, is the text it holds.
    if node.style or node.tag != _STR_TAG:
        return text
    if not text or text[0] in "0123456789+-.~nNtTfF":
        return _core_value(text)
    return text


def _core_value(text: str) -> object:  # noqa: PLR0911 - one return a type of the schema
    if text in _NULL:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _INT.match(text):
        return int(text) if len(text) < 400 else text
    if _BASED.match(text):
        return int(text, 0)
    if _FLOAT.match(text):
        return float(text)
    if _INFINITY.match(text):
        return -math.inf if text.startswith("-") else math.inf
    return math.nan if text in _NAN else text


def value_of(node: Node) -> object:
    """Return the Python value of a node: nested dicts, lists and scalars, keys always text.

    Raises:
        BlockError: aliases make the value contain itself, or blow it up beyond use.
    """
    return _Values().value(node)


class _Values:
    """Builds one value, counting nodes: a few lines of aliases can stand for billions."""

    LIMIT = 100_000
    DEPTH = 100

    def __init__(self) -> None:
        self._built = 0

    def value(self, node: Node, depth: int = 0) -> object:
        self._built += 1
        if self._built > self.LIMIT or depth > self.DEPTH:
            raise BlockError("aliases or nesting too deep", node.start_mark.line)
        if isinstance(node, ScalarNode):
            return scalar_value(node)
        if isinstance(node, SequenceNode):
            return [self.value(item, depth + 1) for item in node.value]
        if isinstance(node, MappingNode):
            return {
                self._key(key, depth): self.value(value, depth + 1) for key, value in node.value
            }
        raise AssertionError(node)  # pragma: no cover - PyYAML composes no other node

    def _key(self, key: Node, depth: int) -> str:
        if isinstance(key, ScalarNode):
            return str(key.value)
        return str(self.value(key, depth + 1))
