"""Which live notes no longer stand as they did: stale, suspect, at risk, or handled since.

The words are those of the glossary. A live note is *stale* where it depends on a closed one and
*suspect* where a basis was changed since the dependency was last looked at; *at risk* is one that
comes to such a note through further dependencies. What its owner has looked at since is *handled*.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.domain.dependencies import Edge, Finding, Level, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from vaultgraph.domain.dependencies import Seen
    from vaultgraph.domain.notes import Closing, NoteId

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_URGENCY: dict[State, int] = {"stale": 0, "suspect": 1, "at-risk": 2, "handled": 3}


class Standing(NamedTuple):
    """How the notes stand now, and what their owner has seen of them."""

    closings: Mapping[NoteId, Closing]
    #: SHA-256, hex, of a note's body as it is now; empty where it cannot be read.
    hash_of: Callable[[NoteId], str]
    #: ``reviewed:`` as written.
    reviewed: Mapping[NoteId, str] = {}
    seen: Mapping[tuple[NoteId, NoteId], Seen] = {}
    #: ISO dates on which notes were first seen closed.
    first_closed: Mapping[NoteId, str] = {}

    def closing_day(self, note: NoteId) -> str:
        """Return the ISO date on which a note closed; empty where that is not known."""
        closing = self.closings.get(note)
        if closing is None:
            return ""
        return _day_in(closing.on) or self.first_closed.get(note, "")


def _day_in(text: str) -> str:
    found = _DAY.search(text)
    return found.group() if found else ""


def points_at_closed(edge: Edge, closings: Mapping[NoteId, Closing]) -> bool:
    """Whether a live note points at a closed one; a successor may name what it replaced."""
    closing = closings.get(edge.basis)
    return (
        closing is not None
        and edge.dependent not in closings
        and edge.dependent not in closing.successors
    )


def level_of(edge: Edge) -> Level:
    """Return the level of a finding on an edge: until accepted, a proposal is a judge's word."""
    return "judged" if edge.level == "proposed" else edge.level


def find_findings(edges: Iterable[Edge], standing: Standing) -> tuple[Finding, ...]:
    """Return all findings in all states, sorted by state, basis, level and note.

    A note at risk has one finding, along the shortest way to a stale or suspect one; of ways
    equally short it is the first by the notes on it.
    """
    owners = _Owners(standing)
    direct: list[Finding] = []
    onward: list[Edge] = []
    for edge in edges:
        if edge.dependent in standing.closings:
            continue
        finding = _direct(edge, standing, owners)
        if finding is not None:
            direct.append(finding)
        elif edge.level != "pointer" and edge.basis not in standing.closings:
            onward.append(edge)
    found = [*direct, *_at_risk(onward, direct, owners)]
    return tuple(sorted(found, key=_order))


def _order(finding: Finding) -> tuple[int, NoteId, Level, NoteId]:
    return _URGENCY[finding.state], finding.path[-1], finding.level, finding.note


class _Owners:
    """What the owners of dependents have seen of their bases."""

    def __init__(self, standing: Standing) -> None:
        self._standing = standing
        self._acknowledged = {
            dependent for (dependent, _), seen in standing.seen.items() if seen.is_acknowledged
        }

    def know(self, edge: Edge) -> bool:
        """Whether the dependent was reviewed with the basis as it is now."""
        standing = self._standing
        closing = standing.closings.get(edge.basis)
        if edge.dependent in self._acknowledged:
            seen = standing.seen.get((edge.dependent, edge.basis))
            state = "live" if closing is None else closing.how
            return (
                seen is not None
                and seen.is_acknowledged
                and seen.basis_state == state
                and seen.basis_hash == standing.hash_of(edge.basis)
            )
        closed = standing.closing_day(edge.basis)
        return closed != "" and _day_in(standing.reviewed.get(edge.dependent, "")) >= closed


def _direct(edge: Edge, standing: Standing, owners: _Owners) -> Finding | None:
    """Return what is wrong with a live note because of what it rests on directly."""
    closing = standing.closings.get(edge.basis)
    state: State
    if closing is not None:
        if not points_at_closed(edge, standing.closings):
            return None
        state = "handled" if owners.know(edge) else "stale"
    else:
        seen = standing.seen.get((edge.dependent, edge.basis))
        if edge.level == "pointer" or seen is None or not seen.basis_hash:
            return None
        if standing.hash_of(edge.basis) in ("", seen.basis_hash):
            return None
        state = "suspect"
    path = (edge.dependent, edge.basis)
    return Finding(*path, level_of(edge), state, closing, path, edge.evidence, edge.probability)


def _at_risk(
    onward: Iterable[Edge], direct: Iterable[Finding], owners: _Owners
) -> Iterator[Finding]:
    """Yield a finding for each note that rests, further along, on a stale or suspect one.

    ``onward`` are the edges between live notes of which nothing is wrong directly.
    """
    roots: dict[NoteId, Finding] = {}
    for finding in sorted(direct, key=_order):
        if finding.state in ("stale", "suspect") and finding.level != "pointer":
            roots.setdefault(finding.note, finding)
    known: list[Edge] = []
    new: list[Edge] = []
    for edge in onward:
        (known if owners.know(edge) else new).append(edge)
    reached = _reach(roots, new)
    yield from (_risk(edges, roots, "at-risk") for edges in reached.values())
    # What its owner has seen hands on no risk, but is shown as handled.
    for edge in sorted(known):
        if edge.dependent in roots or edge.dependent in reached:
            continue
        if edge.basis in roots or edge.basis in reached:
            yield _risk((edge, *reached.get(edge.basis, ())), roots, "handled")


def _reach(
    roots: Mapping[NoteId, Finding], edges: Iterable[Edge]
) -> dict[NoteId, tuple[Edge, ...]]:
    """Return the shortest way from each other note to one of ``roots``."""
    by_basis: defaultdict[NoteId, list[Edge]] = defaultdict(list)
    for edge in edges:
        by_basis[edge.basis].append(edge)
    ways: dict[NoteId, tuple[Edge, ...]] = {}
    rim = sorted(roots)
    while rim:
        # Bases in order, so that of ways equally long the first by name is found first.
        step: dict[NoteId, tuple[Edge, ...]] = {}
        for basis in rim:
            for edge in by_basis[basis]:
                if edge.dependent not in roots and edge.dependent not in ways:
                    step.setdefault(edge.dependent, (edge, *ways.get(basis, ())))
        ways.update(step)
        rim = sorted(step)
    return ways


def _risk(way: tuple[Edge, ...], roots: Mapping[NoteId, Finding], state: State) -> Finding:
    root = roots[way[-1].basis]
    path = (*(edge.dependent for edge in way), *root.path)
    levels = [*map(level_of, way), root.level]
    level: Level = "confirmed" if all(one == "confirmed" for one in levels) else "judged"
    first = way[0]
    return Finding(
        first.dependent, first.basis, level, state, None, path, first.evidence, first.probability
    )
