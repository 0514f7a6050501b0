"""Lines that each hold the hash of the line before them, so that none but the last can change.

The hash is that of the line without its line ending: a tool that changes only line endings breaks
nothing.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultgraph.domain.writing import Json

#: What the first line of a chain holds in place of a hash.
FIRST_PREV = "0" * 64


def hash_line(line: bytes) -> str:
    """Return what the next line holds of this one."""
    return hashlib.sha256(line.removesuffix(b"\r")).hexdigest()


def canonical_json(entry: Mapping[str, Json]) -> bytes:
    """Return the one form in which equal values are equal bytes: sorted keys, no blanks, UTF-8."""
    text = json.dumps(
        entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    # A name that is no Unicode has lone surrogates; what this makes of them is a JSON escape.
    return text.encode("utf-8", "backslashreplace")
