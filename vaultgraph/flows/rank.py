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
from vaultgraph.flows.judge import verdict_of
from vaultgraph.flows.lookup import find_note
from vaultgraph.flows.pairs import PairMaker
from vaultgraph.flows.survey import survey_vault
from vaultgraph.judge.embedded.cutoff import choose_cutoff
from vaultgraph.proposals.cutoffs import cutoff_event, read_cutoffs
from vaultgraph.proposals.verdicts import read_verdict, verdict_event

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultgraph.domain.judging import QuestionSet, Verdict
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.flows.judge import JudgeOptions, KeepsScores
    from vaultgraph.flows.writing import WritingContext
    from vaultgraph.judge.embedded.judge import EmbeddedJudge


@dataclass(frozen=True, slots=True)
class Ranking:
    """The scores of all candidate pairs, and what of them counts."""

    #: All of them, sorted by pair.
    verdicts: list[Verdict]
    #: How many were scored in this run; the others had scores already.
    scored: int
    cutoff: float
    floor: float
    cap: float
    #: Whether this run set the cutoff.
    is_new_cutoff: bool
    #: Notes that can pair.
    notes: int
    #: Verdicts new to the ledger.
    recorded: int


def rank_pairs(
    context: WritingContext,
    judge: EmbeddedJudge,
    questions: QuestionSet,
    scores: KeepsScores,
    options: JudgeOptions,
    *,
    recut: bool,
    progress: Callable[[int, int], None],
) -> Ranking:
    """Score every candidate pair and remember the ones that count.

    Raises:
        InputError: ``options.only`` is no note, or the ledger cannot be written.
    """
    reading = context.reading
    survey = survey_vault(reading.vault, reading.notes, reading.settings)
    pairs = PairMaker(reading, survey)
    only = None if options.only is None else find_note(survey, options.only)
    wanted = [pair for pair in candidate_pairs(survey) if only is None or only in pair]
    wanted = wanted[: options.limit]
    verdicts, scored = _score(judge, questions, pairs, wanted, scores, progress)
    settings = reading.settings.judge
    floor = settings.floor or judge.weights.floor
    cap = float(settings.cap) or judge.weights.cap
    events = context.ledger.read().events
    kept = read_cutoffs(events).get(judge.name)
    notes = survey.flags.count(0)
    # A part of the vault says nothing about where the strongest few of all of it begin.
    is_whole = only is None and options.limit is None
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
    new = [verdict for verdict in verdicts if _is_worth_keeping(verdict, known, floor)]
    context.ledger.append(
        [
            *(verdict_event(verdict) for verdict in new),
            *([cutoff_event(judge.name, judge.model, cutoff, floor, notes)] if is_new else []),
        ]
    )
    return Ranking(verdicts, scored, cutoff, floor, cap, is_new, notes, len(new))


def _is_worth_keeping(
    verdict: Verdict, known: dict[tuple[NoteId, NoteId], Verdict], floor: float
) -> bool:
    """Whether the ledger must hold a verdict: it counts, or it takes back one that did."""
    before = known.get((verdict.first, verdict.second))
    if before is None:
        return max(verdict.first_depends, verdict.second_depends) >= floor
    return before != verdict


def _score(
    judge: EmbeddedJudge,
    questions: QuestionSet,
    pairs: PairMaker,
    wanted: list[tuple[int, int]],
    scores: KeepsScores,
    progress: Callable[[int, int], None],
) -> tuple[list[Verdict], int]:
    # A score depends on the two notes alone, not on how the rest of the vault grows.
    known = scores.read(judge.model)
    verdicts: list[Verdict] = []
    scored = 0
    for done, (first, second) in enumerate(wanted):
        pair = pairs.pair(first, second)
        if pair is None:
            continue
        one, other = pair.first, pair.second
        key = (one.note, other.note, one.body_hash, other.body_hash)
        answer = judge.judge(pair) if key not in known else None
        if answer is not None:
            scored += 1
            known[key] = (round(answer.first_depends, 6), round(answer.second_depends, 6))
            progress(done, len(wanted))
        scored_as = Answer(*known[key], judge.model)
        verdicts.append(verdict_of(pair, scored_as, judge, questions))
    if scored:
        # A run over a part of the vault must not forget the others' scores.
        scores.write(judge.model, known)
    return verdicts, scored
