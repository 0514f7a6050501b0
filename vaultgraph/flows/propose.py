"""``propose``: verdicts become entries in ``depends-on-proposed``, planned first, then written."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultgraph.domain.survey import PRIVATE, RECORD, REPORT, UNREADABLE
from vaultgraph.errors import VaultgraphError
from vaultgraph.flows.context import masker_of
from vaultgraph.flows.decided_pairs import decided_pairs
from vaultgraph.flows.known_verdicts import Outdated, known_verdicts
from vaultgraph.flows.lookup import find_note
from vaultgraph.flows.note_plans import CONFLICT, NotePlanner, NotePlans
from vaultgraph.flows.survey import survey_vault
from vaultgraph.flows.writing import (
    WritingContext,
    files_by_note,
    not_done,
    standing_entries,
)
from vaultgraph.proposals.cutoffs import cutoffs_of, read_cutoffs
from vaultgraph.proposals.decide import (
    Cutoffs,
    Decided,
    Directed,
    Scored,
    Skipped,
    decide_by_judge,
)
from vaultgraph.proposals.ours import (
    proposed_event,
    read_ours,
    unwritten_event,
    withdrawn_event,
)
from vaultgraph.proposals.plan import Add, Change, PlannedNote, Remove

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from vaultgraph.domain.judging import Verdict
    from vaultgraph.domain.notes import EntryList, NoteId, Problem
    from vaultgraph.domain.writing import WriteReport

_WHY_UNABLE = (
    (RECORD, "a record makes no pair"),
    (REPORT, "a report makes no pair"),
    (UNREADABLE, "cannot be read"),
)


@dataclass(frozen=True, slots=True)
class ProposeOptions:
    """What narrows a run."""

    #: Write at most so many new entries, the strongest.
    limit: int | None = None
    #: Only entries in this note: a path, title or alias.
    only: str | None = None
    #: Take back every unreviewed proposal of ours instead.
    withdraw: bool = False


@dataclass(frozen=True, slots=True)
class ProposePlan:
    """What would be written and what would not, with the reasons."""

    decided: Decided
    #: Of what was decided, what the options let through and no note refused.
    proposed: list[Scored]
    withdrawn: list[Scored]
    #: Proposals that the limit holds back.
    held_back: int
    notes: list[PlannedNote]
    refused: list[Problem]
    outdated: list[Outdated]
    #: Directions left alone because of a private note; these are only counted.
    private: int
    #: Pairs of which a note is gone, or is no longer read; these are only counted, since a note
    #: that is not read may be private for all we know.
    gone: int
    #: The notes whose frontmatter block is ours once the plan is carried out.
    our_blocks: set[NoteId]
    cutoffs: Cutoffs
    #: The cutoffs that judges brought themselves, by judge.
    brought: Mapping[str, Cutoffs]
    #: Hides private names in whatever is shown of a note.
    mask: Callable[[str], str]

    @property
    def has_conflict(self) -> bool:
        """Whether a note was changed while the plan was made, and so is not in it."""
        return any(problem.code == CONFLICT for problem in self.refused)


def plan_proposals(context: WritingContext, options: ProposeOptions) -> ProposePlan:
    """Return what follows from the verdicts in the ledger; nothing is written.

    Raises:
        InputError: ``options.only`` is no note.
    """
    reading = context.reading
    # Listed before anything is read: whatever is touched from here on is not written.
    files = files_by_note(reading)
    survey = survey_vault(reading.vault, reading.notes, reading.settings)
    only = None if options.only is None else survey.notes[find_note(survey, options.only)]
    flags = dict(zip(survey.notes, survey.flags, strict=True))
    events = context.ledger.read().events
    known = known_verdicts(survey, events)
    ours = read_ours(events)
    cutoffs, brought = cutoffs_of(reading.settings), read_cutoffs(events)
    everywhere = standing_entries(survey)
    standing = {
        direction: entries
        for direction, entries in everywhere.items()
        if not (flags[direction[0]] | flags[direction[1]]) & PRIVATE
    }
    if options.withdraw:
        known = known._replace(outdated=[], gone=0)
        decided = _withdraw_all(standing, ours.ever, known.valid)
        hidden = {key for key in everywhere.keys() - standing.keys() if key in ours.ever}
        private = sum("proposed" in everywhere[direction] for direction in hidden)
    else:
        decided = decide_by_judge(
            known.valid, standing, _unable(flags), ours.open, brought, cutoffs
        )
        scores = [s for v in known.private for s in (v.first_depends, v.second_depends)]
        private = sum(score >= cutoffs.cutoff for score in scores)
    if only is not None:
        decided = _about(decided, only)
    settled = {(survey.notes[a], survey.notes[b]) for a, b in decided_pairs(survey)}
    # A block is ours only while something of ours is in it: it may have been made anew since.
    our_blocks = ours.blocks & {
        note for note, basis in ours.ever if "proposed" in standing.get((note, basis), ())
    }
    touched = {row.dependent for row in (*decided.proposed, *decided.withdrawn)}
    planner = NotePlanner(reading, files, touched)
    proposed, plans = _within_limit(
        planner, decided, reading.settings.keys.proposed, our_blocks, options.limit
    )
    return ProposePlan(
        decided=decided,
        proposed=[row for row in proposed if row[:2] not in plans.left_out],
        withdrawn=[row for row in decided.withdrawn if row[:2] not in plans.left_out],
        held_back=len(decided.proposed) - len(proposed),
        notes=plans.notes,
        refused=plans.refused,
        outdated=[
            row
            for row in known.outdated
            if only in {None, row.first, row.second} and row[:2] not in settled
        ],
        private=private,
        gone=known.gone,
        our_blocks=our_blocks | {planned.note for planned in plans.notes if planned.created_block},
        cutoffs=cutoffs,
        brought=brought,
        mask=masker_of(survey).mask,
    )


def _unable(flags: Mapping[NoteId, int]) -> dict[NoteId, str]:
    """Return why each note that cannot pair takes no part."""
    return {
        note: next(why for flag, why in _WHY_UNABLE if found & flag)
        for note, found in flags.items()
        if found & ~PRIVATE
    }


def _withdraw_all(
    standing: Mapping[Directed, Collection[EntryList]],
    ours: Collection[Directed],
    verdicts: Iterable[Verdict],
) -> Decided:
    """Return that every unreviewed proposal of ours is to go; others' are listed."""
    scores: dict[Directed, Scored] = {}
    for v in verdicts:
        for row in (
            Scored(v.first, v.second, v.first_depends, v.judge, v.model),
            Scored(v.second, v.first, v.second_depends, v.judge, v.model),
        ):
            scores[row.dependent, row.basis] = row
    decided = Decided([], [], [], [], [])
    for direction in sorted(key for key, entries in standing.items() if "proposed" in entries):
        row = scores.get(direction) or Scored(*direction, 0.0, "", "")
        if direction in ours:
            decided.withdrawn.append(row)
        else:
            decided.skipped.append(Skipped(*row[:3], "not proposed by us"))
    return decided


