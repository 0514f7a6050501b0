"""Notes that rest on each other, and the edge that is known least well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.graphs import edge
from vaultgraph.graph.cycles import find_cycles

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultgraph.domain.dependencies import Edge


def found(edges: Iterable[Edge], closed: str = "") -> list[tuple[str, str]]:
    return [
        ("".join(cycle.notes), f"{cycle.weakest.dependent}{cycle.weakest.basis}")
        for cycle in find_cycles(edges, set(closed))  # type: ignore[arg-type]
    ]


def test_two_notes_that_rest_on_each_other():
    assert found([edge("AB"), edge("BA", "judged", 0.9)]) == [("AB", "BA")]
    assert found([edge("AB", "judged", 0.8), edge("BA", "judged", 0.9)]) == [("AB", "AB")]
    assert found([edge("BA", "judged", 0.9), edge("AB", "proposed", 0.8)]) == [("AB", "BA")]
    # Of two that are known equally well, the first by name.
    assert found([edge("BA"), edge("AB")]) == [("AB", "AB")]


def test_a_longer_ring_begins_with_its_smallest_note():
    edges = [edge("CA"), edge("BC", "judged", 0.7), edge("AB"), edge("AD"), edge("EA")]
    assert found(edges) == [("ABC", "BC")]


def test_every_mutual_pair_and_one_short_ring_of_what_hangs_together_then():
    edges = [edge(pair) for pair in ("AB", "BA", "BC", "CB", "CD", "DE", "EC", "DC")]
    # CD is the weaker of C and D by name, and without it C, D and E make no ring any more.
    assert found(edges) == [("AB", "AB"), ("BC", "BC"), ("CD", "CD")]
    edges = [edge(pair) for pair in ("AB", "BC", "CA", "CD", "DA", "EF", "FG", "GE")]
    assert found(edges) == [("ABC", "AB"), ("EFG", "EF")]


def test_pointers_and_closed_notes_make_no_ring():
    assert found([edge("AB"), edge("BA", "pointer")]) == []
    assert found([edge("AB"), edge("BA")], closed="B") == []


def test_no_ring():
    assert found([edge("AB"), edge("BC"), edge("AC")]) == []
    assert found([]) == []


def test_a_ring_of_ten_thousand_notes():
    from vaultgraph.domain.dependencies import Edge
    from vaultgraph.domain.notes import NoteId

    notes = [NoteId(f"{number:05}.md") for number in range(10_000)]
    edges = [Edge(a, b, "confirmed") for a, b in zip(notes, notes[1:] + notes[:1], strict=True)]
    (cycle,) = find_cycles(edges)
    assert cycle.notes == tuple(notes)
