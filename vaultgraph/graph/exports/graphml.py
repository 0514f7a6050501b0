"""GraphML, for Gephi, yEd, Cytoscape and networkx itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unicodedata import category

from vaultgraph.graph.exports.wording import BECAME, GENERATOR

if TYPE_CHECKING:
    from vaultgraph.graph.picture import Picture


def graphml_text(picture: Picture) -> str:
    """Return the picture as a directed graph whose node ids are the notes' paths.

    Every edge goes from the dependent to its basis; ``kind`` is ``depends-on``, or ``became`` for
    what a closed note became.
    """
    import networkx as nx  # noqa: PLC0415 - 0.1 s, and most runs need none

    graph: Any = nx.MultiDiGraph(generator=GENERATOR)
    for node in picture.nodes:
        closing = node.closing
        about = {} if closing is None else {"words": closing.words, "on": closing.on}
        known = {"title": node.title, "state": node.state, **about}
        graph.add_node(_valid(node.note), **{k: _valid(v) for k, v in known.items() if v})
    for edge in picture.edges:
        known = {"kind": "depends-on", "level": edge.level, "judge": edge.judge, "on": edge.on}
        texts: dict[str, Any] = {k: _valid(v) for k, v in known.items() if v}
        if edge.probability is not None:
            texts["probability"] = float(edge.probability)
        graph.add_edge(_valid(edge.dependent), _valid(edge.basis), **texts)
    for closed, successor in picture.successions:
        graph.add_edge(_valid(closed), _valid(successor), kind=BECAME)
    return "\n".join(nx.generate_graphml(graph, prettyprint=True)) + "\n"


def _valid(text: str) -> str:
    """Return text that XML can hold; of control characters it allows next to none."""
    return "".join(
        c if c.isprintable() or category(c) != "Cc" else f"\\x{ord(c):02x}" for c in text
    )
