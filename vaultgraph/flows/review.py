"""``review``: a queue of proposals, and one decision after the other, each written at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from vaultgraph.domain.notes import Problem
from vaultgraph.errors import InputError
from vaultgraph.flows.lookup import find_note
from vaultgraph.flows.review_items import ItemReader, NoteNow, Page
from vaultgraph.proposals.ours import read_ours
from vaultgraph.proposals.plan import plan_note
from vaultgraph.review.decisions import (
    Decision,
    changes_for,
    decided_event,
    list_of,
    skipped_event,
)
from vaultgraph.review.queue import Item, Order, QueueOptions, make_queue
from vaultgraph.vault.resolve import LinkIndex

if TYPE_CHECKING:
    from datetime import datetime

    from vaultgraph.domain.notes import EntryList, NoteId
    from vaultgraph.domain.survey import Survey
    from vaultgraph.domain.writing import Clock, UndoReport
    from vaultgraph.flows.notice_decisions import Notice
    from vaultgraph.flows.writing import WritingContext

COMMAND = "review"
#: A note that is being typed in is read again so many times before its owner is told.
_ATTEMPTS = 2


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


class Outcome(NamedTuple):
    """What became of one decision."""

    #: ``gone``: the entry, or one of the notes, is not there any more. ``nothing``: there is
    #: nothing to do.
    kind: Literal["done", "gone", "refused", "conflict", "nothing"]
    item: Item
    decision: Decision | None = None
    #: Why not, in words.
    problem: Problem | None = None
    #: The write run, where there was one.
    run: str | None = None
    was: EntryList | None = None


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


class Decider:
    """Makes single decisions: reads the note, plans, writes, remembers."""

    def __init__(
        self, context: WritingContext, notice: Notice, items: list[Item], *, is_blind: bool = False
    ) -> None:
        self._context = context
        self._keys = context.reading.settings.keys
        self._more = {"blind": True} if is_blind else {}
        self._files = notice.files
        listing = context.reading.vault.list_files()
        self._index = LinkIndex(file.path for file in listing.files)
        self._our_blocks = read_ours(context.ledger.read().events).blocks
        self.reader = ItemReader(
            context.reading, notice.survey, notice.files, self._index, items
        )

    def read(self, item: Item) -> tuple[NoteNow, NoteNow] | None:
        """Return both notes as they are, unless one is gone, unreadable or private by now."""
        dependent, basis = self.reader.read(item.dependent), self.reader.read(item.basis)
        if dependent is None or basis is None or dependent.is_private or basis.is_private:
            return None
        return dependent, basis

    def decide(
        self,
        item: Item,
        decision: Decision,
        *,
        seconds: float | None = None,
        only_from: EntryList | None = None,
    ) -> Outcome:
        """Write one decision; with ``only_from``, only where the entry still stands there.

        The ledger comes second: where a crash comes between, the next run finds the decision in
        the note.

        Raises:
            InputError: the vault is gone or locked, or journal or ledger cannot be kept.
        """
        outcome = self._attempt(item, decision, seconds, only_from)
        for _ in range(_ATTEMPTS - 1):
            if outcome.kind == "conflict":
                outcome = self._attempt(item, decision, seconds, only_from)
        return outcome

    def _attempt(
        self, item: Item, decision: Decision, seconds: float | None, only_from: EntryList | None
    ) -> Outcome:
        now = self.read(item)
        if now is None:
            return Outcome("gone", item, decision)
        dependent, basis = now
        standing = dependent.entries.get(item.basis, set())
        if only_from is not None and only_from not in standing:
            return Outcome("gone", item, decision)
        was = only_from or list_of(standing)
        planned = plan_note(
            self._files[item.dependent],
            dependent.data,
            changes_for(item.basis, decision, standing, self._keys),
            self._index,
            drop_empty_block=item.dependent in self._our_blocks,
        )
        if isinstance(planned, Problem):
            return Outcome("refused", item, decision, planned)
        if planned is None:
            return Outcome("nothing", item, decision, was=was)
        report = self._context.writer.write([planned.write], command=COMMAND)
        (result,) = report.outcomes
        if result.kind not in {"written", "unchanged"}:
            kind: Literal["refused", "conflict"]
            kind = "conflict" if result.kind == "conflict" else "refused"
            problem = Problem(item.dependent, 0, result.kind, result.reason)
            return Outcome(kind, item, decision, problem)
        hashes = {item.dependent: dependent.hash, item.basis: basis.hash}
        self.remember(item, decision, was, report.run, hashes=hashes, seconds=seconds)
        return Outcome("done", item, decision, run=report.run, was=was)

    def remember(
        self,
        item: Item,
        decision: Decision,
        was: EntryList | None,
        run: str | None,
        *,
        hashes: dict[NoteId, str] | None = None,
        seconds: float | None = None,
    ) -> None:
        """Keep a decision in the ledger."""
        event = decided_event(
            item.direction,
            decision,
            "terminal",
            was=was,
            score=item.score,
            hashes=hashes,
            run=run,
            seconds=seconds,
            **self._more,
        )
        self._context.ledger.append([event])


class Sitting:
    """One walk through the queue. What is decided stays decided, however the walk ends."""

    def __init__(
        self,
        context: WritingContext,
        notice: Notice,
        options: ReviewOptions,
        clock: Clock,
        take_back: TakesBack,
    ) -> None:
        self.queue = queue_of(notice, options)
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
        """What was decided in this sitting and not taken back."""
        return [done.decision for done in self._done]

    def view(self) -> View | None:
        """Return the item to be decided, both notes as they are now; ``None`` behind the last.

        What was decided elsewhere meanwhile is passed over.
        """
        while self._at < len(self.queue):
            item = self.queue[self._at]
            now = self._decider.read(item)
            if now is not None and "proposed" in now[0].entries.get(item.basis, ()):
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
        outcome = self._decider.decide(
            item, decision, seconds=self._seconds(), only_from="proposed"
        )
        self._at += 1
        self.had_conflict |= outcome.kind == "conflict"
        if outcome.kind == "done":
            self._done.append(_Done(item, decision, place, outcome.run, outcome.was))
        return outcome

    def skip(self) -> None:
        """Leave the item shown for later."""
        self._context.ledger.append([skipped_event(self.queue[self._at].direction)])
        self._at += 1

    def undo(self) -> Outcome | None:
        """Take the last decision back, byte for byte; ``None`` where there is none.

        Where the note was edited since, only the entry goes back to where it was.
        """
        if not self._done:
            return None
        item, decision, place, run, _ = self._done[-1]
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
