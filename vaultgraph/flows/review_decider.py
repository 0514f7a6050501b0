"""One decision at a time: the note is read, its change planned and written, and remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from vaultgraph.domain.notes import Problem
from vaultgraph.flows.notice_bases import basis_of
from vaultgraph.flows.review_items import ItemReader, NoteNow
from vaultgraph.proposals.ours import read_ours
from vaultgraph.proposals.plan import plan_note
from vaultgraph.review.decisions import Decision, changes_for, decided_event, list_of
from vaultgraph.review.seen import decided_on
from vaultgraph.vault.resolve import LinkIndex

if TYPE_CHECKING:
    from vaultgraph.domain.notes import EntryList, NoteId
    from vaultgraph.flows.notice_decisions import Notice
    from vaultgraph.flows.writing import WritingContext
    from vaultgraph.review.queue import Item

COMMAND = "review"
#: A note that is being typed in is read again so many times before its owner is told.
_ATTEMPTS = 2


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


class Decider:
    """Makes single decisions: reads the note, plans, writes, remembers."""

    def __init__(
        self, context: WritingContext, notice: Notice, items: list[Item], *, is_blind: bool = False
    ) -> None:
        self._context = context
        self._keys = context.reading.settings.keys
        self._more = {"blind": True} if is_blind else {}
        self._survey = notice.survey
        self._files = notice.files
        listing = context.reading.vault.list_files()
        self._index = LinkIndex(file.path for file in listing.files)
        self._our_blocks = read_ours(context.ledger.read().events).blocks
        self.reader = ItemReader(context.reading, notice.survey, notice.files, self._index, items)

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
        dependent = now[0]
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
        self.remember(item, decision, was, report.run, now=now, seconds=seconds)
        return Outcome("done", item, decision, run=report.run, was=was)

    def remember(
        self,
        item: Item,
        decision: Decision,
        was: EntryList | None,
        run: str | None,
        *,
        now: tuple[NoteNow, NoteNow] | None = None,
        seconds: float | None = None,
    ) -> None:
        """Keep a decision in the ledger, with both notes as they are ``now``."""
        hashes: dict[NoteId, str] = {}
        seen: dict[str, Any] = {}
        if now is not None:
            dependent, basis = now
            hashes = {item.dependent: dependent.hash, item.basis: basis.hash}
            if decision == "accepted":
                seen = decided_on(basis_of(self._survey, item.basis, basis.data))
        event = decided_event(
            item.direction,
            decision,
            "terminal",
            was=was,
            score=item.score,
            hashes=hashes,
            run=run,
            seconds=seconds,
            **seen,
            **self._more,
        )
        self._context.ledger.append([event])
