"""All that rests on something, as one sorted list of edges, each with where it is known from.

Of what is known of one pair the surest counts: a person's acceptance, a proposal that waits for
one, a verdict, a bare pointer. A pair its owner rejected has no edge. Private notes and reports
take no part, and records depend on nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.domain.dependencies import Edge, Level
from vaultgraph.domain.survey import PRIVATE, RECORD, REPORT, Survey

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from vaultgraph.domain.notes import EntryList
    from vaultgraph.domain.settings import KeySettings
    from vaultgraph.proposals.decide import Directed

_NOT_DEPENDENT = PRIVATE | RECORD | REPORT
_NOT_BASIS = PRIVATE | REPORT


class Source(NamedTuple):
    """What else is known of one direction of a pair."""

    probability: float | None = None
    judge: str = ""
    model: str = ""
    #: ISO date, or empty.
    on: str = ""


_UNKNOWN = Source()


def _nothing(_direction: Directed, _in_list: EntryList) -> Source:
    return _UNKNOWN


class Known(NamedTuple):
    """What the ledger knows of dependencies."""

    #: Verdicts that hold now and say that there is a dependency.
    judged: Mapping[Directed, Source] = {}
    #: What is known of an entry besides that it stands in a list.
    source_of: Callable[[Directed, EntryList], Source] = _nothing


class Built(NamedTuple):
    """The edges, sorted by dependent and basis, and what was left out of them."""

    edges: tuple[Edge, ...]
    #: Pairs that would be edges, had their owner not rejected them.
    rejected: int
    #: Pairs with a private note: counted, never named.
    private: int


#: Numbers of a dependent and a basis.
_Pair = tuple[int, int]


def build_edges(survey: Survey, keys: KeySettings, known: Known | None = None) -> Built:
    """Return what rests on what; bare pointers only from live notes to closed ones."""
    known = known or Known()
    levels, rejected = _from_entries(survey)
    for pair in _numbered(survey, known.judged):
        if pair not in rejected:
            levels.setdefault(pair, "judged")
    places: dict[_Pair, list[tuple[int, str]]] = {pair: [] for pair in levels}
    seen_rejected: set[_Pair] = set()
    closings = survey.closings
    for pair, place in _places(survey, keys, {basis for _, basis in levels}):
        found = places.get(pair)
        if found is not None:
            found.append(place)
        elif pair[1] in closings and pair[0] not in closings:
            if pair in rejected:
                seen_rejected.add(pair)
            else:
                places[pair] = [place]
    flags, notes = survey.flags, survey.notes
    edges: list[Edge] = []
    private = 0
    for pair in sorted(places):
        dependent, basis = pair
        if (flags[dependent] | flags[basis]) & PRIVATE:
            private += 1
        elif not (flags[dependent] & _NOT_DEPENDENT or flags[basis] & _NOT_BASIS):
            level = levels.get(pair, "pointer")
            names = notes[dependent], notes[basis]
            found = places[pair]
            evidence = tuple(sorted(set(found)) if len(found) > 1 else found)
            source = _source(known, level, names)
            edges.append(
                Edge(
                    *names,
                    level,
                    evidence,
                    source.probability,
                    source.judge,
                    source.model,
                    source.on,
                )
            )
    return Built(tuple(edges), len(seen_rejected), private)


def _numbered(survey: Survey, directions: Collection[Directed]) -> Iterator[_Pair]:
    """Yield the numbers of each two notes that are both there."""
    if not directions:
        return
    # One dictionary of all notes is made sooner than each of thousands is looked for.
    number_of = {note: number for number, note in enumerate(survey.notes)}.get
    for dependent, basis in directions:
        one, other = number_of(dependent), number_of(basis)
        if one is not None and other is not None:
            yield one, other


def _from_entries(survey: Survey) -> tuple[dict[_Pair, Level], set[_Pair]]:
    """Return the level of each pair that entries speak of, and the pairs that were rejected."""
    lists: dict[_Pair, set[EntryList]] = {}
    for row in survey.entries:
        if row.to is not None and row.to != row.note:
            lists.setdefault((row.note, row.to), set()).add(row.in_list)
    levels: dict[_Pair, Level] = {}
    rejected: set[_Pair] = set()
    for pair, standing in lists.items():
        if "accepted" in standing:
            levels[pair] = "confirmed"
        elif "rejected" in standing:
            rejected.add(pair)
        else:
            levels[pair] = "proposed"
    return levels, rejected


def _places(
    survey: Survey, keys: KeySettings, bases: set[int]
) -> Iterator[tuple[_Pair, tuple[int, str]]]:
    """Yield each place where a note points at a closed one or at one of ``bases``.

    Records and reports are left out: they depend on nothing.
    """
    wanted = bytearray(len(survey.notes))
    for basis in (*bases, *survey.closings):
        wanted[basis] = 1
    able = [not flag & (RECORD | REPORT) for flag in survey.flags]
    kinds = survey.kinds
    for note, to, line, kind in survey.links:
        if wanted[to] and able[note] and note != to:
            yield (note, to), (line, kinds[kind])
    for note, of, _, line in survey.mentions:
        if wanted[of] and able[note] and note != of:
            yield (note, of), (line, "mention")
    for row in survey.entries:
        is_kept = row.in_list != "rejected" and row.note != row.to
        if row.to is not None and is_kept and wanted[row.to] and able[row.note]:
            yield (row.note, row.to), (row.line, keys.of_list(row.in_list))


def _source(known: Known, level: Level, direction: Directed) -> Source:
    match level:
        case "confirmed":
            return known.source_of(direction, "accepted")
        case "proposed":
            return known.source_of(direction, "proposed")
        case "judged":
            return known.judged[direction]
        case "pointer":
            return _UNKNOWN
