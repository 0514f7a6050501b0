from __future__ import annotations

from io import BytesIO
from typing import Any

import networkx as nx
import pytest

from tests.kit.pictures import CHECKLIST, NEW, OLD, PICTURE, PLAN, SELLING, hostile_picture
from vaultgraph.graph.exports.graphml import graphml_text
from vaultgraph.graph.picture import Picture


def read(picture: Picture) -> Any:
    return nx.read_graphml(BytesIO(graphml_text(picture).encode()), force_multigraph=True)


def test_networkx_reads_back_the_picture():
    graph = read(PICTURE)
    assert set(graph) == {node.note for node in PICTURE.nodes}
    assert graph.nodes[PLAN] == {
        "title": "Relocation Plan",
        "state": "ended",
        "words": "we stay in Porto",
        "on": "2026-03-10",
    }
    assert graph.edges[SELLING, CHECKLIST, 0] == {
        "kind": "depends-on",
        "level": "judged",
        "probability": 0.93,
        "judge": "embedded",
        "on": "2026-03-01",
    }
    assert graph.edges[OLD, NEW, 0] == {"kind": "became"}
    assert graph.number_of_edges() == len(PICTURE.edges) + len(PICTURE.successions)


def test_hostile_names_come_back():
    picture = hostile_picture()
    graph = read(picture)
    back = {str(note).replace("\\x07", "\x07").replace("\\x1b", "\x1b") for note in graph}
    back = {note.replace("\\x85", "\x85") for note in back}
    assert back == {node.note for node in picture.nodes}


@pytest.mark.parametrize("picture", [Picture((), (), (), ())])
def test_nothing_is_a_graph_too(picture: Picture):
    assert len(read(picture)) == 0
