"""Which of a vault's files are notes to read, and which of those can make pairs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.domain.notes import Listing, NoteFacts, NoteId, Problem, Skip, VaultFile
from vaultgraph.vault.globs import path_matcher
from vaultgraph.vault.privacy import MASK

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultgraph.domain.settings import AppSettings, Settings

_CONFLICT_COPY = re.compile(
    r"\(conflicted copy .+\)\Z"  # Obsidian Sync
    r"|\.sync-conflict-[0-9]{8}-[0-9]{6}(?:-[a-z0-9]+)?\Z"  # Syncthing
    r"|\(.*'s conflicted copy .+\)\Z",  # Dropbox
    re.IGNORECASE,
)
_DATE_TITLE = re.compile(
    r"(?:[0-9]{4}[-._ ]?(?:0[1-9]|1[0-2])[-._ ]?(?:0[1-9]|[12][0-9]|3[01])(?![0-9A-Za-z]).*"
    r"|[0-9]{4}(?:[-._ ]?(?:W[0-9]{2}|Q[1-4])|[-._](?:0[1-9]|1[0-2])))\Z",
    re.IGNORECASE | re.DOTALL,
)
#: moment.js tokens as they may appear in a daily note's format, longest first.
_MOMENT = {
    "YYYY": "[0-9]{4}",
    "GGGG": "[0-9]{4}",
    "gggg": "[0-9]{4}",
    "YY": "[0-9]{2}",
    "MMMM": r"[^\W\d_]+",
    "MMM": r"[^\W\d_]+\.?",
    "MM": "[0-9]{2}",
    "Mo": "[0-9]{1,2}[a-z]{2}",
    "M": "[0-9]{1,2}",
    "DDDD": "[0-9]{3}",
    "DDD": "[0-9]{1,3}",
    "DD": "[0-9]{2}",
    "Do": "[0-9]{1,2}[a-z]{2}",
    "D": "[0-9]{1,2}",
    "dddd": r"[^\W\d_]+",
    "ddd": r"[^\W\d_]+\.?",
    "dd": r"[^\W\d_]+",
    "d": "[0-6]",
    "WW": "[0-9]{2}",
    "ww": "[0-9]{2}",
    "W": "[0-9]{1,2}",
    "w": "[0-9]{1,2}",
    "Q": "[1-4]",
}
_FORMAT_PART = re.compile(r"\[([^\]]*)\]|" + "|".join(_MOMENT) + "|(.)", re.DOTALL)

TEMPLATE, EXCLUDED, NOT_INCLUDED = (
    "template folder",
    "excluded by config",
    "not included by config",
)
IGNORED, CONFLICT = "excluded in Obsidian", "conflict copy"


class Scope(NamedTuple):
    """The notes to read, sorted by path, and everything left out with the reason."""

    notes: tuple[VaultFile, ...]
    #: Of the notes, the ones that are records and the ones private by folder or glob.
    records: frozenset[NoteId]
    private: frozenset[NoteId]
    archived: frozenset[NoteId]
    #: Names of private notes that are left out: they are masked all the same.
    private_names: frozenset[str]
    skipped: tuple[Skip, ...]
    problems: tuple[Problem, ...]


def title_of(path: str) -> str:
    """Return a note's title: its file name without ``.md``."""
    name = path.rpartition("/")[2]
    return name[:-3] if name.lower().endswith(".md") else name


def is_conflict_copy(title: str) -> bool:
    """Whether a title has the shape a sync tool gives to a copy it could not merge."""
    return "conflict" in title.lower() and _CONFLICT_COPY.search(title) is not None


def has_date_title(title: str) -> bool:
    """Whether a title begins with a date, or is a week, month or quarter; ``1984`` is none."""
    return title[:1].isdigit() and _DATE_TITLE.match(title) is not None


