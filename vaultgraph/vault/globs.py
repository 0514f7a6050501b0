"""Path patterns, compared in any letter case; a pattern also covers all below what it matches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultgraph.text.prose import to_nfc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_PART = re.compile(r"\*\*/|\*\*|\*|\?|\[!?[^\]/]+\]|[^*?\[]+|\[")


def glob_to_regex(glob: str) -> str:
    """Return one glob's regular expression: ``**`` crosses folders, ``*`` and ``?`` do not."""
    out = ""
    for match in _PART.finditer(to_nfc(glob).strip().removeprefix("./").strip("/")):
        part = match.group()
        if part == "**/":
            out += "(?:[^/]+/)*"
        elif part == "**":
            out += ".*"
        elif part == "*":
            out += "[^/]*"
        elif part == "?":
            out += "[^/]"
        elif part.startswith("[") and len(part) > 1:
            inside = part[1:-1]
            negated = inside.startswith("!")
            body = re.escape(inside.removeprefix("!")).replace(r"\-", "-")
            out += f"[{'^/' if negated else ''}{body}]"
        else:
            out += re.escape(part)
    return f"{out}(?:/.*)?"


def path_matcher(globs: Iterable[str]) -> Callable[[str], bool]:
    """Return whether a path, or a folder above it, is matched by any of ``globs``."""
    parts = [glob_to_regex(glob) for glob in globs if glob.strip()]
    if not parts:
        return lambda _path: False
    pattern = re.compile("|".join(f"(?:{part})" for part in parts), re.IGNORECASE)
    return lambda path: pattern.fullmatch(path) is not None
