"""``judge`` with the embedded judge: every candidate pair gets a score, the strongest few count.

It is a ranker: its scores order pairs and are no probabilities. The first run in a vault sets the
cutoff at its cap, and there it stays, so that a second run proposes nothing more and a new note
changes no other's fate. Scores below the floor are made again at will, and stay out of the ledger.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultgraph.candidates.pairs import candidate_pairs
from vaultgraph.domain.judging import Answer
from vaultgraph.flows.decided_pairs import decided_pairs
from vaultgraph.flows.judge import verdict_of
from vaultgraph.flows.lookup import find_note
from vaultgraph.flows.pairs import PairMaker
from vaultgraph.flows.survey import survey_vault
from vaultgraph.judge.embedded.cutoff import choose_cutoff
from vaultgraph.proposals.cutoffs import cutoff_event, cutoff_model, read_cutoffs
from vaultgraph.proposals.verdicts import read_verdict, verdict_event

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultgraph.domain.judging import QuestionSet, Verdict
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.flows.judge import JudgeOptions, KeepsScores
    from vaultgraph.flows.pairs import Judged
    from vaultgraph.flows.writing import WritingContext
    from vaultgraph.judge.embedded.judge import EmbeddedJudge


@dataclass(frozen=True, slots=True)
class Ranking:
    """The scores of the candidate pairs, and what of them counts."""

    #: All of them, sorted by pair.
    verdicts: list[Verdict]
    #: How many were scored in this run; the others had scores already.
    scored: int
    #: The floor where there is none yet: then nothing is recorded, and nothing can be proposed.
    cutoff: float
    floor: float
    cap: float
    #: Whether this vault has a cutoff, and whether this run set it.
    has_cutoff: bool
    is_new_cutoff: bool
    #: Whether it was set for another model or base rate, whose scores mean something else.
    is_others_cutoff: bool
    #: Notes that can pair.
    notes: int
    #: Verdicts new to the ledger; in a dry run those that would be.
    recorded: int
    #: Pairs that the limit holds back.
    held_back: int
    #: Pairs left out because a person decided about them.
    decided: int


def rank_pairs(
    context: WritingContext,
    judge: EmbeddedJudge,
    questions: QuestionSet,
    scores: KeepsScores,
    options: JudgeOptions,
    *,
    recut: bool = False,
    dry_run: bool = False,
    progress: Callable[[int, int], None],
) -> Ranking:
    """Score every pair nobody decided about and remember what counts; a dry run does not.

    Raises:
        InputError: ``options.only`` is no note, or the ledger cannot be written.
    """
    reading = context.reading
    survey = survey_vault(reading.vault, reading.notes, reading.settings)
    pairs = PairMaker(reading, survey)
    only = None if options.only is None else find_note(survey, options.only)
    wanted = [pair for pair in candidate_pairs(survey) if only is None or only in pair]
    settled = decided_pairs(survey)
    undecided = [pair for pair in wanted if pair not in settled]
    known_scores = scores.read(judge.model)
    scoring = _Scoring(judge, questions, pairs, known_scores, progress)
    verdicts = scoring.score(undecided, options.limit)
    if scoring.scored:
        scores.write(judge.model, scoring.kept if only is None else known_scores)
    settings = reading.settings.judge
    floor = settings.floor or judge.weights.floor
    cap = float(settings.cap) or judge.weights.cap
    events = context.ledger.read().events
    kept = read_cutoffs(events).get(judge.name)
    notes = survey.flags.count(0)
    # A part of the vault says nothing about where the strongest few of all of it begin.
    is_whole = only is None and not scoring.held_back
    is_new = recut or (kept is None and is_whole)
    cutoff = kept.cutoff if kept is not None else floor
    if is_new:
        strongest = (max(v.first_depends, v.second_depends) for v in verdicts)
        cutoff = choose_cutoff(strongest, notes=notes, cap=cap, floor=floor)
    known: dict[tuple[NoteId, NoteId], Verdict] = {}
    for event in events:
        verdict = read_verdict(event)
        if verdict is not None and verdict.judge == judge.name:
            known[verdict.first, verdict.second] = verdict._replace(at="")
    has_cutoff = kept is not None or is_new
    # Without a cutoff the usual one would count, which means nothing for a ranker.
    counting = verdicts if has_cutoff else []
    new = [verdict for verdict in counting if _is_worth_keeping(verdict, known, floor)]
    if not dry_run:
        context.ledger.append(
            [
                *(verdict_event(verdict) for verdict in new),
                *([cutoff_event(judge.name, judge.model, cutoff, floor, notes)] if is_new else []),
            ]
        )
    return Ranking(
        verdicts=verdicts,
        scored=scoring.scored,
        cutoff=cutoff,
        floor=floor,
        cap=cap,
        has_cutoff=has_cutoff,
        is_new_cutoff=is_new,
        is_others_cutoff=not is_new and cutoff_model(events, judge.name) not in {"", judge.model},
        notes=notes,
        recorded=len(new),
        held_back=scoring.held_back,
        decided=len(wanted) - len(undecided),
    )


def _is_worth_keeping(
    verdict: Verdict, known: dict[tuple[NoteId, NoteId], Verdict], floor: float
) -> bool:
    """Whether the ledger must hold a verdict: it counts, or it takes back one that did."""
    before = known.get((verdict.first, verdict.second))
    if before is None:
        return max(verdict.first_depends, verdict.second_depends) >= floor
    return before != verdict


class _Scoring:
    """Scores pairs that have no score yet; a score depends on the two notes alone."""

    def __init__(
        self,
        judge: EmbeddedJudge,
        questions: QuestionSet,
        pairs: PairMaker,
        known: dict[Judged, tuple[float, float]],
        progress: Callable[[int, int], None],
    ) -> None:
        self._judge = judge
        self._questions = questions
        self._pairs = pairs
        self._known = known
        self._progress = progress
        #: The scores of the pairs that were asked for; those of earlier texts are not among them.
        self.kept: dict[Judged, tuple[float, float]] = {}
        self.scored = 0
        self.held_back = 0

    def score(self, wanted: list[tuple[int, int]], limit: int | None) -> list[Verdict]:
        """Return the verdicts of all pairs but those that the limit holds back."""
        verdicts: list[Verdict] = []
        for done, (first, second) in enumerate(wanted, 1):
            judged = self._pairs.judged(first, second)
            if judged is None:
                continue
            scores = self._scores(first, second, limit)
            if scores is None:
                self.held_back += 1
                continue
            answer = Answer(*scores, self._judge.model)
            verdicts.append(verdict_of(judged, answer, self._judge, self._questions))
            self._progress(done, len(wanted))
        return verdicts

    def _scores(self, first: int, second: int, limit: int | None) -> tuple[float, float] | None:
        # A score rests on names and on where they stand too, not only on the two bodies.
        key = self._pairs.looked_at(first, second)
        if key is None:
            return None
        if key not in self._known:
            is_enough = limit is not None and self.scored >= limit
            pair = None if is_enough else self._pairs.pair(first, second)
            if pair is None:
                return None
            self.scored += 1
            answer = self._judge.judge(pair)
            self._known[key] = (round(answer.first_depends, 6), round(answer.second_depends, 6))
        self.kept[key] = self._known[key]
        return self._known[key]
