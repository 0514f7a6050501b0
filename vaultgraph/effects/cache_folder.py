"""Where a vault's cache lies, marked as something that may be deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.effects.cache import Cache

if TYPE_CHECKING:
    from pathlib import Path

_TAG = "CACHEDIR.TAG"
#: https://bford.info/cachedir/
_TAG_TEXT = "Signature: 8a477f597d28d172789f06886806bc55\n# vaultgraph's cache; safe to delete.\n"


def open_cache(folder: Path, name: str = "survey") -> Cache:
    """Return the cache called ``name`` in ``folder``, made if need be.

    Raises:
        CacheError: the file cannot be used.
        OSError: the folder cannot be made.
    """
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / _TAG).write_text(_TAG_TEXT, encoding="ascii")
        (folder / ".gitignore").write_text("*\n", encoding="ascii")
    return Cache(folder / f"{name}.sqlite")
