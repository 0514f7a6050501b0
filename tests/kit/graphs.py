"""Small graphs by letters, and a slow and plain reading of what is stale, suspect and at risk."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from vaultgraph.domain.dependencies import BasisState, Edge, Finding, Level, Seen
from vaultgraph.domain.notes import Closing, NoteId
from vaultgraph.graph.findings import Standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DAY = datetime(2026, 3, 1, tzinfo=UTC)
Pair = tuple[NoteId, NoteId]


def edge(pair: str, level: Level = "confirmed", probability: float | None = None) -> Edge:
    """Return an edge from the first letter to the second one."""
    return Edge(NoteId(pair[0]), NoteId(pair[1]), level, probability=probability)


def body(note: str, version: int = 0) -> str:
    """Return what stands for a body's hash."""
    return f"{note}{version}"


def standing(
    closed: Mapping[str, Closing] | Iterable[str] = (),
    *,
    changed: Iterable[str] = (),
    **more: object,
) -> Standing:
    """Return how notes stand: which are closed, and which bodies differ from version 0."""
    closings = closed if hasattr(closed, "items") else {n: Closing("ended", "s") for n in closed}
    altered = set(changed)
    return Standing(
        {NoteId(note): closing for note, closing in closings.items()},
        lambda note: body(note, int(note in altered)),
        **more,  # type: ignore[arg-type]
    )


def accepted(basis: str) -> Seen:
    """Return what an acceptance saw of a basis whose body was of version 0."""
    return Seen(DAY, body(basis), "live")


def acknowledged(basis: str, state: BasisState = "live", version: int = 0) -> Seen:
    """Return what an ``ack`` saw of a basis."""
    return Seen(DAY, body(basis, version), state, is_acknowledged=True)


def acknowledge(note: str, edges: Iterable[Edge], at: Standing) -> Standing:
    """Return how things stand once a note was acknowledged with all its bases as they are."""
    seen = dict(at.seen)
    for one in edges:
        if one.dependent == note:
            closing = at.closings.get(one.basis)
            state: BasisState = "live" if closing is None else closing.how
            seen[one.dependent, one.basis] = Seen(
                DAY, at.hash_of(one.basis), state, is_acknowledged=True
            )
    return at._replace(seen=seen)


def naive(edges: Iterable[Edge], at: Standing) -> dict[str, set[NoteId]]:
    """Return the stale, suspect and at-risk notes, by recursion straight from the glossary.

    No pointers, no reviewed dates: those have tests of their own.
    """
    every = [one for one in edges if one.level != "pointer"]
    acked = {dependent for (dependent, _), seen in at.seen.items() if seen.is_acknowledged}

    def is_known(one: Edge) -> bool:
        seen = at.seen.get((one.dependent, one.basis))
        closing = at.closings.get(one.basis)
        if one.dependent not in acked or seen is None or not seen.is_acknowledged:
            return False
        state = closing.how if closing else "live"
        return (seen.basis_hash, seen.basis_state) == (at.hash_of(one.basis), state)

    def is_stale(one: Edge) -> bool:
        closing = at.closings.get(one.basis)
        return (
            one.dependent not in at.closings
            and closing is not None
            and one.dependent not in closing.successors
            and not is_known(one)
        )

    def is_suspect(one: Edge) -> bool:
        seen = at.seen.get((one.dependent, one.basis))
        return (
            one.dependent not in at.closings
            and one.basis not in at.closings
            and seen is not None
            and seen.basis_hash != at.hash_of(one.basis)
        )

    stale = {one.dependent for one in every if is_stale(one)}
    suspect = {one.dependent for one in every if is_suspect(one)}

    def reaches(note: NoteId, been: frozenset[NoteId]) -> bool:
        for one in every:
            if one.dependent != note or one.basis in at.closings or is_known(one):
                continue
            if one.basis in stale | suspect:
                return True
            if one.basis not in been and reaches(one.basis, been | {one.basis}):
                return True
        return False

    live = {note for one in every for note in (one.dependent, one.basis)} - set(at.closings)
    at_risk = {note for note in live - stale - suspect if reaches(note, frozenset({note}))}
    return {"stale": stale, "suspect": suspect, "at-risk": at_risk}


def by_state(findings: Iterable[Finding]) -> dict[str, set[NoteId]]:
    """Return the notes of the findings that are more than bare pointers."""
    found: dict[str, set[NoteId]] = {"stale": set(), "suspect": set(), "at-risk": set()}
    for finding in findings:
        if finding.level != "pointer" and finding.state != "handled":
            found[finding.state].add(finding.note)
    return found
