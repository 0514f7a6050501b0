"""A vault on disk: where it begins, what lies in it, and its files' bytes. Nothing here writes."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from vaultgraph.domain.notes import Listing, Skip, VaultFile
from vaultgraph.errors import InputError
from vaultgraph.text.prose import to_nfc
from vaultgraph.vault.app_settings import SETTINGS_FILES, parse_app_settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vaultgraph.domain.notes import Stamp
    from vaultgraph.domain.settings import AppSettings

VAULT_VARIABLE = "VAULTGRAPH_VAULT"
#: Set by macOS on files whose content is still in the cloud; reading one would download it.
_DATALESS = 0x40000000
_LINK_TO_FILE = "link to a file, which Obsidian does not support"
_IS_MAC = sys.platform == "darwin"
_CHUNK = 1 << 16
_TO_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_CONFIG_SIGNS = ("app.json", "core-plugins.json")


def config_folder(folder: Path) -> Path | None:
    """Return a folder's Obsidian configuration folder; it may be renamed, but keeps its dot."""
    usual = folder / ".obsidian"
    if usual.is_dir():
        return usual
    try:
        entries = sorted(entry.name for entry in os.scandir(folder) if entry.name.startswith("."))
    except OSError:
        return None
    for name in entries:
        if all((folder / name / sign).is_file() for sign in _CONFIG_SIGNS):
            return folder / name
    return None


def find_vault(given: Path | None, environment: Mapping[str, str], start: Path) -> Path:
    """Return the vault's folder: the one given, the variable's, or the nearest above ``start``.

    Raises:
        InputError: there is none, or it cannot be read.
    """
    if given is None and environment.get(VAULT_VARIABLE):
        given = Path(environment[VAULT_VARIABLE])
    if given is not None:
        return _checked(given)
    for folder in (start, *start.parents):
        if config_folder(folder) is not None:
            return _checked(folder)
    raise InputError(
        f"no vault here: no folder from {start} upwards holds an Obsidian configuration",
        hint=f"name the vault: vaultgraph --vault DIR …, or set {VAULT_VARIABLE}",
    )


def _checked(folder: Path) -> Path:
    hint = "name the vault's folder: vaultgraph --vault DIR …"
    try:
        if not folder.exists():
            raise InputError(f"no such vault: {folder}", hint=hint)
        if not folder.is_dir():
            raise InputError(f"the vault is not a folder: {folder}", hint=hint)
        os.scandir(folder).close()
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise InputError(f"the vault cannot be read: {folder}: {reason}", hint=hint) from None
    return folder.resolve()


def read_file(path: str) -> bytes:
    """Return a file's content, at half of what a file object costs; raises ``OSError``."""
    handle = os.open(path, _TO_READ)
    try:
        data = os.read(handle, _CHUNK)
        if len(data) < _CHUNK:
            return data
        parts = [data]
        while len(parts[-1]) == _CHUNK:
            parts.append(os.read(handle, _CHUNK))
    finally:
        os.close(handle)
    return b"".join(parts)


class DiskVault:
    """A vault's folder, read only."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.prefix = f"{os.fspath(root).rstrip(os.sep)}{os.sep}"

    def read_app_settings(self) -> AppSettings:
        """Return Obsidian's own settings; defaults where there are none."""
        folder = config_folder(self.root)
        files: dict[str, bytes] = {}
        for name in SETTINGS_FILES if folder else ():
            try:
                files[name] = (folder / name).read_bytes()  # type: ignore[operator]
            except OSError:
                continue
        return parse_app_settings(files)

    def read_bytes(self, file: VaultFile) -> bytes:
        """Return a file's content; raises ``OSError``."""
        return read_file(self.prefix + file.os_path)

    def list_files(self) -> Listing:
        """Return what lies in the vault, sorted by path; hidden files and folders are left out."""
        walk = _Walk(self.root)
        walk.run()
        files, skipped, nested = sorted(walk.files), sorted(walk.skipped), sorted(walk.nested)
        return Listing(tuple(files), tuple(skipped), tuple(nested))


