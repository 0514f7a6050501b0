"""What every command needs of the world, gathered once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from vaultgraph.domain.notes import NoteId, Skip
from vaultgraph.domain.survey import PRIVATE, Survey
from vaultgraph.vault.privacy import MASK, Masker

if TYPE_CHECKING:
    from vaultgraph.domain.ports import NotesPort, VaultPort
    from vaultgraph.domain.settings import Settings


@dataclass(frozen=True, slots=True)
class Context:
    """A vault, how to read it, and the owner's settings."""

    #: The vault's folder, as shown to the owner.
    root: str
    vault: VaultPort
    notes: NotesPort
    settings: Settings


def masker_of(survey: Survey) -> Masker:
    """Return what masks the private names of this vault."""
    return _masker(survey.private_names)


@lru_cache(maxsize=2)
def _masker(private_names: tuple[str, ...]) -> Masker:
    return Masker(private_names)


def shown_skips(survey: Survey) -> list[Skip]:
    """Return what was left out, private names masked."""
    mask = masker_of(survey).mask
    return [Skip(mask(skip.path) or MASK, skip.reason) for skip in survey.skipped]


def shown_problems(survey: Survey) -> list[dict[str, Any]]:
    """Return the problems as a documented list; those of private notes are not in a survey."""
    mask = masker_of(survey).mask
    return [
        {"path": p.path, "line": p.line, "code": p.code, "text": mask(p.text)}
        for p in survey.problems
    ]


def count_notes(survey: Survey) -> dict[str, int]:
    """Return how many notes were found, and what became of them: the parts add up."""
    unreadable = sum(1 for flag in survey.flags if flag & 1)
    skipped_notes = sum(1 for skip in survey.skipped if is_note_path(skip.path))
    return {
        "found": len(survey.notes) + skipped_notes,
        "read": len(survey.notes) - unreadable,
        "unreadable": unreadable,
        "skipped": skipped_notes,
        "records": sum(1 for flag in survey.flags if flag & 2),
        "private": sum(1 for flag in survey.flags if flag & PRIVATE),
        "closed": len(survey.closings),
    }


def is_note_path(path: str) -> bool:
    """Whether a skipped path is a note's; a masked one is."""
    return not path or path[-3:].lower() == ".md"


def public_notes(survey: Survey) -> list[NoteId]:
    """Return the notes that may be named."""
    pairs = zip(survey.notes, survey.flags, strict=True)
    return [note for note, flag in pairs if not flag & PRIVATE]
