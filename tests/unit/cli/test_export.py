"""``export``: every format through the program, and what it refuses."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import networkx as nx
import pytest

from tests.kit.cli import run
from tests.kit.drawing import graphviz
from tests.kit.vaults import SAMPLE_VAULT
from vaultgraph.graph.exports.formats import FORMATS, SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILES = {
    "Old Plan.md": "---\nstatus: done\nresolved-to: We stay.\n---\n",
    "A/Budget.md": "---\ndepends-on: ['[[Old Plan]]']\n---\n",
    "B/Summary.md": "---\ndepends-on: ['[[Budget]]']\n---\n",
    "B/Other.md": "See [[Old Plan]].\n",
    "B/Steps.md": "---\ndepends-on: ['[[Tools]]']\n---\n",
    "Tools.md": "x\n",
    "Diary.md": "---\nprivate: true\ndepends-on: ['[[Old Plan]]']\n---\n",
}


@pytest.fixture
def vault(make_vault: Callable[..., Path]) -> Path:
    return make_vault(FILES)


def titles(vault: Path, *options: str) -> list[str]:
    document = run(vault, "export", "-", "--format", "json", *options).ok().json
    return [node["title"] for node in document["nodes"]]


def test_what_is_in_the_picture(vault: Path):
    assert titles(vault) == ["Budget", "Summary", "Old Plan"]
    assert titles(vault, "--scope", "pointers") == ["Budget", "Other", "Summary", "Old Plan"]
    everything = ["Budget", "Other", "Steps", "Summary", "Old Plan", "Tools"]
    assert titles(vault, "--scope", "all") == everything
    assert titles(vault, "--note", "Tools") == ["Steps", "Tools"]
    assert titles(vault, "--note", "Summary", "--depth", "2") == ["Budget", "Summary", "Old Plan"]
    assert titles(vault, "--folder", "A") == ["Budget", "Old Plan"]


def test_states_and_edges(vault: Path):
    document = run(vault, "export", "-", "--format", "json").ok().json
    assert {node["title"]: node["state"] for node in document["nodes"]} == {
        "Budget": "stale",
        "Summary": "at-risk",
        "Old Plan": "ended",
    }
    assert [(e["dependent"], e["basis"], e["level"]) for e in document["edges"]] == [
        ("A/Budget.md", "Old Plan.md", "confirmed"),
        ("B/Summary.md", "A/Budget.md", "confirmed"),
    ]
    assert [(f["note"], f["state"]) for f in document["findings"]] == [
        ("A/Budget.md", "stale"),
        ("B/Summary.md", "at-risk"),
    ]


@pytest.mark.parametrize("suffix", sorted(SUFFIXES))
def test_the_ending_says_the_format_and_ours_are_written_again(
    vault: Path, tmp_path: Path, suffix: str
):
    file = tmp_path / f"picture{suffix.upper()}"
    ran = run(vault, "export", str(file)).ok()
    assert ran.out == ""
    assert "3 notes, 2 dependencies" in ran.err
    text = file.read_text("utf-8")
    assert "Old Plan" in text
    assert run(vault, "export", "-", "--format", SUFFIXES[suffix]).ok().out == text
    run(vault, "export", str(file), "--scope", "all").ok()
    assert file.read_text("utf-8") != text


@pytest.mark.parametrize("form", FORMATS)
def test_what_somebody_else_wrote_stays(vault: Path, tmp_path: Path, form: str):
    file = tmp_path / "picture.any"
    file.write_text("my own notes\n")
    run(vault, "export", str(file), "--format", form).fails(3, "not as vaultgraph wrote it")
    assert file.read_text() == "my own notes\n"
    run(vault, "export", str(file), "--format", form, "--force").ok()
    assert "Old Plan" in file.read_text("utf-8")


@pytest.mark.parametrize("form", FORMATS)
def test_no_private_name_is_in_any_of_them(form: str):
    out = run(SAMPLE_VAULT, "export", "-", "--format", form, "--scope", "all").ok().out
    truth = json.loads((SAMPLE_VAULT.parent / "truth.json").read_text("utf-8"))
    assert truth["private"]
    for name in truth["private"]:
        title = name.rpartition("/")[2].removesuffix(".md")
        assert title not in out


def test_graphviz_and_networkx_read_what_the_program_writes(vault: Path, tmp_path: Path):
    dot = run(vault, "export", "-", "--format", "dot", "--scope", "all").ok().out
    assert "Old Plan" in graphviz(dot, "svg")
    file = tmp_path / "a.graphml"
    run(vault, "export", str(file), "--scope", "all").ok()
    graph = nx.read_graphml(file)
    assert graph.is_directed()
    assert graph.number_of_nodes() == 6


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("-",), 2, "has no ending that says the format"),
        (("picture.png",), 2, "has no known ending"),
        (("-", "--format", "png"), 2, "no format is called png"),
        (("-", "--format", "dot", "--scope", "some"), 2, "no scope is called some"),
        (("-", "--format", "dot", "--note", "Nobody"), 3, "no note is called Nobody"),
        (("-", "--format", "dot", "--note", "Diary"), 3, "private"),
        (("-", "--format", "dot", "--folder", "Nowhere"), 3, "Nowhere"),
    ],
)
def test_what_makes_no_sense(vault: Path, arguments: tuple[str, ...], code: int, said: str):
    run(vault, "export", *arguments).fails(code, said)


def test_places_that_cannot_be_written(vault: Path, tmp_path: Path):
    run(vault, "export", str(tmp_path / "no" / "a.html")).fails(3, "cannot be written")
    (tmp_path / "folder.html").mkdir()
    run(vault, "export", str(tmp_path / "folder.html")).fails(3, "is a folder")


def test_a_note_of_the_vault_is_never_written(vault: Path):
    before = (vault / "Tools.md").read_bytes()
    for name in ("Tools.md", "New.md", "B/../New.MD"):
        run(vault, "export", os.fspath(vault / name), "--force").fails(2, "a note of the vault")
    assert (vault / "Tools.md").read_bytes() == before
    assert not (vault / "New.md").exists()
    run(vault, "export", os.fspath(vault / "Stale.canvas")).ok()


def test_a_vault_in_which_nothing_is_stale(make_vault: Callable[..., Path]):
    vault = make_vault({"A.md": "x"})
    ran = run(vault, "export", "-", "--format", "dot").ok()
    assert "nothing is stale here" in ran.err
