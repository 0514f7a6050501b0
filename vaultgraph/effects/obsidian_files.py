"""Files for Obsidian: ours as they are shipped, their copies in a vault, and its settings.

Copies and settings are written in place, so that links, modes and owners stay; what they held is
kept in the state folder first.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from vaultgraph.effects.disk import config_folder
from vaultgraph.errors import ConflictError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultgraph.domain.writing import Clock
    from vaultgraph.effects.state_folder import LocalFolders

_PACKAGE = Path(__file__).resolve().parents[1]
_PLUGIN = "plugins/templater-obsidian"


class ObsidianFiles:
    """The files of one vault that are Obsidian's or for it."""

    def __init__(
        self,
        vault: Path,
        folders: LocalFolders,
        clock: Clock,
        names: Iterable[str],
        settings: Iterable[str],
    ) -> None:
        self._vault = vault
        self._folders = folders
        self._clock = clock
        self._names = tuple(names)
        self._settings = tuple(settings)
        self._config = config_folder(vault)

    def shipped(self) -> dict[str, bytes]:
        """Return our files, by name.

        Raises:
            InputError: they are not there, which is a broken installation.
        """
        # A wheel carries them inside the package; in a checkout they lie beside it.
        for folder in (_PACKAGE / "_obsidian", _PACKAGE.parent / "obsidian-templater"):
            if folder.is_dir():
                return {name: (folder / name).read_bytes() for name in self._names}
        raise InputError("the files for Obsidian are missing", hint="install vaultgraph anew")

    def read_settings(self) -> dict[str, bytes]:
        """Return those of Obsidian's settings files that exist, by name."""
        found: dict[str, bytes] = {}
        for name in self._settings if self._config is not None else ():
            content = _read(self._config / name)  # type: ignore[operator]
            if content is not None:
                found[name] = content
        return found

    def has_templater(self) -> bool:
        """Whether the plugin's folder is there."""
        return self._config is not None and (self._config / _PLUGIN).is_dir()

    def read(self, path: str) -> bytes | None:
        """Return a file of the vault, or ``None``."""
        return _read(self._vault / PurePath(path))

    def write(self, path: str, content: bytes, old: bytes | None) -> None:
        """Make a file, or replace one that holds ``old``, which is backed up first.

        Raises:
            ConflictError: it holds something else by now.
            InputError: it cannot be written, or is a link.
        """
        place = self._vault / PurePath(path)
        if place.is_symlink():
            raise InputError(f"{path} is a link", hint="move it away, or update it by hand")
        self._replace(place, path, content, old)

    def write_settings(self, name: str, content: bytes, old: bytes | None) -> None:
        """Replace one of Obsidian's settings files, which is backed up first.

        Raises:
            ConflictError: it holds something else by now.
            InputError: it cannot be written.
        """
        if self._config is None:
            raise InputError("this vault has no Obsidian settings", hint="open it in Obsidian")
        # Settings may be links into a folder that holds those of several vaults: that file is
        # meant.
        self._replace(self._config / name, name, content, old)

    def _replace(self, place: Path, name: str, content: bytes, old: bytes | None) -> None:
        try:
            if _read(place) != old:
                raise ConflictError(f"{name} was changed just now", hint="run this again")
            if old is None:
                place.parent.mkdir(parents=True, exist_ok=True)
                with place.open("xb") as stream:
                    stream.write(content)
                return
            self._back_up(name, old)
            place.write_bytes(content)
        except OSError as error:
            raise InputError(
                f"{name} cannot be written: {error.strerror}", hint="make it writable"
            ) from error

    def _back_up(self, name: str, content: bytes) -> None:
        """Keep what a file held: the state folder is its owner's alone, and is not synced."""
        self._folders.make_state()
        moment = self._clock.now().strftime("%Y%m%dT%H%M%S%f")
        kept = self._folders.state / "replaced" / moment / PurePath(name)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(content)

    def is_obsidian_running(self) -> bool | None:
        """Whether the app runs on this machine; ``None`` where that cannot be told.

        It looks at the names of the processes it may see. An Obsidian on another machine that
        shares the vault is not seen.
        """
        try:
            return any(_is_obsidian(*process) for process in _processes())
        except (OSError, subprocess.SubprocessError):
            return None


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InputError(f"{path.name} cannot be read: {error.strerror}") from error


def _is_obsidian(name: str, arguments: list[str]) -> bool:
    """Whether a process is the app, by its name, its program, or the archive Electron runs."""
    programs = (name, PurePath(arguments[0]).name if arguments else "")
    if any(one.lower().startswith("obsidian") for one in programs):
        return True
    return any(one.lower().endswith(".asar") and "obsidian" in one.lower() for one in arguments)


if sys.platform == "linux":

    def _processes() -> Iterator[tuple[str, list[str]]]:
        with os.scandir("/proc") as entries:
            folders = [entry.path for entry in entries if entry.name.isdecimal()]
        for folder in folders:
            try:
                name = Path(folder, "comm").read_text("utf-8", "replace").strip()
                line = Path(folder, "cmdline").read_bytes()
            except OSError:
                continue  # it ended meanwhile, or is not ours to look at
            arguments = line.decode(errors="replace").split("\0")
            yield name, [argument for argument in arguments if argument]
else:

    def _processes() -> Iterator[tuple[str, list[str]]]:
        if sys.platform == "win32":
            command = ["tasklist", "/FO", "CSV", "/NH"]
        else:
            command = ["ps", "-axo", "comm="]
        listed = subprocess.run(command, capture_output=True, check=True, timeout=10)  # noqa: S603
        for line in listed.stdout.decode(errors="replace").splitlines():
            program = line.split('","')[0].strip('"')
            yield PurePath(program).name, [program]
