"""Of the notes that state a thing, the one that the others rest on comes first."""

from __future__ import annotations

import itertools

from tests.kit.graphs import edge
from vaultgraph.domain.notes import NoteId
from vaultgraph.graph.origin import MAXIMUM_STEPS, Origin, rank_origins


def rank(stating: str, *edges: str, pointers: tuple[str, ...] = ()) -> list[Origin]:
    ranked = rank_origins(
        {NoteId(letter) for letter in stating},
        [edge(pair) for pair in edges],
        [(NoteId(pair[0]), NoteId(pair[1])) for pair in pointers],
    )
    return list(ranked)


def order(stating: str, *edges: str, pointers: tuple[str, ...] = ()) -> str:
    return "".join(row.note for row in rank(stating, *edges, pointers=pointers))


def test_the_one_that_others_rest_on():
    first, *others = rank("ABCD", "AC", "BC")
    assert first.note == "C"
    assert [(one.dependent, one.basis) for one in first.resting] == [("A", "C"), ("B", "C")]
    assert [row.note for row in others] == ["A", "B", "D"]
    assert [[one.basis for one in row.bases] for row in others] == [["C"], ["C"], []]
    assert [row.is_origin for row in (first, *others)] == [True, False, False, False]


def test_what_the_origin_was_drawn_from_in_part_comes_after_it():
    # Five notes on the plan P, the plan and one of them on the prices C: 5 against 2 + 4 halves.
    ranked = rank("ABDEFPC", "AP", "BP", "DP", "EP", "FP", "PC", "AC")
    assert [row.note for row in ranked][:2] == ["P", "C"]
    assert [(len(row.resting), row.further) for row in ranked][:2] == [(5, 0), (2, 4)]


def test_in_a_chain_the_last_basis():
    assert order("ABCD", "AB", "BC", "CD") == "DCBA"


def test_over_notes_that_do_not_state_it():
    (first, *_) = rank("AC", "AX", "XC")
    assert (first.note, first.resting, first.further) == ("C", (), 1)


def test_two_ways_count_once_and_the_shorter_one():
    (first, *_) = rank("ABC", "AB", "BC", "AC")
    assert (first.note, len(first.resting), first.further) == ("C", 2, 0)


def test_rings_end():
    assert order("ABC", "AB", "BA", "CA") == "ABC"
    (first, second, _) = rank("ABC", "AB", "BA", "CA")
    assert (len(first.resting), first.further, len(second.resting), second.further) == (2, 0, 1, 1)
    assert not rank("A", "AA")[0].is_origin


def test_pointers_decide_where_dependencies_do_not():
    assert order("ABC", pointers=("AC", "BC")) == "CAB"
    assert order("ABCD", "AB", pointers=("CD", "AD", "BD")) == "BDAC"
    assert order("ABCD", "AB", "CD", pointers=("CB",)) == "BDAC"


def test_a_pointer_within_a_dependency_says_no_more():
    ranked = rank("AB", "AB", pointers=("AB", "BA"))
    assert [row.pointing for row in ranked] == [(), ()]


def test_bare_pointers_among_the_edges_are_no_dependencies():
    ranked = rank_origins({NoteId("A"), NoteId("B")}, [edge("AB", "pointer")], [])
    assert not any(row.is_origin for row in ranked)


def test_what_is_further_away_counts_nothing():
    letters = "ABCDEFGHIJKLMNOP"
    chain = [one + next_one for one, next_one in itertools.pairwise(letters)]
    assert rank(letters, *chain)[0].further == MAXIMUM_STEPS - 1


def test_nothing_is_stated_anywhere():
    assert rank("", "AB") == []
