"""Which pairs a sitting's attention checks are, and what the answers to them mean."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from vaultgraph.audit.intervals import wilson
from vaultgraph.audit.pair_draw import iter_pairs
from vaultgraph.candidates.pairs import candidate_pairs
from vaultgraph.flows.known_verdicts import known_verdicts
from vaultgraph.flows.pairs import PairMaker
from vaultgraph.review.checks import HIGHEST, read_checks, ticket
from vaultgraph.review.queue import Item

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from vaultgraph.domain.survey import Survey
    from vaultgraph.domain.writing import LedgerEvent
    from vaultgraph.flows.context import Context
    from vaultgraph.flows.notice_decisions import Notice
    from vaultgraph.judge.embedded.judge import EmbeddedJudge
    from vaultgraph.proposals.decide import Directed

#: Of the interval that stands beside checks.
CONFIDENCE = 0.95
#: So many candidate pairs without a verdict are scored, a second of work; for each check so many
#: others, of which nearly all are weak.
_CANDIDATES, _OTHERS = 1_000, 20


def choose_checks(
    context: Context,
    notice: Notice,
    events: Sequence[LedgerEvent],
    judge: EmbeddedJudge,
    most: int,
    seed: str,
) -> list[Item]:
    """Return up to ``most`` checks: pairs that nobody decided about or was asked about before.

    Candidate pairs come first, as they look most like proposals: those that the latest verdict
    calls weak, then those without one that the embedded judge does. Where too few are that weak,
    pairs follow in which neither note speaks of the other.
    """
    survey = notice.survey
    taken = {frozenset(pair) for pair in (*notice.standing, *notice.history.pairs)}
    taken |= {frozenset(answer.direction) for answer in read_checks(events)}
    known = {
        (verdict.first, verdict.second): max(verdict.first_depends, verdict.second_depends)
        for verdict in known_verdicts(survey, events).valid
    }
    scorer = _Scorer(context, survey, known, judge)

    def found() -> Iterator[Item]:
        for first, second in _in_order(survey, known, most, seed):
            both = frozenset((survey.notes[first], survey.notes[second]))
            item = None if both in taken else scorer.check(first, second)
            if item is not None:
                taken.add(both)
                yield item

    return list(islice(found(), most))


def _in_order(
    survey: Survey, known: Mapping[Directed, float], most: int, seed: str
) -> Iterator[tuple[int, int]]:
    """Yield candidate pairs in the order of their tickets, then a few others, drawn evenly."""
    names = survey.notes
    candidates = candidate_pairs(survey)
    by_ticket = sorted(candidates, key=lambda pair: ticket(seed, names[pair[0]], names[pair[1]]))
    scores = [known.get((names[first], names[second])) for first, second in by_ticket]
    in_order = list(zip(by_ticket, scores, strict=True))
    yield from (pair for pair, score in in_order if score is not None and score <= HIGHEST)
    yield from islice((pair for pair, score in in_order if score is None), _CANDIDATES)
    able = [number for number in range(len(names)) if survey.can_pair(number)]
    if len(able) > 1:
        made = frozenset(candidates)
        for first, second in islice(iter_pairs(seed, len(able)), most * _OTHERS):
            if (able[first], able[second]) not in made:
                yield able[first], able[second]


class _Scorer:
    """Finds out whether a pair is weak enough."""

    def __init__(
        self,
        context: Context,
        survey: Survey,
        known: Mapping[Directed, float],
        judge: EmbeddedJudge,
    ) -> None:
        self._names = survey.notes
        self._pairs = PairMaker(context, survey)
        self._judge = judge
        self._known = known

    def check(self, first: int, second: int) -> Item | None:
        """Return a pair as a check; its dependent is the note that speaks of the other one."""
        ends = (self._names[first], self._names[second])
        known = self._known.get(ends)
        pair = self._pairs.pair(first, second) if known is None or known <= HIGHEST else None
        if pair is None:
            return None
        if known is None:
            answer = self._judge.judge(pair)
            if max(answer.first_depends, answer.second_depends) > HIGHEST:
                return None
        speaks = bool(pair.first_lines) or not pair.second_lines
        return Item(*(ends if speaks else ends[::-1]), None, is_skipped=False, kind="check")


def words_of(accepted: int, checks: int) -> str:
    """Return what accepted checks make of a sitting's acceptance rate; empty without a check."""
    interval = wilson(accepted, checks, CONFIDENCE)
    if interval is None:
        return ""
    low, high = interval
    found = (
        f"{accepted} of {checks} attention checks accepted ({CONFIDENCE:.0%} interval {low:.0%} to"
        f" {high:.0%})"
    )
    if accepted:
        return f"{found}: pairs are accepted unread, so how many were accepted says little"
    return f"{found}: what was accepted seems to have been read"
