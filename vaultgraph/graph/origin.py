"""Which of the notes that state one thing the others rest on: its origin.

A note that rests on another directly counts one for it, one that comes to it over two dependencies
a half, over three a third, whether or not the notes between state the thing as well. So what most
of the others took it from stands before what that was itself drawn from in part. Bare pointers
decide only between notes that are equal in this.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from vaultgraph.domain.dependencies import Edge
    from vaultgraph.domain.notes import NoteId

#: What is further away counts nothing.
MAXIMUM_STEPS = 10
#: What one note a step away counts; every number of steps divides it.
_ONE = 2520


class Origin(NamedTuple):
    """A note that states something, and which others that state it come to it."""

    note: NoteId
    #: From the others that rest on it directly, by dependent.
    resting: tuple[Edge, ...] = ()
    #: How many more of the others come to it over two dependencies or more.
    further: int = 0
    #: The rest of those that link to it or name it.
    pointing: tuple[NoteId, ...] = ()
    #: To the others that it rests on directly, by basis.
    bases: tuple[Edge, ...] = ()

    @property
    def is_origin(self) -> bool:
        """Whether any of the others comes to it at all."""
        return bool(self.resting or self.further or self.pointing)


def rank_origins(
    stating: Collection[NoteId],
    edges: Iterable[Edge],
    pointers: Iterable[tuple[NoteId, NoteId]],
) -> tuple[Origin, ...]:
    """Return every note of ``stating``, the one that the others rest on first.

    ``pointers`` are (note, note it links to or names) of notes in ``stating``; those of pairs that
    ``edges`` join count nothing, and neither do bare pointers among ``edges``.
    """
    resting: defaultdict[NoteId, list[Edge]] = defaultdict(list)
    bases: defaultdict[NoteId, list[Edge]] = defaultdict(list)
    dependencies = sorted(
        edge for edge in edges if edge.level != "pointer" and edge.dependent != edge.basis
    )
    for edge in dependencies:
        if edge.dependent in stating and edge.basis in stating:
            resting[edge.basis].append(edge)
            bases[edge.dependent].append(edge)
    joined = {frozenset((edge.dependent, edge.basis)) for edge in dependencies}
    pointing: defaultdict[NoteId, set[NoteId]] = defaultdict(set)
    for note, to in pointers:
        if note != to and frozenset((note, to)) not in joined:
            pointing[to].add(note)
    counts = _count_by_steps(stating, dependencies)
    ranked: list[tuple[int, int, NoteId, Origin]] = []
    for note in sorted(stating):
        by_steps = counts.get(note, ())
        weight = sum(_ONE // steps * number for steps, number in enumerate(by_steps, 1))
        near = tuple(sorted(pointing[note]))
        row = Origin(note, tuple(resting[note]), sum(by_steps[1:]), near, tuple(bases[note]))
        ranked.append((-weight, -len(near), note, row))
    return tuple(row for *_, row in sorted(ranked))


def _count_by_steps(
    stating: Collection[NoteId], edges: Iterable[Edge]
) -> Mapping[NoteId, list[int]]:
    """Return how many of ``stating`` come to each note in one step, in two, and so on.

    Sets of notes are bits of numbers: each step is one pass over the edges, however many notes
    come to each of them.
    """
    bit_of = {note: 1 << number for number, note in enumerate(sorted(stating))}
    dependents: defaultdict[NoteId, list[NoteId]] = defaultdict(list)
    for edge in edges:
        dependents[edge.basis].append(edge.dependent)
    reached = dict.fromkeys(dependents, 0)
    counts: defaultdict[NoteId, list[int]] = defaultdict(list)
    for _ in range(MAXIMUM_STEPS):
        before = dict(reached)
        for basis, notes in dependents.items():
            bits = before[basis]
            for note in notes:
                bits |= bit_of.get(note, 0) | before.get(note, 0)
            # In a ring a note comes to itself, which says nothing.
            reached[basis] = bits & ~bit_of.get(basis, 0)
        if reached == before:
            break
        for basis in dependents:
            if basis in bit_of:
                counts[basis].append((reached[basis] ^ before[basis]).bit_count())
    return counts
