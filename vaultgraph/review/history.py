"""All that the ledger knows of proposals and decisions, pair by pair."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.domain.notes import NoteId
from vaultgraph.proposals.ours import PROPOSED, UNWRITTEN, WITHDRAWN
from vaultgraph.proposals.verdicts import VERDICT, read_verdict
from vaultgraph.review.decisions import (
    DECIDED,
    DECISIONS,
    RENAMED,
    SKIPPED,
    Decision,
    Score,
)
from vaultgraph.review.log_lines import LineKey, read_score, read_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultgraph.domain.notes import EntryList
    from vaultgraph.domain.writing import LedgerEvent
    from vaultgraph.proposals.decide import Directed

_KINDS = frozenset({PROPOSED, UNWRITTEN, WITHDRAWN, DECIDED, SKIPPED, RENAMED, VERDICT})
_DECIDED_LIST: Mapping[Decision, EntryList | None] = {
    "accepted": "accepted",
    "rejected": "rejected",
    "undone": "proposed",
    "reset": None,
}


@dataclass(frozen=True, slots=True)
class PairHistory:
    """One pair, as the ledger left it."""

    #: Where its entry should stand; ``None`` where in no list.
    state: EntryList | None = None
    #: It once waited for a person.
    was_proposed: bool = False
    was_withdrawn: bool = False
    #: It was put off, and nothing happened since.
    is_skipped: bool = False
    score: Score | None = None


class PacedDecision(NamedTuple):
    """A decision of which it is known how long it took."""

    at: datetime
    seconds: float


@dataclass(slots=True)
class History:
    """What the ledger knows, and which lines of the script's logs it holds already."""

    pairs: dict[Directed, PairHistory] = field(default_factory=dict)
    #: The latest verdict's, of every direction that was judged.
    scores: dict[Directed, Score] = field(default_factory=dict)
    paced: list[PacedDecision] = field(default_factory=list)
    logged: set[LineKey] = field(default_factory=set)
    #: Of each note's body, when it was last judged or decided about.
    hashes: dict[NoteId, str] = field(default_factory=dict)
    #: Old names of notes, and the next ones.
    renamed: dict[NoteId, NoteId] = field(default_factory=dict)
    #: What each pair was before it was last proposed, to be taken up where nothing was written.
    before: dict[Directed, PairHistory | None] = field(default_factory=dict)

    def name_now(self, note: NoteId) -> NoteId:
        """Return the name of a note after all renames that are known."""
        seen = {note}
        while note in self.renamed and self.renamed[note] not in seen:
            note = self.renamed[note]
            seen.add(note)
        return note

    def score_of(self, direction: Directed) -> Score | None:
        """Return what a judge said last, or had said when the pair was proposed or decided."""
        known = self.pairs.get(direction)
        return self.scores.get(direction) or (known.score if known is not None else None)


def read_history(events: Iterable[LedgerEvent]) -> History:
    """Return what the events say; the order in which devices' files were read does not matter."""
    history = History()
    timed = [_timed(event) for event in events if event.kind in _KINDS]
    for _, _, event in sorted(timed, key=lambda one: one[:2]):
        _take(history, event)
    return history


def _timed(event: LedgerEvent) -> tuple[datetime, tuple[str, ...], LedgerEvent]:
    """Return an event behind its time and what settles the order of two at the same time.

    A decision from a log counts from when it was made, but never from later than it was read: the
    clock of a phone may be ahead. What was noticed in the notes as it was read comes after it.
    """
    at, decided_at = event.at, event.payload.get("decided_at")
    if not isinstance(decided_at, str):
        # In the order of the ledger: the sort keeps it.
        return at, ("2",), event
    try:
        logged = datetime.fromisoformat(decided_at)
    except ValueError:
        logged = at
    at = min(at, logged) if logged.tzinfo is not None else at
    parts = (str(event.payload.get(key)) for key in ("dependent", "basis", "decision"))
    return at, ("1", decided_at, *parts), event


def _take(history: History, event: LedgerEvent) -> None:
    if event.kind == VERDICT:
        _take_verdict(history, event)
    elif event.kind == RENAMED:
        was, note = event.payload.get("was"), event.payload.get("note")
        if isinstance(was, str) and isinstance(note, str):
            _rename(history, NoteId(was), NoteId(note))
    else:
        dependent, basis = event.payload.get("dependent"), event.payload.get("basis")
        if isinstance(dependent, str) and isinstance(basis, str):
            _take_pair(history, event, (NoteId(dependent), NoteId(basis)))


def _take_verdict(history: History, event: LedgerEvent) -> None:
    verdict = read_verdict(event)
    if verdict is None:
        return
    one, other = verdict.first, verdict.second
    history.hashes |= {one: verdict.first_hash, other: verdict.second_hash}
    for direction, probability in (
        ((one, other), verdict.first_depends),
        ((other, one), verdict.second_depends),
    ):
        history.scores[direction] = Score(probability, verdict.judge, verdict.model)


def _take_pair(history: History, event: LedgerEvent, direction: Directed) -> None:
    known = history.pairs.get(direction)
    pair = known or PairHistory()
    if event.kind == PROPOSED:
        history.before[direction] = known
        history.pairs[direction] = PairHistory(
            "proposed", was_proposed=True, score=read_score(event.payload)
        )
    elif event.kind == UNWRITTEN:
        before = history.before.pop(direction, None)
        history.pairs[direction] = before or PairHistory()
    elif event.kind == WITHDRAWN:
        history.pairs[direction] = replace(pair, state=None, was_withdrawn=True, is_skipped=False)
    elif event.kind == SKIPPED:
        history.pairs[direction] = replace(pair, is_skipped=True)
    else:
        _take_decision(history, event, direction, pair)


def _take_decision(
    history: History, event: LedgerEvent, direction: Directed, pair: PairHistory
) -> None:
    payload = event.payload
    decision = next((one for one in DECISIONS if one == payload.get("decision")), None)
    if decision is None:
        return
    decided_at = payload.get("decided_at")
    if isinstance(decided_at, str):
        key = (decided_at, *direction, decision)
        if key in history.logged:
            return  # two devices took over the same line
        history.logged.add(key)
    for note, name in zip(direction, ("dependent_hash", "basis_hash"), strict=True):
        digest = payload.get(name)
        if isinstance(digest, str):
            history.hashes[note] = digest
    history.pairs[direction] = replace(
        pair,
        state=_DECIDED_LIST[decision],
        was_proposed=pair.was_proposed or payload.get("was") == "proposed",
        is_skipped=False,
        score=read_score(payload) or pair.score,
    )
    seconds = read_seconds(payload)
    if seconds is not None and decision in ("accepted", "rejected"):
        at = datetime.fromisoformat(decided_at) if isinstance(decided_at, str) else event.at
        history.paced.append(PacedDecision(at, seconds))


def _rename(history: History, was: NoteId, note: NoteId) -> None:
    """Give what is known of a note to its new name; what is known of that itself stays."""

    def moved(direction: Directed) -> Directed:
        dependent, basis = direction
        return (note if dependent == was else dependent, note if basis == was else basis)

    history.renamed[was] = note
    # Renamed back: what it was called in between is no old name of another note.
    history.renamed.pop(note, None)
    for direction in [one for one in history.pairs if was in one]:
        history.pairs.setdefault(moved(direction), history.pairs.pop(direction))
    for direction in [one for one in history.scores if was in one]:
        history.scores.setdefault(moved(direction), history.scores.pop(direction))
    if was in history.hashes:
        history.hashes.setdefault(note, history.hashes.pop(was))
