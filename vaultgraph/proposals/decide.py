"""What follows from verdicts, given what the owner has decided and what stands in the notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from vaultgraph.domain.judging import Verdict
    from vaultgraph.domain.notes import EntryList, NoteId

#: Dependent and basis.
Directed = tuple["NoteId", "NoteId"]


class Cutoffs(NamedTuple):
    """From where on a probability counts."""

    #: At or above it an entry is proposed.
    cutoff: float
    #: From here up to the cutoff a person is shown the pair, and nothing is written.
    middle: float


class Scored(NamedTuple):
    """One direction of one verdict."""

    dependent: NoteId
    basis: NoteId
    probability: float
    judge: str
    model: str


class Skipped(NamedTuple):
    """A direction at or above the cutoff for which nothing is done, and why."""

    dependent: NoteId
    basis: NoteId
    probability: float
    reason: str


class Conflict(NamedTuple):
    """A pair of which both notes seem to depend on each other: a person must say."""

    first: NoteId
    second: NoteId
    first_depends: float
    second_depends: float
    reason: str


class Decided(NamedTuple):
    """What follows from the verdicts; every list is sorted, the strongest first."""

    proposed: list[Scored]
    withdrawn: list[Scored]
    skipped: list[Skipped]
    conflicts: list[Conflict]
    middle: list[Scored]


_STANDS = {
    "accepted": "accepted already",
    "rejected": "rejected by its owner",
    "proposed": "proposed already",
}


#: Only a person puts an entry there.
_A_PERSONS: frozenset[EntryList] = frozenset({"accepted", "rejected"})


def decide(
    verdicts: Iterable[Verdict],
    standing: Mapping[Directed, Collection[EntryList]],
    unable: Mapping[NoteId, str],
    ours: Collection[Directed],
    cutoffs: Cutoffs,
) -> Decided:
    """Return what to propose, withdraw, list and leave alone.

    ``standing`` holds the entries in the notes by what they resolve to, ``unable`` the notes that
    take no part and why, ``ours`` the entries that we once proposed.
    """
    decided = Decided([], [], [], [], [])
    for verdict in verdicts:
        reason = unable.get(verdict.first) or unable.get(verdict.second)
        one = _direction(verdict, is_first=True)
        other = _direction(verdict, is_first=False)
        if reason is not None:
            for scored in (one, other):
                if scored.probability >= cutoffs.cutoff:
                    decided.skipped.append(Skipped(*scored[:3], reason))
        elif _is_mutual(verdict, standing, cutoffs):
            decided.conflicts.append(_conflict(verdict, "each seems to depend on the other"))
        else:
            for scored, reverse in ((one, other), (other, one)):
                _decide_one(decided, verdict, scored, reverse, standing, ours, cutoffs)
    return _sorted(decided)


def decide_by_judge(
    verdicts: Iterable[Verdict],
    standing: Mapping[Directed, Collection[EntryList]],
    unable: Mapping[NoteId, str],
    ours: Collection[Directed],
    cutoffs: Mapping[str, Cutoffs],
    usual: Cutoffs,
) -> Decided:
    """Return the same where some judges brought cutoffs of their own, by judge."""
    by_judge: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        by_judge.setdefault(verdict.judge, []).append(verdict)
    parts = [
        decide(found, standing, unable, ours, cutoffs.get(judge, usual))
        for judge, found in by_judge.items()
    ]
    return _sorted(
        Decided(
            proposed=[row for part in parts for row in part.proposed],
            withdrawn=[row for part in parts for row in part.withdrawn],
            skipped=[row for part in parts for row in part.skipped],
            conflicts=[row for part in parts for row in part.conflicts],
            middle=[row for part in parts for row in part.middle],
        )
    )


def _is_mutual(
    verdict: Verdict, standing: Mapping[Directed, Collection[EntryList]], cutoffs: Cutoffs
) -> bool:
    """Whether both directions are at or above the cutoff, and a person has not said of both."""
    if min(verdict.first_depends, verdict.second_depends) < cutoffs.cutoff:
        return False
    both = ((verdict.first, verdict.second), (verdict.second, verdict.first))
    return any(_A_PERSONS.isdisjoint(standing.get(direction, ())) for direction in both)


def _decide_one(
    decided: Decided,
    verdict: Verdict,
    scored: Scored,
    reverse: Scored,
    standing: Mapping[Directed, Collection[EntryList]],
    ours: Collection[Directed],
    cutoffs: Cutoffs,
) -> None:
    direction = (scored.dependent, scored.basis)
    here = standing.get(direction, ())
    if scored.probability < cutoffs.cutoff:
        if "proposed" in here and direction in ours:
            decided.withdrawn.append(scored)
        elif scored.probability >= cutoffs.middle and not here:
            decided.middle.append(scored)
        return
    stands = next((_STANDS[entries] for entries in _STANDS if entries in here), None)
    if stands is not None:
        decided.skipped.append(Skipped(*scored[:3], stands))
    elif "accepted" in standing.get((reverse.dependent, reverse.basis), ()):
        decided.conflicts.append(_conflict(verdict, "the reverse was accepted"))
    else:
        decided.proposed.append(scored)


def _direction(verdict: Verdict, *, is_first: bool) -> Scored:
    notes = (verdict.first, verdict.second)
    dependent, basis = notes if is_first else notes[::-1]
    probability = verdict.first_depends if is_first else verdict.second_depends
    return Scored(dependent, basis, probability, verdict.judge, verdict.model)


def _conflict(verdict: Verdict, reason: str) -> Conflict:
    return Conflict(*verdict[:4], reason)


def _sorted(decided: Decided) -> Decided:
    def strongest(row: Scored | Skipped) -> tuple[float, NoteId, NoteId]:
        return (-row.probability, row.dependent, row.basis)

    return Decided(
        sorted(decided.proposed, key=strongest),
        sorted(decided.withdrawn, key=strongest),
        sorted(decided.skipped, key=strongest),
        sorted(decided.conflicts),
        sorted(decided.middle, key=strongest),
    )
