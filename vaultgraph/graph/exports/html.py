"""One page that needs nothing else: the picture, its findings as a table, search and filters.

The page may load nothing and send nothing: its policy (CSP) allows the scripts and the style that
stand in it by their hashes, and nothing more. The picture itself is data in it, never script.
"""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.graph.exports.wording import BECAME, STATE_WORDS, plain
from vaultgraph.graph.layout import Spacing, lay_out
from vaultgraph.graph.picture import NODE_STATES

if TYPE_CHECKING:
    from vaultgraph.graph.picture import Picture

#: A note's box is 220 by 52 pixels at full size, two lines of its title.
SPACING = Spacing(width=220, across=130, down=22, between=90)
HEIGHT = 52

#: Every one of them may begin or end something where HTML is read, or is a line's end in script.
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


class PageParts(NamedTuple):
    """What the page is made of."""

    #: HTML with ``{{policy}}``, ``{{title}}``, ``{{style}}``, ``{{data}}`` and ``{{scripts}}``.
    template: str
    style: str
    scripts: tuple[str, ...]


def html_text(picture: Picture, document: dict[str, Any], parts: PageParts, *, vault: str) -> str:
    """Return the page; ``document`` is the picture in its documented form."""
    arrows = [(edge.dependent, edge.basis) for edge in picture.edges]
    places = lay_out(
        {node.note: HEIGHT for node in picture.nodes}, [*arrows, *picture.successions], SPACING
    )
    data = {
        **document,
        "vault": vault,
        "states": {state: STATE_WORDS[state] for state in NODE_STATES},
        "became_word": BECAME,
        "places": [places[node.note] for node in picture.nodes],
    }
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {' '.join(map(_hashed, parts.scripts))}",
            f"style-src {_hashed(parts.style)}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    filled = {
        "policy": policy,
        "title": escape(plain(vault)),
        "style": parts.style,
        "data": json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES),
        "scripts": "\n".join(f"<script>{script}</script>" for script in parts.scripts),
    }
    text = parts.template
    pieces: list[str] = []
    # Read from left to right, so that nothing that was filled in is taken for a place.
    while "{{" in text:
        before, _, rest = text.partition("{{")
        name, _, text = rest.partition("}}")
        pieces += [before, filled[name]]
    return "".join([*pieces, text])


def _hashed(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
