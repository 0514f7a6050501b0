from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import pytest
from pyjsoncanvas import Canvas

from tests.kit.pictures import CHECKLIST, OLD, PICTURE, PLAN, SELLING, hostile_picture
from vaultgraph.graph.exports.canvas import canvas_text
from vaultgraph.graph.exports.wording import key_of
from vaultgraph.graph.picture import Picture, picture_of

SIDES = {"top", "right", "bottom", "left"}
COLOURS = {*"123456"}


def check_by_the_specification(document: Any) -> None:
    """Hold a canvas against JSON Canvas 1.0, as jsoncanvas.org words it."""
    assert document.keys() <= {"nodes", "edges"}
    ids = [node["id"] for node in document["nodes"]]
    assert len(set(ids)) == len(ids)
    for node in document["nodes"]:
        common = {"id", "type", "x", "y", "width", "height", "color"}
        own = {"file": {"file", "subpath"}, "text": {"text"}}[node["type"]]
        assert node.keys() <= common | own
        assert isinstance(node[node["type"]], str)
        assert all(type(node[key]) is int for key in ("x", "y", "width", "height"))
        check_colour(node)
    edges = [edge["id"] for edge in document["edges"]]
    assert len(set(edges)) == len(edges)
    for edge in document["edges"]:
        required = {"id", "fromNode", "toNode"}
        assert required <= edge.keys() <= required | {"fromSide", "toSide", "label", "color"}
        assert {edge["fromNode"], edge["toNode"]} <= set(ids)
        assert {edge["fromSide"], edge["toSide"]} <= SIDES
        assert isinstance(edge["label"], str)
        check_colour(edge)


def check_colour(thing: dict[str, Any]) -> None:
    colour = thing.get("color", "1")
    assert colour in COLOURS or (len(colour) == 7 and int(colour[1:], 16) >= 0)


@pytest.mark.parametrize("picture", [PICTURE, hostile_picture(), Picture((), (), (), ())])
def test_a_canvas_is_valid(picture: Picture):
    text = canvas_text(picture)
    document = json.loads(text)
    check_by_the_specification(document)
    read = Canvas.from_json(text)
    assert read.validate() is True
    assert len(read.nodes) == len(document["nodes"])
    assert len(read.edges) == len(picture.edges) + len(picture.successions)


def by_id(picture: Picture) -> dict[str, dict[str, Any]]:
    document = json.loads(canvas_text(picture))
    return {thing["id"]: thing for thing in [*document["nodes"], *document["edges"]]}


def test_a_card_shows_the_note_and_a_closed_one_how_it_closed():
    found = by_id(PICTURE)
    card = found[key_of(PLAN)]
    assert (card["type"], card["file"]) == ("file", PLAN)
    assert found[f"{key_of(PLAN)}-closed"]["text"] == "ended 2026-03-10: we stay in Porto"
    assert found[f"{key_of(OLD)}-closed"]["text"] == "superseded 2026-02-01"
    assert [found[key_of(note)]["color"] for note in (CHECKLIST, SELLING, OLD)] == ["1", "3", "6"]


def test_edges_go_from_the_dependent_and_say_what_was_found():
    found = by_id(PICTURE)
    edge = found[f"{key_of(CHECKLIST)}-{key_of(PLAN)}"]
    assert (edge["fromNode"], edge["toNode"]) == (key_of(CHECKLIST), key_of(PLAN))
    assert edge["label"] == "stale · confirmed"
    assert found[f"{key_of(SELLING)}-{key_of(CHECKLIST)}"]["label"] == "at risk · judged 0.93"


def test_no_card_lies_on_another():
    nodes = [node for node in by_id(PICTURE).values() if "x" in node]
    for one, other in combinations(nodes, 2):
        assert (
            one["x"] + one["width"] <= other["x"]
            or other["x"] + other["width"] <= one["x"]
            or one["y"] + one["height"] <= other["y"]
            or other["y"] + other["height"] <= one["y"]
        )


def test_ids_are_the_notes_and_do_not_depend_on_what_else_is_drawn():
    alone = picture_of(PICTURE.edges[:1], (), {})
    assert by_id(alone).keys() - {"vaultgraph-legend"} <= by_id(PICTURE).keys()
    # The start of the path's SHA-256, so that another program can work it out.
    assert key_of(PLAN) == "5e5122e4d46fdbaf"


def test_a_legend_counts_the_states():
    assert by_id(PICTURE)["vaultgraph-legend"]["text"] == (
        "**Left rests on right**\n- 1 stale\n- 1 suspect\n- 1 at risk\n- 1 superseded\n"
        "- 1 ended\n- 1 handled\n- 2 live"
    )
