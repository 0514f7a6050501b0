"""JSON Canvas 1.0 (jsoncanvas.org): cards that Obsidian shows the notes themselves on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from vaultgraph.graph.exports.wording import (
    BECAME,
    GENERATOR,
    PAINTS,
    STATE_WORDS,
    edge_words,
    key_of,
    plain,
    state_words,
)
from vaultgraph.graph.layout import Spacing, lay_out
from vaultgraph.graph.picture import NODE_STATES, NodeState

if TYPE_CHECKING:
    from vaultgraph.domain.dependencies import Edge, State
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.graph.picture import Node, Picture

_SPACING = Spacing(width=340, across=200, down=60, between=160)
#: The id of the card that counts the states; it stands on every canvas of ours.
LEGEND = f"{GENERATOR}-legend"
#: A card, and the text below a closed note's card, in pixels; Obsidian writes a note's name above
#: its card.
_CARD, _TEXT, _BELOW = 180, 100, 10
#: Obsidian's own colours fit every theme; it has none for grey.
_COLOURS: dict[NodeState, str] = {
    "stale": "1",
    "suspect": "2",
    "at-risk": "3",
    "handled": "4",
    "superseded": "6",
    "ended": PAINTS["ended"].line,
}


def canvas_text(picture: Picture) -> str:
    """Return a canvas: dependents on the left, what they rest on on the right.

    A card's id is made from its note's path alone, so that a later picture differs only where
    something changed.
    """
    heights = {
        node.note: _CARD if node.closing is None else _CARD + _BELOW + _TEXT
        for node in picture.nodes
    }
    arrows = [(edge.dependent, edge.basis) for edge in picture.edges]
    places = lay_out(heights, [*arrows, *picture.successions], _SPACING)
    nodes: list[dict[str, Any]] = []
    for node in picture.nodes:
        nodes += _cards(node, *places[node.note])
    nodes.append(_legend(picture))
    found = {(finding.note, finding.basis): finding.state for finding in picture.findings}
    edges = [_dependency(edge, found.get((edge.dependent, edge.basis))) for edge in picture.edges]
    edges += [_edge(*pair, BECAME, colour=_COLOURS["superseded"]) for pair in picture.successions]
    return _written({"nodes": nodes, "edges": edges})


def is_untouched(text: str) -> bool:
    """Whether a canvas is as we wrote it.

    Obsidian writes one whole anew, in a form of its own, as soon as a card is moved.
    """
    try:
        return f'"{LEGEND}"' in text and _written(json.loads(text)) == text
    except ValueError:
        return False


def _written(canvas: Any) -> str:  # noqa: ANN401 - whatever a file holds
    return json.dumps(canvas, ensure_ascii=False, indent="\t") + "\n"


def _cards(node: Node, x: int, y: int) -> list[dict[str, Any]]:
    key = key_of(node.note)
    colour = {"color": _COLOURS[node.state]} if node.state in _COLOURS else {}
    box = {"x": x, "width": _SPACING.width}
    card = {"id": key, "type": "file", "file": node.note, **box, "y": y, "height": _CARD, **colour}
    if node.closing is None:
        return [card]
    text = {
        "id": f"{key}-closed",
        "type": "text",
        "text": plain(state_words(node)),
        **box,
        "y": y + _CARD + _BELOW,
        "height": _TEXT,
        **colour,
    }
    return [card, text]


def _legend(picture: Picture) -> dict[str, Any]:
    """Return a card that counts the states, with the word for each."""
    counts = {state: sum(node.state == state for node in picture.nodes) for state in NODE_STATES}
    lines = [f"- {count:,} {STATE_WORDS[state]}" for state, count in counts.items() if count]
    lines = lines or ["Nothing to draw."]
    height = 70 + 28 * len(lines)
    return {
        "id": LEGEND,
        "type": "text",
        "text": "\n".join(["**Left rests on right**", *lines]),
        "x": 0,
        "y": -height - _SPACING.between,
        "width": _SPACING.width,
        "height": height,
    }


def _dependency(edge: Edge, state: State | None) -> dict[str, Any]:
    """Return an edge that says what was found on it, and how the dependency is known."""
    label = plain(edge_words(edge))
    if state is not None:
        label = f"{STATE_WORDS[state]} · {label}"
    faint = PAINTS["live"].line if edge.level == "pointer" else ""
    colour = faint if state is None else _COLOURS[state]
    return _edge(edge.dependent, edge.basis, label, colour=colour)


def _edge(start: NoteId, end: NoteId, label: str, *, colour: str) -> dict[str, Any]:
    ends = {"fromNode": key_of(start), "toNode": key_of(end)}
    return {
        "id": f"{ends['fromNode']}-{ends['toNode']}" + ("-became" if label == BECAME else ""),
        **ends,
        "fromSide": "right",
        "toSide": "left",
        "label": label,
        **({"color": colour} if colour else {}),
    }
