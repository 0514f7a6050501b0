"""Verdicts as they are kept in the ledger and imported from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.domain.judging import Verdict
from vaultgraph.domain.writing import NewEvent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultgraph.domain.notes import NoteId
    from vaultgraph.domain.writing import LedgerEvent

VERDICT = "verdict"
#: The judge that only orders pairs.
RANKER = "embedded"
_TEXTS = ("judge", "model", "questions", "questions_hash")
_HASHES = ("first_hash", "second_hash")
_NUMBERS = ("first_depends", "second_depends")


class ImportedVerdict(NamedTuple):
    """One line of a verdict file: notes as written there, in either order."""

    first: str
    second: str
    first_depends: float
    second_depends: float
    judge: str
    model: str
    questions: str


def verdict_event(verdict: Verdict) -> NewEvent:
    """Return a verdict as the ledger keeps it; the event's own time is the verdict's."""
    fields = verdict._asdict()
    del fields["at"]
    return NewEvent(VERDICT, fields)


def read_verdict(event: LedgerEvent) -> Verdict | None:
    """Return the verdict an event holds, or ``None`` for any other event."""
    if event.kind != VERDICT:
        return None
    # There may be tens of thousands: one look at each value.
    get: Any = event.payload.get
    first, second, first_depends, second_depends = map(get, ("first", "second", *_NUMBERS))
    texts: Any = (*map(get, _TEXTS), *map(get, _HASHES))
    if {type(text) for text in (first, second, *texts)} != {str}:
        return None
    if not _is_probability(first_depends) or not _is_probability(second_depends):
        return None
    return Verdict._make(
        (first, second, first_depends, second_depends, *texts, event.at.isoformat())
    )


def _is_probability(value: object) -> bool:
    # Not a number is in no order, and so not between the two.
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


class CurrentVerdicts(NamedTuple):
    """The verdicts that count now, and those that no longer do."""

    #: The latest of each pair whose notes still say what was judged, sorted by pair.
    valid: list[Verdict]
    #: The latest of each pair, where a body has changed since; sorted by pair.
    outdated: list[Verdict]


def current_verdicts(
    verdicts: Iterable[Verdict], body_hashes: Mapping[NoteId, str]
) -> CurrentVerdicts:
    """Return the latest verdict of each pair, told apart by whether its bodies still stand.

    A later verdict that is outdated does not hide an earlier one that holds again: a body may
    have been changed back. Nor does the ranker hide what a person or a better judge has said.
    Verdicts come in time order.
    """
    valid: dict[tuple[NoteId, NoteId], Verdict] = {}
    outdated: dict[tuple[NoteId, NoteId], Verdict] = {}
    for verdict in verdicts:
        pair = (verdict.first, verdict.second)
        holds = (
            body_hashes.get(verdict.first) == verdict.first_hash
            and body_hashes.get(verdict.second) == verdict.second_hash
        )
        if holds and verdict.judge == RANKER and valid.get(pair, verdict).judge != RANKER:
            continue
        (valid if holds else outdated)[pair] = verdict
    return CurrentVerdicts(
        [valid[pair] for pair in sorted(valid)],
        [outdated[pair] for pair in sorted(outdated) if pair not in valid],
    )


def parse_imported(fields: object) -> ImportedVerdict:
    """Return what one line of a verdict file says.

    A line holds ``first``, ``second``, ``first_depends`` and ``second_depends``, or for a person's
    list ``dependent``, ``basis`` and, if it is not certain, ``probability``.

    Raises:
        ValueError: it says something else; the text says what.
    """
    if not isinstance(fields, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - one kind of fault for all
    numbers: list[Any]
    if "dependent" in fields or "basis" in fields:
        first, second = fields.get("dependent"), fields.get("basis")
        numbers = [fields.get("probability", 1.0), 0.0]
    else:
        first, second = fields.get("first"), fields.get("second")
        numbers = [fields.get("first_depends"), fields.get("second_depends")]
    if not isinstance(first, str) or not isinstance(second, str):
        raise ValueError("needs first and second, or dependent and basis, as text")  # noqa: TRY004 - likewise
    if not all(_is_probability(number) for number in numbers):
        raise ValueError("needs probabilities from 0 to 1")
    texts = {name: fields.get(name, "") for name in ("judge", "model", "questions")}
    if not all(isinstance(text, str) for text in texts.values()):
        raise ValueError("judge, model and questions must be text")
    judge = texts["judge"] or "imported"
    return ImportedVerdict(
        first,
        second,
        float(numbers[0]),
        float(numbers[1]),
        judge,
        texts["model"],
        texts["questions"],
    )


def ordered_verdict(
    imported: ImportedVerdict, first: NoteId, second: NoteId, body_hashes: Mapping[NoteId, str]
) -> Verdict:
    """Return a verdict about two notes as they are now, in the order of their ids."""
    probabilities = (imported.first_depends, imported.second_depends)
    if second < first:
        first, second = second, first
        probabilities = (probabilities[1], probabilities[0])
    return Verdict(
        first=first,
        second=second,
        first_depends=probabilities[0],
        second_depends=probabilities[1],
        judge=imported.judge,
        model=imported.model,
        questions=imported.questions,
        questions_hash="",
        first_hash=body_hashes[first],
        second_hash=body_hashes[second],
        at="",
    )
