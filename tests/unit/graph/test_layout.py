from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultgraph.domain.notes import NoteId
from vaultgraph.graph.layout import Spacing, isotonic, lay_out, layers_of

if TYPE_CHECKING:
    import random

SPACING = Spacing(width=100, across=50, down=20, between=80)


def places(heights: dict[str, int], *arrows: tuple[str, str]) -> dict[str, tuple[int, int]]:
    notes = {NoteId(note): height for note, height in heights.items()}
    pairs = [(NoteId(left), NoteId(right)) for left, right in arrows]
    return {str(note): place for note, place in lay_out(notes, pairs, SPACING).items()}


def test_a_chain_goes_from_left_to_right_at_one_height():
    heights = dict.fromkeys("abc", 40)
    assert places(heights, ("a", "b"), ("b", "c")) == {"a": (0, 0), "b": (150, 0), "c": (300, 0)}


def test_a_fan_is_centred_on_what_it_rests_on():
    heights = dict.fromkeys("abcz", 40)
    found = places(heights, ("a", "z"), ("b", "z"), ("c", "z"))
    assert found == {"a": (0, 0), "b": (0, 60), "c": (0, 120), "z": (150, 60)}


def test_parts_that_do_not_hang_together_stand_apart():
    found = places(dict.fromkeys("abcd", 40), ("a", "b"), ("c", "d"))
    assert found == {"a": (0, 0), "b": (150, 0), "c": (0, 120), "d": (150, 120)}


def test_nothing_has_no_places():
    assert places({}) == {}


def test_a_wide_layer_is_set_in_columns():
    notes = [f"n{number:03}" for number in range(100)]
    found = places(dict.fromkeys([*notes, "z"], 40), *((note, "z") for note in notes))
    assert len({found[note][0] for note in notes}) == 7
    assert max(y for _, y in found.values()) <= 15 * 60


def test_rings_and_arrows_to_oneself_end():
    found = places(dict.fromkeys("abc", 40), ("a", "b"), ("b", "c"), ("c", "a"), ("a", "a"))
    assert sorted(x for x, _ in found.values()) == [0, 150, 300]


def test_a_chain_may_be_longer_than_python_may_recurse():
    notes = [NoteId(f"n{number:05}") for number in range(5_000)]
    ahead = {note: notes[at + 1 : at + 2] for at, note in enumerate(notes)}
    assert layers_of(notes, ahead)[notes[0]] == 4_999


drawn_graphs = st.integers(2, 25).flatmap(
    lambda count: st.tuples(
        st.lists(st.integers(10, 90), min_size=count, max_size=count),
        st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=60),
    )
)


@given(drawn_graphs, st.randoms(use_true_random=False))
def test_no_two_boxes_touch_and_order_does_not_matter(
    drawn: tuple[list[int], list[tuple[int, int]]], chance: random.Random
):
    sizes, pairs = drawn
    heights = {NoteId(f"n{number}"): height for number, height in enumerate(sizes)}
    arrows = [(NoteId(f"n{left}"), NoteId(f"n{right}")) for left, right in pairs]
    found = lay_out(heights, arrows, SPACING)
    assert found.keys() == heights.keys()
    for one, other in combinations(found, 2):
        (x, y), (u, v) = found[one], found[other]
        apart_across = abs(x - u) >= SPACING.width + SPACING.across
        apart_down = y - v >= heights[other] + SPACING.down - 1 or v - y >= heights[one] + 19
        assert apart_across or apart_down
    shuffled = list(heights.items())
    chance.shuffle(shuffled)
    chance.shuffle(arrows)
    assert lay_out(dict(shuffled), arrows, SPACING) == found


@given(drawn_graphs)
def test_a_dependent_stands_left_of_what_it_rests_on(
    drawn: tuple[list[int], list[tuple[int, int]]],
):
    sizes, pairs = drawn
    heights = {NoteId(f"n{number:02}"): height for number, height in enumerate(sizes)}
    # Arrows from a lower number to a higher one close no ring.
    arrows = {(NoteId(f"n{min(p):02}"), NoteId(f"n{max(p):02}")) for p in pairs if p[0] != p[1]}
    found = lay_out(heights, arrows, SPACING)
    assert all(found[left][0] < found[right][0] for left, right in arrows)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], []),
        ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]),
        ([3.0, 1.0], [2.0, 2.0]),
        ([1.0, 4.0, 3.0, 2.0, 5.0], [1.0, 3.0, 3.0, 3.0, 5.0]),
    ],
)
def test_the_nearest_numbers_that_never_fall(values, expected):
    assert isotonic(values) == expected
