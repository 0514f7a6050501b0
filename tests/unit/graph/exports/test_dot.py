from __future__ import annotations

import json

import pytest

from tests.kit.drawing import graphviz
from tests.kit.pictures import PICTURE, hostile_picture
from vaultgraph.graph.exports.dot import dot_text, quoted
from vaultgraph.graph.exports.wording import plain, state_words
from vaultgraph.graph.picture import Picture, picture_of


def test_what_graphviz_reads_is_the_picture():
    read = json.loads(graphviz(dot_text(PICTURE), "dot_json"))
    assert read["directed"] is True
    notes = [thing["tooltip"] for thing in read["objects"]]
    assert notes == [node.note for node in PICTURE.nodes]
    edges = [(notes[e["tail"]], notes[e["head"]], e["label"]) for e in read["edges"]]
    assert sorted(edges) == [
        ("Move/Apartment Checklist.md", "Move/Relocation Plan.md", "confirmed"),
        ("Move/Furniture to Sell.md", "Move/Apartment Checklist.md", "judged 0.93"),
        ("Work/Cover Letter.md", "Work/Portfolio Plan.md", "proposed 0.81"),
        ("Work/Portfolio Plan.md", "Work/Portfolio.md", "became"),
        ("Work/Quote Template.md", "Work/Rates.md", "confirmed"),
        ("Work/Rates.md", "Work/Portfolio.md", "pointer"),
    ]


def test_every_title_is_drawn_as_it_is():
    """The SVG that Graphviz draws is read back: its text is what a person sees."""
    from xml.etree import ElementTree as ET

    picture = hostile_picture()
    svg = ET.fromstring(graphviz(dot_text(picture), "svg"))
    drawn = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    for node in picture.nodes:
        # Graphviz writes runs of spaces with its own.
        assert plain(node.title) in {str(text).replace("\xa0", " ") for text in drawn}
        if node.state != "live":
            assert plain(state_words(node)) in drawn


def test_nothing_to_draw_is_a_graph_too():
    read = json.loads(graphviz(dot_text(Picture((), (), (), ())), "dot_json"))
    assert "objects" not in read


def test_two_notes_of_one_title_are_two():
    from vaultgraph.domain.notes import NoteId

    picture = picture_of((), (), {}, also=(NoteId("a/x.md"), NoteId("b/x.md")))
    read = json.loads(graphviz(dot_text(picture), "dot_json"))
    assert [thing["label"] for thing in read["objects"]] == ["x", "x"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('say "hi"', '"say \\"hi\\""'),
        ("a\\N", '"a\\\\N"'),
        ("&amp;", '"&amp;amp;"'),
        ("a\nb", '"a\ufffdb"'),
    ],
)
def test_a_string_is_quoted(text: str, expected: str):
    assert quoted(text) == expected
