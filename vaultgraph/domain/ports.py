"""What the flows need of the world; ``effects`` provides it, tests may bring their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultgraph.domain.notes import Listing, Name, NoteFacts, VaultFile
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


class Kept(NamedTuple):
    """What an earlier run kept of the same files under the same settings."""

    survey: Survey
    #: Notes that may have changed since, by their position in the listing: their facts as kept.
    changed: dict[int, NoteFacts]
    names: tuple[Name, ...]


class NotesPort(Protocol):
    """What stands in a list of notes, read once, on several cores and from a cache at will."""

    def recall(self, listing: Listing, made_with: bytes) -> Kept | None:
        """Return what was kept for the same paths and the same ``made_with``, if anything."""
        ...

    def read(self, files: Sequence[VaultFile], settings: Settings) -> list[NoteFacts]:
        """Return the facts of each file, in order."""
        ...

    def find_mentions(
        self, folded_names: tuple[str, ...], own: Sequence[tuple[int, ...]]
    ) -> list[NoteMentions]:
        """Return the mentions in each file that was last read, in order.

        ``own`` holds, for each file, the numbers of the names that it has itself.
        """
        ...

    def keep(
        self, listing: Listing, made_with: bytes, survey: Survey, names: tuple[Name, ...]
    ) -> None:
        """Keep a survey for the next run, and whatever else would save it work."""
        ...
