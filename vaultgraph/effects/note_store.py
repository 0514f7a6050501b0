"""The notes of one vault, read at most once as long as they do not change."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from vaultgraph import __version__
from vaultgraph.domain.notes import NoteFacts
from vaultgraph.domain.survey import Survey
from vaultgraph.effects.cache import (
    GENERATION,
    SHARDS,
    Cache,
    CacheError,
    DamagedCacheError,
    Row,
    shard_of,
    trusted,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from vaultgraph.domain.notes import VaultFile
    from vaultgraph.domain.ports import NoteMentions
    from vaultgraph.domain.settings import Settings
    from vaultgraph.effects.disk import DiskVault
    from vaultgraph.effects.note_reader import OwnNames
    from vaultgraph.effects.team import Team

#: From so many notes on, a person is told that they are being read.
_WORTH_TELLING = 2_000


class NoteStore:
    """Reads notes through a cache, on several cores where there are many to read.

    Whatever goes wrong with the cache is told once to ``warn``, and the run goes on without it.
    """

    def __init__(
        self,
        vault: DiskVault,
        *,
        open_cache: Callable[[], Cache] | None = None,
        jobs: int | None = None,
        warn: Callable[[str], None] = lambda _text: None,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        self._prefix = vault.prefix
        self._jobs = jobs
        self._warn = warn
        self._progress = progress or (lambda _text: None)
        # Stamps are judged by when they were taken, and that is after this moment.
        self._listed_at_ns = time.time_ns()
        self._cache: Cache | None = None
        if open_cache is not None:
            self._cache = self._guarded(open_cache)
        if self._cache is not None and self._cache.was_damaged:
            self._warn("the cache was damaged and is made anew")
        self._files: list[VaultFile] = []
        self._rows: list[Row] = []
        #: Positions of the notes read in this run; their prose waits with the team.
        self._fresh: list[int] = []
        self._team: Team | None = None
        self._settings: Settings | None = None
        self._names: tuple[str, ...] = ()
        self._stale_shards: set[int] = set()
        self._fingerprint = ""
        #: What the cache held when it was read: the names its mentions are numbered by.
        self._old_names: tuple[str, ...] = ()
        self._generation: bytes | None = None

    def _guarded(self, action: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever it returns
        try:
            return action()
        except DamagedCacheError as error:
            self._warn(f"the cache is damaged, and the next run makes it anew ({error})")
            if self._cache is not None:
                self._cache.discard()
        except (CacheError, OSError) as error:
            self._warn(f"the cache cannot be used and is left aside ({error})")
        self._cache = None
        return None

    def _from_cache(self, read: Callable[[Cache], Any]) -> Any:  # noqa: ANN401 - whatever it returns
        """Return what ``read`` makes of the cache at one moment; ``None`` where it cannot."""
        cache = self._cache
        if cache is None:
            return None

        def action() -> Any:  # noqa: ANN401
            try:
                with cache.snapshot():
                    return read(cache)
            except (ValueError, TypeError, EOFError):
                raise DamagedCacheError("it holds something else than expected") from None

        return self._guarded(action)

    def recall(self, key: bytes) -> Survey | None:
        """Return the survey kept under ``key``, if any."""

        def read(cache: Cache) -> Survey | None:
            if cache.get("survey-key") != key:
                return None
            return Survey.from_plain(cache.get("survey") or ())

        found: Survey | None = self._from_cache(read)
        return found

    def read(self, files: Sequence[VaultFile], settings: Settings) -> list[NoteFacts]:
        """Return the facts of each file, in order; unchanged ones come from the cache."""
        from vaultgraph.effects.team import Team

        self._settings = settings
        self._files = list(files)
        self._fingerprint = f"{__version__} {settings.status.keys!r} {settings.keys!r}"
        known = self._from_cache(self._known_rows) or {}
        nothing: Row = (None, NoteFacts(), ())
        self._rows = [known.get(file.path, nothing) for file in files]
        self._fresh = [
            position
            for position, file in enumerate(files)
            if self._rows[position][0] is None or self._rows[position][0] != file.stamp
        ]
        here = {file.path for file in files}
        self._stale_shards = {shard_of(path) for path in known if path not in here}
        if len(self._fresh) >= _WORTH_TELLING:
            self._progress(f"reading {len(self._fresh):,} notes …")
        self._team = Team(self._prefix, settings, len(self._fresh), self._jobs)
        paths = [files[position].os_path for position in self._fresh]
        for position, facts in zip(self._fresh, self._team.share("read", paths), strict=True):
            stamp = files[position].stamp
            # A note that could not be read may be there again, with the same stamp.
            is_old = stamp is not None and trusted(stamp, self._listed_at_ns) and facts[0] != b""
            self._set_row(position, (stamp if is_old else None, NoteFacts._make(facts), ()))
        return [row[1] for row in self._rows]

    def _set_row(self, position: int, row: Row) -> None:
        self._rows[position] = row
        self._stale_shards.add(shard_of(self._files[position].path))

    def _known_rows(self, cache: Cache) -> dict[str, Row]:
        known: dict[str, Row] = {}
        self._generation = cache.get(GENERATION)
        if cache.get("facts-of") == self._fingerprint:
            names = cache.get("names") or ()
            for shard in range(SHARDS):
                for path, stamp, facts, mentions in cache.get(f"shard-{shard}") or ():
                    known[path] = (stamp, NoteFacts._make(facts), mentions)
            self._old_names = names
        return known

    def find_mentions(
        self, folded_names: tuple[str, ...], owners: Sequence[Sequence[int]]
    ) -> list[NoteMentions]:
        """Return the mentions in each file that was last read, in order."""
        self._names = folded_names
        own: dict[int, OwnNames] = {}
        for name, positions in enumerate(owners):
            for position in positions:
                own[position] = (*own.get(position, ()), name)
        if self._team is not None and self._fresh:
            names_of_fresh = [own.get(position, ()) for position in self._fresh]
            found = self._team.share("find", names_of_fresh, folded_names)
            for position, mentions in zip(self._fresh, found, strict=True):
                self._set_row(position, (*self._rows[position][:2], mentions))
            self._team.close()
            self._team = None
        if len(self._fresh) < len(self._files) and self._old_names != folded_names:
            self._renumber(self._old_names, own)
        return [row[2] for row in self._rows]

    def _renumber(self, old_names: tuple[str, ...], own: dict[int, OwnNames]) -> None:
        """Bring the mentions in unchanged notes up to date with the names of today."""
        number_of = {name: number for number, name in enumerate(self._names)}
        renumbered = [number_of.get(name) for name in old_names]
        known = set(old_names)
        new = [name for name in self._names if name not in known]
        fresh = set(self._fresh)
        anew: list[int] = []
        probed: list[int] = []
        for position, (stamp, facts, mentions) in enumerate(self._rows):
            if position in fresh:
                continue
            moved = tuple([(renumbered[name], line) for name, line in mentions])
            if any(name is None for name, _ in moved):
                # A name is gone, and may have hidden a shorter one.
                anew.append(position)
                continue
            probed.append(position)
            if moved != mentions:
                self._set_row(position, (stamp, facts, moved))  # type: ignore[arg-type]
        if new:
            self._find_new(probed, new, own)
        # For a note that must be done again, every name is new.
        for position in anew:
            self._set_row(position, (*self._rows[position][:2], ()))
        self._find_new(anew, list(self._names), own)

    def _find_new(self, positions: list[int], new: list[str], own: dict[int, OwnNames]) -> None:
        """Do those notes again that hold one of the ``new`` names."""
        from vaultgraph.effects.team import Team

        if not positions or self._settings is None:
            return
        team = Team(self._prefix, self._settings, len(positions), self._jobs)
        notes = [(self._files[p].os_path, own.get(p, ())) for p in positions]
        results = team.share("find_new", notes, new, self._names)
        team.close()
        for position, mentions in zip(positions, results, strict=True):
            if mentions is not None:
                self._set_row(position, (*self._rows[position][:2], mentions))

    def keep(self, key: bytes, survey: Survey) -> None:
        """Keep a survey and what was read for the next run."""
        cache = self._cache
        if cache is not None:
            kept = self._to_keep(key, survey)
            self._guarded(lambda: cache.put(kept, generation=self._generation))

    def _to_keep(self, key: bytes, survey: Survey) -> Iterator[tuple[str, Any]]:
        shards: dict[int, list[int]] = {shard: [] for shard in sorted(self._stale_shards)}
        for position, file in enumerate(self._files):
            shard = shard_of(file.path)
            if shard in shards:
                shards[shard].append(position)
        yield "facts-of", self._fingerprint
        yield "names", self._names
        for shard, positions in shards.items():
            rows = [(self._files[position].path, *self._rows[position]) for position in positions]
            yield f"shard-{shard}", [(p, stamp, tuple(facts), m) for p, stamp, facts, m in rows]
        is_proven = all(row[0] is not None for row in self._rows)
        yield "survey", survey.to_plain() if is_proven else None
        yield "survey-key", key if is_proven else b""
