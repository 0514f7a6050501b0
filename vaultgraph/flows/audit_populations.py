"""What an audit may draw from: notes, dependencies or pairs, as the vault holds them now.

Private notes, records and our own reports are never units.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.audit.drawing import CANDIDATES, NOTES
from vaultgraph.audit.units import Population, UnitId, pair_unit
from vaultgraph.candidates.pairs import candidate_pairs
from vaultgraph.errors import InputError, UsageError
from vaultgraph.flows.audit_filters import DECIDED, PROPOSED, Filters, check_filters
from vaultgraph.flows.known_verdicts import known_verdicts
from vaultgraph.flows.survey import survey_vault
from vaultgraph.flows.writing import files_by_note, standing_entries
from vaultgraph.text.frontmatter import split_note
from vaultgraph.text.links import view_body
from vaultgraph.vault.closing import status_word
from vaultgraph.vault.globs import path_matcher
from vaultgraph.vault.properties import load_block

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultgraph.audit.registration import Kind
    from vaultgraph.domain.judging import Verdict
    from vaultgraph.domain.notes import EntryList, NoteId, VaultFile
    from vaultgraph.domain.survey import Survey
    from vaultgraph.domain.writing import KeepsEvents
    from vaultgraph.flows.context import Context

_TAG = re.compile(r"(?<!\S)#([^\s#,;.!?()\[\]{}'\"]+)")
KEPT, MIDDLE, BELOW = "kept", "middle", "below"


class Described(NamedTuple):
    """A population, in words, and with what decides it."""

    population: Population
    what: str
    definition: dict[str, str]


def find_population(
    context: Context, ledger: KeepsEvents, kind: Kind, filters: Filters
) -> Described:
    """Return the population of a stock audit.

    Raises:
        InputError: it is empty.
        UsageError: the filters do not fit the kind.
    """
    survey = survey_vault(context.vault, context.notes, context.settings)
    if kind == "custom":
        raise UsageError(
            "a custom audit lists its units", hint="write them to a file and give --from FILE"
        )
    check_filters(kind, filters)
    match kind:
        case "staleness":
            described = _plan_notes(context, survey, filters)
        case "precision" if filters.source == PROPOSED:
            described = _proposed(context, survey, ledger, filters)
        case "precision" | "rereview":
            described = _entries(survey, filters)
        case "recall":
            described = _judged(context, survey, ledger, filters)
        case _:
            described = _non_candidates(survey)
    is_empty = not any(described.population.units.values())
    if is_empty or (kind == "recall" and KEPT not in described.population.units):
        raise InputError(
            f"there is nothing to draw from: {described.what}: none", hint=_HINTS[kind]
        )
    return described


_HINTS = {
    "staleness": "widen --folder, --tag or --status",
    "precision": "accept dependencies first with vaultgraph review, or give --source proposed",
    "rereview": "accept dependencies first with vaultgraph review",
    "recall": "judge pairs first with vaultgraph judge",
    "filter": "the vault needs two notes that are no candidates",
}


def _plan_notes(context: Context, survey: Survey, filters: Filters) -> Described:
    in_folder = path_matcher(filters.folders) if filters.folders else lambda _: True
    files = files_by_note(context)
    found = [
        note
        for number, note in enumerate(survey.notes)
        if survey.can_pair(number)
        and number not in survey.closings
        and in_folder(note)
        and _has_properties(context, files.get(note), filters)
    ]
    parts = [
        f"{name} {' or '.join(values)}"
        for name, values in (
            ("in", filters.folders),
            ("tagged", filters.tags),
            ("with status", filters.statuses),
        )
        if values
    ]
    definition = {
        "folders": ", ".join(filters.folders),
        "tags": ", ".join(filters.tags),
        "statuses": ", ".join(filters.statuses),
    }
    what = " ".join(["live notes", *parts]) + "; no records"
    return _described({"all": map(UnitId, found)}, what, definition)


def _has_properties(context: Context, file: VaultFile | None, filters: Filters) -> bool:
    if not filters.tags and not filters.statuses:
        return True
    if file is None:
        return False
    try:
        parts = split_note(context.vault.read_bytes(file).decode())
        properties = load_block(parts.block) if parts.opening else {}
    except (OSError, ValueError):
        return False
    statuses = {
        status_word(text)
        for key in context.settings.status.keys
        for text in _texts(properties.get(key))
    }
    if filters.statuses and statuses.isdisjoint(map(status_word, filters.statuses)):
        return False
    tags = {tag.casefold() for tag in _tags(properties, parts.body)} if filters.tags else set()
    wanted = [tag.removeprefix("#").casefold() for tag in filters.tags]
    return not wanted or any(
        tag == name or tag.startswith(f"{name}/") for tag in tags for name in wanted
    )


def _tags(properties: Mapping[str, Any], body: str) -> Iterable[str]:
    for key in ("tags", "tag"):
        for text in _texts(properties.get(key)):
            yield from (part.removeprefix("#") for part in re.split(r"[,\s]+", text))
    yield from _TAG.findall(view_body(body)[1])


def _texts(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [str(item) for item in values if item is not None]


def _entries(survey: Survey, filters: Filters) -> Described:
    lists: tuple[EntryList, ...] = ("accepted",)
    if filters.source == DECIDED:
        lists = ("accepted", "rejected")
    standing = standing_entries(survey)
    public = _units(survey)
    strata: dict[str, Iterable[UnitId]] = {
        name: [
            pair_unit(*direction)
            for direction, found in standing.items()
            if name in found and public.issuperset(direction)
        ]
        for name in lists
    }
    what = " and ".join(f"{name} dependencies" for name in lists)
    return _described(strata, what, {"source": filters.source})


def _proposed(
    context: Context, survey: Survey, ledger: KeepsEvents, filters: Filters
) -> Described:
    cutoff = context.settings.proposals.cutoff if filters.cutoff is None else filters.cutoff
    verdicts = _verdicts(survey, ledger, filters)
    directions = [
        direction
        for v in verdicts
        for direction, score in (
            ((v.first, v.second), v.first_depends),
            ((v.second, v.first), v.second_depends),
        )
        if score >= cutoff
    ]
    what = f"directions judged at {cutoff:g} or above"
    definition = {"source": PROPOSED, "cutoff": f"{cutoff:g}", **_judges(verdicts)}
    return _described({PROPOSED: (pair_unit(*d) for d in directions)}, what, definition)


def _judged(context: Context, survey: Survey, ledger: KeepsEvents, filters: Filters) -> Described:
    proposals = context.settings.proposals
    cutoff = proposals.cutoff if filters.cutoff is None else filters.cutoff
    middle = min(proposals.middle if filters.middle is None else filters.middle, cutoff)
    verdicts = _verdicts(survey, ledger, filters)
    strata: dict[str, list[UnitId]] = {KEPT: [], MIDDLE: [], BELOW: []}
    for v in verdicts:
        score = max(v.first_depends, v.second_depends)
        name = KEPT if score >= cutoff else MIDDLE if score >= middle else BELOW
        strata[name].append(pair_unit(v.first, v.second))
    definition = {"cutoff": f"{cutoff:g}", "middle": f"{middle:g}", **_judges(verdicts)}
    what = "judged pairs, by the higher of their two scores"
    return _described(strata, what, definition)


def _verdicts(survey: Survey, ledger: KeepsEvents, filters: Filters) -> list[Verdict]:
    known = known_verdicts(survey, ledger.read().events)
    public = _units(survey)
    return [
        verdict
        for verdict in known.valid
        if public.issuperset((verdict.first, verdict.second))
        and filters.judge in (None, verdict.judge)
    ]


def _judges(verdicts: Iterable[Verdict]) -> dict[str, str]:
    """Return who judged, and by which questions: part of what an estimate is about."""
    judges = sorted({f"{v.judge} {v.model}".strip() for v in verdicts})
    questions = sorted({f"{v.questions} {v.questions_hash}".strip() for v in verdicts} - {""})
    return {"judges": ", ".join(judges), "questions": ", ".join(questions)}


def _non_candidates(survey: Survey) -> Described:
    notes = [note for number, note in enumerate(survey.notes) if survey.can_pair(number)]
    pairs = (
        pair_unit(survey.notes[first], survey.notes[second])
        for first, second in candidate_pairs(survey)
    )
    strata = {NOTES: map(UnitId, notes), CANDIDATES: pairs}
    return _described(strata, "unordered pairs of notes that are no candidates", {})


def _units(survey: Survey) -> frozenset[NoteId]:
    return frozenset(note for number, note in enumerate(survey.notes) if survey.can_pair(number))


def _described(
    strata: Mapping[str, Iterable[UnitId]], what: str, definition: Mapping[str, str]
) -> Described:
    units = {name: tuple(sorted(set(found))) for name, found in strata.items()}
    return Described(
        Population({name: found for name, found in units.items() if found or name == CANDIDATES}),
        what,
        {key: value for key, value in definition.items() if value},
    )
