"""The notes of one vault, read at most once as long as they do not change."""

from __future__ import annotations

import time
from array import array
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from vaultgraph.domain.notes import Name, NoteFacts
from vaultgraph.domain.ports import Kept
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
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from vaultgraph.domain.notes import Listing, VaultFile
    from vaultgraph.domain.ports import NoteMentions
    from vaultgraph.domain.settings import Settings
    from vaultgraph.effects.disk import DiskVault
    from vaultgraph.effects.note_reader import OwnNames
    from vaultgraph.effects.team import Team

#: From so many notes on, a person is told that they are being read.
_WORTH_TELLING = 2_000
_NEVER_READ: Row = (None, NoteFacts(), ())
#: Of a file that is no note; and how stamps are stored.
_NO_STAMP = (0, 0, 0, 0)
_STAMP_SIZE, _U64 = 32, 2**64 - 1


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
        self._fingerprint = ""
        self._jobs = jobs
        self._warn = warn
        self._progress = progress or (lambda _text: None)
        # Stamps are judged by when they were taken, and that is after this moment.
        self._listed_at_ns = time.time_ns()
        self._cache: Cache | None = None
        if open_cache is not None:
            self._cache = self._guarded(open_cache)
        if self._cache is not None and self._cache.emptied:
            self._warn(f"{self._cache.emptied} and is made anew")
        #: Rows by shard and path, from the cache or read in this run, and the folded names that
        #: their mentions are numbered by.
        self._shards: dict[int, dict[str, Row]] = {}
        self._numbered_by: tuple[str, ...] = ()
        #: The names the cache held when it was last read, and which state of it that was.
        self._old_names: tuple[Name, ...] = ()
        self._generation: bytes | None = None
        self._stale_shards: set[int] = set()
        #: The listing last asked about and what ``_columns_of`` makes of it.
        self._columns: tuple[Listing, bytes, bytes] | None = None
        #: The files last asked for, their rows, and the positions of those read in this run,
        #: whose prose waits with the team.
        self._files: list[VaultFile] = []
        self._rows: list[Row] = []
        self._fresh: list[int] = []
        self._team: Team | None = None
        self._settings: Settings | None = None
        self._names: tuple[str, ...] = ()

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
            except (ValueError, TypeError, EOFError, IndexError):
                raise DamagedCacheError("it holds something else than expected") from None

        return self._guarded(action)

    def recall(self, listing: Listing, made_with: bytes) -> Kept | None:
        """Return what was kept for the same paths and the same ``made_with``, if anything."""
        paths, stamps = self._columns_of(listing)

        def read(cache: Cache) -> Kept | None:
            self._shards, self._old_names, self._stale_shards = {}, (), set()
            self._generation = cache.get(GENERATION)
            if cache.get("made-with") != made_with or cache.get("paths") != paths:
                return None
            parts = [cache.get(f"survey-{n}") for n in range(cache.get("survey") or 0)]
            survey = Survey.from_plain(tuple(parts))
            positions = _changed(cache.get("stamps") or b"", stamps)
            unproven = cache.get("unproven") or ()
            changed = sorted({*positions, *unproven}) if positions or unproven else ()
            if not changed:
                return Kept(survey, {}, ())
            files = [listing.files[position] for position in changed]
            self._load(cache, {shard_of(file.path) for file in files})
            facts = [self._known(file.path)[1] for file in files]
            return Kept(survey, dict(zip(changed, facts, strict=True)), self._old_names)

        found: Kept | None = self._from_cache(read)
        return found

    def _columns_of(self, listing: Listing) -> tuple[bytes, bytes]:
        if self._columns is None or self._columns[0] is not listing:
            self._columns = (listing, *_columns_of(listing))
        return self._columns[1:]

    def _load(self, cache: Cache, shards: Iterable[int]) -> None:
        self._shards = {
            shard: {
                path: (stamp, NoteFacts._make(facts), mentions)
                for path, stamp, facts, mentions in cache.get(f"shard-{shard}") or ()
            }
            for shard in shards
        }
        self._old_names = tuple(map(Name._make, cache.get("names") or ()))
        self._numbered_by = tuple([name.folded for name in self._old_names])

    def _known(self, path: str) -> Row:
        return self._shards.get(shard_of(path), {}).get(path, _NEVER_READ)

    def read(self, files: Sequence[VaultFile], settings: Settings) -> list[NoteFacts]:
        """Return the facts of each file, in order; unchanged ones come from the cache."""
        from vaultgraph.effects.team import Team

        self._settings = settings
        self._files = list(files)
        self._fingerprint = f"{settings.status.keys!r} {settings.keys!r}"
        if not {shard_of(file.path) for file in files} <= self._shards.keys():
            self._from_cache(self._load_all)
        self._rows = [self._known(file.path) for file in files]
        self._fresh = [
            position
            for position, file in enumerate(files)
            if self._rows[position][0] is None or self._rows[position][0] != file.stamp
        ]
        if len(self._fresh) >= _WORTH_TELLING:
            self._progress(f"reading {len(self._fresh):,} notes …")
        if self._team is not None:
            self._team.close()
        self._team = Team(self._prefix, settings, len(self._fresh), self._jobs)
        paths = [files[position].os_path for position in self._fresh]
        for position, facts in zip(self._fresh, self._team.share("read", paths), strict=True):
            stamp = files[position].stamp
            # A note that could not be read may be there again, with the same stamp.
            is_old = stamp is not None and trusted(stamp, self._listed_at_ns) and facts[0] != b""
            # Kept only when its mentions are found, too.
            self._rows[position] = (stamp if is_old else None, NoteFacts._make(facts), ())
        return [row[1] for row in self._rows]

    def _load_all(self, cache: Cache) -> None:
        self._shards, self._old_names = {}, ()
        self._generation = cache.get(GENERATION)
        if cache.get("facts-of") == self._fingerprint:
            self._load(cache, range(SHARDS))

    def _set_row(self, position: int, row: Row) -> None:
        self._rows[position] = row
        path = self._files[position].path
        shard = shard_of(path)
        self._shards.setdefault(shard, {})[path] = row
        self._stale_shards.add(shard)

    def find_mentions(
        self, folded_names: tuple[str, ...], own: Sequence[OwnNames]
    ) -> list[NoteMentions]:
        """Return the mentions in each file that was last read, in order."""
        self._names = folded_names
        if self._team is not None:
            found = self._team.share("find", [own[p] for p in self._fresh], folded_names)
            for position, mentions in zip(self._fresh, found, strict=True):
                self._set_row(position, (*self._rows[position][:2], mentions))
            self._team.close()
            self._team = None
        if len(self._fresh) < len(self._files) and self._numbered_by != folded_names:
            self._renumber(self._numbered_by, own)
        self._numbered_by = folded_names
        return [row[2] for row in self._rows]

    def _renumber(self, old_names: tuple[str, ...], own: Sequence[OwnNames]) -> None:
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

    def _find_new(self, positions: list[int], new: list[str], own: Sequence[OwnNames]) -> None:
        """Do those notes again that hold one of the ``new`` names."""
        from vaultgraph.effects.team import Team

        if not positions or self._settings is None:
            return
        team = Team(self._prefix, self._settings, len(positions), self._jobs)
        notes = [(self._files[p].os_path, own[p]) for p in positions]
        results = team.share("find_new", notes, new, self._names)
        team.close()
        for position, mentions in zip(positions, results, strict=True):
            if mentions is not None:
                self._set_row(position, (*self._rows[position][:2], mentions))

    def keep(
        self, listing: Listing, made_with: bytes, survey: Survey, names: tuple[Name, ...]
    ) -> None:
        """Keep a survey and what was read for the next run."""
        cache = self._cache
        if cache is not None:
            kept = self._to_keep(listing, made_with, survey, names)
            self._guarded(lambda: cache.put(kept, generation=self._generation))

    def _to_keep(
        self, listing: Listing, made_with: bytes, survey: Survey, names: tuple[Name, ...]
    ) -> Iterator[tuple[str, Any]]:
        paths, stamps = self._columns_of(listing)
        present = {file.path for file in listing.files}
        for shard, rows in sorted(self._shards.items()):
            gone = rows.keys() - present
            if gone or shard in self._stale_shards:
                yield (
                    f"shard-{shard}",
                    [(p, s, tuple(f), m) for p, (s, f, m) in sorted(rows.items()) if p in present],
                )
        if names != self._old_names:
            yield "names", [tuple(name) for name in names]
        yield "facts-of", self._fingerprint
        yield "made-with", made_with
        yield "paths", paths
        yield "stamps", stamps
        is_note = {file.path for file in self._files}
        yield (
            "unproven",
            tuple(
                position
                for position, file in enumerate(listing.files)
                if file.path in is_note and self._known(file.path)[0] is None
            ),
        )
        # In parts, since a value is held three times while it is stored.
        parts = survey.to_plain()
        yield "survey", len(parts)
        yield from ((f"survey-{n}", part) for n, part in enumerate(parts))


def _columns_of(listing: Listing) -> tuple[bytes, bytes]:
    """Return a hash of the paths listed, and the stamps, 32 bytes a file."""
    files = listing.files
    paths = "\0".join([file.path for file in files])
    stamps = [number for file in files for number in file.stamp or _NO_STAMP]
    try:
        column = array("Q", stamps)
    except OverflowError:  # a time before 1970
        column = array("Q", [number & _U64 for number in stamps])
    return blake2b(paths.encode(), digest_size=16).digest(), column.tobytes()


def _changed(was: bytes, now: bytes) -> list[int]:
    """Return the positions at which two columns of as many stamps differ."""
    if was == now:
        return []
    starts = range(0, len(now), _STAMP_SIZE)
    return [
        position
        for position, start in enumerate(starts)
        if was[start : start + _STAMP_SIZE] != now[start : start + _STAMP_SIZE]
    ]