def decide_scope(listing: Listing, settings: Settings, app: AppSettings) -> Scope:
    """Return which files are read as notes, and what each of them is."""
    rules = settings.scope
    skip_reason = _skip_rule(settings, app)
    is_daily = _daily_rule(app)
    is_record = path_matcher(rules.records)
    is_private = path_matcher(rules.private)
    is_archived = path_matcher(rules.archives)
    ignored, problems = _ignore_rule(app)
    notes: list[VaultFile] = []
    skipped: list[Skip] = []
    records, private, archived, private_names = set(), set(), set(), set()

    def leave_out(path: str, reason: str) -> None:
        # A private name stands nowhere, not even among what is left out.
        if is_private(path):
            private_names.add(title_of(path))
            path = _masked(path)
        skipped.append(Skip(path, reason))

    for skip in listing.skipped:
        leave_out(*skip)
    for file in listing.files:
        if file.stamp is None:
            continue
        path = file.path
        reason = skip_reason(path) or (IGNORED if ignored(path) else None)
        if reason is not None:
            leave_out(path, reason)
            continue
        note = NoteId(path)
        notes.append(file)
        if is_private(path):
            private.add(note)
        # An archive is a folder: a note that happens to be called "Archive" is in none.
        if is_archived(path.rpartition("/")[0]):
            archived.add(note)
        if (
            (rules.date_titles and has_date_title(title_of(path)))
            or is_daily(path)
            or is_record(path)
        ):
            records.add(note)
    problems += [Problem(name, 0, "app-settings", why) for name, why in app.unreadable]
    problems += [
        Problem(folder, 0, "nested-vault", "is a vault inside this one; its notes are read, too")
        for folder in listing.nested
        if not is_private(folder)
    ]
    return Scope(
        tuple(notes),
        frozenset(records),
        frozenset(private),
        frozenset(archived),
        frozenset(private_names),
        tuple(sorted(skipped)),
        tuple(sorted(problems)),
    )


def hide_private(
    scope: Scope, listing: Listing, facts_of: Callable[[VaultFile], NoteFacts]
) -> Scope:
    """Return ``scope`` with the skipped notes masked that say themselves that they are private.

    One that cannot be read may say so, and is masked as well.
    """
    named = {skip.path for skip in scope.skipped}
    hidden: set[str] = set()
    names: set[str] = set()
    for file in listing.files:
        if file.stamp is None or file.path not in named:
            continue
        facts = facts_of(file)
        if facts.is_private or not facts.is_readable:
            hidden.add(file.path)
            names.update((title_of(file.path), *facts.aliases))
    skipped = (Skip(_masked(s.path), s.reason) if s.path in hidden else s for s in scope.skipped)
    return scope._replace(
        skipped=tuple(sorted(skipped)), private_names=scope.private_names | names
    )


def _masked(path: str) -> str:
    return "" if path[-3:].lower() == ".md" else MASK


def _skip_rule(settings: Settings, app: AppSettings) -> Callable[[str], str | None]:
    rules = settings.scope
    is_template = path_matcher(f"{_literal(folder)}/**" for folder in app.template_folders)
    is_excluded = path_matcher(rules.exclude)
    is_included = path_matcher(rules.include) if rules.include else lambda _path: True

    def reason(path: str) -> str | None:
        if is_conflict_copy(title_of(path)):
            return CONFLICT
        if is_template(path):
            return TEMPLATE
        if is_excluded(path):
            return EXCLUDED
        return None if is_included(path) else NOT_INCLUDED

    return reason


def _literal(folder: str) -> str:
    """Return a glob that matches exactly this folder's name."""
    return re.sub(r"([*?\[])", r"[\1]", folder)


def _ignore_rule(app: AppSettings) -> tuple[Callable[[str], bool], list[Problem]]:
    """Return Obsidian's "Excluded files" test, and the filters that Python cannot read."""
    patterns: list[re.Pattern[str]] = []
    problems: list[Problem] = []
    for written in app.ignore_filters:
        if len(written) > 2 and written.startswith("/") and written.endswith("/"):
            expression = written[1:-1]
        else:
            expression = f"^{re.escape(written)}"
        if not written:
            continue
        try:
            patterns.append(re.compile(expression, re.IGNORECASE))
        except re.error:
            text = f"the excluded-files filter {written} cannot be read here, so it hides nothing"
            problems.append(Problem("app.json", 0, "ignore-filter", text))
    return (lambda path: any(p.search(path) for p in patterns)), problems


def _daily_rule(app: AppSettings) -> Callable[[str], bool]:
    """Return whether a path is a daily note by the core plugin's folder and format."""
    if app.daily_folder is None:
        return lambda _path: False
    expression = ""
    for part in _FORMAT_PART.finditer(app.daily_format):
        literal = part.group(1) if part.group(1) is not None else part.group(2)
        expression += re.escape(literal) if literal is not None else _MOMENT[part.group()]
    folder = f"{re.escape(app.daily_folder)}/" if app.daily_folder else ""
    pattern = re.compile(rf"{folder}{expression}\.md", re.IGNORECASE)
    return lambda path: pattern.fullmatch(path) is not None
