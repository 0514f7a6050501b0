"""``propose``: verdicts become entries in ``depends-on-proposed``, planned first, then written."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from difflib import unified_diff
from typing import TYPE_CHECKING, Any

from vaultgraph.domain.notes import Problem
from vaultgraph.domain.survey import PRIVATE, RECORD, REPORT, UNREADABLE
from vaultgraph.domain.writing import NewEvent
from vaultgraph.flows.lookup import find_note
from vaultgraph.flows.survey import survey_vault
from vaultgraph.flows.writing import (
    WritingContext,
    body_hashes,
    files_by_note,
    standing_entries,
)
from vaultgraph.proposals.decide import Cutoffs, Decided, Directed, Scored, decide
from vaultgraph.proposals.plan import Add, Change, PlannedNote, Remove, plan_note
from vaultgraph.proposals.verdicts import current_verdicts, read_verdict
from vaultgraph.vault.resolve import LinkIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultgraph.domain.judging import Verdict
    from vaultgraph.domain.notes import NoteId, VaultFile
    from vaultgraph.domain.survey import Survey
    from vaultgraph.domain.writing import LedgerEvent, WriteReport

PROPOSED, WITHDRAWN = "proposed", "withdrawn"
_PRIVATE = "a private note"
_WHY_UNABLE = (
    (PRIVATE, _PRIVATE),
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
    #: Verdicts whose notes have changed since they were judged.
    outdated: list[Verdict]
    #: Directions skipped because of a private note; these are only counted.
    private: int
    cutoffs: Cutoffs
    survey: Survey


def plan_proposals(context: WritingContext, options: ProposeOptions) -> ProposePlan:
    """Return what follows from the verdicts in the ledger; nothing is written.

    Raises:
        InputError: ``options.only`` is no note.
    """
    reading = context.reading
    survey = survey_vault(reading.vault, reading.notes, reading.settings)
    only = None if options.only is None else survey.notes[find_note(survey, options.only)]
    files = files_by_note(reading)
    events = context.ledger.read().events
    verdicts = [verdict for event in events if (verdict := read_verdict(event)) is not None]
    notes = {note for verdict in verdicts for note in (verdict.first, verdict.second)}
    current = current_verdicts(verdicts, body_hashes(reading, files, notes))
    cutoffs = Cutoffs(reading.settings.proposals.cutoff, reading.settings.proposals.middle)
    standing = standing_entries(survey)
    ours = proposed_by_us(events)
    unable = _unable(survey, notes)
    decided = decide(current.valid, standing, unable, ours, cutoffs)
    if options.withdraw:
        decided = _withdraw_all(decided, standing, ours, current.valid)
    decided, private = _without_private(decided)
    chosen = [row for row in decided.proposed if only in {None, row.dependent}]
    limited = chosen[: options.limit]
    plan = ProposePlan(
        decided=decided,
        proposed=limited,
        withdrawn=[row for row in decided.withdrawn if only in {None, row.dependent}],
        held_back=len(chosen) - len(limited),
        notes=[],
        refused=[],
        outdated=current.outdated if not options.withdraw else [],
        private=private,
        cutoffs=cutoffs,
        survey=survey,
    )
    return _with_writes(plan, context, files, blocks_of_ours(events))


def _unable(survey: Survey, notes: Iterable[NoteId]) -> dict[NoteId, str]:
    """Return why each note that cannot pair, or is gone, takes no part."""
    flags = dict(zip(survey.notes, survey.flags, strict=True))
    unable: dict[NoteId, str] = {}
    for note in notes:
        if note not in flags:
            unable[note] = "is gone, or left out by the configuration"
        elif flags[note]:
            unable[note] = next(why for flag, why in _WHY_UNABLE if flags[note] & flag)
    return unable


def _without_private(decided: Decided) -> tuple[Decided, int]:
    kept = [row for row in decided.skipped if row.reason != _PRIVATE]
    return decided._replace(skipped=kept), len(decided.skipped) - len(kept)


def proposed_by_us(events: Iterable[LedgerEvent]) -> set[Directed]:
    """Return the entries that we proposed and have not withdrawn since."""
    ours: set[Directed] = set()
    for event in events:
        dependent, basis = event.payload.get("dependent"), event.payload.get("basis")
        if isinstance(dependent, str) and isinstance(basis, str):
            direction: Any = (dependent, basis)
            if event.kind == PROPOSED:
                ours.add(direction)
            elif event.kind == WITHDRAWN:
                ours.discard(direction)
    return ours


def blocks_of_ours(events: Iterable[LedgerEvent]) -> set[str]:
    """Return the notes whose frontmatter block we made."""
    return {
        str(event.payload.get("dependent"))
        for event in events
        if event.kind == PROPOSED and event.payload.get("created_block") is True
    }


def _withdraw_all(
    decided: Decided,
    standing: Mapping[Directed, Iterable[str]],
    ours: set[Directed],
    verdicts: list[Verdict],
) -> Decided:
    """Return that every unreviewed proposal of ours is to go, and nothing else."""
    known = {}
    for v in verdicts:
        known[v.first, v.second] = Scored(v.first, v.second, v.first_depends, v.judge, v.model)
        known[v.second, v.first] = Scored(v.second, v.first, v.second_depends, v.judge, v.model)
    withdrawn = [
        known.get(direction) or Scored(*direction, 0.0, "", "")
        for direction in sorted(ours)
        if "proposed" in standing.get(direction, ())
    ]
    return Decided([], withdrawn, [], decided.conflicts[:0], [])


def _with_writes(
    plan: ProposePlan,
    context: WritingContext,
    files: Mapping[NoteId, VaultFile],
    our_blocks: set[str],
) -> ProposePlan:
    vault, keys = context.reading.vault, context.reading.settings.keys
    index = LinkIndex(file.path for file in vault.list_files().files)
    changes: defaultdict[NoteId, list[Change]] = defaultdict(list)
    for row in plan.proposed:
        changes[row.dependent].append(Add(keys.proposed, row.basis))
    for row in plan.withdrawn:
        changes[row.dependent].append(Remove(keys.proposed, row.basis))
    notes: list[PlannedNote] = []
    refused: list[Problem] = []
    for note in sorted(changes):
        try:
            data = vault.read_bytes(files[note])
        except OSError as error:
            refused.append(Problem(note, 0, "unreadable", f"cannot be read: {error.strerror}"))
            continue
        drop = note in our_blocks
        planned = plan_note(files[note], data, changes[note], index, drop_empty_block=drop)
        if isinstance(planned, Problem):
            refused.append(planned)
        elif planned is not None:
            notes.append(planned)
    done = {planned.note for planned in notes}
    return replace(
        plan,
        notes=notes,
        refused=refused,
        proposed=[row for row in plan.proposed if row.dependent in done],
        withdrawn=[row for row in plan.withdrawn if row.dependent in done],
    )


def diff_of(planned: PlannedNote) -> list[str]:
    """Return a unified diff of one note's planned edit."""
    before, after = (text.splitlines() for text in (planned.before, planned.after))
    return list(unified_diff(before, after, planned.note, planned.note, lineterm="", n=2))


