"""What we write as Mermaid, read by Mermaid's own parser."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from tests.kit.drawing import need
from tests.kit.pictures import PICTURE, hostile_picture
from tests.kit.vaults import REPOSITORY
from vaultgraph.domain.notes import NoteId
from vaultgraph.graph.exports.mermaid import mermaid_text
from vaultgraph.graph.exports.wording import edge_words, plain
from vaultgraph.graph.picture import NODE_STATES, Picture, picture_of

_FOLDER = REPOSITORY / "tests" / "templater"


def parsed(*texts: str) -> list[Any]:
    node = shutil.which("node") if (_FOLDER / "node_modules" / "mermaid").is_dir() else None
    program = need(node, "what Mermaid's parser reads", "setup_node")
    ran = subprocess.run(
        [program, str(_FOLDER / "kit" / "parse_mermaid.mjs")],
        input=json.dumps(texts).encode(),
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    answers: list[Any] = json.loads(ran.stdout)
    return answers


@pytest.mark.parametrize("picture", [PICTURE, hostile_picture()], ids=["plain", "hostile"])
def test_it_reads_what_the_picture_holds(picture: Picture):
    alone, in_note = parsed(mermaid_text(picture), mermaid_text(picture, is_in_note=True))
    titles = [plain(node.title).strip() for node in picture.nodes]
    assert [node["label"].strip() for node in in_note["nodes"]] == titles
    assert [node["label"].split("\n")[0].strip() for node in alone["nodes"]] == titles
    for read, more in ((alone, []), (in_note, ["internal-link"])):
        assert [node["classes"] for node in read["nodes"]] == [
            [node.state, *more] for node in picture.nodes
        ]
        number_of = {node.note: f"n{number}" for number, node in enumerate(picture.nodes, 1)}
        assert [(edge["start"], edge["end"], edge["label"]) for edge in read["edges"]] == [
            *(
                (number_of[edge.dependent], number_of[edge.basis], edge_words(edge))
                for edge in picture.edges
            ),
            *(
                (number_of[closed], number_of[new], "became")
                for closed, new in picture.successions
            ),
        ]
        assert {edge["type"] for edge in read["edges"]} == {"arrow_point"}
        assert set(read["classes"]) <= set(NODE_STATES)


def test_every_letter_of_ascii_and_beyond():
    letters = [chr(number) for number in (*range(32, 127), 160, 0x2028, 0xFEFF, 0x1F600)]
    notes = [NoteId(f"a{one}{two}b.md") for one in letters for two in ("", one, "#", ";", '"')]
    picture = picture_of([], [], {}, also=[note for note in notes if "/" not in note])
    (read,) = parsed(mermaid_text(picture))
    assert [node["label"] for node in read["nodes"]] == [plain(n.title) for n in picture.nodes]


def test_it_tells_what_cannot_be_read():
    (read,) = parsed('flowchart LR\n    n1["a "b"]\n')
    assert "Parse error" in read["error"]
