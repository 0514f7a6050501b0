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


def linked_pairs(survey: Survey) -> set[tuple[int, int]]:
    """Return the pairs with a link between two notes that can pair."""
    flags = survey.flags
    notes, targets = survey.links.columns[:2]
    return {
        (note, to) if note < to else (to, note)
        for note, to in set(zip(notes, targets, strict=True))
        if not (flags[note] or flags[to])
    }


def mentioned_pairs(survey: Survey) -> set[tuple[int, int]]:
    """Return the pairs with a mention between them."""
    notes, of = survey.mentions.columns[:2]
    return {
        (note, other) if note < other else (other, note)
        for note, other in set(zip(notes, of, strict=True))
    }


def candidate_pairs(survey: Survey) -> list[tuple[int, int]]:
    """Return every candidate pair, sorted; notes are sorted, so numbers sort as ids do."""
    return sorted(linked_pairs(survey) | mentioned_pairs(survey))


def count_pairs(survey: Survey) -> PairCounts:
    """Return how many pairs could be, are, and by which evidence."""
    linked, mentioned = linked_pairs(survey), mentioned_pairs(survey)
    able = survey.flags.count(0)
    return PairCounts(
        possible=able * (able - 1) // 2,
        candidates=len(linked | mentioned),
        linked=len(linked),
        mentioned=len(mentioned),
        both=len(linked & mentioned),
    )


def name_shares(survey: Survey) -> list[NameShare]:
    """Return the names that make pairs, the ones that make most of them alone first."""
    linked = linked_pairs(survey)
    notes, of, names, _ = survey.mentions.columns
    pairs: Counter[int] = Counter()
    alone: Counter[int] = Counter()
    for note, other, name in {
        (min(n, o), max(n, o), name) for n, o, name in zip(notes, of, names, strict=True)
    }:
        pairs[name] += 1
        alone[name] += (note, other) not in linked
    shares = [NameShare(survey.names[name], pairs[name], alone[name]) for name in pairs]
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