def carry_out(context: WritingContext, plan: ProposePlan, command: str) -> WriteReport:
    """Write the plan and remember what was written.

    Raises:
        InputError: the vault is gone, or the journal or the ledger cannot be kept.
    """
    writes = [planned.write for planned in plan.notes]
    report = context.writer.write(writes, command=command)
    written = {outcome.note for outcome in report.having("written")}
    created = {planned.note for planned in plan.notes if planned.created_block}
    events = [
        NewEvent(
            PROPOSED,
            {
                **_scored_payload(row),
                "run": report.run,
                "created_block": row.dependent in created,
            },
        )
        for row in plan.proposed
        if row.dependent in written
    ]
    events += (
        NewEvent(WITHDRAWN, {**_scored_payload(row), "run": report.run})
        for row in plan.withdrawn
        if row.dependent in written
    )
    context.ledger.append(events)
    return report


def _scored_payload(row: Scored) -> dict[str, Any]:
    return {
        "dependent": row.dependent,
        "basis": row.basis,
        "probability": row.probability,
        "judge": row.judge,
        "model": row.model,
    }


def propose_document(plan: ProposePlan, report: WriteReport | None) -> dict[str, Any]:
    """Return plan and outcome as ``propose --json`` documents them."""
    outcomes = {} if report is None else {o.note: o for o in report.outcomes}
    unwritten = [
        {"path": o.note, "code": o.kind, "text": o.reason}
        for o in outcomes.values()
        if o.kind not in {"written", "unchanged"}
    ]

    def done(rows: list[Scored]) -> list[dict[str, Any]]:
        return [
            _scored_payload(row)
            for row in rows
            if report is None or outcomes[row.dependent].kind in {"written", "unchanged"}
        ]

    return {
        "run": None if report is None else report.run,
        "written": None if report is None else len(report.having("written")),
        "proposed": done(plan.proposed),
        "withdrawn": done(plan.withdrawn),
        "skipped": [
            *(row._asdict() for row in plan.decided.skipped),
            *(
                {"first": v.first, "second": v.second, "reason": "a note changed since"}
                for v in plan.outdated
            ),
        ],
        "conflicts": [row._asdict() for row in plan.decided.conflicts],
        "middle": [_scored_payload(row) for row in plan.decided.middle],
        "refused": [
            *(
                {"path": p.path, "line": p.line, "code": p.code, "text": p.text}
                for p in plan.refused
            ),
            *unwritten,
        ],
        "held_back": plan.held_back,
        "private": plan.private,
    }