def _about(decided: Decided, note: NoteId) -> Decided:
    """Return what was decided about entries in one note."""
    return Decided(
        [row for row in decided.proposed if row.dependent == note],
        [row for row in decided.withdrawn if row.dependent == note],
        [row for row in decided.skipped if row.dependent == note],
        [row for row in decided.conflicts if note in {row.first, row.second}],
        [row for row in decided.middle if row.dependent == note],
    )


def _within_limit(
    planner: NotePlanner,
    decided: Decided,
    key: str,
    our_blocks: Collection[NoteId],
    limit: int | None,
) -> tuple[list[Scored], NotePlans]:
    """Return the strongest proposals that notes take, and the writes.

    What a note refuses uses up no part of the limit: else the same refused ones would stand in
    the way of all others, run after run.
    """
    refused: set[Directed] = set()
    while True:
        possible = [row for row in decided.proposed if row[:2] not in refused]
        # What was refused stays in the plan, so that it is listed.
        chosen = [*(r for r in decided.proposed if r[:2] in refused), *possible[:limit]]
        plans = planner.plan(_changes(chosen, decided.withdrawn, key), our_blocks)
        if limit is None or plans.left_out <= refused:
            return chosen, plans
        refused |= plans.left_out


def _changes(
    proposed: Iterable[Scored], withdrawn: Iterable[Scored], key: str
) -> dict[NoteId, list[Change]]:
    changes: defaultdict[NoteId, list[Change]] = defaultdict(list)
    for row in proposed:
        changes[row.dependent].append(Add(key, row.basis))
    for row in withdrawn:
        changes[row.dependent].append(Remove(key, row.basis))
    return changes


def carry_out(context: WritingContext, plan: ProposePlan, command: str) -> WriteReport:
    """Write the plan and remember what was written.

    Raises:
        InputError: the vault is gone or locked, or the journal or the ledger cannot be kept.
    """
    # Before the first note: a crash must not leave an entry that is not known as ours.
    context.ledger.append(
        [proposed_event(r, is_our_block=r.dependent in plan.our_blocks) for r in plan.proposed]
    )
    try:
        report = context.writer.write([planned.write for planned in plan.notes], command=command)
    except VaultgraphError:
        context.ledger.append([unwritten_event(row) for row in plan.proposed])
        raise
    left = {outcome.note for outcome in not_done(report)}
    context.ledger.append(
        [
            *(unwritten_event(row) for row in plan.proposed if row.dependent in left),
            *(
                withdrawn_event(row, report.run)
                for row in plan.withdrawn
                if row.dependent not in left
            ),
        ]
    )
    return report
