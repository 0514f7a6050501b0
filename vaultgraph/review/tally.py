"""What became of every proposal, counted as a whole, by judge and by score."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from vaultgraph.review.decisions import list_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from vaultgraph.domain.notes import EntryList, NoteId
    from vaultgraph.proposals.decide import Directed
    from vaultgraph.review.decisions import Score
    from vaultgraph.review.history import History

#: ``vanished``: it left by hand without a decision, and will be proposed again. ``reset``: so
#: decided, and may be proposed again. ``unclear``: a note is gone or renamed beyond recognition,
#: is not read any more, or its properties cannot be read.
Fate = Literal["accepted", "rejected", "waiting", "vanished", "reset", "unclear"]
FATES: tuple[Fate, ...] = ("accepted", "rejected", "waiting", "vanished", "reset", "unclear")
#: Lower edges.
_BANDS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
BELOW, UNSCORED = "below 0.4", "no score"
BANDS: tuple[str, ...] = (
    UNSCORED,
    BELOW,
    *(f"{low:.1f}-{low + 0.1:.1f}" for low in _BANDS[:-1]),
    "0.9-1",
)


@dataclass(slots=True)
class Tally:
    """Counts of fates; those of one table add up to the number of proposals."""

    fates: Counter[Fate] = field(default_factory=Counter)
    by_judge: dict[str, Counter[Fate]] = field(default_factory=dict)
    by_band: dict[str, Counter[Fate]] = field(default_factory=dict)
    vanished: list[Directed] = field(default_factory=list)
    #: Accepted or rejected although nobody had proposed it.
    unproposed: int = 0

    @property
    def proposed(self) -> int:
        """How many pairs a person was, or is to be, asked about."""
        return self.fates.total()


def tally(
    history: History,
    standing: Mapping[Directed, Collection[EntryList]],
    comparable: Collection[NoteId],
    unsure: Collection[NoteId],
    private: Collection[NoteId],
) -> Tally:
    """Return what became of the proposals that may be named; withdrawn ones are no proposals."""
    found = Tally()
    waiting = {pair for pair, lists in standing.items() if list_of(lists) == "proposed"}
    for direction in sorted(history.pairs.keys() | waiting):
        if any(note in private for note in direction):
            continue
        is_there = all(note in comparable for note in direction)
        here = list_of(standing.get(direction, ())) if is_there else None
        known = history.pairs.get(direction)
        if here != "proposed" and (known is None or not known.was_proposed):
            found.unproposed += here is not None
            continue
        if here is None and known is not None and known.was_withdrawn and known.state is None:
            continue
        is_sure = is_there and direction[0] not in unsure
        fate = _fate(here, known.state if known else None, is_sure=is_sure)
        _count(found, fate, history.score_of(direction))
        if fate == "vanished":
            found.vanished.append(direction)
    return found


def _fate(here: EntryList | None, known: EntryList | None, *, is_sure: bool) -> Fate:
    if here is not None:
        return "waiting" if here == "proposed" else here
    if not is_sure:
        return "unclear"
    return "vanished" if known == "proposed" else "reset"


def _count(found: Tally, fate: Fate, score: Score | None) -> None:
    found.fates[fate] += 1
    judge = score.judge if score is not None else ""
    found.by_judge.setdefault(judge, Counter())[fate] += 1
    found.by_band.setdefault(band_of(score), Counter())[fate] += 1


def band_of(score: Score | None) -> str:
    """Return the band of a score; a band holds its lower edge and not its upper one."""
    if score is None:
        return UNSCORED
    reached = sum(score.probability >= low for low in _BANDS)
    return BANDS[1 + reached]
