"""What a picture says in words and colours, whatever the format."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category

if TYPE_CHECKING:
    from vaultgraph.domain.dependencies import Edge
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.graph.picture import Node, NodeState


class Paint(NamedTuple):
    """How one state looks where a format has no theme of its own: dark text on a light ground."""

    fill: str
    line: str


#: Every colour comes with another sign of the same state: a shape, or the state in words.
PAINTS: dict[NodeState, Paint] = {
    "stale": Paint("#fbdfd8", "#b93a1c"),
    "suspect": Paint("#fcecc5", "#9a6700"),
    "at-risk": Paint("#fdf8dc", "#a3912a"),
    "superseded": Paint("#e6e3f7", "#6150b0"),
    "ended": Paint("#e2e4e8", "#4d5663"),
    "handled": Paint("#dcefe3", "#2b7a4b"),
    "pointing": Paint("#ffffff", "#b93a1c"),
    "live": Paint("#ffffff", "#8a93a0"),
}
#: Stands in every file that we write, so that no other is ever taken for one.
GENERATOR = "vaultgraph"
#: The colour of text in every state.
INK = "#1f2328"

STATE_WORDS: dict[NodeState, str] = {
    "stale": "stale",
    "suspect": "suspect",
    "at-risk": "at risk",
    "superseded": "superseded",
    "ended": "ended",
    "handled": "handled",
    "pointing": "points at a closed note",
    "live": "live",
}
#: What a line between two notes says where a closed one became the other.
BECAME = "became"

_JOINERS = "\u200c\u200d"


def plain(text: str) -> str:
    """Return text on one line, with what would move the cursor or turn the line around replaced.

    Joiners stay: scripts and emoji are written with them.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        "\ufffd" if category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and c not in _JOINERS else c
        for c in text
    )


def key_of(note: NoteId) -> str:
    """Return 16 hex digits that stand for a note, and for it alone in any vault there is."""
    return sha256(note.encode()).hexdigest()[:16]


def edge_words(edge: Edge) -> str:
    """Return how a dependency is known: ``confirmed``, ``judged 0.93`` and so on."""
    if edge.level in {"confirmed", "pointer"} or edge.probability is None:
        return edge.level
    return f"{edge.level} {edge.probability:.2f}"


def state_words(node: Node) -> str:
    """Return a note's state in words; a closed one's with the day and the owner's own words."""
    words = STATE_WORDS[node.state]
    if node.closing is None:
        return words
    if node.closing.on:
        words += f" {node.closing.on}"
    return f"{words}: {node.closing.words}" if node.closing.words else words
