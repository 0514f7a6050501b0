"""``stale``: live notes that rest on closed ones, as far as can be said without a judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vaultgraph.flows.context import Context, masker_of, shown_problems
from vaultgraph.flows.survey import survey_vault
from vaultgraph.graph.pointers import Pointers, find_pointers

if TYPE_CHECKING:
    from vaultgraph.domain.survey import Survey


@dataclass(frozen=True, slots=True)
class StaleReport:
    """What points at closed notes, counted."""

    root: str
    survey: Survey
    pointers: Pointers

    @property
    def notes(self) -> int:
        """How many live notes point at a closed one."""
        return len({pointer.note for pointer in self.pointers.found})

    @property
    def bases(self) -> int:
        """How many closed notes they point at."""
        return len({pointer.basis for pointer in self.pointers.found})

    @property
    def confirmed(self) -> int:
        """How many of the live notes name a closed one in ``depends-on``."""
        found = self.pointers.found
        return len({pointer.note for pointer in found if pointer.level == "confirmed"})


def find_stale(context: Context) -> StaleReport:
    """Return the live notes that point at closed ones."""
    survey = survey_vault(context.vault, context.notes, context.settings)
    return StaleReport(context.root, survey, find_pointers(survey, context.settings.keys.accepted))


def stale_document(report: StaleReport) -> dict[str, Any]:
    """Return the report as ``stale --json`` documents it."""
    mask = masker_of(report.survey).mask
    return {
        "findings": [
            {
                "note": pointer.note,
                "basis": pointer.basis,
                "level": pointer.level,
                "state": "stale",
                "closed": {
                    "how": pointer.closing.how,
                    "sign": pointer.closing.sign,
                    "words": mask(pointer.closing.words) or None,
                    "on": pointer.closing.on or None,
                    "successor": next(iter(pointer.closing.successors), None),
                },
                "path": [pointer.note, pointer.basis],
                "evidence": [{"line": line, "kind": kind} for line, kind in pointer.evidence],
            }
            for pointer in report.pointers.found
        ],
        "counts": {
            "findings": len(report.pointers.found),
            "notes": report.notes,
            "bases": report.bases,
            "confirmed": report.confirmed,
            "rejected": report.pointers.rejected,
            "private": report.pointers.private,
            "judged": 0,
        },
        "problems": shown_problems(report.survey),
    }
