"""Scores that are kept, and a cache that fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.effects.cache import CacheError
from vaultgraph.effects.cache_folder import open_cache
from vaultgraph.effects.score_cache import ScoreCache

if TYPE_CHECKING:
    from pathlib import Path

SCORES = {("a.md", "b.md", "0" * 64, "1" * 64): (0.25, 0.75)}


def opened(folder: Path) -> ScoreCache:
    return ScoreCache(lambda: open_cache(folder, "scores"))


def test_what_was_kept_comes_back_in_another_run(tmp_path):
    cache = opened(tmp_path)
    assert cache.read("m") == {}
    cache.write("m", SCORES)
    assert opened(tmp_path).read("m") == SCORES


def test_scores_of_another_model_do_not_count_and_are_replaced(tmp_path):
    opened(tmp_path).write("m", SCORES)
    cache = opened(tmp_path)
    assert cache.read("m-prior-0.1") == {}
    cache.write("m-prior-0.1", {})
    assert opened(tmp_path).read("m") == {}


def test_the_callers_scores_are_not_the_caches(tmp_path):
    cache = opened(tmp_path)
    cache.write("m", SCORES)
    cache.read("m").clear()
    assert cache.read("m") == SCORES


def test_without_a_cache_there_are_none():
    cache = ScoreCache(None)
    cache.write("m", SCORES)
    assert cache.read("m") == {}


def test_a_cache_that_cannot_be_opened(tmp_path):
    def refuse():
        raise CacheError("locked")

    cache = ScoreCache(refuse)
    cache.write("m", SCORES)
    assert cache.read("m") == {}
    (tmp_path / "file").write_text("in the way", "utf-8")
    assert opened(tmp_path / "file").read("m") == {}


def test_a_damaged_file_is_made_anew(tmp_path):
    opened(tmp_path).write("m", SCORES)
    (tmp_path / "scores.sqlite").write_bytes(b"this is no database" * 100)
    cache = opened(tmp_path)
    assert cache.read("m") == {}
    cache.write("m", SCORES)
    assert opened(tmp_path).read("m") == SCORES


class _Full:
    """A cache on a disk that is full."""

    def get(self, _key):
        return None

    def put(self, _rows, *, generation):
        raise CacheError("database or disk is full")


def test_a_cache_that_cannot_be_written_is_done_without():
    cache = ScoreCache(_Full)  # type: ignore[arg-type]
    cache.write("m", SCORES)
    assert cache.read("m") == {}
