"""What stands in a note's file, found by the note's id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.domain.notes import VaultFile

if TYPE_CHECKING:
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.domain.ports import VaultPort


class NoteBytes:
    """Reads notes without a walk over the vault, which takes longer than to read a hundred."""

    def __init__(self, vault: VaultPort) -> None:
        self._vault = vault
        self._files: dict[str, VaultFile] | None = None

    def read(self, note: NoteId) -> bytes:
        """Return what a note's file holds; raises ``OSError`` where it cannot be read."""
        try:
            # Nearly every note lies where its id says.
            return self._vault.read_bytes(VaultFile(note, note, None))
        except (OSError, UnicodeEncodeError):
            # The others' names are spelled with letters and marks apart, or are no Unicode; or the
            # system's names are all bytes, by its locale.
            if note.isascii():
                raise
        if self._files is None:
            self._files = {file.path: file for file in self._vault.list_files().files}
        if note not in self._files:
            raise FileNotFoundError(note)
        return self._vault.read_bytes(self._files[note])
