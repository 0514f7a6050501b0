"""A vault on disk: where it begins, what lies in it, and its files' bytes. Nothing here writes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from vaultgraph.domain.notes import Listing, Skip, VaultFile
from vaultgraph.errors import InputError
from vaultgraph.text.prose import to_nfc
from vaultgraph.vault.app_settings import SETTINGS_FILES, parse_app_settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vaultgraph.domain.settings import AppSettings

VAULT_VARIABLE = "VAULTGRAPH_VAULT"
#: Set by macOS on files whose content is still in the cloud; reading one would download it.
_DATALESS = 0x40000000
_LINK_TO_FILE = "link to a file, which Obsidian does not support"
_CHUNK = 1 << 16
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
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        parts = [os.read(handle, _CHUNK)]
        while len(parts[-1]) == _CHUNK:
            parts.append(os.read(handle, _CHUNK))
    finally:
        os.close(handle)
    return parts[0] if len(parts) == 1 else b"".join(parts)


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
        files = sorted(walk.files())
        return Listing(tuple(files), tuple(sorted(walk.skipped)), tuple(sorted(walk.nested)))


class _Walk:
    """One walk over the vault; links to folders are followed once, and never back inside."""

    def __init__(self, root: Path) -> None:
        self._root = os.fspath(root)
        self._real_root = os.path.realpath(root)
        self._followed: set[str] = set()
        self._pending: list[str] = []
        self.skipped: list[Skip] = []
        self.nested: list[str] = []

    def files(self) -> Iterator[VaultFile]:
        """Yield every file, in no particular order; what is left out is in ``skipped``."""
        self._pending = [""]
        while self._pending:
            folder = self._pending.pop()
            try:
                with os.scandir(f"{self._root}{os.sep}{folder}") as entries:
                    # Sorted, since of two links to one folder the first is followed.
                    listed = sorted(entries, key=lambda entry: entry.name)
            except OSError as error:
                self._skip(folder, f"folder cannot be read: {error.strerror}")
                continue
            prefix = f"{folder}/" if folder else ""
            for entry in listed:
                if entry.name.startswith("."):
                    self._note_hidden(prefix, entry.name)
                elif entry.is_file(follow_symlinks=False):
                    file = self._file(prefix + entry.name, entry)
                    if file is not None:
                        yield file
                else:
                    self._enter(prefix + entry.name, entry)

    def _enter(self, path: str, entry: os.DirEntry[str]) -> None:
        """Take up a folder, or a link to one; anything else that is called a note is told."""
        if entry.is_dir(follow_symlinks=False):
            self._pending.append(path)
        elif _leads_to_folder(entry):
            if self._may_follow(path, entry.path):
                self._pending.append(path)
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

    def _may_follow(self, path: str, os_path: str) -> bool:
        """Whether a linked folder is read; Obsidian ignores links to itself and to its parents."""
        real = os.path.realpath(os_path)
        inside = _is_below(real, self._real_root) or _is_below(self._real_root, real)
        nested = any(_is_below(real, seen) for seen in self._followed)
        if inside or nested:
            self._skip(path, "link to a folder of the vault or above it")
            return False
        self._followed.add(real)
        return True

    def _file(self, path: str, entry: os.DirEntry[str]) -> VaultFile | None:
        spelled = path if path.isascii() else to_nfc(_printable(path))
        if path[-3:].lower() != ".md":
            return VaultFile(spelled, path, None)
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError as error:
            self._skip(path, f"cannot be read: {error.strerror}")
            return None
        if sys.platform == "darwin" and getattr(status, "st_flags", 0) & _DATALESS:
            self._skip(path, "still in iCloud, not on this disk")
            return None
        stamp = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
        return VaultFile(spelled, path, stamp)

    def _skip(self, path: str, reason: str) -> None:
        self.skipped.append(Skip(to_nfc(_printable(path)), reason))


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
