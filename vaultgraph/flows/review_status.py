"""``review --status`` and the queue as a list: what waits, what was decided, how fast."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vaultgraph.audit.intervals import wilson
from vaultgraph.flows.attention import CONFIDENCE
from vaultgraph.flows.review import ReviewOptions, queue_of
from vaultgraph.flows.review_items import ItemReader
from vaultgraph.review.checks import read_checks
from vaultgraph.review.pace import Sitting, find_sittings
from vaultgraph.review.tally import BANDS, FATES, Fate, Tally, tally
from vaultgraph.vault.resolve import LinkIndex

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable

    from vaultgraph.domain.notes import NoteId, Problem
    from vaultgraph.domain.writing import LedgerEvent
    from vaultgraph.flows.context import Context
    from vaultgraph.flows.notice_decisions import Notice
    from vaultgraph.review.queue import Item


@dataclass(frozen=True, slots=True)
class StatusReport:
    """What became of all proposals."""

    tally: Tally
    sittings: list[Sitting]
    problems: list[Problem]


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A proposal that waits, with the first line that speaks for it."""

    item: Item
    evidence: str
    evidence_note: NoteId | None
    evidence_line: int


def review_status(notice: Notice, events: Iterable[LedgerEvent]) -> StatusReport:
    """Return what became of the proposals, by the notes as they are, and how sittings went."""
    counted = tally(notice.history, notice.standing, notice.public, notice.unsure, notice.private)
    sittings = find_sittings(notice.history.paced, read_checks(events))
    return StatusReport(counted, sittings, notice.problems)


def status_document(report: StatusReport) -> dict[str, Any]:
    """Return the report as ``review --status --json`` documents it."""
    counted = report.tally
    return {
        "proposed": counted.proposed,
        **_fates(counted.fates),
        "unproposed": counted.unproposed,
        "vanished_pairs": [
            {"dependent": dependent, "basis": basis} for dependent, basis in counted.vanished
        ],
        "by_judge": [
            {"judge": judge, **_fates(fates)} for judge, fates in sorted(counted.by_judge.items())
        ],
        "by_score": [
            {"band": band, **_fates(counted.by_band[band])}
            for band in BANDS
            if band in counted.by_band
        ],
        "sittings": [
            {
                "began": sitting.began.isoformat(),
                "ended": sitting.ended.isoformat(),
                "decisions": sitting.decisions,
                "median_seconds": sitting.seconds,
                "first_half": sitting.first_half,
                "second_half": sitting.second_half,
                "checks": sitting.checks,
                "checks_accepted": sitting.checks_accepted,
                "checks_interval": wilson(sitting.checks_accepted, sitting.checks, CONFIDENCE),
            }
            for sitting in report.sittings
        ],
        "problems": [problem._asdict() for problem in report.problems],
    }


def _fates(fates: Counter[Fate]) -> dict[str, int]:
    return {fate: fates[fate] for fate in FATES}


def list_queue(context: Context, notice: Notice, options: ReviewOptions) -> list[QueueRow]:
    """Return the queue with its evidence, for where no keys can be read.

    Raises:
        InputError: ``options.note`` is no note.
    """
    items = queue_of(notice, options)
    index = LinkIndex(file.path for file in context.vault.list_files().files)
    reader = ItemReader(context, notice.survey, notice.files, index, items)
    return [_row(reader, item) for item in items]


def _row(reader: ItemReader, item: Item) -> QueueRow:
    for note, of in (item.direction, item.direction[::-1]):
        found = reader.sentence(note, of)
        if found is not None:
            return QueueRow(item, found[1], note, found[0])
    return QueueRow(item, "", None, 0)


def queue_document(rows: list[QueueRow], *, is_blind: bool) -> dict[str, Any]:
    """Return the queue as ``review --json`` documents it."""
    return {"queue": [_row_document(row, is_blind=is_blind) for row in rows]}


def _row_document(row: QueueRow, *, is_blind: bool) -> dict[str, Any]:
    score = None if is_blind else row.item.score
    return {
        "dependent": row.item.dependent,
        "basis": row.item.basis,
        **(score._asdict() if score is not None else {}),
        "skipped": row.item.is_skipped,
        **(
            {
                "evidence": row.evidence,
                "evidence_note": row.evidence_note,
                "evidence_line": row.evidence_line,
            }
            if row.evidence_note is not None
            else {}
        ),
    }
