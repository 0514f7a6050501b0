"""The formats that pictures are written in: their names, files, and the text for those of text."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, get_args

from vaultgraph.graph.exports.canvas import canvas_text, is_untouched
from vaultgraph.graph.exports.dot import dot_text
from vaultgraph.graph.exports.graphml import graphml_text
from vaultgraph.graph.exports.mermaid import mermaid_text
from vaultgraph.graph.exports.wording import GENERATOR

if TYPE_CHECKING:
    from vaultgraph.graph.picture import Picture

Format = Literal["canvas", "mermaid", "markdown", "graphml", "dot", "json", "html"]
FORMATS: tuple[Format, ...] = get_args(Format)
SUFFIXES: dict[str, Format] = {
    ".canvas": "canvas",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
    ".md": "markdown",
    ".graphml": "graphml",
    ".dot": "dot",
    ".gv": "dot",
    ".json": "json",
    ".html": "html",
    ".htm": "html",
}
#: By these a file of ours is known; of a canvas see ``is_untouched``.
_SIGNS: dict[Format, str] = {
    "mermaid": f"%% {GENERATOR}\n",
    "markdown": f"<!-- {GENERATOR} -->\n",
    "graphml": f">{GENERATOR}</data>",
    "dot": f"digraph {GENERATOR} {{\n",
    "json": f'"generator": "{GENERATOR}"',
    "html": f'<meta name="generator" content="{GENERATOR}">',
}
#: How far into a file its sign may stand.
_HEAD = 4_000


def format_of(path: str) -> Format | None:
    """Return the format that a file's name stands for, in any letter case."""
    return SUFFIXES.get(PurePath(path).suffix.lower())


def is_ours(form: Format, content: bytes) -> bool:
    """Whether a file was written by us in that format and holds nobody's work since."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return False
    if form == "canvas":
        return is_untouched(text)
    where = text if form == "graphml" else text[:_HEAD]
    return _SIGNS[form] in where


def picture_text(form: Format, picture: Picture) -> str:
    """Return a picture in one of the formats that hold it alone: all but ``json`` and ``html``."""
    match form:
        case "canvas":
            return canvas_text(picture)
        case "mermaid":
            return _SIGNS[form] + mermaid_text(picture)
        case "markdown":
            return f"{_SIGNS[form]}\n```mermaid\n{mermaid_text(picture)}```\n"
        case "graphml":
            return graphml_text(picture)
        case "dot":
            return dot_text(picture)
        case _:
            raise ValueError(form)
