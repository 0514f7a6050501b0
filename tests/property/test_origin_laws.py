"""Laws of origins: as a plain walk counts them, whatever the order of edges."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.graphs import edge
from vaultgraph.domain.notes import NoteId
from vaultgraph.graph.origin import MAXIMUM_STEPS, rank_origins

_LETTERS = "ABCDEFGHIJKL"
_PAIRS = st.text(_LETTERS, min_size=2, max_size=2)


def steps_to(note: str, pairs: list[str]) -> dict[str, int]:
    """Return in how many steps each other note comes to ``note``."""
    steps = {note: 0}
    queue = [note]
    for basis in queue:
        for pair in pairs:
            if pair[1] == basis and pair[0] not in steps:
                steps[pair[0]] = steps[basis] + 1
                queue.append(pair[0])
    return {one: far for one, far in steps.items() if 0 < far <= MAXIMUM_STEPS}


@given(st.sets(st.sampled_from(_LETTERS)), st.lists(_PAIRS, unique=True), st.randoms())
def test_the_ranking_is_what_a_plain_walk_counts(stating: set[str], pairs: list[str], random):
    edges = [edge(pair) for pair in pairs]
    notes = {NoteId(note) for note in stating}
    ranked = rank_origins(notes, edges, [])
    weights = {}
    for row in ranked:
        near = {note: far for note, far in steps_to(row.note, pairs).items() if note in stating}
        assert sorted(one.dependent for one in row.resting) == sorted(
            note for note, far in near.items() if far == 1
        )
        assert row.further == sum(far > 1 for far in near.values())
        weights[row.note] = sum(Fraction(1, far) for far in near.values())
    assert [row.note for row in ranked] == sorted(notes, key=lambda note: (-weights[note], note))
    random.shuffle(edges)
    assert rank_origins(notes, edges, []) == ranked
