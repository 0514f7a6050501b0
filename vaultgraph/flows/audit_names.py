"""What an audit may call its notes by: one that became private since the lock is named no more.

Its name stays in the audit's own files, which are what was registered, and leaves them with the
audit's folder alone. It is shown nowhere, and its unit goes on counting.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vaultgraph.audit.units import notes_of
from vaultgraph.errors import InputError
from vaultgraph.flows.context import masker_of
from vaultgraph.vault.privacy import MASK

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultgraph.audit.registration import Registration
    from vaultgraph.audit.units import Population, UnitId
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.domain.survey import Survey


class AuditNames:
    """The names of a vault's notes as they may be shown now."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        #: Also for a note that was moved: its title is a private name wherever it lies.
        self.text = masker_of(survey).mask

    def is_private(self, note: NoteId) -> bool:
        """Whether a note's name may not be shown."""
        number = self._survey.number_of(note)
        return number is not None and self._survey.is_private(number)

    def of(self, unit: UnitId) -> tuple[str, ...]:
        """Return the names of a unit's notes."""
        return tuple(
            MASK if self.is_private(note) else self.text(note) or MASK for note in notes_of(unit)
        )

    def count_private(self, units: Iterable[UnitId]) -> int:
        """Return how many units are about a private note."""
        return sum(any(self.is_private(note) for note in notes_of(unit)) for unit in units)

    def registration(self, made: Registration) -> Registration:
        """Return a registration with the private names in the owner's words masked."""
        return replace(
            made,
            prediction=self.text(made.prediction),
            population=self.text(made.population),
            definition={key: self.text(value) for key, value in made.definition.items()},
            ends=self.text(made.ends),
        )

    def check_population(self, population: Population) -> None:
        """Raise ``InputError`` where a private note is about to be registered."""
        for stratum, units in population.units.items():
            if count := self.count_private(units):
                raise InputError(
                    f"stratum {stratum} holds {count:,} unit{'' if count == 1 else 's'} of private"
                    " notes, whose names may stand in no file of an audit",
                    hint="plan it without them",
                )

    def check_there(self, population: Population) -> None:
        """Raise ``InputError`` where a unit is about a note that the vault does not have."""
        for stratum, units in population.units.items():
            for unit in units:
                for note in notes_of(unit):
                    if self._survey.number_of(note) is None:
                        raise InputError(
                            f"stratum {stratum}: there is no note {self.text(note) or MASK}",
                            hint="write a unit as the note's path in the vault, with its .md",
                        )
