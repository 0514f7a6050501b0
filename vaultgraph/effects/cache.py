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
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any
from weakref import finalize

from vaultgraph import __version__
from vaultgraph.domain.notes import NoteFacts, Stamp

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


#: Changed with every change to what is stored.
SCHEMA = 6
SHARDS = 64
#: Changes with every ``put``.
GENERATION = "generation"
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


class DamagedCacheError(CacheError):
    """The cache file holds something else than was put into it; it is of no further use."""


def _cache_error(error: sqlite3.Error) -> CacheError:
    # "file is not a database", "disk image is malformed"; all else (locked, no space) may pass.
    is_damage = type(error) is sqlite3.DatabaseError
    return DamagedCacheError(str(error)) if is_damage else CacheError(str(error))


class Cache:
    """One vault's cache file; a damaged one is made anew."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # Another version may find other things in the same notes.
        self._tag = f"{SCHEMA}/{__version__}/{sys.implementation.cache_tag}/{sys.byteorder}"
        #: Why nothing is in it though something was, in words; empty where nothing was lost.
        self.emptied = ""
        try:
            self._db = self._open()
        except DamagedCacheError:
            self.emptied = "the cache was damaged"
            path.unlink(missing_ok=True)
            self._db = self._open()
        # Whoever made a cache keeps it to the end of the run, and need not think of its end.
        finalize(self, self._db.close)

    def _open(self) -> sqlite3.Connection:
        try:
            # One thread uses it, but whichever one collects garbage may close it.
            db = sqlite3.connect(
                self._path, timeout=20, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise _cache_error(error) from None
        try:
            # A cache may be lost in a crash, so it need not wait for the disk.
            db.execute("PRAGMA synchronous = OFF")
            # A survey is megabytes in one value; larger pages still cost memory, and save no time.
            db.execute("PRAGMA page_size = 8192")
            db.execute("CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, data BLOB)")
            tag = db.execute("SELECT data FROM kept WHERE name = 'tag'").fetchone()
            if tag is None or tag[0] != self._tag:
                if tag:
                    self.emptied = "the cache is of another version"
                db.execute("BEGIN IMMEDIATE")
                db.execute("DELETE FROM kept")
                db.execute("INSERT INTO kept VALUES ('tag', ?)", (self._tag,))
                db.execute("COMMIT")
        except sqlite3.Error as error:
            db.close()
            raise _cache_error(error) from None
        return db

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def discard(self) -> None:
        """Let go of the file and remove it, so that the next run makes it anew."""
        self._db.close()
        self._path.unlink(missing_ok=True)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let everything got inside be of one moment, whatever another run puts meanwhile."""
        try:
            self._db.execute("BEGIN")
            yield
        except sqlite3.Error as error:
            raise _cache_error(error) from None
        finally:
            if self._db.in_transaction:
                self._db.execute("COMMIT")

    def get(self, name: str) -> Any | None:  # noqa: ANN401 - whatever was put
        """Return what was put under ``name``, or ``None``; damaged data counts as none."""
        try:
            row = self._db.execute("SELECT data FROM kept WHERE name = ?", (name,)).fetchone()
        except sqlite3.Error as error:
            raise _cache_error(error) from None
        return None if row is None else _unpack(row[0])

    def put(self, items: Iterable[tuple[str, Any]], *, generation: bytes | None) -> None:
        """Put values under names, all or none, as the next generation.

        ``generation`` is what was got under that name before. Where another run has put something
        since, nothing is put: its values and these may not fit together.
        """
        try:
            self._db.execute("BEGIN IMMEDIATE")
            if self.get(GENERATION) == generation:
                # One after the other: all of them at once would take as much again as the notes.
                self._db.executemany(
                    "INSERT OR REPLACE INTO kept VALUES (?, ?)",
                    (
                        (name, _pack(value))
                        for name, value in chain(items, [(GENERATION, os.urandom(8))])
                    ),
                )
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise _cache_error(error) from None


def _pack(value: Any) -> bytes:  # noqa: ANN401 - whatever marshal takes
    data = marshal.dumps(value, 2)
    return zlib.crc32(data).to_bytes(4, "little") + data


def _unpack(data: object) -> Any | None:  # noqa: ANN401 - what was packed
    if not isinstance(data, bytes) or len(data) < 4:
        raise DamagedCacheError("a value is cut off")
    if zlib.crc32(memoryview(data)[4:]).to_bytes(4, "little") != data[:4]:
        raise DamagedCacheError("a value does not match its checksum")
    return marshal.loads(memoryview(data)[4:])  # noqa: S302 - our own file, checked just above


def shard_of(path: str) -> int:
    """Return the shard a path belongs to."""
    return zlib.crc32(path.encode()) % SHARDS
