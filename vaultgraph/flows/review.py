"""``review``: a queue of proposals, and one decision after the other, each written at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from vaultgraph.errors import InputError
from vaultgraph.flows.lookup import find_note
from vaultgraph.flows.review_decider import Decider, Outcome
from vaultgraph.review.checks import checked_event, plant
from vaultgraph.review.decisions import Decision, skipped_event
from vaultgraph.review.queue import Item, Order, QueueOptions, make_queue

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from vaultgraph.domain.notes import EntryList
    from vaultgraph.domain.survey import Survey
    from vaultgraph.domain.writing import Clock, UndoReport
    from vaultgraph.flows.notice_decisions import Notice
    from vaultgraph.flows.review_items import NoteNow, Page
    from vaultgraph.flows.writing import WritingContext


class TakesBack(Protocol):
    """What undoes a write run, byte for byte."""

    def __call__(self, run: str) -> UndoReport:
        """Take a run back; raises ``InputError``."""
        ...


@dataclass(frozen=True, slots=True)
class ReviewOptions:
    """What narrows a sitting."""

    order: Order = "strongest"
    #: A path, title or alias.
    note: str | None = None
    limit: int | None = None
    #: The reviewer sees no scores.
    is_blind: bool = False


class View(NamedTuple):
    """One item as it is shown."""

    item: Item
    number: int
    total: int
    dependent: Page
    basis: Page


class _Done(NamedTuple):
    item: Item
    decision: Decision
    place: int
    run: str | None
    was: EntryList | None


class Sitting:
    """One walk through the queue. What is decided stays decided, however the walk ends."""

    def __init__(
        self,
        context: WritingContext,
        notice: Notice,
        options: ReviewOptions,
        clock: Clock,
        take_back: TakesBack,
        checks: Sequence[Item] = (),
    ) -> None:
        #: What is asked about: the proposals, and the checks among them.
        self.queue = plant(queue_of(notice, options), checks, clock.now().isoformat())
        self.had_conflict = False
        self._context = context
        self._clock = clock
        self._take_back = take_back
        self._decider = Decider(context, notice, self.queue, is_blind=options.is_blind)
        self._at = 0
        self._done: list[_Done] = []
        self._shown: tuple[Item, datetime] | None = None

    @property
    def decided(self) -> list[Decision]:
        """What was decided about proposals in this sitting and not taken back."""
        return [done.decision for done in self._done if done.item.kind != "check"]

    @property
    def checked(self) -> list[Decision]:
        """The same of attention checks."""
        return [done.decision for done in self._done if done.item.kind == "check"]

    @property
    def proposals(self) -> int:
        """How many proposals there are to decide about."""
        return sum(item.kind != "check" for item in self.queue)

    def view(self) -> View | None:
        """Return the item to be decided, both notes as they are now; ``None`` behind the last.

        What was decided elsewhere meanwhile is passed over.
        """
        while self._at < len(self.queue):
            item = self.queue[self._at]
            now = self._decider.read(item)
            if now is not None and _is_open(item, *now):
                if self._shown is None or self._shown[0] != item:
                    self._shown = (item, self._clock.now())
                page = self._decider.reader.page
                return View(
                    item,
                    self._at + 1,
                    len(self.queue),
                    page(item.dependent, item.basis, now[0]),
                    page(item.basis, item.dependent, now[1]),
                )
            self._at += 1
        self._shown = None
        return None

    def decide(self, decision: Decision) -> Outcome:
        """Decide about the item shown, and go on; a note that refuses stays as it is."""
        item, place = self.queue[self._at], self._at
        if item.kind == "check":
            self._context.ledger.append([checked_event(item.direction, decision, self._seconds())])
            self._at += 1
            self._done.append(_Done(item, decision, place, None, None))
            return Outcome("done", item, decision)
        outcome = self._decider.decide(
            item, decision, seconds=self._seconds(), only_from="proposed"
        )
        self._at += 1
        self.had_conflict |= outcome.kind == "conflict"
        if outcome.kind == "done":
            self._done.append(_Done(item, decision, place, outcome.run, outcome.was))
        return outcome

    def skip(self) -> None:
        """Leave the item shown for later; a check does not come again."""
        item = self.queue[self._at]
        if item.kind != "check":
            self._context.ledger.append([skipped_event(item.direction)])
        self._at += 1

    def undo(self) -> Outcome | None:
        """Take the last decision back, byte for byte; ``None`` where there is none.

        Where the note was edited since, only the entry goes back to where it was.
        """
        if not self._done:
            return None
        item, decision, place, run, _ = self._done[-1]
        if item.kind == "check":
            self._context.ledger.append([checked_event(item.direction, "undone", None)])
            self._done.pop()
            self._at = place
            return Outcome("done", item, "undone")
        undone = self._take_back(run) if run is not None else None
        if undone is not None and item.dependent in undone.restored:
            self._decider.remember(item, "undone", _as_list(decision), undone.writing.run)
            outcome = Outcome("done", item, "undone", run=undone.writing.run)
        else:
            outcome = self._decider.decide(item, "undone", only_from=_as_list(decision))
        self.had_conflict |= outcome.kind == "conflict"
        if outcome.kind in ("done", "gone"):
            self._done.pop()
            self._at = place
        return outcome

    def _seconds(self) -> float | None:
        if self._shown is None:
            return None
        passed = (self._clock.now() - self._shown[1]).total_seconds()
        return max(0.0, round(passed, 1))


def _is_open(item: Item, dependent: NoteNow, basis: NoteNow) -> bool:
    """Whether an item is still to be decided; a check, whether still nobody did."""
    if item.kind == "check":
        return item.basis not in dependent.entries and item.dependent not in basis.entries
    return "proposed" in dependent.entries.get(item.basis, ())


def _as_list(decision: Decision) -> EntryList | None:
    return decision if decision in ("accepted", "rejected") else None


def queue_of(notice: Notice, options: ReviewOptions) -> list[Item]:
    """Return the proposals that wait, in order.

    Raises:
        InputError: ``options.note`` is no note.
    """
    note = None
    if options.note is not None:
        note = notice.survey.notes[find_note(notice.survey, options.note)]
    narrowed = QueueOptions(options.order, note, options.limit)
    return make_queue(notice.standing, notice.public, notice.history, narrowed)


def decide_one(
    context: WritingContext, notice: Notice, dependent: str, basis: str, decision: Decision
) -> Outcome:
    """Make one decision about two notes given by path, title or alias.

    Raises:
        InputError: one of them is no note, is private, or both are the same.
    """
    survey = notice.survey
    first, second = find_note(survey, dependent), find_note(survey, basis)
    _check_pair(survey, first, second)
    direction = (survey.notes[first], survey.notes[second])
    item = Item(*direction, notice.history.score_of(direction), is_skipped=False)
    return Decider(context, notice, [item]).decide(item, decision)


def _check_pair(survey: Survey, first: int, second: int) -> None:
    if first == second:
        raise InputError("a note does not depend on itself", hint="give two different notes")
    if survey.is_private(first) or survey.is_private(second):
        raise InputError(
            "a private note makes no pair", hint="write the entry into the note by hand"
        )
