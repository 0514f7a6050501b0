"""Laws of the graph, on random ones: what is stale is what a plain recursion says, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.kit.graphs import (
    accepted,
    acknowledge,
    acknowledged,
    body,
    by_state,
    edge,
    naive,
    standing,
)
from vaultgraph.domain.notes import Closing, NoteId
from vaultgraph.graph.cycles import find_cycles
from vaultgraph.graph.findings import find_findings

if TYPE_CHECKING:
    from vaultgraph.domain.dependencies import Edge, Seen
    from vaultgraph.graph.findings import Standing

NOTES = "ABCDEFGH"
PAIRS = [one + other for one in NOTES for other in NOTES if one != other]
LEVELS = ("confirmed", "proposed", "judged", "pointer")


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Edge], Standing]:
    pairs = draw(st.lists(st.sampled_from(PAIRS), unique=True, max_size=20))
    levels = st.sampled_from(LEVELS)
    edges = [edge(pair, draw(levels)) for pair in pairs]  # type: ignore[arg-type]
    closed = draw(st.sets(st.sampled_from(NOTES), max_size=4))
    closings = {
        note: Closing(
            draw(st.sampled_from(["ended", "superseded"])),
            "s",
            successors=tuple(map(NoteId, draw(st.sets(st.sampled_from(NOTES), max_size=1)))),
        )
        for note in closed
    }
    changed = draw(st.sets(st.sampled_from(NOTES), max_size=3))
    seen: dict[tuple[NoteId, NoteId], Seen] = {}
    for one in edges:
        kind = draw(st.sampled_from(["never", "accepted", "acknowledged"]))
        state = draw(st.sampled_from(["live", "ended", "superseded"]))
        if kind == "accepted":
            seen[one.dependent, one.basis] = accepted(one.basis)
        elif kind == "acknowledged":
            version = draw(st.integers(0, 1))
            seen[one.dependent, one.basis] = acknowledged(one.basis, state, version)  # type: ignore[arg-type]
    # A pointer to a live note is no edge in a vault.
    edges = [one for one in edges if one.level != "pointer" or one.basis in closed]
    return edges, standing(closings, changed=changed, seen=seen)


@given(graphs())
def test_the_findings_are_what_a_naive_recursion_finds(graph: tuple[list[Edge], Standing]):
    edges, at = graph
    assert by_state(find_findings(edges, at)) == naive(edges, at)


@given(graphs(), st.randoms(use_true_random=False))
def test_the_order_of_edges_does_not_matter(graph: tuple[list[Edge], Standing], random):
    edges, at = graph
    other = edges[:]
    random.shuffle(other)
    assert find_findings(other, at) == find_findings(edges, at)
    assert find_cycles(other, at.closings) == find_cycles(edges, at.closings)


@given(graphs())
def test_every_path_is_made_of_edges_and_ends_at_what_closed_or_changed(
    graph: tuple[list[Edge], Standing],
):
    edges, at = graph
    known = {(one.dependent, one.basis) for one in edges}
    for finding in find_findings(edges, at):
        assert finding.path[:2] == (finding.note, finding.basis)
        assert set(zip(finding.path, finding.path[1:], strict=False)) <= known
        last = finding.path[-1]
        assert (
            last in at.closings or at.hash_of(last) != at.seen[finding.path[-2], last].basis_hash
        )
        assert at.closings.keys().isdisjoint(finding.path[:-1])
        assert (finding.closing is None) == (len(finding.path) > 2 or last not in at.closings)


@given(graphs(), st.sampled_from(NOTES), st.sampled_from(LEVELS))
def test_an_unrelated_note_changes_no_finding(
    graph: tuple[list[Edge], Standing], note: str, level
):
    edges, at = graph
    more = [edge(f"Y{note}", level), edge("YZ")] if level != "pointer" else [edge("YZ")]
    found = [one for one in find_findings([*edges, *more], at) if one.note != "Y"]
    assert tuple(found) == find_findings(edges, at)


@given(graphs(), st.sampled_from(NOTES))
def test_closing_a_note_takes_no_finding_from_another(
    graph: tuple[list[Edge], Standing], note: str
):
    edges, at = graph
    # An owner may have said already that something stands with the note closed as it is now.
    assume(not any(of == note and seen.is_acknowledged for (_, of), seen in at.seen.items()))
    live = {key: closing for key, closing in at.closings.items() if key != note}
    ended = {**live, NoteId(note): Closing("ended", "s")}
    before = by_state(find_findings(edges, at._replace(closings=live)))
    after = by_state(find_findings(edges, at._replace(closings=ended)))
    # A suspect may become stale, and one at risk either of the two; nobody is let off.
    assert before["stale"] - {note} <= after["stale"]
    assert before["suspect"] - {note} <= after["stale"] | after["suspect"]
    assert set().union(*before.values()) - {note} <= set().union(*after.values())


@given(graphs(), st.sampled_from(NOTES))
def test_an_ack_clears_its_own_findings_and_no_direct_one_of_another(
    graph: tuple[list[Edge], Standing], note: str
):
    edges, at = graph
    after = find_findings(edges, acknowledge(note, edges, at))
    assert all(one.state == "handled" for one in after if one.note == note)

    def direct_of_others(findings):
        return [one for one in findings if one.note != note and len(one.path) == 2]

    assert direct_of_others(after) == direct_of_others(find_findings(edges, at))
    # Of the others, only those go that came to their trouble through the note.
    kept = {one for one in find_findings(edges, at) if note not in one.path}
    assert kept <= set(after)


@given(graphs())
def test_taking_out_the_weakest_edges_in_turn_leaves_no_ring(graph: tuple[list[Edge], Standing]):
    edges, at = graph
    for _ in range(len(edges) + 1):
        cycles = find_cycles(edges, at.closings)
        if not cycles:
            break
        for cycle in cycles:
            steps = zip(cycle.notes, (*cycle.notes[1:], cycle.notes[0]), strict=True)
            known = {(one.dependent, one.basis) for one in edges if one.level != "pointer"}
            assert set(steps) <= known
            assert cycle.notes[0] == min(cycle.notes)
        gone = {cycle.weakest for cycle in cycles}
        edges = [one for one in edges if one not in gone]
    else:
        raise AssertionError("rings without end")
    assert _has_no_ring(edges, at)


@given(graphs())
def test_rings_are_found_where_networkx_sees_notes_hang_together(
    graph: tuple[list[Edge], Standing],
):
    import networkx as nx

    edges, at = graph
    known = nx.DiGraph(
        (one.dependent, one.basis)
        for one in edges
        if one.level != "pointer" and not {one.dependent, one.basis} & at.closings.keys()
    )
    groups = [group for group in nx.strongly_connected_components(known) if len(group) > 1]
    cycles = find_cycles(edges, at.closings)
    for group in groups:
        assert any(set(cycle.notes) <= group for cycle in cycles)
        mutual = [cycle for cycle in cycles if len(cycle.notes) == 2 and set(cycle.notes) <= group]
        pairs = {frozenset(pair) for pair in known.edges if known.has_edge(*pair[::-1])}
        assert len(mutual) == sum(pair <= group for pair in pairs)
    assert all(any(set(cycle.notes) <= group for group in groups) for cycle in cycles)


def _has_no_ring(edges: list[Edge], at: Standing) -> bool:
    """Whether notes can be taken away one by one, each with no basis left: Kahn's algorithm."""
    left = {
        (one.dependent, one.basis)
        for one in edges
        if one.level != "pointer" and not {one.dependent, one.basis} & at.closings.keys()
    }
    while left:
        free = {basis for _, basis in left} - {dependent for dependent, _ in left}
        if not free:
            return False
        left = {pair for pair in left if pair[1] not in free}
    return True


def test_the_kit_tells_bodies_apart():
    assert body("A") != body("A", 1) != body("B", 1)
