"""Vaults of a few files on disk, and what can be said of one before and after a run."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLE_VAULT = REPOSITORY / "samples" / "vault"


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file with exactly these bytes, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def write_vault(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Make a vault of these files, bytes exact."""
    root.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        write_file(root / path, content)
    return root


def copy_vault(vault: Path, to: Path) -> Path:
    """Copy a vault as it is, links and times included."""
    shutil.copytree(vault, to, symlinks=True)
    return to


def tree(root: Path) -> dict[str, tuple[object, ...]]:
    """Return everything below a folder: kind, mode, time, and content or target.

    The time a file was last read is left out; reading is allowed.
    """
    found: dict[str, tuple[object, ...]] = {}
    for folder, folders, files in os.walk(root):
        for name in [*folders, *files]:
            path = Path(folder) / name
            status = path.lstat()
            if path.is_symlink():
                content: object = os.fspath(path.readlink())
            elif path.is_file():
                content = hashlib.sha256(path.read_bytes()).hexdigest()
            else:
                content = None
            key = path.relative_to(root).as_posix()
            found[key] = (status.st_mode, status.st_mtime_ns, status.st_size, content)
    return found


def file_bytes(root: Path) -> dict[str, bytes]:
    """Return the bytes of every file below a folder, links left alone."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }
