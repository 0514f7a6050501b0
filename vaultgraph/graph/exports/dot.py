"""DOT, for Graphviz and what else reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.graph.exports.wording import (
    BECAME,
    INK,
    PAINTS,
    edge_words,
    key_of,
    plain,
    state_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultgraph.domain.dependencies import Level
    from vaultgraph.graph.picture import Node, NodeState, Picture

_STYLES: dict[NodeState, str] = {
    "stale": 'shape=box style="filled,bold"',
    "suspect": 'shape=box style="filled,rounded,bold"',
    "at-risk": 'shape=box style="filled,rounded,dashed"',
    "superseded": "shape=box peripheries=2",
    "ended": 'shape=octagon style="filled,dashed"',
    "handled": "shape=box",
    "pointing": 'shape=box style="filled,dotted"',
    "live": "shape=box",
}
_ARROWS: dict[Level, str] = {
    "confirmed": "penwidth=2",
    "proposed": "",
    "judged": "",
    "pointer": "style=dotted",
}


def dot_text(picture: Picture) -> str:
    """Return a directed graph from left to right, each note's path as its tooltip."""
    return "\n".join(_lines(picture)) + "\n"


def _lines(picture: Picture) -> Iterator[str]:
    yield "digraph vaultgraph {"
    yield "  graph [rankdir=LR charset=utf8 ranksep=0.9 nodesep=0.25 bgcolor=white]"
    yield f'  node [style=filled fontname="Helvetica" fontsize=11 fontcolor="{INK}"]'
    yield f'  edge [fontname="Helvetica" fontsize=9 color="{PAINTS["ended"].line}"]'
    for node in picture.nodes:
        paint = PAINTS[node.state]
        yield (
            f"  n{key_of(node.note)} [label={_label(node)} tooltip={quoted(node.note)}"
            f' {_STYLES[node.state]} fillcolor="{paint.fill}" color="{paint.line}"]'
        )
    for edge in picture.edges:
        style = _ARROWS[edge.level]
        yield (
            f"  n{key_of(edge.dependent)} -> n{key_of(edge.basis)}"
            f" [label={quoted(edge_words(edge))}{style and f' {style}'}]"
        )
    for closed, successor in picture.successions:
        yield (
            f"  n{key_of(closed)} -> n{key_of(successor)}"
            f' [label={quoted(BECAME)} style=dashed color="{PAINTS["superseded"].line}"]'
        )
    yield "}"


def _label(node: Node) -> str:
    title = quoted(node.title)
    # \n between the two is Graphviz's own line break; one in a title is escaped.
    return title if node.state == "live" else f"{title[:-1]}\\n{quoted(state_words(node))[1:]}"


def quoted(text: str) -> str:
    r"""Return a quoted string that Graphviz shows as it is.

    A backslash would begin one of its own escapes (``\N``, ``\l``), and ``&`` an HTML entity.
    """
    shown = plain(text).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return f'"{shown}"'
