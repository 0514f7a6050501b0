"""What the flows need of the world; ``effects`` provides it, tests may bring their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultgraph.domain.notes import Listing, NoteFacts, VaultFile
    from vaultgraph.domain.settings import AppSettings, Settings
    from vaultgraph.domain.survey import Survey

#: The mentions in one note: (number of the name, 1-based line of the file).
NoteMentions = tuple[tuple[int, int], ...]


class VaultPort(Protocol):
    """A vault on disk, read only."""

    def list_files(self) -> Listing:
        """Return what lies in the vault, dot folders left out."""
        ...

    def read_app_settings(self) -> AppSettings:
        """Return Obsidian's own settings for this vault."""
        ...

    def read_bytes(self, file: VaultFile) -> bytes:
        """Return a file's content; raises ``OSError``."""
        ...


class NotesPort(Protocol):
    """What stands in a list of notes, read once, on several cores and from a cache at will."""

    def read(self, files: Sequence[VaultFile], settings: Settings) -> list[NoteFacts]:
        """Return the facts of each file, in order."""
        ...

    def find_mentions(
        self, folded_names: tuple[str, ...], owners: Sequence[Sequence[int]]
    ) -> list[NoteMentions]:
        """Return the mentions in each file that was last read, in order.

        ``owners`` holds, for each name, the positions of the files that have it themselves.
        """
        ...

    def recall(self, key: bytes) -> Survey | None:
        """Return the survey kept under ``key``, if any."""
        ...

    def keep(self, key: bytes, survey: Survey) -> None:
        """Keep a survey for the next run, and whatever else would save it work."""
        ...
