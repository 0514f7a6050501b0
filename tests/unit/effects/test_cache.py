"""The cache file: what was put is got, and whatever is wrong with it is a warning."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from vaultgraph.effects.cache import (
    GENERATION,
    SHARDS,
    YOUNG_NS,
    Cache,
    CacheError,
    DamagedCacheError,
    shard_of,
    trusted,
)
from vaultgraph.effects.cache_folder import open_cache

if TYPE_CHECKING:
    from pathlib import Path

VALUE = ("a", 1, 2.5, None, b"x", ("nested", ["list", {"k": "é"}]))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "survey.sqlite"


def put(cache: Cache, *items: tuple[str, object]) -> None:
    cache.put(items, generation=cache.get(GENERATION))


def test_what_was_put_is_got(path: Path):
    cache = Cache(path)
    assert cache.get("x") is None
    put(cache, ("x", VALUE), ("y", ()))
    assert cache.get("x") == VALUE
    put(cache, ("x", "other"))
    cache.close()
    again = Cache(path)
    assert (again.get("x"), again.get("y")) == ("other", ())
    again.close()


def test_all_or_nothing(path: Path):
    cache = Cache(path)
    put(cache, ("x", 1))
    with pytest.raises(ValueError, match="unmarshallable"):
        put(cache, ("x", 2), ("y", object()))
    cache.close()
    again = Cache(path)
    assert (again.get("x"), again.get("y")) == (1, None)
    again.close()


def test_an_older_form_is_emptied(path: Path, monkeypatch: pytest.MonkeyPatch):
    cache = Cache(path)
    put(cache, ("x", 1))
    cache.close()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE kept SET data = '0/older' WHERE name = 'tag'")
    db.close()
    again = Cache(path)
    assert again.get("x") is None
    assert again.emptied == "the cache is of another version"
    put(again, ("x", 2))
    again.close()
    last = Cache(path)
    assert last.emptied == ""
    assert last.get("x") == 2
    last.close()


@pytest.mark.parametrize("content", [b"garbage" * 1000, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_file_that_is_no_cache_is_made_anew(path: Path, content: bytes):
    path.write_bytes(content)
    cache = Cache(path)
    assert cache.emptied == "the cache was damaged"
    put(cache, ("x", 1))
    assert cache.get("x") == 1
    cache.close()


def test_an_empty_file_is_an_empty_cache(path: Path):
    path.write_bytes(b"")
    cache = Cache(path)
    assert cache.emptied == ""
    cache.close()


@pytest.mark.parametrize(
    "change",
    [
        "substr(data, 1, 3)",
        "substr(data, 1, 10)",
        "CAST(data || x'00' AS BLOB)",
        "'text'",
        "NULL",
        "x'0000000069'",
    ],
)
def test_a_value_that_was_changed_is_noticed(path: Path, change: str):
    cache = Cache(path)
    put(cache, ("x", VALUE))
    cache.close()
    with sqlite3.connect(path) as db:
        db.execute(f"UPDATE kept SET data = {change} WHERE name = 'x'")
    db.close()
    again = Cache(path)
    with pytest.raises(DamagedCacheError):
        again.get("x")
    again.discard()
    assert not path.exists()


def test_a_page_that_was_overwritten_is_noticed(path: Path):
    cache = Cache(path)
    put(cache, *((f"shard-{n}", "x" * 5000) for n in range(40)))
    cache.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 4)
        file.write(b"\xff" * (size // 2))
    with pytest.raises(CacheError):  # noqa: PT012 - where it is noticed is SQLite's affair
        again = Cache(path)
        try:
            for number in range(40):
                assert again.get(f"shard-{number}") in {"x" * 5000, None}
            raise CacheError
        finally:
            again.close()


def test_a_folder_in_place_of_the_file(path: Path):
    path.mkdir()
    with pytest.raises(CacheError):
        Cache(path)


def test_nothing_is_put_where_another_run_has_put_something_since(path: Path):
    one, other = Cache(path), Cache(path)
    seen = one.get(GENERATION)
    put(other, ("x", "theirs"), ("y", "theirs"))
    one.put([("x", "ours")], generation=seen)
    assert (one.get("x"), other.get("y")) == ("theirs", "theirs")
    put(one, ("x", "ours"))
    assert other.get("x") == "ours"
    one.close()
    other.close()


def test_a_snapshot_is_of_one_moment(path: Path):
    script = (
        "import sys; from pathlib import Path\n"
        "from vaultgraph.effects.cache import Cache, GENERATION\n"
        "cache = Cache(Path(sys.argv[1]))\n"
        "cache.put([('x', 2), ('y', 2)], generation=cache.get(GENERATION))\n"
    )
    cache = Cache(path)
    put(cache, ("x", 1), ("y", 1))
    with cache.snapshot():
        x = cache.get("x")
        writer = subprocess.Popen([sys.executable, "-c", script, os.fspath(path)])
        with pytest.raises(subprocess.TimeoutExpired):
            writer.wait(timeout=1)
        assert (x, cache.get("y")) == (1, 1)
    assert writer.wait(timeout=60) == 0
    assert (cache.get("x"), cache.get("y")) == (2, 2)
    cache.close()


def test_a_locked_file_is_no_damage(path: Path):
    cache = Cache(path)
    put(cache, ("x", 1))
    cache.close()
    with pytest.raises(CacheError) as caught:
        raise_locked(path)
    assert not isinstance(caught.value, DamagedCacheError)
    again = Cache(path)
    assert again.get("x") == 1
    again.close()


def raise_locked(path: Path) -> None:
    from vaultgraph.effects.cache import _cache_error

    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        waiter = sqlite3.connect(path, timeout=0.1)
        try:
            waiter.execute("SELECT * FROM kept")
        except sqlite3.Error as error:
            raise _cache_error(error) from None
        finally:
            waiter.close()
    finally:
        holder.close()


def test_the_folder_says_that_it_may_be_deleted(tmp_path: Path):
    folder = tmp_path / "cache" / "vaults" / "x"
    open_cache(folder).close()
    assert (
        (folder / "CACHEDIR.TAG")
        .read_text()
        .startswith("Signature: 8a477f597d28d172789f06886806bc55")
    )
    assert (folder / ".gitignore").read_text() == "*\n"
    if os.name != "nt":
        assert folder.stat().st_mode & 0o077 == 0
    open_cache(folder).close()


def test_paths_are_spread_over_all_shards():
    assert {shard_of(f"folder/note {number}.md") for number in range(2000)} == set(range(SHARDS))


@pytest.mark.skipif(os.name == "nt", reason="nothing is proven by times there")
@pytest.mark.parametrize(
    ("mtime", "ctime", "is_trusted"),
    [
        (-YOUNG_NS - 1, -YOUNG_NS - 1, True),
        (-YOUNG_NS, -YOUNG_NS - 1, False),
        (-YOUNG_NS - 1, 0, False),
        (YOUNG_NS, -YOUNG_NS * 9, False),
    ],
)
def test_young_stamps_are_not_trusted(mtime: int, ctime: int, is_trusted: bool):
    now = 10**18
    assert trusted((1, now + mtime, now + ctime, 5), now) is is_trusted
