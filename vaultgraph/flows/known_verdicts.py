"""The verdicts in the ledger, told apart by what they are good for now."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.proposals.verdicts import current_verdicts, read_verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultgraph.domain.judging import Verdict
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.domain.survey import Survey
    from vaultgraph.domain.writing import LedgerEvent


class Outdated(NamedTuple):
    """A pair whose verdict no longer holds, and which of its notes changed since."""

    first: NoteId
    second: NoteId
    changed: tuple[NoteId, ...]


class KnownVerdicts(NamedTuple):
    """What the ledger holds; each list is sorted by pair."""

    valid: list[Verdict]
    outdated: list[Outdated]
    #: Valid verdicts with a private note, which are not to be named.
    private: list[Verdict]
    #: How many pairs there are of which a note is gone or is not read any more. They are only
    #: counted: such a note may be private for all we know.
    gone: int


def known_verdicts(survey: Survey, events: Iterable[LedgerEvent]) -> KnownVerdicts:
    """Return the latest verdict of each pair, by the bodies that the survey found."""
    verdicts = [verdict for event in events if (verdict := read_verdict(event)) is not None]
    # One dictionary of all notes is made sooner than each of thousands is looked for.
    numbers = {note: number for number, note in enumerate(survey.notes)}
    hashes = {
        note: survey.body_hash(numbers[note])
        for note in {note for verdict in verdicts for note in (verdict.first, verdict.second)}
        if note in numbers
    }
    current = current_verdicts(verdicts, hashes)
    private = {note for note in hashes if survey.is_private(numbers[note])}

    def is_there(verdict: Verdict) -> bool:
        return verdict.first in hashes and verdict.second in hashes

    def is_public(verdict: Verdict) -> bool:
        return verdict.first not in private and verdict.second not in private

    return KnownVerdicts(
        valid=[v for v in current.valid if is_there(v) and is_public(v)],
        outdated=[
            Outdated(v.first, v.second, _changed(v, hashes))
            for v in current.outdated
            if is_there(v) and is_public(v)
        ],
        private=[v for v in current.valid if not is_public(v)],
        gone=sum(not is_there(v) and is_public(v) for v in (*current.valid, *current.outdated)),
    )


def _changed(verdict: Verdict, hashes: Mapping[NoteId, str]) -> tuple[NoteId, ...]:
    judged = ((verdict.first, verdict.first_hash), (verdict.second, verdict.second_hash))
    return tuple(note for note, digest in judged if hashes.get(note) != digest)