class _Walk:
    """One walk over the vault; links to folders are followed once, and never back inside."""

    def __init__(self, root: Path) -> None:
        self._root = os.fspath(root)
        self._real_root = os.path.realpath(root)
        self._folders = [""]
        #: Links to folders that were met, and the folders they were followed to.
        self._links: list[str] = []
        self._followed: set[str] = set()
        self.files: list[VaultFile] = []
        self.skipped: list[Skip] = []
        self.nested: list[str] = []

    def run(self) -> None:
        """Find every file, in no particular order; what is left out is in ``skipped``."""
        while self._folders or self._links:
            if not self._folders:
                # Of two links to one folder, the first by path is followed.
                self._links.sort(reverse=True)
                self._follow(self._links.pop())
                continue
            folder = self._folders.pop()
            try:
                with _entries_of(f"{self._root}{os.sep}{folder}") as entries:
                    self._take(f"{folder}/" if folder else "", entries)
            except OSError as error:
                self._skip(folder, f"folder cannot be read: {error.strerror}")

    def _take(self, prefix: str, entries: Iterator[os.DirEntry[str]]) -> None:
        add = self.files.append
        for entry in entries:
            name = entry.name
            path = prefix + name
            if name[0] == ".":
                self._note_hidden(prefix, name)
            elif not entry.is_file(follow_symlinks=False):
                self._enter(path, entry)
            else:
                stamp = None
                if name[-3:].lower() == ".md":
                    stamp = self._stamp(path, entry)
                    if stamp is None:
                        continue
                spelled = path if path.isascii() else to_nfc(_printable(path))
                add(VaultFile(spelled, path, stamp))

    def _enter(self, path: str, entry: os.DirEntry[str]) -> None:
        """Take up a folder, or a link to one; anything else that is called a note is told."""
        if entry.is_dir(follow_symlinks=False):
            self._folders.append(path)
        elif _leads_to_folder(entry):
            self._links.append(path)
        elif path[-3:].lower() == ".md":
            self._skip(path, _LINK_TO_FILE if entry.is_symlink() else "not a file")

    def _note_hidden(self, prefix: str, name: str) -> None:
        """Report what a hidden name says: a vault in the vault, or a note still in iCloud.

        Before macOS 14 a hidden stub stands for a note that is not downloaded.
        """
        if name == ".obsidian" and prefix:
            self.nested.append(to_nfc(_printable(prefix.rstrip("/"))))
        elif name.lower().endswith(".md.icloud"):
            self._skip(prefix + name[1 : -len(".icloud")], "still in iCloud, not on this disk")

    def _follow(self, path: str) -> None:
        """Take up a linked folder, unless Obsidian would not: one inside the vault or above it."""
        real = os.path.realpath(f"{self._root}{os.sep}{path}")
        inside = _is_below(real, self._real_root) or _is_below(self._real_root, real)
        nested = any(_is_below(real, seen) for seen in self._followed)
        if inside or nested:
            self._skip(path, "link to a folder of the vault or above it")
            return
        self._followed.add(real)
        self._folders.append(path)

    def _stamp(self, path: str, entry: os.DirEntry[str]) -> Stamp | None:
        """Return a note's stamp, or ``None`` where it cannot be read and is left out."""
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError as error:
            self._skip(path, f"cannot be read: {error.strerror}")
            return None
        if _IS_MAC and getattr(status, "st_flags", 0) & _DATALESS:
            self._skip(path, "still in iCloud, not on this disk")
            return None
        return (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)

    def _skip(self, path: str, reason: str) -> None:
        self.skipped.append(Skip(to_nfc(_printable(path)), reason))


@contextmanager
def _entries_of(folder: str) -> Iterator[Iterator[os.DirEntry[str]]]:
    """Open a folder; raises ``OSError``."""
    if os.scandir not in os.supports_fd:
        with os.scandir(folder) as entries:
            yield entries
        return
    # Entries of an open folder are looked at without walking down to it again.
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with os.scandir(handle) as entries:
            yield entries
    finally:
        os.close(handle)


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself, or to a name too long to be one
        return False


def _is_below(path: str, folder: str) -> bool:
    """Whether a path is a folder or lies below it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _printable(path: str) -> str:
    """Return a path that can be encoded; bytes that are no text in a name become U+FFFD."""
    if path.isascii():
        return path
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
