"""Finds names in prose: whole words, the longest name first, in one pass over each note.

Aho and Corasick's automaton (CACM 18(6), 1975) reports every place where any name ends; the
whole-word rule and the choice between overlapping names come after it. The choice is made among
places that hold, so a longer name that fails never hides a shorter one.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import ahocorasick

from vaultgraph.text.prose import fold, goes_on, reads_on, unquote

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

#: Stands between notes that are searched together: no name holds it, and no word goes over it.
_BETWEEN = "\x01"

#: All that is not ASCII and becomes it when folded, as bytes: a long s, a ligature and the like.
_BECOMES_ASCII = tuple(
    character.encode()
    for character in "\u00df\u0130\u0149\u017f\u037e\u1e9a\u1e9e\u1fef\u212a"
    "\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06"
)

_ASCII = bytes(range(128))

#: Looking for more words than this, one after the other, costs more than reading the note.
_WORTH_PROBING = 50

#: Start, end and number of a name.
Place = tuple[int, int, int]


class Mention(NamedTuple):
    """A name found in a note's prose."""

    #: Number of the name in the list the matcher was built from.
    name: int
    #: 1-based line of the body where it begins.
    line: int


def names_within(proses: Sequence[str], folded_names: Sequence[str]) -> list[int]:
    """Return the numbers of the names whose characters stand in one of the proses."""
    text = _BETWEEN.join([" ".join(unquote(fold(prose)).split()) for prose in proses])
    return [number for number, name in enumerate(folded_names) if name in text]


class Probe:
    """Tells, long before a note's prose is known, that it can hold none of some folded names."""

    def __init__(self, folded_names: Collection[str]) -> None:
        words = {max(name.split(), key=len) for name in folded_names}
        #: The longest word of each name. Whatever prose leaves out of a note ends with a mark or
        #: a line, so a word of the prose stands unbroken in the note.
        self._words = tuple(words) if len(words) <= _WORTH_PROBING else ("",)
        self._as_bytes = tuple([word.encode() for word in self._words if word.isascii()])
        self._is_ascii = len(self._as_bytes) == len(self._words)

    def may_find(self, data: bytes) -> bool:
        """Whether a note of these bytes may hold one of the names."""
        lower = data.lower()
        for word in self._as_bytes:
            if word in lower:
                return True
        # Most of a text is ASCII, and what is left of it without is quickly looked through.
        beyond = data.translate(None, _ASCII)
        if not beyond:
            return False
        if self._is_ascii and not any(character in beyond for character in _BECOMES_ASCII):
            return False
        text = fold(data.decode(errors="replace"))
        return any(word in text for word in self._words)


class Matcher:
    """Finds a fixed list of folded names, or only those ``among`` them given by their numbers."""

    def __init__(self, folded_names: Sequence[str], *, among: Iterable[int] | None = None) -> None:
        numbers = range(len(folded_names)) if among is None else among
        self._automaton = ahocorasick.Automaton(ahocorasick.STORE_INTS)
        for number in numbers:
            self._automaton.add_word(_as_bytes(folded_names[number]), number)
        if self._automaton:
            self._automaton.make_automaton()
        self._lengths = [len(name) for name in folded_names] if self._automaton else []

    def find(self, prose: str, own: Collection[int] = ()) -> list[Mention]:
        """Return the mentions in a body's prose, in the order of their places.

        The note's ``own`` names are no mentions, but take what they cover from shorter names.
        """
        return self.find_all([prose], [own])[0]

    def find_all(
        self, proses: Sequence[str], own: Sequence[Collection[int]]
    ) -> list[list[Mention]]:
        """Return what ``find`` does for each prose and its note's ``own`` names.

        All of them are searched as one text, since most notes hold no name, and asking note by
        note costs more than the search.
        """
        folded = [fold(prose) for prose in proses]
        unquoted = [unquote(text) for text in folded]
        flat = [" ".join(text.split()) for text in unquoted]
        starts = [0, *accumulate([len(text) + 1 for text in flat])]
        places: dict[int, list[Place]] = {}
        for start, end, name in self._places(_BETWEEN.join(flat)):
            number = bisect_right(starts, start) - 1
            first = starts[number]
            places.setdefault(number, []).append((start - first, end - first, name))
        found: list[list[Mention]] = [[] for _ in proses]
        for number, standing in places.items():
            own_names = own[number]
            if all(name in own_names for _, _, name in standing):
                continue
            lines = _lines_of(standing, flat[number], unquoted[number], folded[number])
            kept = longest([place for place in standing if lines[place]])
            found[number] = [
                Mention(place[2], lines[place]) for place in kept if place[2] not in own_names
            ]
        return found

    def _places(self, flat: str) -> list[Place]:
        """Return every place in ``flat`` where a name stands as no part of a longer word."""
        places: list[Place] = []
        if not self._lengths:
            return places
        lengths, size = self._lengths, len(flat)
        for after, name in _in_characters(self._automaton.iter(_as_bytes(flat)), flat):
            before = after - lengths[name] - 1
            if before >= 0 and goes_on(flat[before], flat[before + 1]):
                continue
            if after < size and goes_on(flat[after], flat[after - 1]):
                continue
            places.append((before + 1, after, name))
        return places


def _as_bytes(text: str) -> str:
    """Return ``text`` with a character for each byte of its UTF-8.

    The automaton tries what may follow a character one after the other, and a vault's names begin
    with up to a thousand different ones where they are Chinese; with bytes it is never many.
    """
    return text if text.isascii() else text.encode(errors="surrogatepass").decode("latin-1")


def _in_characters(hits: Iterable[tuple[int, int]], text: str) -> Iterator[tuple[int, int]]:
    """Yield where each hit ends in ``text``, and its name; hits give the last byte, growing."""
    if text.isascii():
        for last, name in hits:
            yield last + 1, name
        return
    data, bytes_before, characters_before = text.encode(errors="surrogatepass"), 0, 0
    for last, name in hits:
        characters_before += len(data[bytes_before : last + 1].decode(errors="surrogatepass"))
        bytes_before = last + 1
        yield characters_before, name


def _lines_of(places: list[Place], flat: str, unquoted: str, folded: str) -> dict[Place, int]:
    """Return the 1-based line where each place in ``flat`` begins; 0 if nobody would read it so.

    ``flat`` has the words of ``unquoted`` in order, and ``unquoted`` the lines of ``folded``.
    Each text is walked once, however many places there are: a log may hold thousands.
    """
    in_line = [len(line.split()) for line in unquoted.split("\n")]
    words_before = list(accumulate(in_line, initial=0))
    as_written: list[str] = []
    found: dict[Place, int] = {}
    at = first = 0
    for place in sorted(places):
        start, end, _ = place
        first += flat.count(" ", at, start)
        last = first + flat.count(" ", start, end)
        at = start
        line, until = bisect_right(words_before, first), bisect_right(words_before, last)
        if line < until:
            as_written = as_written or folded.split("\n")
        found[place] = line if line == until or reads_on(as_written[line - 1 : until]) else 0
    return found


def longest(places: list[Place]) -> list[Place]:
    """Return the places that remain when longer ones take what they cover, sorted.

    Of two places of one length that overlap, the earlier stays.
    """
    if len(places) < 2:
        return places
    covered = bytearray(max(end for _, end, _ in places))
    kept: list[Place] = []
    for start, end, name in sorted(places, key=lambda place: (place[0] - place[1], place[0])):
        if covered.find(1, start, end) < 0:
            covered[start:end] = b"\x01" * (end - start)
            kept.append((start, end, name))
    return sorted(kept)
