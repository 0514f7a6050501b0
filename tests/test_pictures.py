"""The pictures in the documents show what the program shows today."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from scripts.picture_support.make import PICTURES, TARGET, make

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")

_TEXT = "{http://www.w3.org/2000/svg}text"


def words(svg: bytes) -> list[str]:
    """Return the lines of a picture; how Rich lays them out is not ours."""
    return ["".join(node.itertext()) for node in ET.fromstring(svg).iter(_TEXT)]


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_made_anew_from_the_sample_vault(name: str):
    for file, made in make(name).items():
        kept = (TARGET / file).read_bytes()
        if file.endswith(".png"):
            # How a browser draws letters is its own; that it draws them is tested elsewhere.
            assert kept[:24] == made[:24], f"{file} is of another size: run scripts/make_pictures"
            assert len(made) < 400_000
            continue
        assert words(made) == words(kept), f"{file} is out of date: run scripts/make_pictures"
        assert b"http" not in made.replace(b"http://www.w3.org/2000/svg", b"")
        assert len(made) < 40_000


def test_the_documents_show_every_picture():
    documents = [*TARGET.parent.glob("*.md"), TARGET.parent.parent / "README.md"]
    text = "".join(Path(document).read_text("utf-8") for document in documents)
    assert sorted(TARGET.iterdir())
    assert [path.name for path in TARGET.iterdir() if f"pictures/{path.name}" not in text] == []
