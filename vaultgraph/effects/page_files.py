"""The page that shows a picture: its own files, and the library that draws."""

from __future__ import annotations

from pathlib import Path

from vaultgraph.graph.exports.html import PageParts

_FOLDER = Path(__file__).resolve().parents[1] / "graph" / "exports" / "page"


def read_page_parts() -> PageParts:
    """Return the parts of the page as the package has them."""
    html, css, *scripts = (
        (_FOLDER / name).read_text("utf-8")
        for name in ("page.html", "page.css", "cytoscape.min.js", "around.js", "page.js")
    )
    return PageParts(html, css, tuple(scripts))
