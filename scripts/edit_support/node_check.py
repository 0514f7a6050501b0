"""Has every output read again by npm ``yaml``, the library that Obsidian reads properties with."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scripts.edit_support.ours import Attempt

_SCRIPT = Path(__file__).with_name("read_again.mjs")


def read_again(attempts: Iterable[Attempt], key: str) -> dict[str, Any]:
    """Return how many notes read as they must, and where they do not.

    Raises:
        CalledProcessError: Node, or the library, is not there; see ``scripts/setup_node``.
    """
    lines = (
        json.dumps({**attempt._asdict(), "key": key}, ensure_ascii=True) for attempt in attempts
    )
    done = subprocess.run(
        ["node", _SCRIPT],
        input="".join(f"{line}\n" for line in lines).encode(),
        capture_output=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found
