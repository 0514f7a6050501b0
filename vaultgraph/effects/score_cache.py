"""The embedded judge's scores, kept in a cache: they cost a millisecond each to make again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.effects.cache import GENERATION, CacheError

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultgraph.effects.cache import Cache

_NAME = "embedded-scores"


class ScoreCache:
    """Scores of one vault; where the cache fails there are none, and none are kept."""

    def __init__(self, open_cache: Callable[[], Cache] | None) -> None:
        self._cache: Cache | None = None
        self._generation: bytes | None = None
        if open_cache is not None:
            try:
                self._cache = open_cache()
            except (CacheError, OSError):
                self._cache = None

    def read(self, model: str) -> dict[tuple[str, str, str, str], tuple[float, float]]:
        """Return the scores that ``model`` gave."""
        try:
            kept = self._cache.get(_NAME) if self._cache is not None else None
            self._generation = self._cache.get(GENERATION) if self._cache is not None else None
        except CacheError:
            return {}
        if not isinstance(kept, tuple) or kept[0] != model:
            return {}
        return dict(kept[1])

    def write(
        self, model: str, scores: dict[tuple[str, str, str, str], tuple[float, float]]
    ) -> None:
        """Keep the scores of ``model`` instead of what was kept before."""
        if self._cache is not None:
            try:
                self._cache.put([(_NAME, (model, scores))], generation=self._generation)
            except CacheError:
                self._cache = None
