"""What a run of a judge and a look at one are built from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vaultgraph.cli.output import Output, shown
from vaultgraph.cli.wiring import vault_root
from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from vaultgraph.domain.judging import QuestionSet
    from vaultgraph.domain.settings import JudgeSettings
    from vaultgraph.flows.judge import JudgeOptions
    from vaultgraph.flows.pair_scores import DirectionScore
    from vaultgraph.flows.writing import WritingContext
    from vaultgraph.judge.embedded.judge import EmbeddedJudge
    from vaultgraph.judge.pair_text import TextRules


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What narrows and steers a run, as given on the command line."""

    only: str | None
    limit: int | None
    max_cost: float | None
    price: float | None
    recut: bool
    yes: bool
    dry_run: bool
    as_json: bool
    cache: bool

    def flow(self) -> JudgeOptions:
        """Return what the flow needs of it."""
        from vaultgraph.flows.judge import JudgeOptions

        return JudgeOptions(self.limit, self.only, self.max_cost)


def questions_of(ctx: Any, settings: JudgeSettings) -> QuestionSet:  # noqa: ANN401
    """Return the question set that the settings name."""
    from vaultgraph.effects.prompts import read_question_set

    return read_question_set(settings.questions, vault_root(ctx.obj))


def embedded_judge(settings: JudgeSettings) -> EmbeddedJudge:
    """Return the judge that is part of the package."""
    from vaultgraph.judge.embedded.judge import EmbeddedJudge

    try:
        return EmbeddedJudge(prior=settings.prior or None)
    except ValueError as error:
        raise InputError(
            f"judge.prior in config.toml: {error}", hint="0.3 is a usual one"
        ) from None


def text_rules(context: WritingContext, settings: JudgeSettings) -> TextRules:
    """Return how the text of a pair is made in this vault."""
    from vaultgraph.flows.context import masker_of
    from vaultgraph.flows.survey import survey_vault
    from vaultgraph.judge.pair_text import TextRules

    reading = context.reading
    survey = survey_vault(reading.vault, reading.notes, reading.settings)
    keys = reading.settings.status.keys
    return TextRules(masker_of(survey), settings.tokens_per_note, status_names=keys)


def print_scores(stream: Output, scores: tuple[DirectionScore, ...]) -> None:
    """Print what the embedded judge makes of a pair, why, and what it is."""
    for row in scores:
        stream.line(
            f"  {row.score:.2f}  {shown(row.dependent)}",
            ("  depends on  ", "dim"),
            shown(row.basis),
            indent=8,
        )
        for reason in row.reasons:
            stream.line(f"        {shown(reason)}", indent=10)
    stream.note(
        "+ counts for a dependency, - against it. This judge is a ranker: its scores put pairs in"
        " order and are no probabilities."
    )
