"""Where things of one vault lie on this machine: its journal, its lock, its caches."""

from __future__ import annotations

import hashlib
import os
import platform
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from platformdirs import user_cache_path, user_state_path

from vaultgraph.effects.durable import make_private_folder, replace_file
from vaultgraph.effects.lock import waiting_lock
from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class LocalFolders:
    """The folders of one vault outside of it. Naming them creates nothing."""

    #: Of this user on this machine, for all vaults.
    user_state: Path
    #: Of this vault: the journal and the lock. Not to be deleted lightly.
    state: Path
    #: Of this vault; deleting it loses nothing.
    cache: Path

    @property
    def lock(self) -> Path:
        """The file that a process locks while it writes to the vault."""
        return self.state / "lock"

    def make_state(self) -> None:
        """Make sure that the state folder exists, for its owner alone.

        Raises:
            InputError: it cannot be made.
        """
        try:
            for folder in (self.user_state, self.state.parent, self.state):
                make_private_folder(folder)
        except OSError as error:
            raise InputError(
                f"the state folder cannot be made: {error.strerror}",
                hint="it holds the journal, without which no note is written; "
                "make your user state folder writable",
            ) from error


def local_folders(
    vault: Path, *, user_state: Path | None = None, user_cache: Path | None = None
) -> LocalFolders:
    """Return the folders of a vault; the same ones by whatever path it is reached.

    Only where a file system ignores case do two spellings of the path get two folders.
    """
    place = unicodedata.normalize("NFC", os.path.normcase(vault.resolve()))
    key = hashlib.sha256(os.fsencode(place)).hexdigest()[:16]
    state = user_state or user_state_path("vaultgraph", appauthor=False)
    cache = user_cache or user_cache_path("vaultgraph", appauthor=False)
    return LocalFolders(
        user_state=state, state=state / "vaults" / key, cache=cache / "vaults" / key
    )


def device_name(folders: LocalFolders) -> str:
    """Return this machine's name in ledgers: random, file-name safe, the same at every call.

    A home folder that two machines share, or that moved to a new one, must not make them share a
    name: both would append to one chain. So the name is kept under the machine's host name, and
    does not tell it.
    """
    folders.make_state()
    host = hashlib.sha256(platform.node().encode("utf-8", "surrogateescape")).hexdigest()[:16]
    kept = folders.user_state / f"device-{host}"
    with waiting_lock(folders.user_state / "device.lock"):
        name = kept.read_text("ascii").strip() if kept.exists() else ""
        if not name.isalnum():
            name = os.urandom(6).hex()
            replace_file(kept, f"{name}\n".encode("ascii"))
    return name
