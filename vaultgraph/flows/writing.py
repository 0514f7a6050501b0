"""What the commands that write need, and what they have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.survey import PRIVATE
from vaultgraph.flows.survey import survey_vault

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultgraph.domain.notes import EntryList, Listing, VaultFile
    from vaultgraph.domain.survey import Survey
    from vaultgraph.domain.writing import KeepsEvents, NoteOutcome, WriteReport, WritesNotes
    from vaultgraph.flows.context import Context
    from vaultgraph.proposals.decide import Directed


class KeepsOwnFiles(Protocol):
    """The files below ``.vaultgraph/`` that can be made anew."""

    def replace(self, name: str, content: bytes) -> None:
        """Replace one file as a whole; raises ``InputError``."""
        ...


@dataclass(frozen=True, slots=True)
class WritingContext:
    """A vault that may be written to: through the one writer, remembered in the ledger."""

    reading: Context
    writer: WritesNotes
    ledger: KeepsEvents
    own_files: KeepsOwnFiles


def files_by_note(context: Context) -> dict[NoteId, VaultFile]:
    """Return where each note lies, by id."""
    return notes_listed(context.vault.list_files())


def notes_listed(listing: Listing) -> dict[NoteId, VaultFile]:
    """Return the notes among the files of a listing, by id."""
    return {NoteId(file.path): file for file in listing.files if file.stamp is not None}


def private_notes(context: Context) -> set[NoteId]:
    """Return the notes whose names may stand nowhere."""
    survey = survey_vault(context.vault, context.notes, context.settings)
    return {note for note, flag in zip(survey.notes, survey.flags, strict=True) if flag & PRIVATE}


def body_hashes(survey: Survey, notes: Iterable[NoteId]) -> dict[NoteId, str]:
    """Return the body hash of each of ``notes`` that is there and could be read."""
    return {note: digest for note in notes if (digest := survey.hash_of(note))}


def standing_entries(survey: Survey) -> dict[Directed, set[EntryList]]:
    """Return in which lists each entry stands, by the notes it joins."""
    standing: dict[Directed, set[EntryList]] = {}
    for row in survey.entries:
        if row.to is not None:
            direction = (survey.notes[row.note], survey.notes[row.to])
            standing.setdefault(direction, set()).add(row.in_list)
    return standing


def not_done(report: WriteReport) -> list[NoteOutcome]:
    """Return the outcomes of the notes that do not hold what was planned."""
    return [outcome for outcome in report.outcomes if outcome.kind not in {"written", "unchanged"}]
