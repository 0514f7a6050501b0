"""Text and links as they may stand in a note that we write, whatever the names are."""

from __future__ import annotations

import re
from posixpath import dirname, relpath
from typing import TYPE_CHECKING
from urllib.parse import quote

from vaultgraph.graph.exports.wording import plain
from vaultgraph.text.quoting import is_linkable, wikilink
from vaultgraph.vault.scope import title_of

if TYPE_CHECKING:
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.vault.resolve import LinkIndex

#: What begins or ends anything in Obsidian's Markdown within a line; ``%%`` opens a comment.
_SPECIAL = re.compile(r"[\\`*_\[\]<>$%|~=#^!&]")
#: Read before links are: code, mathematics, tags of HTML, escapes.
_UNSAFE_IN_WIKILINK = re.compile(r"[`$<>\\]")
#: An address keeps these encoded, for they have a meaning in it; so written as they are they stay
#: what they are, but for ``#``, which begins a heading, ``$``, mathematics, and ``&``, an entity.
_PLAIN_IN_ADDRESS = "/;?:@=+,"
_NOT_IN_ADDRESS = re.compile(r"[#$&]")


def escaped_markdown(text: str) -> str:
    """Return text on one line that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\g<0>", plain(" ".join(text.split())))


def link_to(note: NoteId, source: str, index: LinkIndex, vault: str) -> str:
    """Return a link from the note at ``source`` that opens a note, whatever its name holds.

    It is a wikilink where one can name the note, else a Markdown link, and where an address would
    be cut short, one of Obsidian's own addresses for the note of the vault called ``vault``.
    """
    title = title_of(note)
    target = index.link_text(note, source)
    if target is not None and is_linkable(target) and not _UNSAFE_IN_WIKILINK.search(target):
        return wikilink(target if target == title else f"{target}|{title}")
    text = escaped_markdown(title).strip() or "?"
    if _NOT_IN_ADDRESS.search(note):
        return (
            f"[{text}](obsidian://open?vault={quote(vault, safe='')}&file={quote(note, safe='')})"
        )
    path = relpath(note, dirname(source) or ".")
    # With a dot before it, a colon in it is no scheme's.
    path = path if path.startswith("../") else f"./{path}"
    return f"[{text}]({quote(path, safe=_PLAIN_IN_ADDRESS)})"
