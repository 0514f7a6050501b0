"""A picture of what rests on what: the notes in it, their state, and the edges between them.

A picture is made once and written in many formats; it is sorted, so that what is written does
not depend on the order in which anything was found. Private notes are in none.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Literal, NamedTuple

from vaultgraph.vault.scope import title_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from vaultgraph.domain.dependencies import Edge, Finding, State
    from vaultgraph.domain.notes import Closing, NoteId

#: ``superseded`` and ``ended`` are the two ways to be closed. ``pointing``: a live note that links
#: to or names a closed one, of which nobody and nothing has said that it rests on it. ``live`` is
#: every note of which nothing is wrong.
NodeState = Literal[
    "live", "superseded", "ended", "stale", "suspect", "at-risk", "handled", "pointing"
]

#: In the order in which they matter; of several findings on a note the first one gives its state.
NODE_STATES: tuple[NodeState, ...] = (
    "stale",
    "suspect",
    "at-risk",
    "superseded",
    "ended",
    "handled",
    "pointing",
    "live",
)
_URGENCY: dict[State, int] = {"stale": 0, "suspect": 1, "at-risk": 2, "handled": 3}
#: What comes after every finding by a person's or a judge's word.
_LAST = len(_URGENCY)


class Node(NamedTuple):
    """One note in a picture."""

    note: NoteId
    title: str
    state: NodeState
    #: How the note closed, private names masked; ``None`` where it is live.
    closing: Closing | None


class Picture(NamedTuple):
    """What is drawn, sorted by note."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    #: (closed note, what it became) each, where both are in the picture.
    successions: tuple[tuple[NoteId, NoteId], ...]
    #: Those that a note of the picture has, the most urgent first.
    findings: tuple[Finding, ...]


def picture_of(
    edges: Iterable[Edge],
    findings: Iterable[Finding],
    closings: Mapping[NoteId, Closing],
    *,
    also: Iterable[NoteId] = (),
    mask: Callable[[str], str] = str,
) -> Picture:
    """Return the picture of these edges and findings, and of the notes in ``also``.

    The other notes come from the edges and from the findings' paths; what a closed note became is
    drawn with it. None of what is given may belong to a private note, save for names in the
    owner's words, which ``mask`` hides.
    """
    kept = tuple(sorted(edges, key=lambda edge: (edge.dependent, edge.basis)))
    found = tuple(sorted(findings, key=_urgency))
    notes = {*also, *(note for edge in kept for note in (edge.dependent, edge.basis))}
    notes.update(note for finding in found for note in finding.path)
    successions = sorted(
        (note, successor)
        for note in notes
        if note in closings
        for successor in closings[note].successors
    )
    notes.update(successor for _, successor in successions)
    states: dict[NoteId, NodeState] = {}
    for finding in found:
        is_pointer = finding.level == "pointer"
        states.setdefault(finding.note, "pointing" if is_pointer else finding.state)
    nodes = []
    for note in sorted(notes):
        closing = closings.get(note)
        state: NodeState = closing.how if closing is not None else states.get(note, "live")
        nodes.append(Node(note, title_of(note), state, closing and _masked(closing, mask)))
    return Picture(tuple(nodes), kept, tuple(successions), found)


def _masked(closing: Closing, mask: Callable[[str], str]) -> Closing:
    return type(closing)(
        closing.how, mask(closing.sign), mask(closing.words), closing.on, closing.successors
    )


def _urgency(finding: Finding) -> tuple[int, str, str]:
    urgency = _LAST if finding.level == "pointer" else _URGENCY[finding.state]
    return urgency, finding.note, finding.basis


def stale_edges(edges: Iterable[Edge], findings: Iterable[Finding]) -> list[Edge]:
    """Return the edges on the findings' paths."""
    wanted = {
        step for finding in findings for step in zip(finding.path, finding.path[1:], strict=False)
    }
    return [edge for edge in edges if (edge.dependent, edge.basis) in wanted]


def edges_around(edges: Iterable[Edge], note: NoteId, depth: int) -> list[Edge]:
    """Return the edges between notes that are at most ``depth`` steps away, either way."""
    kept = list(edges)
    beside: defaultdict[NoteId, list[NoteId]] = defaultdict(list)
    for edge in kept:
        beside[edge.dependent].append(edge.basis)
        beside[edge.basis].append(edge.dependent)
    near = {note}
    rim = [note]
    for _ in range(depth):
        rim = sorted({other for one in rim for other in beside[one]} - near)
        near.update(rim)
    return [edge for edge in kept if edge.dependent in near and edge.basis in near]
