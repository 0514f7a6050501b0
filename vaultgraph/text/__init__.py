"""The byte-exact layer: where frontmatter, code, links and prose lie in a note's text."""

from __future__ import annotations
