"""``judge --compare``: where two judges agree, and where they differ most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.flows.writing import body_hashes, files_by_note
from vaultgraph.proposals.cutoffs import cutoffs_of, read_cutoffs
from vaultgraph.proposals.verdicts import current_verdicts, read_verdict

if TYPE_CHECKING:
    from vaultgraph.domain.judging import Verdict
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.flows.writing import WritingContext


class Compared(NamedTuple):
    """One direction that both judges scored."""

    dependent: NoteId
    basis: NoteId
    one: float
    other: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two judges say of the same directions, at each one's own cutoff."""

    one: str
    other: str
    rows: list[Compared]
    both_yes: int
    only_one: int
    only_other: int
    neither: int

    @property
    def agreement(self) -> float | None:
        """The share of directions on which they agree; ``None`` without any."""
        return (self.both_yes + self.neither) / len(self.rows) if self.rows else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa (1960): agreement beyond chance; ``None`` where chance alone is whole."""
        total = len(self.rows)
        if not total or self.agreement is None:
            return None
        yes_one, yes_other = self.both_yes + self.only_one, self.both_yes + self.only_other
        by_chance = (yes_one * yes_other + (total - yes_one) * (total - yes_other)) / total**2
        return None if by_chance == 1 else (self.agreement - by_chance) / (1 - by_chance)


def compare_judges(context: WritingContext, one: str, other: str) -> Comparison:
    """Return how the verdicts of two judges in the ledger compare, for notes as they are now."""
    reading = context.reading
    events = context.ledger.read().events
    by_judge: dict[str, list[Verdict]] = {one: [], other: []}
    for event in events:
        verdict = read_verdict(event)
        if verdict is not None and verdict.judge in by_judge:
            by_judge[verdict.judge].append(verdict)
    notes = {n for verdicts in by_judge.values() for v in verdicts for n in (v.first, v.second)}
    hashes = body_hashes(reading, files_by_note(reading), notes)
    scores = [_scores(current_verdicts(by_judge[judge], hashes).valid) for judge in (one, other)]
    brought, usual = read_cutoffs(events), cutoffs_of(reading.settings)
    cutoffs = [brought.get(judge, usual).cutoff for judge in (one, other)]
    rows = [
        Compared(*direction, score, scores[1][direction])
        for direction, score in scores[0].items()
        if direction in scores[1]
    ]
    rows.sort(key=lambda row: (-abs(row.one - row.other), row.dependent, row.basis))
    answers = [(row.one >= cutoffs[0], row.other >= cutoffs[1]) for row in rows]
    return Comparison(
        one,
        other,
        rows,
        both_yes=answers.count((True, True)),
        only_one=answers.count((True, False)),
        only_other=answers.count((False, True)),
        neither=answers.count((False, False)),
    )


def _scores(verdicts: list[Verdict]) -> dict[tuple[NoteId, NoteId], float]:
    scores: dict[tuple[NoteId, NoteId], float] = {}
    for verdict in verdicts:
        scores[verdict.first, verdict.second] = verdict.first_depends
        scores[verdict.second, verdict.first] = verdict.second_depends
    return scores


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """Return the comparison as ``judge --compare --json`` documents it."""
    return {
        "judges": [comparison.one, comparison.other],
        "directions": len(comparison.rows),
        "both_yes": comparison.both_yes,
        "only_first": comparison.only_one,
        "only_second": comparison.only_other,
        "neither": comparison.neither,
        "agreement": comparison.agreement,
        "kappa": comparison.kappa,
        "rows": [row._asdict() for row in comparison.rows],
    }
