"""Rings of notes that rest on each other, and the edge of each that is known least well."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

from vaultgraph.domain.dependencies import Cycle, Edge, Level

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from vaultgraph.domain.notes import NoteId

_SURENESS: dict[Level, int] = {"pointer": 0, "judged": 1, "proposed": 2, "confirmed": 3}

#: The edges of a graph by dependent and basis.
_Edges = dict[tuple["NoteId", "NoteId"], Edge]


def find_cycles(edges: Iterable[Edge], closed: Collection[NoteId] = ()) -> tuple[Cycle, ...]:
    """Return every two live notes that rest on each other, and what longer rings there are.

    Of notes that hang together in several longer rings one ring is named, a short one: there may
    be ever so many, and taking out its weakest edge shows what is left. Bare pointers make none.
    """
    kept: _Edges = {
        (edge.dependent, edge.basis): edge
        for edge in edges
        if edge.level != "pointer" and edge.dependent not in closed and edge.basis not in closed
    }
    pairs = [
        Cycle((one, other), _weakest((edge, kept[other, one])))
        for (one, other), edge in kept.items()
        if one < other and (other, one) in kept
    ]
    for pair in pairs:
        del kept[pair.weakest.dependent, pair.weakest.basis]
    return tuple(sorted([*pairs, *_longer(kept)]))


def _weakest(ring: Iterable[Edge]) -> Edge:
    def sureness(edge: Edge) -> tuple[int, float, NoteId, NoteId]:
        probability = 1.0 if edge.probability is None else edge.probability
        return _SURENESS[edge.level], probability, edge.dependent, edge.basis

    return min(ring, key=sureness)


def _longer(kept: _Edges) -> list[Cycle]:
    rest = _peel(kept)
    group_of = _groups(rest)
    inside = {pair: e for pair, e in rest.items() if group_of[pair[0]] == group_of[pair[1]]}
    bases = _bases(inside)
    smallest: dict[NoteId, NoteId] = {}
    for note in sorted(bases):
        smallest.setdefault(group_of[note], note)
    found: list[Cycle] = []
    for start in smallest.values():
        notes = _shortest_ring(bases, start)
        steps = zip(notes, (*notes[1:], notes[0]), strict=True)
        found.append(Cycle(notes, _weakest(rest[step] for step in steps)))
    return found


def _groups(edges: Iterable[tuple[NoteId, NoteId]]) -> dict[NoteId, NoteId]:
    """Return for each note one of those it hangs together with, the same one for all of them.

    Kosaraju's algorithm. That of networkx does the same, but takes 0.15 s to import, half of what
    a run that shows a note may take altogether.
    """
    pairs = list(edges)
    bases, dependents = _bases(pairs), _bases((basis, dependent) for dependent, basis in pairs)
    finished: list[NoteId] = []
    begun: set[NoteId] = set()
    for start in bases:
        stack = [(start, iter(bases[start]))] if start not in begun else []
        begun.add(start)
        while stack:
            note, further = stack[-1]
            following = next((basis for basis in further if basis not in begun), None)
            if following is None:
                finished.append(note)
                stack.pop()
            else:
                begun.add(following)
                stack.append((following, iter(bases[following])))
    group_of: dict[NoteId, NoteId] = {}
    for start in reversed(finished):
        pending = [start] if start not in group_of else []
        group_of.setdefault(start, start)
        while pending:
            for note in dependents[pending.pop()]:
                if note not in group_of:
                    group_of[note] = start
                    pending.append(note)
    return group_of


def _peel(edges: _Edges) -> _Edges:
    """Return the edges without those that are in no ring for want of one before or behind."""
    for flipped in (False, True):
        beside: defaultdict[NoteId, list[NoteId]] = defaultdict(list)
        degree: defaultdict[NoteId, int] = defaultdict(int)
        for pair in edges:
            near, far = pair[::-1] if flipped else pair
            beside[near].append(far)
            degree[far] += 1
        gone: set[NoteId] = set()
        free = [note for note in beside if not degree[note]]
        while free:
            note = free.pop()
            gone.add(note)
            for far in beside[note]:
                degree[far] -= 1
                if not degree[far]:
                    free.append(far)
        edges = {pair: e for pair, e in edges.items() if gone.isdisjoint(pair)}
    return edges


def _bases(edges: Iterable[tuple[NoteId, NoteId]]) -> dict[NoteId, list[NoteId]]:
    """Return the bases of each dependent; turned round, the dependents of each basis."""
    bases: defaultdict[NoteId, list[NoteId]] = defaultdict(list)
    for dependent, basis in sorted(edges):
        bases[dependent].append(basis)
    return dict(bases)


def _shortest_ring(bases: Mapping[NoteId, list[NoteId]], start: NoteId) -> tuple[NoteId, ...]:
    """Return the shortest way from a note back to itself; there is one."""
    came_from: dict[NoteId, NoteId] = {}
    queue = deque([start])
    while True:
        note = queue.popleft()
        for basis in bases[note]:
            if basis == start:
                way = [note]
                while way[-1] != start:
                    way.append(came_from[way[-1]])
                return tuple(reversed(way))
            if basis not in came_from:
                came_from[basis] = note
                queue.append(basis)
