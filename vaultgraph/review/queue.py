"""Which proposals a person is asked about, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from vaultgraph.domain.notes import EntryList, NoteId
    from vaultgraph.proposals.decide import Directed
    from vaultgraph.review.decisions import Score
    from vaultgraph.review.history import History

Order = Literal["strongest", "note", "weakest"]


class Item(NamedTuple):
    """One proposal that waits, or an attention check that looks like one."""

    dependent: NoteId
    basis: NoteId
    score: Score | None
    #: It was put off in an earlier sitting.
    is_skipped: bool
    kind: Literal["dependency", "check"] = "dependency"

    @property
    def direction(self) -> Directed:
        """The pair it is about."""
        return self.dependent, self.basis


class QueueOptions(NamedTuple):
    """What narrows and orders a sitting."""

    order: Order = "strongest"
    #: Only proposals with this note, on either side.
    note: NoteId | None = None
    limit: int | None = None


def make_queue(
    standing: Mapping[Directed, Collection[EntryList]],
    public: Collection[NoteId],
    history: History,
    options: QueueOptions,
) -> list[Item]:
    """Return every entry in ``depends-on-proposed`` between notes that may be named.

    One that stands in another list, too, is asked about as well: the answer clears that up. Those
    put off come last.
    """
    items = (
        Item(*direction, history.score_of(direction), _is_skipped(history, direction))
        for direction, lists in standing.items()
        if "proposed" in lists and all(note in public for note in direction)
    )
    return _ordered(
        (item for item in items if options.note in (None, *item.direction)), options.order
    )[: options.limit]


def _is_skipped(history: History, direction: Directed) -> bool:
    pair = history.pairs.get(direction)
    return pair is not None and pair.is_skipped


def _ordered(items: Iterable[Item], order: Order) -> list[Item]:
    def strength(item: Item) -> float:
        return item.score.probability if item.score is not None else -1.0

    def place(item: Item) -> tuple[bool, str, float, NoteId, NoteId]:
        if order == "note":
            return item.is_skipped, item.dependent, -strength(item), *item.direction
        sign = -1.0 if order == "strongest" else 1.0
        return item.is_skipped, "", sign * strength(item), *item.direction

    return sorted(items, key=place)
