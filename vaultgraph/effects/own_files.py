"""The files below ``.vaultgraph/`` that can be made anew: replaced as a whole, or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.effects.durable import replace_file
from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = ".vaultgraph"


class OwnFiles:
    """One vault's ``.vaultgraph/`` folder."""

    def __init__(self, vault: Path) -> None:
        self._folder = vault / FOLDER

    def replace(self, name: str, content: bytes) -> None:
        """Replace one file as a whole; one that holds the same already is not touched.

        Raises:
            InputError: it cannot be written.
        """
        path = self._folder / name
        try:
            if path.is_file() and path.read_bytes() == content:
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, content)
        except OSError as error:
            raise InputError(
                f"{FOLDER}/{name} cannot be written: {error.strerror}",
                hint=f"make {FOLDER} in the vault writable",
            ) from None
