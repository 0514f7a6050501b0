"""``why``: all evidence for a pair, or what came close where there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vaultgraph.candidates.mentions import Matcher
from vaultgraph.candidates.names import MAXIMUM_OWNERS, is_specific
from vaultgraph.candidates.pairs import Evidence
from vaultgraph.domain.survey import PRIVATE, RECORD, REPORT, UNREADABLE, Survey
from vaultgraph.flows.context import Context, masker_of
from vaultgraph.flows.lookup import find_note
from vaultgraph.flows.pair_scores import DirectionScore, scores_document
from vaultgraph.flows.passages import NoteTexts
from vaultgraph.flows.survey import survey_vault
from vaultgraph.text.frontmatter import split_note
from vaultgraph.text.links import view_body
from vaultgraph.text.prose import fold, fold_name
from vaultgraph.vault.scope import title_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultgraph.domain.notes import NoteId
    from vaultgraph.judge.embedded.judge import EmbeddedJudge


@dataclass(frozen=True, slots=True)
class ShownEvidence:
    """One place that joins two notes, with the line's text, private names masked."""

    note: NoteId
    of: NoteId
    line: int
    kind: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class WhyReport:
    """Why two notes are, or are not, a candidate pair."""

    first: NoteId
    second: NoteId
    is_pair: bool
    evidence: list[ShownEvidence]
    #: Where there is none: what looks like evidence, and why it does not count.
    near: list[str]
    #: What the embedded judge makes of a pair, and the features that counted.
    scores: tuple[DirectionScore, ...]


def shown_evidence(survey: Survey, rows: list[Evidence], texts: NoteTexts) -> list[ShownEvidence]:
    """Return evidence with the text around it; of a name said again in its line, one row."""
    notes = survey.notes
    return [
        ShownEvidence(
            notes[row.note],
            notes[row.of],
            row.line,
            row.kind,
            row.name,
            texts.passage(notes[row.note], row.line, row.name),
        )
        for row in dict.fromkeys(rows)
    ]


def explain_pair(
    context: Context, judge: Callable[[], EmbeddedJudge], first: str, second: str
) -> WhyReport:
    """Return all evidence between two notes and what the judge makes of it, or what came close.

    Raises:
        InputError: one of them is not a note of this vault, or both are the same.
    """
    survey = survey_vault(context.vault, context.notes, context.settings)
    a, b = sorted((find_note(survey, first), find_note(survey, second)))
    texts = NoteTexts(context, masker_of(survey))
    can_pair = survey.can_pair(a) and survey.can_pair(b) and a != b
    rows = _evidence(survey, a, b) if can_pair else []
    near: list[str] = []
    if not rows:
        near = _why_never(survey, a, b)
        near = near or [
            line
            for note, of in ((a, b), (b, a))
            for line in _what_came_close(survey, context, texts, note, of)
        ]
    shown = shown_evidence(survey, rows, texts)
    scores = _scores(context, survey, judge, (a, b)) if rows else ()
    return WhyReport(survey.notes[a], survey.notes[b], bool(rows), shown, near, scores)


def _scores(
    context: Context, survey: Survey, judge: Callable[[], EmbeddedJudge], numbers: tuple[int, int]
) -> tuple[DirectionScore, ...]:
    # What judges takes a tenth of a second to import, and is of no use to two notes that make no
    # pair.
    from vaultgraph.flows.pair_scores import score_both_ways  # noqa: PLC0415
    from vaultgraph.flows.pairs import PairMaker  # noqa: PLC0415

    pair = PairMaker(context, survey, only=numbers).pair(*numbers)
    return score_both_ways(judge(), pair) if pair is not None else ()


def _evidence(survey: Survey, a: int, b: int) -> list[Evidence]:
    pair = {(a, b), (b, a)}
    rows = [
        Evidence(note, to, line, survey.kinds[kind], "")
        for note, to, line, kind in survey.links
        if (note, to) in pair
    ]
    rows += (
        Evidence(note, of, line, "mention", survey.names[name])
        for note, of, name, line in survey.mentions
        if (note, of) in pair
    )
    return sorted(rows)


_WHY_NEVER = (
    (PRIVATE, "is private, and a private note makes no pair"),
    (RECORD, "is a record (it says what was true then), and records make no pair"),
    (REPORT, "is a report that vaultgraph wrote, and reports make no pair"),
    (UNREADABLE, "cannot be read, and so makes no pair"),
)


def _why_never(survey: Survey, a: int, b: int) -> list[str]:
    if a == b:
        return ["a note makes no pair with itself"]
    return [
        f"{survey.notes[note]} {reason}"
        for note in (a, b)
        for flag, reason in _WHY_NEVER
        if survey.flags[note] & flag
    ]


def _what_came_close(
    survey: Survey, context: Context, texts: NoteTexts, note: int, of: int
) -> list[str]:
    """Return what in ``note`` looks as if it pointed at ``of``, and why it does not count."""
    names = context.settings.names
    ignored = {fold_name(name) for name in names.ignore}
    text = split_note(texts.text(survey.notes[note]))
    prose = view_body(text.body).prose
    folded_text = " ".join(fold(text.block + text.rest).split())
    here = survey.notes[note]
    found = [
        f"{here}:{row.line} lists it in {context.settings.keys.of_list(row.in_list)}: a decision,"
        " which is not evidence"
        for row in survey.entries
        if row.note == note and row.to == of
    ]
    aliases = [alias for alias, number in survey.aliases if number == of]
    for name in dict.fromkeys((fold_name(title_of(survey.notes[of])), *aliases)):
        mentions = Matcher([name]).find(prose) if name else []
        if mentions:
            line = mentions[0].line + (text.block.count("\n") + 2 if text.opening else 0)
            reason = _why_not_counted(survey, name, names.minimum_words, ignored)
            found.append(f'{here}:{line} says "{name}", but {reason}')
        elif name and name in folded_text:
            found.append(
                f'{here} holds "{name}" only where it does not count: inside code, a comment,'
                " another link, a property or a longer word, or over a break"
            )
    return found


def _why_not_counted(survey: Survey, name: str, minimum_words: int, ignored: set[str]) -> str:
    if not is_specific(name, minimum_words):
        return f"names count from {minimum_words} words on (minimum-words in config.toml)"
    if name in ignored:
        return "that name is ignored in config.toml"
    for written, owners, counts in survey.ambiguous:
        if fold_name(written) == name and not counts:
            return f"{len(owners)} notes have that name, and more than {MAXIMUM_OWNERS} mean none"
    return "there it is part of a longer name"


def why_document(report: WhyReport) -> dict[str, Any]:
    """Return the report as ``why --json`` documents it."""
    return {
        "first": report.first,
        "second": report.second,
        "pair": report.is_pair,
        "evidence": [
            {
                "note": row.note,
                "of": row.of,
                "line": row.line,
                "kind": row.kind,
                **({"name": row.name} if row.name else {}),
                "text": row.text,
            }
            for row in report.evidence
        ],
        "near": report.near,
        "scores": scores_document(report.scores),
    }
