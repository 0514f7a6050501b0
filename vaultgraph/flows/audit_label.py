"""Labelling: one unit after the other, blind, each label kept at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.audit.events import labelled_event
from vaultgraph.audit.later import find_same_sitting, read_decided
from vaultgraph.audit.tickets import ticket_of
from vaultgraph.audit.units import notes_of
from vaultgraph.domain.notes import NoteId
from vaultgraph.errors import InputError
from vaultgraph.flows.audit_names import AuditNames
from vaultgraph.flows.review_items import ItemReader, Page
from vaultgraph.flows.survey import survey_vault
from vaultgraph.flows.writing import files_by_note
from vaultgraph.review.queue import Item
from vaultgraph.vault.privacy import MASK
from vaultgraph.vault.resolve import LinkIndex

if TYPE_CHECKING:
    from datetime import datetime

    from vaultgraph.audit.registration import Registration
    from vaultgraph.audit.units import UnitId
    from vaultgraph.audit.verify import Verified
    from vaultgraph.domain.writing import Clock
    from vaultgraph.flows.audits import Audits
    from vaultgraph.flows.context import Context


class UnitView(NamedTuple):
    """One unit as it is shown: no score, no stratum, no label."""

    unit: UnitId
    #: 1-based.
    number: int
    total: int
    #: One note, or two. A note that is gone or private now has a page that says so.
    pages: tuple[Page, ...]


def order_of(made: Registration, verified: Verified) -> list[UnitId]:
    """Return the drawn units in the order they are shown.

    By ticket over all strata, so that the order does not tell a unit's score; in ``filter`` as
    they were drawn.
    """
    units = list(verified.history.units)
    if made.kind != "filter":
        units.sort(key=lambda unit: ticket_of(made.seed, unit))
    return units


class LabelSitting:
    """One walk through the units that somebody has not labelled yet."""

    def __init__(
        self, context: Context, audits: Audits, name: str, labeller: str, clock: Clock
    ) -> None:
        verified, self.registration = audits.open_drawn(name)
        self.units = order_of(self.registration, verified)
        self._audits = audits
        self._name = name
        self._labeller = labeller
        self._clock = clock
        self._labels = verified.history.labels_of(labeller)
        self._head = verified.head
        self._shown: tuple[UnitId, datetime] | None = None
        #: The units labelled in this sitting, in order; the last is where the back key leads.
        self._done: list[UnitId] = []
        self._back: UnitId | None = None
        self._check_is_later(audits)
        survey = survey_vault(context.vault, context.notes, context.settings)
        self._names = AuditNames(survey)
        files = files_by_note(context)
        pairs = [notes_of(unit) for unit in self.units]
        known = set(survey.notes)
        items = [
            Item(pair[0], pair[1], None, is_skipped=False)
            for pair in pairs
            if len(pair) > 1 and known.issuperset(pair)
        ]
        index = LinkIndex(file.path for file in context.vault.list_files().files)
        self._reader = ItemReader(context, survey, files, index, items)

    def _check_is_later(self, audits: Audits) -> None:
        """Raise ``InputError`` where what a rereview asks again was decided a moment ago."""
        if self.registration.kind != "rereview":
            return
        decided = read_decided(audits.ledger.read().events)
        now = self._clock.now()
        same = find_same_sitting(decided, [(unit, now) for unit in self.units])
        if same:
            raise InputError(
                f"{len(same)} of the {len(self.units)} drawn dependencies were decided in a"
                " sitting that is not over",
                hint="a rereview is for a later sitting, when nobody remembers: come back half an"
                " hour after the last decision",
            )

    @property
    def labelled(self) -> int:
        """How many units have a label."""
        return len(self._labels)

    def view(self) -> UnitView | None:
        """Return the unit to be labelled; ``None`` when all are."""
        unit = self._back or next((u for u in self.units if u not in self._labels), None)
        if unit is None:
            self._shown = None
            return None
        if self._shown is None or self._shown[0] != unit:
            self._shown = (unit, self._clock.now())
        notes = notes_of(unit)
        # Beside itself a note has no lines to be marked.
        pages = tuple(
            self._page(note, other) for note, other in zip(notes, notes[::-1], strict=True)
        )
        return UnitView(unit, self.units.index(unit) + 1, len(self.units), pages)

    def _page(self, note: NoteId, other: NoteId) -> Page:
        now = self._reader.read(note)
        if self._names.is_private(note) or (now is not None and now.is_private):
            return Page(NoteId(MASK), ["(this note is private now)"], frozenset(), 0, 0)
        if now is None:
            shown = NoteId(self._names.text(note) or MASK)
            return Page(shown, ["(this note is not there any more)"], frozenset(), 0, 0)
        return self._reader.page(note, other, now)

    def label(self, label: str) -> None:
        """Give the unit shown its label, which is on disk when this returns, and go on."""
        if self._shown is None:
            return
        unit, since = self._shown
        seconds = max(0.0, round((self._clock.now() - since).total_seconds(), 1))
        event = labelled_event(self._labeller, unit, label, seconds)
        self._head = self._audits.kept.append(self._name, [event])
        self._labels[unit] = label
        if unit in self._done:
            self._done.remove(unit)
        self._done.append(unit)
        self._back = self._shown = None

    def back(self) -> bool:
        """Show the unit labelled before the one shown; its next label corrects the one it has."""
        at = self._done.index(self._back) if self._back is not None else len(self._done)
        if at == 0:
            return False
        self._back = self._done[at - 1]
        return True

    def close(self) -> None:
        """Keep the head in the vault's ledger, too."""
        if self._done:
            self._audits.remember(self._name, self._head)
