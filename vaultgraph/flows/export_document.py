"""A picture as documents: the one that ``export`` writes as JSON, and what a page shows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from vaultgraph.flows.context import masker_of
from vaultgraph.flows.stale_report import closing_document, finding_document
from vaultgraph.graph.exports.wording import GENERATOR

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultgraph.flows.export import Export
    from vaultgraph.graph.picture import Picture


def picture_document(export: Export) -> dict[str, Any]:
    """Return the picture as ``export --format json`` documents it."""
    return picture_parts(export.picture, masker_of(export.report.survey).mask)


def picture_parts(picture: Picture, mask: Callable[[str], str] = str) -> dict[str, Any]:
    """Return a picture as plain values, texts of notes masked."""
    return {
        "generator": GENERATOR,
        "nodes": [
            {
                "note": node.note,
                "title": node.title,
                "state": node.state,
                "closed": closing_document(node.closing, mask),
            }
            for node in picture.nodes
        ],
        "edges": [
            {
                "dependent": edge.dependent,
                "basis": edge.basis,
                "level": edge.level,
                "probability": edge.probability,
                "judge": edge.judge or None,
                "model": edge.model or None,
                "on": edge.on or None,
                "evidence": [{"line": line, "kind": kind} for line, kind in edge.evidence],
            }
            for edge in picture.edges
        ],
        "became": [
            {"note": note, "successor": successor} for note, successor in picture.successions
        ],
        "findings": [finding_document(finding, mask) for finding in picture.findings],
    }


def json_text(export: Export) -> str:
    """Return the picture as JSON, one value a line, so that two of them can be compared."""
    return json.dumps(picture_document(export), ensure_ascii=False, indent=1) + "\n"
