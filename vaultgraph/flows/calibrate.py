"""``calibrate``: a judge's scores against labels, and the cutoff that they bear out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.audit.calibration import (
    CutoffTest,
    Labelled,
    Reliability,
    ScoredStratum,
    estimate_recall_at,
    find_cutoff,
    find_reliability,
)
from vaultgraph.audit.units import notes_of
from vaultgraph.errors import InputError, UsageError
from vaultgraph.flows.audit_labels import labelled_samples
from vaultgraph.flows.known_verdicts import known_verdicts
from vaultgraph.flows.survey import survey_vault
from vaultgraph.flows.writing import standing_entries
from vaultgraph.proposals.verdicts import read_verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultgraph.audit.estimates import Estimate
    from vaultgraph.audit.units import UnitId
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.flows.audit_labels import LabelledSample
    from vaultgraph.flows.audits import Audits
    from vaultgraph.flows.context import Context

_HINT = "judge pairs, then vaultgraph audit plan NAME --kind recall"


class CalibrateOptions(NamedTuple):
    """What is asked."""

    judge: str | None = None
    #: The audit that decides the cutoff; ``None``: the one with the most labels.
    audit: str | None = None
    precision: float = 0.8
    confidence: float = 0.95


class Group(NamedTuple):
    """Labels of one kind of source, counted by themselves."""

    #: ``audits``: samples of what was judged; ``of-decisions``: samples of what a person had
    #: decided; ``decisions``: the decisions themselves.
    name: str
    sources: tuple[str, ...]
    reliability: Reliability | None
    #: Labels of pairs that the judge has given no score as they are now.
    unscored: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """All that the labels say of one judge."""

    judge: str
    models: tuple[str, ...]
    confidence: float
    groups: tuple[Group, ...]
    #: The audit that decides; ``None`` where none can.
    sample: LabelledSample | None
    test: CutoffTest | None
    #: At the cutoff found; ``None`` where there is none, or where its audit did not look below it.
    recall: Estimate | None


class _Scores:
    """What one judge says of the pairs as they are now."""

    def __init__(self, context: Context, audits: Audits, judge: str) -> None:
        survey = survey_vault(context.vault, context.notes, context.settings)
        verdicts = [
            (event, verdict)
            for event in audits.ledger.read().events
            if (verdict := read_verdict(event)) is not None
        ]
        valid = known_verdicts(survey, (e for e, v in verdicts if v.judge == judge)).valid
        if not valid:
            judges = sorted({verdict.judge for _, verdict in verdicts} - {judge})
            there = f"give --judge {' or '.join(judges)}" if judges else "run vaultgraph judge"
            raise InputError(f"no verdict of the judge {judge} holds now", hint=there)
        self.models = tuple(sorted({verdict.model for verdict in valid} - {""}))
        self.standing = standing_entries(survey)
        self._scores: dict[tuple[NoteId, NoteId], float] = {}
        for verdict in valid:
            self._scores[verdict.first, verdict.second] = verdict.first_depends
            self._scores[verdict.second, verdict.first] = verdict.second_depends

    def of_direction(self, dependent: NoteId, basis: NoteId) -> float | None:
        """Return the score of one direction."""
        return self._scores.get((dependent, basis))

    def of_unit(self, unit: UnitId, *, is_directed: bool) -> float | None:
        """Return the score of a unit: where it has no direction, the higher of the two."""
        one, other = notes_of(unit)
        score = self._scores.get((one, other))
        if score is None or is_directed:
            return score
        return max(score, self._scores[other, one])


def calibrate(context: Context, audits: Audits, options: CalibrateOptions) -> Calibration:
    """Measure a judge against all labels there are.

    Raises:
        InputError: it has no verdict, or no label has a score.
        UsageError: the audit asked for cannot decide a cutoff.
    """
    _check(options)
    judge = options.judge or context.settings.judge.name
    scores = _Scores(context, audits, judge)
    samples = labelled_samples(audits)
    groups = (
        _group("audits", [s for s in samples if not s.is_of_decisions], scores, options),
        _group("of-decisions", [s for s in samples if s.is_of_decisions], scores, options),
        _decisions(scores, options),
    )
    if not any(group.reliability for group in groups):
        raise InputError(f"no label has a score of the judge {judge}", hint=_HINT)
    sample = _deciding(samples, scores, options.audit)
    if sample is None:
        return Calibration(judge, scores.models, options.confidence, groups, None, None, None)
    strata = _strata(sample, scores)
    lowest = sample.lowest or min(score for stratum in strata for score in stratum.scores)
    test = find_cutoff(strata, options.precision, options.confidence, lowest)
    recall = None
    if test.cutoff is not None and sample.kind == "recall":
        recall = estimate_recall_at(strata, test.cutoff, options.confidence, sample.seed)
    return Calibration(judge, scores.models, options.confidence, groups, sample, test, recall)


def _check(options: CalibrateOptions) -> None:
    if not 0 < options.precision < 1:
        raise UsageError("a precision is between 0 and 1", hint="as --precision 0.8")
    if not 0.5 <= options.confidence < 1:
        raise UsageError("a confidence is from 0.5 to below 1", hint="as --confidence 0.95")


def _group(
    name: str, samples: Sequence[LabelledSample], scores: _Scores, options: CalibrateOptions
) -> Group:
    rows = [
        (scores.of_unit(unit, is_directed=sample.is_directed), depends)
        for sample in samples
        for unit, depends in sample.labels.items()
    ]
    return _counted(name, tuple(sample.audit for sample in samples), rows, options)


def _decisions(scores: _Scores, options: CalibrateOptions) -> Group:
    rows = [
        (scores.of_direction(*direction), "accepted" in found)
        for direction, found in sorted(scores.standing.items())
        if len({"accepted", "rejected"} & found) == 1
    ]
    return _counted("decisions", (), rows, options)


def _counted(
    name: str,
    sources: tuple[str, ...],
    rows: Iterable[tuple[float | None, bool]],
    options: CalibrateOptions,
) -> Group:
    rows = list(rows)
    known = [Labelled(score, depends) for score, depends in rows if score is not None]
    reliability = find_reliability(known, options.confidence)
    return Group(name, sources, reliability, len(rows) - len(known))


def _deciding(
    samples: Sequence[LabelledSample], scores: _Scores, name: str | None
) -> LabelledSample | None:
    """Return the audit that decides the cutoff: a sample of what was judged.

    What a person accepted is no such sample: whatever else the judge had kept is not in it.
    """
    able = [
        sample
        for sample in samples
        if not sample.is_of_decisions and sample.kind != "filter" and _labels(sample, scores)
    ]
    if name is None:
        return max(able, key=lambda sample: (_labels(sample, scores), sample.audit), default=None)
    for sample in able:
        if sample.audit == name:
            return sample
    there = ", ".join(sample.audit for sample in able)
    raise UsageError(
        f"the audit {name} cannot decide a cutoff",
        hint=f"these can: {there}" if there else f"none can yet: {_HINT}",
    )


def _labels(sample: LabelledSample, scores: _Scores) -> int:
    return sum(len(stratum.labelled) for stratum in _strata(sample, scores))


def _strata(sample: LabelledSample, scores: _Scores) -> list[ScoredStratum]:
    """Return the strata of a sample, with the units that have a score as they are now."""
    found: list[ScoredStratum] = []
    for name, units in sample.strata.items():
        scored = {
            unit: score
            for unit in units
            if (score := scores.of_unit(unit, is_directed=sample.is_directed)) is not None
        }
        labelled = tuple(
            Labelled(scored[unit], depends)
            for unit, depends in sample.labels.items()
            if unit in scored
        )
        found.append(ScoredStratum(name, tuple(scored.values()), labelled))
    return found
