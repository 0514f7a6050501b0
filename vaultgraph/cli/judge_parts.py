"""What both a run of a judge and a look at one are built from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vaultgraph.cli.wiring import vault_root

if TYPE_CHECKING:
    from vaultgraph.domain.judging import QuestionSet
    from vaultgraph.domain.settings import JudgeSettings
    from vaultgraph.flows.writing import WritingContext
    from vaultgraph.judge.embedded.judge import EmbeddedJudge
    from vaultgraph.judge.pair_text import TextRules


def questions_of(ctx: Any, settings: JudgeSettings) -> QuestionSet:  # noqa: ANN401
    """Return the question set that the settings name."""
    from vaultgraph.effects.prompts import read_question_set

    return read_question_set(settings.questions, vault_root(ctx.obj))


def embedded_judge(settings: JudgeSettings) -> EmbeddedJudge:
    """Return the judge that is part of the package."""
    from vaultgraph.judge.embedded.judge import EmbeddedJudge

    return EmbeddedJudge(prior=settings.prior or None)


def text_rules(context: WritingContext, settings: JudgeSettings) -> TextRules:
    """Return how the text of a pair is made in this vault."""
    from vaultgraph.flows.context import masker_of
    from vaultgraph.flows.survey import survey_vault
    from vaultgraph.judge.pair_text import TextRules

    reading = context.reading
    survey = survey_vault(reading.vault, reading.notes, reading.settings)
    keys = reading.settings.status.keys
    return TextRules(masker_of(survey), settings.tokens_per_note, status_names=keys)
