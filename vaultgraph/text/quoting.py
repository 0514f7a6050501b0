"""Links and texts as Obsidian itself would write them into a property.

Obsidian writes properties with npm ``yaml`` 2.x and no line folding. What is written here is
what that library would write, so that Obsidian's next rewrite of the block leaves our lines
alone. The rules are those of its ``stringifyString``, for one line:
https://github.com/eemeli/yaml/blob/v2.7.0/src/stringify/stringifyString.ts
"""

from __future__ import annotations

import re

_NEEDS_QUOTES = re.compile(
    r"""\A\Z                          # nothing at all
    |\A[\t\ ,\[\]{}#&*!|>'"%@`]       # starts with a sign that YAML reads
    |\A[?-](?:\Z|[ \t])               # starts like a list entry or an explicit key
    |:[ \t]|[\t ]\#                   # holds what looks like a key, or a comment
    |[\t\ :]\Z                        # ends in one, or in a blank
    """,
    re.VERBOSE,
)
# What YAML 1.2's core schema takes for null, a truth value or a number.
_OTHER_TYPE = re.compile(
    r"(?:~|[Nn]ull|NULL"
    r"|[Tt]rue|TRUE|[Ff]alse|FALSE"
    r"|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?[0-9]+"
    r"|[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN"
    r"|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+"
    r"|[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*))\Z"
)
# At the start of a line these would end the YAML or the frontmatter.
_DOCUMENT_MARKER = re.compile(r"---|\.\.\.")
# Line breaks in either version of YAML, control characters, halves of a character, and what is
# no character; Obsidian could write most of them, but not every reader would read them alike.
_UNWRITABLE = re.compile("[\x00-\x08\n-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
# https://obsidian.md/help/links names them: they cut the link short.
_UNLINKABLE = re.compile(r"[#^|\[\]]|%%")


def is_writable(text: str) -> bool:
    """Whether ``text`` is one line that every reader of YAML reads alike."""
    return _UNWRITABLE.search(text) is None


def is_linkable(target: str) -> bool:
    """Whether a wikilink can name ``target``."""
    return bool(target.strip()) and _UNLINKABLE.search(target) is None and is_writable(target)


def wikilink(target: str) -> str:
    """Return the wikilink to ``target``, without a display text."""
    return f"[[{target}]]"


def quote_text(text: str) -> str:
    """Return a one-line ``text`` as a YAML value or list entry, quoted only if it must be."""
    if _NEEDS_QUOTES.search(text) or _OTHER_TYPE.match(text):
        return _quote(text)
    return text


def quote_key(key: str) -> str:
    """Return ``key`` as a YAML key, quoted only if it must be."""
    return _quote(key) if _DOCUMENT_MARKER.match(key) else quote_text(key)


def _quote(text: str) -> str:
    if '"' in text and "'" not in text:
        return f"'{text}'"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    return f'"{escaped}"'
