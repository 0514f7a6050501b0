"""From notes' facts and mentions to a survey: links resolved, names given to their owners."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vaultgraph.domain.notes import Closing, NoteFacts, NoteId, Problem
from vaultgraph.domain.survey import (
    NO_HASH,
    PRIVATE,
    RECORD,
    REPORT,
    UNREADABLE,
    Columns,
    EntryRow,
    Survey,
)
from vaultgraph.text.prose import fold_name
from vaultgraph.vault.closing import closing_rule
from vaultgraph.vault.privacy import Masker
from vaultgraph.vault.scope import Scope, title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultgraph.candidates.names import Names
    from vaultgraph.domain.ports import NoteMentions
    from vaultgraph.domain.settings import Settings
    from vaultgraph.vault.resolve import LinkIndex


def gather(
    scope: Scope,
    facts: Sequence[NoteFacts],
    names: Names,
    mentions: Sequence[NoteMentions],
    index: LinkIndex,
    settings: Settings,
) -> Survey:
    """Return the survey of the notes in ``scope``; the four sequences run in step with them."""
    notes = tuple(NoteId(file.path) for file in scope.notes)
    numbers = {note: number for number, note in enumerate(notes)}
    flags = bytes(_flags(note, fact, scope) for note, fact in zip(notes, facts, strict=True))
    links, kinds, unresolved = _resolve_links(notes, facts, numbers, index)
    private_names = _private_names(notes, facts, flags, scope)
    mask = Masker(private_names).mask
    return Survey(
        notes=notes,
        flags=flags,
        body_hashes=b"".join(fact.body_hash or NO_HASH for fact in facts),
        closings={
            number: replace(closing, sign=mask(closing.sign), on=mask(closing.on))
            for number, closing in _closings(notes, facts, scope, flags, index, settings).items()
        },
        reviewed={number: fact.reviewed for number, fact in enumerate(facts) if fact.reviewed},
        links=links,
        # A property may be called like a private note.
        kinds=tuple(map(mask, kinds)),
        unresolved=unresolved,
        entries=_entries(notes, facts, numbers, index),
        mentions=_mentions(flags, names, mentions),
        names=tuple(name.written for name in names.names),
        aliases=tuple(
            (fold_name(alias), number)
            for number, fact in enumerate(facts)
            for alias in fact.aliases
        ),
        ambiguous=tuple(
            (name.written, name.owners, name.counts)
            for name in names.ambiguous()
            if not any(flags[owner] & PRIVATE for owner in name.owners)
        ),
        private_names=private_names,
        skipped=scope.skipped,
        problems=_problems(notes, facts, scope, flags, index, settings),
    )


def _flags(note: NoteId, facts: NoteFacts, scope: Scope) -> int:
    return (
        (0 if facts.is_readable else UNREADABLE)
        | (RECORD if note in scope.records else 0)
        | (PRIVATE if facts.is_private or note in scope.private else 0)
        | (REPORT if facts.is_report else 0)
    )


def _resolve_links(
    notes: tuple[NoteId, ...],
    facts: Sequence[NoteFacts],
    numbers: dict[NoteId, int],
    index: LinkIndex,
) -> tuple[Columns, tuple[str, ...], tuple[tuple[int, str, int], ...]]:
    links = Columns()
    kinds: dict[str, int] = {}
    unresolved: list[tuple[int, str, int]] = []
    for number, (note, fact) in enumerate(zip(notes, facts, strict=True)):
        for target, line, kind in fact.links:
            path = index.resolve(target, note)
            if path is None:
                unresolved.append((number, target, line))
                continue
            to = numbers.get(NoteId(path))
            # A picture, a template, the note itself: reached, and no link between notes.
            if to is not None and to != number:
                links.add(number, to, line, kinds.setdefault(kind, len(kinds)))
        unresolved += (
            (number, target, line)
            for _, target, line in fact.entries
            if index.resolve(target, note) is None
        )
    return links, tuple(kinds), tuple(unresolved)


def _entries(
    notes: tuple[NoteId, ...],
    facts: Sequence[NoteFacts],
    numbers: dict[NoteId, int],
    index: LinkIndex,
) -> tuple[EntryRow, ...]:
    rows: list[EntryRow] = []
    for number, (note, fact) in enumerate(zip(notes, facts, strict=True)):
        for in_list, target, line in fact.entries:
            path = index.resolve(target, note)
            to = None if path is None else numbers.get(NoteId(path))
            rows.append(EntryRow(number, to, in_list, target, line))
    return tuple(rows)


def _closings(
    notes: tuple[NoteId, ...],
    facts: Sequence[NoteFacts],
    scope: Scope,
    flags: bytes,
    index: LinkIndex,
    settings: Settings,
) -> dict[int, Closing]:
    # A private successor may not be named, so it counts as not given.
    public = {note for note, flag in zip(notes, flags, strict=True) if not flag & PRIVATE}

    def resolve(target: str, note: NoteId) -> NoteId | None:
        path = index.resolve(target, note)
        return NoteId(path) if path is not None and path in public else None

    decide = closing_rule(settings, resolve)
    closings: dict[int, Closing] = {}
    for number, (note, fact) in enumerate(zip(notes, facts, strict=True)):
        closing = decide(note, fact, note in scope.archived)
        if closing is not None:
            closings[number] = closing
    return closings


def _mentions(flags: bytes, names: Names, mentions: Sequence[NoteMentions]) -> Columns:
    rows = Columns()
    table = names.names
    for number, found in enumerate(mentions):
        if not found or flags[number]:
            continue
        for name, line in found:
            _, _, owners, counts = table[name]
            # What a note says about its own name is about itself, whoever else has the name.
            if counts and number not in owners:
                for owner in owners:
                    if not flags[owner]:
                        rows.add(number, owner, name, line)
    return rows


def _private_names(
    notes: tuple[NoteId, ...], facts: Sequence[NoteFacts], flags: bytes, scope: Scope
) -> tuple[str, ...]:
    found = {fold_name(title) for title in scope.private_titles}
    for number, flag in enumerate(flags):
        if flag & PRIVATE:
            found.add(fold_name(title_of(notes[number])))
            found.update(fold_name(alias) for alias in facts[number].aliases)
    return tuple(sorted(found))


def _problems(
    notes: tuple[NoteId, ...],
    facts: Sequence[NoteFacts],
    scope: Scope,
    flags: bytes,
    index: LinkIndex,
    settings: Settings,
) -> tuple[Problem, ...]:
    problems = list(scope.problems)
    for number, fact in enumerate(facts):
        if flags[number] & PRIVATE:
            continue
        note = notes[number]
        problems += (Problem(note, *fault) for fault in fact.faults)
        for in_list, target, line in fact.entries:
            if index.resolve(target, note) is None:
                key = settings.keys.of_list(in_list)
                text = f"an entry of {key} reaches no note: {target}"
                problems.append(Problem(note, line, "lost-entry", text))
    return tuple(sorted(problems))
