"""The notes of one vault, read at most once as long as they do not change."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from vaultgraph import __version__
from vaultgraph.domain.notes import NoteFacts
from vaultgraph.domain.survey import Survey
from vaultgraph.effects.cache import (
    SHARDS,
    Cache,
    CacheError,
    Row,
    shard_of,
    trusted,
)
from vaultgraph.effects.note_reader import (
    LocalWorker,
    OwnNames,
    ProcessWorker,
    Reader,
    Worker,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vaultgraph.domain.notes import VaultFile
    from vaultgraph.domain.ports import NoteMentions
    from vaultgraph.domain.settings import Settings
    from vaultgraph.effects.disk import DiskVault

#: Below so many notes to read, a second process costs more than it saves.
WORTH_A_PROCESS = 3_000
#: More than this many processes wait for the disk, not for each other.
MOST_PROCESSES = 4


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
        self._cache: Cache | None = None
        if open_cache is not None:
            self._guard(lambda: self._set_cache(open_cache()))
        # Stamps are judged by when they were taken, and that is after this moment.
        self._listed_at_ns = time.time_ns()
        self._files: list[VaultFile] = []
        self._rows: list[Row | None] = []
        #: Positions of the notes read in this run, and the workers that hold their prose.
        self._fresh: list[int] = []
        self._workers: list[Worker] = []
        self._settings: Settings | None = None
        self._names: tuple[str, ...] = ()
        self._own: dict[int, OwnNames] = {}
        self._stale_shards: set[int] = set()
        self._fingerprint = ""

    def _set_cache(self, cache: Cache) -> None:
        self._cache = cache

    def _guard(self, action: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever it returns
        try:
            return action()
        except (CacheError, OSError) as error:
            self._warn(f"the cache cannot be used and is left aside ({error})")
            self._cache = None
            return None

    def _get(self, name: str) -> Any:  # noqa: ANN401 - whatever was put
        cache = self._cache
        return self._guard(lambda: cache.get(name)) if cache is not None else None

    def recall(self, key: bytes) -> Survey | None:
        """Return the survey kept under ``key``, if any."""
        if self._get("survey-key") != key:
            return None
        plain = self._get("survey")
        return None if plain is None else Survey.from_plain(plain)

    def read(self, files: Sequence[VaultFile], settings: Settings) -> list[NoteFacts]:
        """Return the facts of each file, in order; unchanged ones come from the cache."""
        self._settings = settings
        self._files = list(files)
        self._fingerprint = f"{__version__} {settings.status.keys!r} {settings.keys!r}"
        known = self._known_rows()
        self._rows = [known.get(file.path) for file in files]
        self._fresh = [
            position
            for position, (file, row) in enumerate(zip(files, self._rows, strict=True))
            if row is None or row[0] is None or row[0] != file.stamp
        ]
        self._stale_shards = {shard_of(files[position].path) for position in self._fresh}
        here = {file.path for file in files}
        self._stale_shards |= {shard_of(path) for path in known if path not in here}
        if len(self._fresh) >= WORTH_A_PROCESS:
            self._progress(f"reading {len(self._fresh):,} notes …")
        self._workers = self._hire(len(self._fresh))
        paths = [files[position].os_path for position in self._fresh]
        for position, facts in zip(self._fresh, self._share("read", paths), strict=True):
            stamp = files[position].stamp
            is_old = stamp is not None and trusted(stamp, self._listed_at_ns)
            self._rows[position] = (tuple(stamp) if stamp and is_old else None, facts, ())  # type: ignore[assignment]
        return [NoteFacts._make(row[1]) for row in self._rows if row is not None]

    def _known_rows(self) -> dict[str, Row]:
        if self._get("facts-of") != self._fingerprint:
            return {}
        known: dict[str, Row] = {}
        for shard in range(SHARDS):
            known.update(self._get(f"shard-{shard}") or {})
        return known

    def _hire(self, work: int) -> list[Worker]:
        assert self._settings is not None  # noqa: S101 - read() comes first
        jobs = self._jobs
        if jobs is None:
            jobs = min(os.cpu_count() or 1, MOST_PROCESSES) if work >= WORTH_A_PROCESS else 1
        workers: list[Worker] = [
            ProcessWorker(self._prefix, self._settings) for _ in range(min(jobs, work or 1) - 1)
        ]
        # Last, because it works only when asked for its answer: by then the others are busy.
        workers.append(LocalWorker(Reader(self._prefix, self._settings)))
        return workers

    def _share(self, method: str, items: list[Any], *arguments: object) -> list[Any]:
        """Return one result an item, in order, each worker doing every n-th."""
        count = len(self._workers)
        for number, worker in enumerate(self._workers):
            worker.ask(method, items[number::count], *arguments)
        results: list[Any] = [None] * len(items)
        # The last one works here, when asked: the others are busy meanwhile.
        for number in (count - 1, *range(count - 1)):
            results[number::count] = self._workers[number].answer()
        return results

    def find_mentions(
        self, folded_names: tuple[str, ...], owners: Sequence[Sequence[int]]
    ) -> list[NoteMentions]:
        """Return the mentions in each file that was last read, in order."""
        self._names = folded_names
        own: dict[int, OwnNames] = {}
        for name, positions in enumerate(owners):
            for position in positions:
                own[position] = (*own.get(position, ()), name)
        self._own = own
        fresh = set(self._fresh)
        kept = [position for position in range(len(self._files)) if position not in fresh]
        if kept:
            self._update_kept(kept, self._get("names") or ())
        if self._fresh:
            names_of_fresh = [own.get(position, ()) for position in self._fresh]
            results = self._share("find", names_of_fresh, folded_names)
            for position, found in zip(self._fresh, results, strict=True):
                self._set_mentions(position, found)
        for worker in self._workers:
            worker.close()
        return [row[2] for row in self._rows if row is not None]

    def _set_mentions(self, position: int, found: NoteMentions) -> None:
        row = self._rows[position]
        if row is not None and row[2] != found:
            self._rows[position] = (row[0], row[1], found)
            self._stale_shards.add(shard_of(self._files[position].path))

    def _update_kept(self, kept: list[int], old_names: tuple[str, ...]) -> None:
        """Bring the mentions of unchanged notes up to date with the names of today."""
        if old_names == self._names:
            return
        number_of = {name: number for number, name in enumerate(self._names)}
        renumbered = [number_of.get(name) for name in old_names]
        known = set(old_names)
        new = [name for name in self._names if name not in known]
        again: list[int] = []
        for position in kept:
            row = self._rows[position]
            found = [(renumbered[name], line) for name, line in row[2]] if row else []
            if any(name is None for name, _ in found):
                # A name is gone, and may have hidden a shorter one.
                again.append(position)
            else:
                self._set_mentions(position, tuple(found))  # type: ignore[arg-type]
        probe = sorted({*again, *(kept if new else ())})
        if not probe:
            return
        must = set(again)
        # For a note that must be done again, every name counts as new.
        self._find_new([p for p in probe if p not in must], new)
        self._find_new(again, list(self._names))

    def _find_new(self, positions: list[int], names: list[str]) -> None:
        """Do those notes again that hold one of ``names``; the others hold no mention of them."""
        if not positions or self._settings is None:
            return
        mine, self._workers = self._workers, self._hire(len(positions))
        items = [(self._files[p].os_path, self._own.get(p, ())) for p in positions]
        results = self._share("find_new", items, names, self._names)
        for worker in self._workers:
            worker.close()
        self._workers = mine
        replaces_all = len(names) == len(self._names)
        for position, found in zip(positions, results, strict=True):
            if found is not None:
                self._set_mentions(position, found)
            elif replaces_all:
                self._set_mentions(position, ())

    def keep(self, key: bytes, survey: Survey) -> None:
        """Keep a survey and what was read for the next run."""
        cache = self._cache
        if cache is None:
            return
        shards: dict[int, dict[str, Row]] = {shard: {} for shard in self._stale_shards}
        for file, row in zip(self._files, self._rows, strict=True):
            shard = shard_of(file.path)
            if shard in shards and row is not None:
                shards[shard][file.path] = row
        items: list[tuple[str, Any]] = [
            ("facts-of", self._fingerprint),
            ("names", self._names),
            *((f"shard-{shard}", rows) for shard, rows in sorted(shards.items())),
        ]
        if all(row is not None and row[0] is not None for row in self._rows):
            items += [("survey", survey.to_plain()), ("survey-key", key)]
        self._guard(lambda: cache.put(items))
