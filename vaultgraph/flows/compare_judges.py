"""``judge --compare``: where two judges agree, and where they differ most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.errors import InputError, UsageError
from vaultgraph.flows.context import public_notes
from vaultgraph.flows.pairs import PairMaker
from vaultgraph.flows.survey import survey_vault
from vaultgraph.flows.writing import body_hashes
from vaultgraph.proposals.cutoffs import cutoffs_of, read_cutoffs
from vaultgraph.proposals.verdicts import RANKER, current_verdicts, read_verdict

if TYPE_CHECKING:
    from vaultgraph.domain.judging import Verdict
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.domain.survey import Survey
    from vaultgraph.flows.writing import WritingContext
    from vaultgraph.judge.embedded.judge import EmbeddedJudge

_Directions = dict[tuple["NoteId", "NoteId"], float]


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


def compare_judges(
    context: WritingContext, one: str, other: str, ranker: EmbeddedJudge
) -> Comparison:
    """Return how two judges compare on the pairs that both judged, for notes as they are now.

    The ledger holds only the strongest of the embedded judge's scores, so ``ranker`` scores the
    other one's pairs anew.

    Raises:
        UsageError: both are the same.
        InputError: a judge has said nothing yet.
    """
    if one == other:
        raise UsageError(f"{one} agrees with itself", hint="name two judges")
    reading = context.reading
    events = context.ledger.read().events
    by_judge: dict[str, list[Verdict]] = {}
    for event in events:
        verdict = read_verdict(event)
        if verdict is not None:
            by_judge.setdefault(verdict.judge, []).append(verdict)
    brought, usual = read_cutoffs(events), cutoffs_of(reading.settings)
    for judge in (one, other):
        if judge not in by_judge and judge not in brought:
            known = ", ".join(sorted(by_judge)) or "none yet; vaultgraph judge asks one"
            raise InputError(
                f"the ledger has no verdict of a judge called {judge}", hint=f"it has of: {known}"
            )
    notes = {
        n for judge in (one, other) for v in by_judge.get(judge, ()) for n in (v.first, v.second)
    }
    survey = survey_vault(reading.vault, reading.notes, reading.settings)
    hashes = body_hashes(survey, notes)
    # A note that was judged may be private by now, or no longer read, and then may be for all we
    # know.
    public = set(public_notes(survey))
    valid = {
        judge: [
            verdict
            for verdict in current_verdicts(by_judge.get(judge, ()), hashes).valid
            if verdict.first in public and verdict.second in public
        ]
        for judge in (one, other)
    }
    pairs = PairMaker(reading, survey)
    scores = [
        _rank(ranker, pairs, survey, valid[peer]) if judge == RANKER else _scores(valid[judge])
        for judge, peer in ((one, other), (other, one))
    ]
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


def _rank(
    ranker: EmbeddedJudge, pairs: PairMaker, survey: Survey, verdicts: list[Verdict]
) -> _Directions:
    """Return the embedded judge's scores of the pairs of other verdicts."""
    numbers = {note: number for number, note in enumerate(survey.notes)}
    scores: _Directions = {}
    for verdict in verdicts:
        pair = pairs.pair(numbers[verdict.first], numbers[verdict.second])
        if pair is not None:
            answer = ranker.judge(pair)
            scores[verdict.first, verdict.second] = answer.first_depends
            scores[verdict.second, verdict.first] = answer.second_depends
    return scores


def _scores(verdicts: list[Verdict]) -> _Directions:
    scores: _Directions = {}
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
