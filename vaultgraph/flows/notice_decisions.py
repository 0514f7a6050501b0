"""Notices what was decided outside of us: in Obsidian, in a text editor, on another device."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

from vaultgraph.domain.survey import PRIVATE
from vaultgraph.domain.writing import LedgerEvent
from vaultgraph.flows.notice_bases import BasisReader, find_closings, find_new_bases
from vaultgraph.flows.survey import survey_vault
from vaultgraph.flows.writing import (
    WritingContext,
    body_hashes,
    files_by_note,
    standing_entries,
)
from vaultgraph.review.decisions import decided_event, list_of, renamed_event
from vaultgraph.review.history import History, read_history
from vaultgraph.review.log_lines import LogFile, LoggedDecision, read_logs
from vaultgraph.review.noticing import find_decisions, find_renamed, known_notes
from vaultgraph.review.seen import decided_on

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vaultgraph.domain.notes import EntryList, NoteId, Problem, VaultFile
    from vaultgraph.domain.survey import Survey
    from vaultgraph.domain.writing import NewEvent
    from vaultgraph.flows.context import Context
    from vaultgraph.proposals.decide import Directed
    from vaultgraph.review.decisions import Decision

#: Where a note has one of these problems, some of its entries may not be seen.
_HIDING = frozenset(
    {"bad-yaml", "near-miss-frontmatter", "odd-entry", "lost-entry", "not-utf8", "unreadable"}
)
#: The time of what is not in the ledger yet: after all that is.
_LATEST = datetime.max.replace(tzinfo=UTC)


class ReadsDecisionLogs(Protocol):
    """What the Templater script logged, on all devices."""

    def read(self) -> tuple[list[LogFile], list[Problem]]:
        """Return the files, and those that cannot be read."""
        ...


@dataclass(frozen=True, slots=True)
class Notice:
    """The vault and its ledger, compared."""

    #: What was not in the ledger yet.
    events: list[NewEvent]
    problems: list[Problem]
    #: With these events.
    history: History
    survey: Survey
    #: As they were listed before the survey.
    files: Mapping[NoteId, VaultFile]
    standing: Mapping[Directed, set[EntryList]]
    #: Notes that are read and may be named.
    public: frozenset[NoteId]
    private: frozenset[NoteId]
    #: Notes whose entries may be hidden by a fault.
    unsure: frozenset[NoteId]


def notice_decisions(context: WritingContext, logs: ReadsDecisionLogs) -> Notice:
    """Remember in the ledger what was decided elsewhere since the last run.

    Raises:
        InputError: the ledger cannot be written.
    """
    notice = look_for_decisions(context, logs)
    context.ledger.append(notice.events)
    return notice


def look_for_decisions(context: WritingContext, logs: ReadsDecisionLogs) -> Notice:
    """Return what was decided elsewhere since the last run; nothing is remembered."""
    reading = context.reading
    # Listed first: whatever is touched from here on is read again before it is written.
    files = files_by_note(reading)
    survey = survey_vault(reading.vault, reading.notes, reading.settings)
    private = frozenset(
        note for note, flag in zip(survey.notes, survey.flags, strict=True) if flag & PRIVATE
    )
    public = frozenset(survey.notes) - private
    unsure = frozenset(p.path for p in survey.problems if p.code in _HIDING)
    standing = standing_entries(survey)
    ledger = context.ledger.read()
    log_files, problems = logs.read()
    logged, wrong = read_logs(log_files)
    bases = BasisReader(reading, survey, files)
    found = _Findings(survey, files, public, standing, bases)
    found.take_renames(read_history(ledger.events), ledger.events)
    found.take_logged(logged)
    found.take_decisions(unsure)  # type: ignore[arg-type] # paths of problems are note ids
    found.take_bases(reading)
    return Notice(
        events=found.events,
        problems=[*ledger.problems, *problems, *wrong],
        history=found.history,
        survey=survey,
        files=files,
        standing=standing,
        public=public,
        private=private,
        unsure=unsure,  # type: ignore[arg-type] # likewise
    )


class _Findings:
    """What the ledger lacks, found step by step, each seeing what the ones before it found."""

    def __init__(
        self,
        survey: Survey,
        files: Mapping[NoteId, VaultFile],
        public: frozenset[NoteId],
        standing: Mapping[Directed, set[EntryList]],
        bases: BasisReader,
    ) -> None:
        self._bases = bases
        self.events: list[NewEvent] = []
        self.history = History()
        self._survey = survey
        self._files = files
        self._public = public
        self._standing = standing
        self._events: Sequence[LedgerEvent] = ()

    def take_renames(self, history: History, events: Sequence[LedgerEvent]) -> None:
        """Find notes that have another name now; only notes with entries can be such."""
        self.history, self._events = history, events
        known = known_notes(history)
        lost = {
            note: history.hashes[note]
            for note in known
            if note not in self._files and note in history.hashes
        }
        if not lost:
            return
        new = {note for pair in self._standing for note in pair} - known
        hashes = body_hashes(self._survey, new & self._public)
        self._add([renamed_event(was, note) for was, note in find_renamed(lost, hashes)])

    def take_logged(self, logged: Sequence[LoggedDecision]) -> None:
        """Take over the lines of the script's logs that no device took over yet.

        A line with a note that is not there any more waits: it may be private for all we know.
        """
        now = self.history.name_now
        self._add(
            [
                one.event(**self._seen(one.decision, now(one.basis), is_logged=True))
                for one in logged
                if one.key not in self.history.logged
                and {now(one.dependent), now(one.basis)} <= self._public
            ]
        )

    def take_decisions(self, unsure: frozenset[NoteId]) -> None:
        """Find what the notes say otherwise than the ledger."""
        noticed = find_decisions(self.history, self._standing, self._public, unsure)
        notes = {note for one in noticed for note in (one.dependent, one.basis)}
        hashes = body_hashes(self._survey, notes)
        self._add(
            [
                decided_event(
                    (one.dependent, one.basis),
                    one.decision,
                    "file",
                    was=one.was,
                    score=self.history.score_of((one.dependent, one.basis)),
                    hashes=hashes,
                    **self._seen(one.decision, one.basis),
                )
                for one in noticed
            ]
        )

    def take_bases(self, context: Context) -> None:
        """Find what is first met of dependencies and of closed notes; rests on all before."""
        accepted = [
            pair
            for pair, lists in self._standing.items()
            if list_of(lists) == "accepted" and self._public.issuperset(pair)
        ]
        new = find_new_bases(accepted, self._events, self._survey, self._bases)
        closed = find_closings(context, self._events, self._survey, self._public)
        self.events += [*new, *closed]

    def _seen(
        self, decision: Decision, note: NoteId, *, is_logged: bool = False
    ) -> dict[str, Any]:
        """Return what an acceptance remembers of its basis: as it is when we learn of it."""
        basis = self._bases.read(note) if decision == "accepted" else None
        if basis is None:
            return {}
        return {**decided_on(basis), **({"basis_hash": basis.digest} if is_logged else {})}

    def _add(self, events: list[NewEvent]) -> None:
        if events:
            self.events += events
            kept = [LedgerEvent(_LATEST, "", event.kind, event.payload) for event in events]
            self._events = (*self._events, *kept)
            self.history = read_history(self._events)
