"""What rests on what, how that is known, and what of it is no longer true."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from vaultgraph.domain.notes import Closing, NoteId

#: How far a dependency is known. ``confirmed``: a person wrote or accepted it. ``proposed``: it
#: waits for one. ``judged``: a verdict that still holds says so, at or above the cutoff.
#: ``pointer``: a bare link or name, which nobody and nothing has judged.
Level = Literal["confirmed", "proposed", "judged", "pointer"]

#: What is wrong with a live note that rests on another. ``handled``: its owner has seen it since.
State = Literal["stale", "suspect", "at-risk", "handled"]


BasisState = Literal["live", "superseded", "ended"]


class Seen(NamedTuple):
    """What a basis was when the owner last looked at a dependent with it in mind."""

    #: Aware, in UTC: when the dependency was accepted, or the dependent acknowledged.
    at: datetime
    #: SHA-256, hex, of the basis' body then; empty where that is not known.
    basis_hash: str
    #: ``None`` where that is not known.
    basis_state: BasisState | None
    #: (hash of the heading, hash of the text) of each section of the basis then; empty where not
    #: known.
    sections: tuple[tuple[str, str], ...] = ()
    #: Whether the owner said that the dependent still stands as it is. An acceptance does not:
    #: it says that there is a dependency, also where the basis has closed long ago.
    is_acknowledged: bool = False


class Edge(NamedTuple):
    """One dependency, with where it is known from."""

    dependent: NoteId
    basis: NoteId
    level: Level
    #: (line of the dependent, kind) of each place, sorted; as in ``Survey.links``, and
    #: ``mention``; the kind of an entry is its property's name.
    evidence: tuple[tuple[int, str], ...] = ()
    #: What a judge said, where one was asked; ``judge`` and ``model`` are empty else.
    probability: float | None = None
    judge: str = ""
    model: str = ""
    #: ISO date on which it was accepted, proposed or judged; empty where that is not known.
    on: str = ""


class Finding(NamedTuple):
    """One live note that no longer stands as it did, and why."""

    note: NoteId
    #: What it rests on: the closed or changed note; at risk, the next one on the way to it.
    basis: NoteId
    level: Level
    state: State
    #: How the basis closed; ``None`` where it is live.
    closing: Closing | None
    #: From ``note`` to the closed or changed note; two notes where it rests on it directly.
    path: tuple[NoteId, ...]
    evidence: tuple[tuple[int, str], ...] = ()
    probability: float | None = None
    #: Of a suspect: the headings of the sections that were changed or added, then a word for those
    #: that are gone; empty where no section hashes were kept.
    sections: tuple[str, ...] = ()


class Cycle(NamedTuple):
    """Notes that rest on each other in a ring: something in it is the wrong way round."""

    #: Each rests on the next, and the last on the first, the smallest.
    notes: tuple[NoteId, ...]
    #: The edge of the ring that is known least well.
    weakest: Edge
