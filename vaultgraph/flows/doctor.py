"""``doctor``: what is odd in a vault, and where our links differ from the app's own."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any
from unicodedata import is_normalized

from vaultgraph.domain.notes import NoteId, VaultFile
from vaultgraph.domain.survey import PRIVATE, Survey
from vaultgraph.flows.compare_links import (
    Comparison,
    compare_links,
    count_links,
    parse_resolved_links,
)
from vaultgraph.flows.context import Context, masker_of, shown_problems, shown_skips
from vaultgraph.flows.survey import survey_vault
from vaultgraph.text.frontmatter import split_note
from vaultgraph.vault.globs import path_matcher
from vaultgraph.vault.privacy import MASK
from vaultgraph.vault.resolve import LinkIndex
from vaultgraph.vault.scope import CONFLICT, decide_scope, title_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultgraph.domain.settings import Settings

#: How alike two notes must be for ``Note 2.md`` to look like a copy of ``Note.md``.
_ALIKE = 0.9


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """What is odd, kind by kind; every list is sorted."""

    root: str
    problems: list[dict[str, Any]]
    #: Notes that share a file name, and names shared through aliases.
    ambiguous: list[tuple[str, list[NoteId]]]
    #: Paths that differ only in letter case.
    case_twins: list[list[NoteId]]
    #: File names in decomposed Unicode, which some tools do not find.
    decomposed: list[str]
    #: (note, line, target): links that reach nothing.
    unresolved: list[tuple[NoteId, int, str]]
    #: (note, line, target, why, reached, other): links that may reach another note than thought.
    doubtful: list[tuple[NoteId, int, str, str, str, str | None]]
    conflict_copies: list[str]
    #: (copy, original): a name such as ``Note 2.md`` with nearly the original's text.
    likely_copies: list[tuple[str, str]]
    #: How the app's own resolved links differ, where they were given.
    comparison: Comparison | None


def examine(context: Context, resolved_links: bytes | None = None) -> DoctorReport:
    """Return what is odd in the vault; ``resolved_links`` is the app's table as JSON.

    Raises:
        InputError: ``resolved_links`` is not such a table.
    """
    theirs = None if resolved_links is None else parse_resolved_links(resolved_links)
    survey = survey_vault(context.vault, context.notes, context.settings)
    listing = context.vault.list_files()
    scope = decide_scope(listing, context.settings, context.vault.read_app_settings())
    facts = context.notes.read(scope.notes, context.settings)
    index = LinkIndex(file.path for file in listing.files)
    public = _public(survey)
    mask = masker_of(survey).mask
    show = _path_shower(survey, context.settings, mask)
    doubtful: list[tuple[NoteId, int, str, str, str, str | None]] = []
    for file, fact in zip(scope.notes, facts, strict=True):
        for target, line, _ in fact.links if file.path in public else ():
            doubt = index.doubtful(target, file.path)
            if doubt is not None:
                reached, other = show(doubt.reached), doubt.other and show(doubt.other)
                row = (NoteId(file.path), line, mask(target), doubt.reason, reached, other)
                doubtful.append(row)
    comparison = None
    if theirs is not None:
        ours = count_links(scope.notes, facts, index)
        comparison = compare_links(ours, theirs, public, scope.skipped, show)
    return DoctorReport(
        root=context.root,
        problems=shown_problems(survey),
        ambiguous=_ambiguous(survey, public),
        case_twins=_case_twins(public),
        decomposed=[
            file.path
            for file in scope.notes
            if file.path in public and not is_normalized("NFC", file.os_path)
        ],
        unresolved=[
            (survey.notes[note], line, mask(target))
            for note, target, line in survey.unresolved
            if survey.notes[note] in public
        ],
        doubtful=doubtful,
        conflict_copies=[s.path for s in shown_skips(survey) if s.reason == CONFLICT],
        likely_copies=_likely_copies(scope.notes, public, context),
        comparison=comparison,
    )


def _public(survey: Survey) -> dict[NoteId, int]:
    return {
        note: number
        for number, note in enumerate(survey.notes)
        if not survey.flags[number] & PRIVATE
    }


def _path_shower(
    survey: Survey, settings: Settings, mask: Callable[[str], str]
) -> Callable[[str], str]:
    """Return what shows a path of the vault, or masks it where it is a private note's."""
    public = _public(survey)
    hidden = {note for note in survey.notes if note not in public}
    is_private = path_matcher(settings.scope.private)
    return lambda path: MASK if path in hidden or is_private(path) else mask(path)


