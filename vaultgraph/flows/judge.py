"""``judge``: candidate pairs become verdicts, each asked for once as long as its notes stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from vaultgraph.candidates.pairs import candidate_pairs
from vaultgraph.domain.judging import Answer, JudgedPair, PairError, Verdict
from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import NewEvent
from vaultgraph.flows.decided_pairs import decided_pairs
from vaultgraph.flows.lookup import find_note
from vaultgraph.flows.pairs import Judged, PairMaker
from vaultgraph.flows.survey import survey_vault
from vaultgraph.proposals.verdicts import read_verdict, verdict_event

if TYPE_CHECKING:
    from vaultgraph.domain.judging import JudgePort, QuestionSet
    from vaultgraph.domain.survey import Survey
    from vaultgraph.flows.writing import WritingContext

OnAnswer = Callable[[JudgedPair, Answer | PairError], None]
#: Asks a judge about many pairs; what it raises, and when, is its own matter.
AskMany = Callable[["JudgePort", Iterator[JudgedPair], "QuestionSet", OnAnswer], None]


class KeepsScores(Protocol):
    """Scores that cost little to make again: kept outside of the ledger."""

    def read(self, model: str) -> dict[Judged, tuple[float, float]]:
        """Return the scores a model gave."""
        ...

    def write(self, model: str, scores: dict[Judged, tuple[float, float]]) -> None:
        """Keep them."""
        ...


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """What narrows a run."""

    limit: int | None = None
    #: Only pairs of this note: a path, title or alias.
    only: str | None = None
    #: In US dollars; the run ends before it is exceeded, by the judge's own counting.
    max_cost: float | None = None


@dataclass(slots=True)
class JudgeRun:
    """What is to be asked, and what has been answered so far."""

    survey: Survey
    pairs: PairMaker
    judge: JudgePort
    questions: QuestionSet
    #: This judge's verdicts on pairs of the run as they stand, from earlier runs.
    known: list[Verdict]
    to_ask: list[tuple[int, int]]
    #: Pairs that the limit holds back.
    held_back: int
    #: Pairs left out because a person decided about them.
    decided: int
    verdicts: list[Verdict] = field(default_factory=list)
    failed: list[tuple[str, str, str]] = field(default_factory=list)
    tokens: int = 0
    cost: float = 0.0
    #: Answers whose cost nobody told.
    unpriced: int = 0
    #: What one pair is thought to cost, before any has been answered.
    expected_cost: float = 0.0
    #: Pairs that the judge has been given; some of them may still be under way.
    handed_out: int = 0
    stopped_by_cost: bool = False

    @property
    def cached(self) -> int:
        """How many pairs had a verdict already."""
        return len(self.known)

    @property
    def asked(self) -> int:
        """How many pairs have been asked about."""
        return len(self.verdicts) + len(self.failed)

    @property
    def paid(self) -> float | None:
        """What it has cost, in US dollars; ``None`` where that is not known."""
        return None if self.unpriced else self.cost


def plan_judging(
    context: WritingContext, judge: JudgePort, questions: QuestionSet, options: JudgeOptions
) -> JudgeRun:
    """Return which pairs are to be asked; nothing is sent.

    Raises:
        InputError: ``options.only`` is no note.
    """
    reading = context.reading
    survey = survey_vault(reading.vault, reading.notes, reading.settings)
    pairs = PairMaker(reading, survey)
    only = None if options.only is None else find_note(survey, options.only)
    wanted = [pair for pair in candidate_pairs(survey) if only is None or only in pair]
    settled = decided_pairs(survey)
    undecided = [pair for pair in wanted if pair not in settled]
    answered = _known(context, judge, questions)
    known: list[Verdict] = []
    to_ask: list[tuple[int, int]] = []
    for pair in undecided:
        verdict = answered.get(pairs.judged(*pair))
        if verdict is None:
            to_ask.append(pair)
        else:
            known.append(verdict)
    limited = to_ask[: options.limit]
    return JudgeRun(
        survey=survey,
        pairs=pairs,
        judge=judge,
        questions=questions,
        known=known,
        to_ask=limited,
        held_back=len(to_ask) - len(limited),
        decided=len(wanted) - len(undecided),
    )


def _known(
    context: WritingContext, judge: JudgePort, questions: QuestionSet
) -> dict[Judged | None, Verdict]:
    """Return what this judge has answered, by the pairs as they were when it did.

    The model is the one asked for: a moving alias such as ``jev-latest`` is asked once.
    """
    known: dict[Judged | None, Verdict] = {}
    for event in context.ledger.read().events:
        verdict = read_verdict(event)
        if (
            verdict is not None
            and verdict.judge == judge.name
            and verdict.questions_hash == questions.hash
            and event.payload.get("asked", verdict.model) == judge.model
        ):
            key = (verdict.first, verdict.second, verdict.first_hash, verdict.second_hash)
            known[key] = verdict
    return known


def ask_judge(
    context: WritingContext,
    run: JudgeRun,
    ask_many: AskMany,
    options: JudgeOptions,
    progress: Callable[[JudgeRun], None],
) -> None:
    """Ask about every pair of the run; each answer is on disk before the next is waited for.

    Raises:
        JudgeError: the judge is unreachable or refuses; what was answered is kept.
        KeyboardInterrupt: likewise.
    """

    def pairs() -> Iterator[JudgedPair]:
        for first, second in run.to_ask:
            if options.max_cost is not None and _is_spent(run, options.max_cost):
                run.stopped_by_cost = True
                return
            pair = run.pairs.pair(first, second)
            if pair is not None:
                run.handed_out += 1
                yield pair

    def on_answer(pair: JudgedPair, answer: Answer | PairError) -> None:
        if isinstance(answer, PairError):
            run.failed.append((pair.first.note, pair.second.note, str(answer)))
        else:
            one, other = pair.first, pair.second
            judged = (one.note, other.note, one.body_hash, other.body_hash)
            verdict = verdict_of(judged, answer, run.judge, run.questions)
            event = verdict_event(verdict)
            payload = {**event.payload, "asked": run.judge.model}
            context.ledger.append([NewEvent(event.kind, payload)])
            run.verdicts.append(verdict)
            run.tokens += answer.input_tokens + answer.output_tokens
            run.cost += answer.cost or 0.0
            run.unpriced += answer.cost is None
        progress(run)

    ask_many(run.judge, pairs(), run.questions, on_answer)


def _is_spent(run: JudgeRun, most: float) -> bool:
    """Whether one more pair, at the mean cost so far, would go over the limit.

    The pairs under way have not told their cost yet, and are counted at that mean.
    """
    mean = run.cost / len(run.verdicts) if run.verdicts else run.expected_cost
    return run.cost + mean * (run.handed_out - run.asked + 1) > most


def verdict_of(
    judged: Judged, answer: Answer, judge: JudgePort, questions: QuestionSet
) -> Verdict:
    """Return an answer about a pair, given by its body hashes, as a verdict."""
    first, second, first_hash, second_hash = judged
    return Verdict(
        first=NoteId(first),
        second=NoteId(second),
        first_depends=answer.first_depends,
        second_depends=answer.second_depends,
        judge=judge.name,
        model=answer.model,
        questions=questions.id,
        questions_hash=questions.hash,
        first_hash=first_hash,
        second_hash=second_hash,
        at="",
    )
