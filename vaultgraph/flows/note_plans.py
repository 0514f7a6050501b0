"""What is to change in notes becomes planned writes, each from the bytes its note holds now."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vaultgraph.domain.notes import NoteId, Problem
from vaultgraph.flows.writing import notes_listed
from vaultgraph.proposals.plan import Change, PlannedNote, SetText, plan_note
from vaultgraph.vault.resolve import LinkIndex

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from vaultgraph.domain.notes import VaultFile
    from vaultgraph.flows.context import Context
    from vaultgraph.proposals.decide import Directed

#: A note that was touched while the plan was made; like one touched before it is written.
CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class NotePlans:
    """The writes that make the changes asked for, and why some of them are not made."""

    notes: list[PlannedNote] = field(default_factory=list)
    refused: list[Problem] = field(default_factory=list)
    #: The note and the basis of every change that is not made.
    left_out: set[Directed] = field(default_factory=set)


class NotePlanner:
    """Plans changes to notes that were listed, and surveyed, before; each is read once.

    A note that was touched since it was listed may say something else than the survey knows: its
    owner may have rejected just what is about to be proposed. So it is left as it is.
    """

    def __init__(
        self, context: Context, files: Mapping[NoteId, VaultFile], notes: Collection[NoteId]
    ) -> None:
        self._files = files
        self._problems: dict[NoteId, Problem] = {}
        self._contents: dict[NoteId, bytes] = {}
        for note in notes:
            try:
                self._contents[note] = context.vault.read_bytes(files[note])
            except OSError as error:
                text = f"cannot be read: {error.strerror}"
                self._problems[note] = Problem(note, 0, "unreadable", text)
        # Only now: what was touched up to the reading has another stamp here.
        listing = context.vault.list_files()
        self._index = LinkIndex(file.path for file in listing.files)
        now = notes_listed(listing)
        for note in notes:
            if note not in now or now[note].stamp != files[note].stamp:
                text = "was changed while the plan was made; run this again"
                self._problems[note] = Problem(note, 0, CONFLICT, text)

    def plan(
        self, changes: Mapping[NoteId, Sequence[Change]], our_blocks: Collection[NoteId]
    ) -> NotePlans:
        """Return the writes; a block in ``our_blocks`` goes with its last property."""
        plans = NotePlans()
        for note in sorted(changes):
            self._plan(plans, note, changes[note], drop_empty_block=note in our_blocks)
        return plans

    def _plan(
        self, plans: NotePlans, note: NoteId, changes: Sequence[Change], *, drop_empty_block: bool
    ) -> None:
        def attempt(some: Sequence[Change]) -> PlannedNote | Problem | None:
            if note in self._problems:
                return self._problems[note]
            file, data = self._files[note], self._contents[note]
            return plan_note(file, data, some, self._index, drop_empty_block=drop_empty_block)

        planned, fine = attempt(changes), changes
        faults: list[Problem] = []
        if isinstance(planned, Problem):
            # A basis that no link can name keeps itself out, and not the others.
            alone = [(change, attempt([change])) for change in changes]
            faults = [tried for _, tried in alone if isinstance(tried, Problem)]
            fine = [change for change, tried in alone if not isinstance(tried, Problem)]
            planned = attempt(fine)
        if isinstance(planned, Problem):
            faults, fine = [*faults, planned], []
        elif planned is not None:
            plans.notes.append(planned)
        plans.refused.extend(dict.fromkeys(faults))
        kept = set(fine)
        plans.left_out.update(
            (note, change.basis)
            for change in changes
            if not isinstance(change, SetText) and change not in kept
        )
