"""What earlier runs learned of a vault, in one SQLite file that may be deleted at any time.

Notes are kept in shards, each one compressed tuple of facts, with a checksum: one edited note
rewrites one shard. A fact counts only while the file's stamp is the one it was learned at, and
a stamp only if it was old enough when it was taken, as git does with its index
(https://git-scm.com/docs/racy-git): a file may change twice within one tick of the clock.
"""

from __future__ import annotations

import marshal
import os
import sqlite3
import sys
import zlib
from typing import TYPE_CHECKING, Any

from vaultgraph.domain.notes import NoteFacts, Stamp

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


#: Changed with every change to what is stored.
SCHEMA = 1
SHARDS = 64
#: How old a stamp must be to be trusted; FAT keeps times to two seconds.
YOUNG_NS = 2_000_000_000

#: (stamp or ``None`` where it was too young, facts, mentions) of one note.
Row = tuple[Stamp | None, NoteFacts, tuple[tuple[int, int], ...]]


def trusted(stamp: Stamp, listed_at_ns: int) -> bool:
    """Whether a stamp taken at ``listed_at_ns`` proves that a file with it is unchanged.

    Windows keeps no time of the last change of any kind, so nothing is proven there.
    """
    if os.name == "nt":
        return False
    _, mtime_ns, ctime_ns, _ = stamp
    return max(mtime_ns, ctime_ns) < listed_at_ns - YOUNG_NS


class CacheError(Exception):
    """The cache file cannot be used; what to do is to go on without it."""


class Cache:
    """One vault's cache file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tag = f"{SCHEMA}/{sys.implementation.cache_tag}/{sys.byteorder}"
        self._db = self._open()

    def _open(self) -> sqlite3.Connection:
        try:
            db = sqlite3.connect(self._path, timeout=20, isolation_level=None)
            # A cache may be lost in a crash, so it need not wait for the disk.
            db.execute("PRAGMA synchronous = OFF")
            db.execute("CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, data BLOB)")
            tag = db.execute("SELECT data FROM kept WHERE name = 'tag'").fetchone()
            if tag is None or tag[0] != self._tag:
                db.execute("BEGIN IMMEDIATE")
                db.execute("DELETE FROM kept")
                db.execute("INSERT INTO kept VALUES ('tag', ?)", (self._tag,))
                db.execute("COMMIT")
        except sqlite3.Error as error:
            raise CacheError(str(error)) from None
        return db

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def get(self, name: str) -> Any | None:  # noqa: ANN401 - whatever was put
        """Return what was put under ``name``, or ``None``; damaged data counts as none."""
        try:
            row = self._db.execute("SELECT data FROM kept WHERE name = ?", (name,)).fetchone()
        except sqlite3.Error as error:
            raise CacheError(str(error)) from None
        return None if row is None else _unpack(row[0])

    def put(self, items: Iterable[tuple[str, Any]]) -> None:
        """Put values under names, all or none."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(
                "INSERT OR REPLACE INTO kept VALUES (?, ?)",
                ((name, _pack(value)) for name, value in items),
            )
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise CacheError(str(error)) from None


def _pack(value: Any) -> bytes:  # noqa: ANN401 - whatever marshal takes
    data = marshal.dumps(value, 2)
    return zlib.crc32(data).to_bytes(4, "little") + data


def _unpack(data: object) -> Any | None:  # noqa: ANN401 - what was packed
    if not isinstance(data, bytes) or len(data) < 4:
        raise CacheError("damaged")
    if zlib.crc32(memoryview(data)[4:]).to_bytes(4, "little") != data[:4]:
        raise CacheError("damaged")
    return marshal.loads(memoryview(data)[4:])  # noqa: S302 - our own file, checked just above


def shard_of(path: str) -> int:
    """Return the shard a path belongs to."""
    return zlib.crc32(path.encode()) % SHARDS
