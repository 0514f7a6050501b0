"""Live notes that point at closed ones, before any judge has been asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from vaultgraph.domain.survey import PRIVATE, RECORD, REPORT, Survey

if TYPE_CHECKING:
    from vaultgraph.domain.notes import Closing, NoteId

#: What shows that a note points at another: the owner's own word, or a bare link or name.
Level = Literal["confirmed", "pointer"]


class Pointer(NamedTuple):
    """One live note that points at one closed note."""

    note: NoteId
    basis: NoteId
    level: Level
    closing: Closing
    #: (line, kind) of each place, sorted; the kind of an entry is its property's name.
    evidence: tuple[tuple[int, str], ...]


class Pointers(NamedTuple):
    """All pointers, sorted by basis and note, and what was left out of them."""

    found: tuple[Pointer, ...]
    #: Pairs the owner has rejected: the note does not rest on what it points at.
    rejected: int
    #: Pairs with a private note at either end: counted, never named.
    private: int


def find_pointers(survey: Survey, accepted_key: str) -> Pointers:
    """Return the live notes that point at closed ones; ``accepted_key`` names their entries.

    Records cannot go stale, reports are ours, and a successor may name what it replaced.
    """
    places = _places(survey, accepted_key)
    rejected = {(row.note, row.to) for row in survey.entries if row.in_list == "rejected"}
    found: list[Pointer] = []
    rejected_count = private_count = 0
    for (note, basis), evidence in places.items():
        closing = survey.closings[basis]
        is_confirmed = any(kind == accepted_key for _, kind in evidence)
        if (survey.flags[note] | survey.flags[basis]) & PRIVATE:
            private_count += 1
        elif (note, basis) in rejected and not is_confirmed:
            rejected_count += 1
        elif survey.notes[note] not in closing.successors:
            level: Level = "confirmed" if is_confirmed else "pointer"
            names = (survey.notes[note], survey.notes[basis])
            found.append(Pointer(*names, level, closing, tuple(sorted(evidence))))
    found.sort(key=lambda pointer: (pointer.basis, pointer.level, pointer.note))
    return Pointers(tuple(found), rejected_count, private_count)


def _places(survey: Survey, accepted_key: str) -> dict[tuple[int, int], set[tuple[int, str]]]:
    """Return where each live note points at each closed one."""
    closings, flags, kinds = survey.closings, survey.flags, survey.kinds
    places: dict[tuple[int, int], set[tuple[int, str]]] = {}

    def add(note: int, basis: int, line: int, kind: str) -> None:
        if note not in closings and not flags[note] & (RECORD | REPORT):
            places.setdefault((note, basis), set()).add((line, kind))

    if not closings:
        return places
    for note, to, line, kind in survey.links:
        if to in closings:
            add(note, to, line, kinds[kind])
    for note, of, _, line in survey.mentions:
        if of in closings:
            add(note, of, line, "mention")
    for row in survey.entries:
        if row.in_list == "accepted" and row.to is not None and row.to in closings:
            add(row.note, row.to, row.line, accepted_key)
    return places
