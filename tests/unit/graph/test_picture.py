from __future__ import annotations

import random

import pytest

from tests.kit.pictures import (
    CHECKLIST,
    CLOSINGS,
    EDGES,
    ENDED,
    FINDINGS,
    LETTER,
    NEW,
    OLD,
    PICTURE,
    PLAN,
    QUOTE,
    RATES,
    SELLING,
    SUPERSEDED,
)
from vaultgraph.domain.dependencies import Finding
from vaultgraph.graph.picture import Node, edges_around, picture_of, stale_edges


def test_a_closed_note_keeps_its_state_and_a_live_one_gets_its_findings():
    assert PICTURE.nodes == (
        Node(CHECKLIST, "Apartment Checklist", "stale", None),
        Node(SELLING, "Furniture to Sell", "at-risk", None),
        Node(PLAN, "Relocation Plan", "ended", ENDED),
        Node(LETTER, "Cover Letter", "handled", None),
        Node(OLD, "Portfolio Plan", "superseded", SUPERSEDED),
        Node(NEW, "Portfolio", "live", None),
        Node(QUOTE, "Quote Template", "suspect", None),
        Node(RATES, "Rates", "live", None),
    )


def test_what_a_closed_note_became_is_drawn_even_where_nothing_rests_on_it():
    picture = picture_of(EDGES[2:3], FINDINGS[2:3], CLOSINGS)
    assert picture.successions == ((OLD, NEW),)
    assert [node.note for node in picture.nodes] == [LETTER, OLD, NEW]


def test_the_worst_of_several_findings_gives_the_state():
    findings = [
        Finding(QUOTE, PLAN, "confirmed", state, ENDED, (QUOTE, PLAN))
        for state in ("handled", "at-risk", "suspect", "stale")
    ]
    for number, expected in enumerate(("handled", "at-risk", "suspect", "stale"), 1):
        picture = picture_of((), findings[:number], CLOSINGS)
        states = {node.note: node.state for node in picture.nodes}
        assert states == {QUOTE: expected, PLAN: "ended"}


@pytest.mark.parametrize("seed", range(5))
def test_order_does_not_matter(seed: int):
    edges, findings = list(EDGES), list(FINDINGS)
    shuffle = random.Random(seed).shuffle
    shuffle(edges)
    shuffle(findings)
    closings = dict(reversed(CLOSINGS.items()))
    assert picture_of(edges, findings, closings) == PICTURE


def test_words_are_masked_and_nothing_else_of_a_closing():
    picture = picture_of((), FINDINGS[:1], CLOSINGS, mask=lambda text: text.replace("Porto", "X"))
    closing = picture.nodes[1].closing
    assert closing is not None
    assert closing.words == "we stay in X"
    assert (closing.how, closing.sign, closing.on) == ("ended", "resolved-to", "2026-03-10")


def test_a_note_alone_can_be_drawn():
    assert picture_of((), (), {}, also=(RATES,)).nodes == (Node(RATES, "Rates", "live", None),)


def test_the_edges_on_the_findings_paths_are_the_stale_ones():
    assert stale_edges(EDGES, FINDINGS[:2]) == [EDGES[0], EDGES[1]]
    assert stale_edges(EDGES, ()) == []


@pytest.mark.parametrize(
    ("note", "depth", "expected"),
    [
        (PLAN, 0, []),
        (PLAN, 1, [0]),
        (PLAN, 2, [0, 1]),
        (CHECKLIST, 1, [0, 1]),
        (RATES, 1, [3, 4]),
        (NEW, 1, [4]),
        (NEW, 9, [3, 4]),
    ],
)
def test_the_edges_around_a_note(note, depth, expected):
    assert edges_around(EDGES, note, depth) == [EDGES[number] for number in expected]
