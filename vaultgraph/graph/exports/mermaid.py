"""Mermaid: a flowchart that Obsidian, GitHub and many others draw inside Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultgraph.graph.exports.wording import (
    BECAME,
    INK,
    PAINTS,
    edge_words,
    plain,
    state_words,
)
from vaultgraph.graph.picture import NODE_STATES, NodeState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultgraph.domain.dependencies import Level
    from vaultgraph.graph.picture import Node, Picture

#: Mermaid draws no flowchart with more edges or more characters unless a page's author says so.
MAXIMUM_EDGES = 500
MAXIMUM_CHARACTERS = 50_000

_SHAPES: dict[NodeState, tuple[str, str]] = {
    "stale": ("[", "]"),
    "suspect": ("(", ")"),
    "at-risk": ("([", "])"),
    "superseded": ("[[", "]]"),
    "ended": ("{{", "}}"),
    "handled": ("[", "]"),
    "pointing": ("[", "]"),
    "live": ("[", "]"),
}
_ARROWS: dict[Level, str] = {
    "confirmed": "==>",
    "proposed": "-->",
    "judged": "-->",
    "pointer": "-.->",
}
#: A label is read as Markdown and HTML, and ``#…;`` in it as a character's number or name. What
#: any of the three would take for its own is written by number.
_SPECIAL = re.compile(r"""["#<>&`*_\\~\[\]{}|;$^@:]|^(?:[-+]|\d+[.)])|\bwww\.""")


def mermaid_text(picture: Picture, *, is_in_note: bool = False) -> str:
    """Return a flowchart, left to right: dependents on the left, what they rest on on the right.

    In a note of the vault each label is the bare title, which Obsidian makes a link to the note;
    elsewhere a second line says its state. Ids are numbers, so that as much as possible stays
    below Mermaid's limits, which are ``fits_mermaid``'s to tell.
    """
    return "\n".join(_lines(picture, is_in_note=is_in_note)) + "\n"


def fits_mermaid(picture: Picture, text: str) -> bool:
    """Whether Mermaid draws the picture whose text this is without being told to."""
    edges = len(picture.edges) + len(picture.successions)
    return edges <= MAXIMUM_EDGES and len(text) <= MAXIMUM_CHARACTERS


def _lines(picture: Picture, *, is_in_note: bool) -> Iterator[str]:
    yield "flowchart LR"
    ids = {node.note: f"n{number}" for number, node in enumerate(picture.nodes, 1)}
    for node in picture.nodes:
        opening, closing = _SHAPES[node.state]
        label = _label(node, is_in_note=is_in_note)
        yield f'    {ids[node.note]}{opening}"{label}"{closing}'
    for edge in picture.edges:
        arrow = _ARROWS[edge.level]
        dependent, basis = ids[edge.dependent], ids[edge.basis]
        yield f"    {dependent} {arrow}|{edge_words(edge)}| {basis}"
    for closed, successor in picture.successions:
        yield f"    {ids[closed]} -.->|{BECAME}| {ids[successor]}"
    for state in NODE_STATES:
        members = [ids[node.note] for node in picture.nodes if node.state == state]
        if members:
            yield f"    classDef {state} {_style(state)}"
            yield f"    class {','.join(members)} {state}"
    if is_in_note and ids:
        yield f"    class {','.join(ids.values())} internal-link"


def _label(node: Node, *, is_in_note: bool) -> str:
    title = escaped(node.title)
    if is_in_note or node.state == "live":
        return title
    words = state_words(node)
    return f"{title}<br/>{escaped(words)}"


def escaped(text: str) -> str:
    """Return text as it may stand between quotes in a label: shown as it is, whatever it holds."""
    return _SPECIAL.sub(_by_number, plain(text).strip()) or " "


def _by_number(found: re.Match[str]) -> str:
    return "".join(c if c.isalnum() else f"#{ord(c)};" for c in found.group())


def _style(state: NodeState) -> str:
    paint = PAINTS[state]
    width = ",stroke-width:3px" if state in {"stale", "suspect"} else ""
    dash = ",stroke-dasharray:5 3" if state in {"ended", "at-risk", "pointing"} else ""
    return f"fill:{paint.fill},stroke:{paint.line},color:{INK}{width}{dash}"
