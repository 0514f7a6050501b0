"""Notices what dependencies rest on: bases met for the first time, and notes that closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.graph.build import build_edges
from vaultgraph.review.closings import closings_event, read_first_closed
from vaultgraph.review.seen import BasisNow, noted_event, read_seen
from vaultgraph.text.frontmatter import split_note
from vaultgraph.text.sections import hash_sections
from vaultgraph.vault.note import body_hash

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from vaultgraph.domain.dependencies import BasisState
    from vaultgraph.domain.notes import NoteId, VaultFile
    from vaultgraph.domain.survey import Survey
    from vaultgraph.domain.writing import LedgerEvent, NewEvent
    from vaultgraph.flows.context import Context


def state_of(survey: Survey, note: NoteId) -> BasisState:
    """Return whether a note is live, or how it closed."""
    number = survey.number_of(note)
    closing = None if number is None else survey.closings.get(number)
    return "live" if closing is None else closing.how


def basis_of(survey: Survey, note: NoteId, data: bytes) -> BasisNow:
    """Return a basis as it is, its file holding ``data``."""
    body = split_note(data.decode(errors="replace")).body
    return BasisNow(note, body_hash(data), state_of(survey, note), hash_sections(body))


class BasisReader:
    """Reads bases, each once."""

    def __init__(
        self, context: Context, survey: Survey, files: Mapping[NoteId, VaultFile]
    ) -> None:
        self._vault = context.vault
        self._survey = survey
        self._files = files
        self._read: dict[NoteId, BasisNow | None] = {}

    def read(self, note: NoteId) -> BasisNow | None:
        """Return a basis as it is now; ``None`` where it cannot be read."""
        if note not in self._read:
            self._read[note] = self._look(note)
        return self._read[note]

    def _look(self, note: NoteId) -> BasisNow | None:
        if note not in self._files:
            return None
        try:
            return basis_of(self._survey, note, self._vault.read_bytes(self._files[note]))
        except OSError:
            return None


def find_new_bases(
    accepted: Iterable[tuple[NoteId, NoteId]],
    events: Sequence[LedgerEvent],
    survey: Survey,
    bases: BasisReader,
) -> list[NewEvent]:
    """Return what the ledger lacks about dependencies that nobody accepted in a review.

    ``accepted`` are the pairs that stand as accepted. Each basis is noted once, as it is now, for
    all that rest on it.
    """
    seen = read_seen(events, survey.reviewed_notes())
    new: dict[NoteId, list[NoteId]] = {}
    for dependent, basis in sorted(set(accepted)):
        if (dependent, basis) not in seen:
            new.setdefault(basis, []).append(dependent)
    met = ((bases.read(basis), dependents) for basis, dependents in sorted(new.items()))
    return [noted_event(basis, dependents) for basis, dependents in met if basis is not None]


def find_closings(
    context: Context, events: Sequence[LedgerEvent], survey: Survey, public: Collection[NoteId]
) -> list[NewEvent]:
    """Return which notes closed and were reopened, where that decides about a finding.

    That is where a live note points at them and they do not say themselves since when.
    """
    closed = {survey.notes[number]: closing for number, closing in survey.closings.items()}
    known = read_first_closed(events)
    reopened = [note for note in known if note not in closed and note in public]
    edges = build_edges(survey, context.settings.keys).edges
    met = {
        edge.basis
        for edge in edges
        if edge.basis in closed and edge.dependent not in closed and not closed[edge.basis].on
    }
    new = met - known.keys()
    return [closings_event(new, reopened)] if new or reopened else []
