"""Candidate pairs: two notes with evidence between them, whichever way it points."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from vaultgraph.domain.survey import Survey


class NameShare(NamedTuple):
    """How many pairs a name makes."""

    name: str
    #: Pairs in which some note mentions the name.
    pairs: int
    #: Of those, the ones with no link: the name alone makes them.
    alone: int


class Evidence(NamedTuple):
    """One line that joins two notes; ``note`` holds it, ``of`` is what it points at."""

    note: int
    of: int
    line: int
    #: ``wikilink``, ``embed``, ``markdown``, ``property:KEY`` or ``mention``.
    kind: str
    #: The name mentioned; empty for a link.
    name: str


class PairCounts(NamedTuple):
    """The pairs of a survey, counted."""

    possible: int
    candidates: int
    linked: int
    mentioned: int
    both: int


class PairSets(NamedTuple):
    """The candidate pairs of a survey, by what made them.

    A pair is one number, the lower note's times the count of notes plus the higher one's, which
    ``divmod`` takes apart: there are many, and one number takes half the time that two take.
    """

    linked: set[int]
    mentioned: set[int]
    #: How many pairs have a link of each kind; one pair may have several.
    by_kind: dict[str, int]


def find_pairs(survey: Survey) -> PairSets:
    """Return the pairs with a link, and those with a mention, between notes that can pair."""
    flags, size = survey.flags, len(survey.notes)
    names = sorted({kind.partition(":")[0] for kind in survey.kinds})
    name_of = [names.index(kind.partition(":")[0]) for kind in survey.kinds]
    count = max(1, len(names))
    all_can = not any(flags)
    notes, targets, _, kinds = survey.links.columns
    of_kind = {
        (note * size + to if note < to else to * size + note) * count + name_of[kind]
        for note, to, kind in zip(notes, targets, kinds, strict=True)
        if all_can or not (flags[note] or flags[to])
    }
    counted = Counter([number % count for number in of_kind])
    notes, of = survey.mentions.columns[:2]
    mentioned = {
        note * size + other if note < other else other * size + note
        for note, other in zip(notes, of, strict=True)
    }
    by_kind = {name: counted[number] for number, name in enumerate(names) if counted[number]}
    if mentioned:
        by_kind["mention"] = len(mentioned)
    return PairSets({number // count for number in of_kind}, mentioned, by_kind)


def candidate_pairs(survey: Survey) -> list[tuple[int, int]]:
    """Return every candidate pair, sorted; notes are sorted, so numbers sort as ids do."""
    pairs, size = find_pairs(survey), len(survey.notes)
    return [divmod(number, size) for number in sorted(pairs.linked | pairs.mentioned)]


def count_pairs(survey: Survey, pairs: PairSets) -> PairCounts:
    """Return how many pairs could be, are, and by which evidence."""
    linked, mentioned, _ = pairs
    able = survey.flags.count(0)
    both = len(linked & mentioned)
    return PairCounts(
        possible=able * (able - 1) // 2,
        candidates=len(linked) + len(mentioned) - both,
        linked=len(linked),
        mentioned=len(mentioned),
        both=both,
    )


def name_shares(survey: Survey, pairs: PairSets) -> list[NameShare]:
    """Return the names that make pairs, the ones that make most of them alone first."""
    linked, size, count = pairs.linked, len(survey.notes), max(1, len(survey.names))
    notes, of, names, _ = survey.mentions.columns
    # A pair and a name in one number, as in ``PairSets``.
    found = {
        (note * size + other if note < other else other * size + note) * count + name
        for note, other, name in zip(notes, of, names, strict=True)
    }
    counted = Counter([number % count for number in found])
    alone = Counter([number % count for number in found if number // count not in linked])
    shares = [NameShare(survey.names[name], counted[name], alone[name]) for name in counted]
    return sorted(shares, key=lambda share: (-share.alone, -share.pairs, share.name))


def evidence_by_pair(survey: Survey) -> dict[tuple[int, int], list[Evidence]]:
    """Return all evidence of every candidate pair, sorted."""
    found: dict[tuple[int, int], list[Evidence]] = {}
    flags = survey.flags
    for note, to, line, kind in survey.iter_links():
        if not (flags[note] or flags[to]):
            pair = (note, to) if note < to else (to, note)
            found.setdefault(pair, []).append(Evidence(note, to, line, kind, ""))
    for note, of, name, line in survey.iter_mentions():
        pair = (note, of) if note < of else (of, note)
        row = Evidence(note, of, line, "mention", survey.names[name])
        found.setdefault(pair, []).append(row)
    return {pair: sorted(found[pair]) for pair in sorted(found)}
