"""``.vaultgraph/decisions/<device>.jsonl``: what the Templater script did, one file a device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.domain.notes import Problem
from vaultgraph.review.log_lines import LogFile

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = ".vaultgraph/decisions"


class DecisionLogs:
    """The logs of all devices of one vault, read only: the script alone writes them."""

    def __init__(self, vault: Path) -> None:
        self._folder = vault / FOLDER

    def read(self) -> tuple[list[LogFile], list[Problem]]:
        """Return every file, and those that cannot be read."""
        files: list[LogFile] = []
        problems: list[Problem] = []
        for path in sorted(self._folder.glob("*.jsonl")):
            try:
                files.append(LogFile(path.stem, path.read_bytes()))
            except OSError as error:
                reason = error.strerror or "cannot be read"
                file = f"{FOLDER}/{path.name}"
                problems.append(Problem(file, 0, "decisions-unreadable", reason))
        return files, problems
