"""What a written link reaches: Obsidian's ``getFirstLinkpathDest``, rule for rule.

The app looks a link's last part up among all file names of the vault, in lower case. A bare
name that only one file has is that file. Otherwise an exact path from the vault's root wins,
then a file in or below the folder of the note that holds the link, then the shortest path.
Aliases never resolve. The rule was read from the app (1.13) and agrees with its recorded caches.
"""

from __future__ import annotations

from posixpath import dirname, normpath
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class LinkIndex:
    """All files of a vault by name, in the order given; paths are NFC."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths: list[str] = list(paths)
        self._lowered: list[str] = [path.lower() for path in self._paths]
        self._by_name: dict[str, list[int]] = {}
        for number, lowered in enumerate(self._lowered):
            self._by_name.setdefault(lowered.rpartition("/")[2], []).append(number)

    @classmethod
    def for_targets(cls, paths: Iterable[str], targets: Iterable[str]) -> LinkIndex:
        """Return an index that knows enough of the files to resolve these targets, and no more."""
        wanted = {name for target in targets for name in _names_meant(target)}
        return cls(path for path in paths if path.rpartition("/")[2].lower() in wanted)

    def resolve(self, target: str, source: str) -> str | None:
        """Return the path that ``target`` in the note ``source`` reaches, or ``None``."""
        return self.look_up(target, source)[0]

    def look_up(self, target: str, source: str) -> tuple[str | None, bool]:
        """Return what ``resolve`` does, and whether it is the same from every note."""
        lowered, found = self._candidates(target)
        if not found:
            return None, True
        if len(found) == 1 and "/" not in lowered:
            return self._paths[found[0]], True
        best = self._best(target, dirname(source).lower())
        return (self._paths[best[0]] if best else None), False

    def link_text(self, path: str, source: str) -> str | None:
        """Return how the app would write a link from ``source`` to the note at ``path``.

        It is the bare title where no other file has that name, else the whole path, both without
        ``.md``; ``None`` where neither reaches the note.
        """
        whole = path[:-3] if path.lower().endswith(".md") else path
        title = whole.rpartition("/")[2]
        is_only = len(self._candidates(title)[1]) == 1
        for text in (title if is_only else whole, whole, path):
            if self.resolve(text, source) == path:
                return text
        return None

    def same_name(self, target: str) -> Sequence[str]:
        """Return every file that ``target``'s last part could mean, in index order."""
        return [self._paths[number] for number in self._candidates(target)[1]]

    def _candidates(self, target: str) -> tuple[str, list[int]]:
        """Return the lowered link as matched, and the files of its last part's name."""
        lowered = target.lower()
        if "." in lowered:
            name = lowered.rpartition("/")[2]
            found = self._by_name.get(name) if "." in name else None
            if found:
                return lowered, found
        # Lowered after the suffix is on: a final sigma lowers differently at a word's end.
        lowered = f"{target}.md".lower()
        return lowered, self._by_name.get(lowered.rpartition("/")[2], [])

    def doubtful(self, target: str, source: str) -> Doubt | None:
        """Return why a reader may expect another note than the app's rule gives, if so."""
        folder = dirname(source).lower()
        best = self._best(target, folder)
        if len(best) > 1 and len(self._paths[best[0]]) == len(self._paths[best[1]]):
            return Doubt("two files fit equally well", *(self._paths[n] for n in best[:2]))
        whole = self._best(target, folder, whole_parts=True)
        if best and whole[:1] != best[:1]:
            other = self._paths[whole[0]] if whole else None
            return Doubt("only part of a folder's name fits", self._paths[best[0]], other)
        return None

    def _best(self, target: str, folder: str, *, whole_parts: bool = False) -> list[int]:
        """Return the files that fit best, the first of them winning."""
        lowered, found = self._candidates(target)
        if len(found) == 1 and "/" not in lowered:
            return found
        if lowered.startswith(("./", "../")):
            joined = _join(folder, lowered)
            exact = [number for number in found if self._lowered[number] == joined]
            if exact:
                return exact[:1]
            lowered = joined
        rooted = lowered.startswith("/")
        lowered = lowered.removeprefix("/")
        exact = [number for number in found if self._lowered[number] == lowered]
        if exact or rooted:
            return exact[:1]
        # The app compares raw strings, not path segments: so do we.
        slash = "/" if whole_parts else ""
        start = f"{folder}{slash}" if folder else ""
        ending = [n for n in found if f"{slash}{self._lowered[n]}".endswith(slash + lowered)]
        near = [number for number in ending if self._lowered[number].startswith(start)]
        return sorted(near or ending, key=lambda number: len(self._paths[number]))


class Doubt(NamedTuple):
    """A link whose target may surprise: what it reaches, and what it might have been."""

    reason: str
    reached: str
    other: str | None


def _names_meant(target: str) -> tuple[str, str]:
    """Return the two file names, lowered, that a target's last part can mean."""
    return target.lower().rpartition("/")[2], f"{target}.md".lower().rpartition("/")[2]


def _join(folder: str, relative: str) -> str:
    """Return ``relative`` from ``folder``; the app reads ``./../`` as ``../``."""
    joined = normpath(f"{folder}/{relative}" if folder else relative)
    return joined.lstrip("/")