def _ambiguous(survey: Survey, public: dict[NoteId, int]) -> list[tuple[str, list[NoteId]]]:
    titles: defaultdict[str, list[NoteId]] = defaultdict(list)
    for note in public:
        titles[title_of(note).lower()].append(note)
    found = {tuple(notes): title_of(notes[0]) for notes in titles.values() if len(notes) > 1}
    for name, owners, _ in survey.ambiguous:
        found.setdefault(tuple(survey.notes[owner] for owner in owners), name)
    return sorted((name, list(notes)) for notes, name in found.items())


def _case_twins(public: dict[NoteId, int]) -> list[list[NoteId]]:
    paths: defaultdict[str, list[NoteId]] = defaultdict(list)
    for note in public:
        paths[note.lower()].append(note)
    return sorted(notes for notes in paths.values() if len(notes) > 1)


def _likely_copies(
    files: tuple[VaultFile, ...], public: dict[NoteId, int], context: Context
) -> list[tuple[str, str]]:
    """Return notes named like a copy that a file manager made, with nearly the same text."""
    by_path = {file.path: file for file in files if file.path in public}
    found: list[tuple[str, str]] = []
    for path, file in by_path.items():
        stem = path[:-3]
        original = (
            by_path.get(f"{_without_number(stem)}.md") if stem[-1:] in ")0123456789" else None
        )
        if original is not None and original is not file and _alike(context, file, original):
            found.append((path, original.path))
    return sorted(found)


def _without_number(stem: str) -> str:
    """Return ``Note`` for ``Note 2`` and ``Note (1)``, else the stem itself."""
    before, _, number = stem.rpartition(" ")
    digits = number[1:-1] if number.startswith("(") and number.endswith(")") else number
    return before if digits.isdigit() and len(digits) < 3 else stem


def _alike(context: Context, one: VaultFile, other: VaultFile) -> bool:
    from difflib import SequenceMatcher  # noqa: PLC0415 - only where such names occur

    try:
        bodies = [
            split_note(context.vault.read_bytes(file).decode(errors="replace")).body.split()
            for file in (one, other)
        ]
    except OSError:
        return False
    matcher = SequenceMatcher(None, bodies[0], bodies[1], autojunk=False)
    return min(matcher.quick_ratio(), matcher.ratio()) >= _ALIKE


def doctor_document(report: DoctorReport) -> dict[str, Any]:
    """Return the report as ``doctor --json`` documents it."""
    compared = report.comparison
    return {
        "vault": report.root,
        "problems": report.problems,
        "ambiguous": [{"name": name, "notes": notes} for name, notes in report.ambiguous],
        "case_twins": report.case_twins,
        "decomposed": report.decomposed,
        "unresolved": [
            {"note": note, "line": line, "target": target}
            for note, line, target in report.unresolved
        ],
        "doubtful": [
            {
                "note": note,
                "line": line,
                "target": target,
                "reason": reason,
                "reached": reached,
                "other": other,
            }
            for note, line, target, reason, reached, other in report.doubtful
        ],
        "conflict_copies": report.conflict_copies,
        "likely_copies": [{"copy": copy, "of": of} for copy, of in report.likely_copies],
        "differences": compared and [asdict(row) for row in compared.differences],
        "not_read": compared and [asdict(row) for row in compared.not_read],
    }
