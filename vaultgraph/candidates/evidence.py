"""From notes' facts and mentions to a survey: links resolved, names given to their owners."""

from __future__ import annotations

from array import array
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from vaultgraph.domain.notes import Closing, NoteFacts, NoteId, Problem
from vaultgraph.domain.survey import (
    HASH_SIZE,
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
    from collections.abc import Callable, Iterator, Sequence

    from vaultgraph.candidates.names import Names
    from vaultgraph.domain.ports import NoteMentions
    from vaultgraph.domain.settings import Settings
    from vaultgraph.vault.resolve import LinkIndex

_Row = TypeVar("_Row", bound=tuple[Any, ...])

#: What a link reaches, besides notes by number.
_NOTHING, _NO_NOTE, _UNKNOWN = -1, -2, -3


class Found(NamedTuple):
    """Some of a vault's notes and what stands in them; the four sequences run in step."""

    #: Numbers in the survey, growing.
    numbers: Sequence[int]
    notes: Sequence[NoteId]
    facts: Sequence[NoteFacts]
    mentions: Sequence[NoteMentions]


class Vault(NamedTuple):
    """What the notes found are part of."""

    #: Every note's number, and its flags by number.
    numbers: dict[NoteId, int]
    flags: bytes
    scope: Scope
    names: Names
    link_index: LinkIndex
    settings: Settings


def gather(
    scope: Scope,
    facts: Sequence[NoteFacts],
    names: Names,
    mentions: Sequence[NoteMentions],
    index: LinkIndex,
    settings: Settings,
) -> Survey:
    """Return the survey of the notes in ``scope``; facts and mentions run in step with them."""
    notes = tuple([NoteId(file.path) for file in scope.notes])
    flags = bytes([_flags(note, fact, scope) for note, fact in zip(notes, facts, strict=True)])
    vault = Vault(
        {note: number for number, note in enumerate(notes)}, flags, scope, names, index, settings
    )
    found = Found(range(len(notes)), notes, facts, mentions)
    private_names = _private_names(notes, facts, flags, scope)
    mask = Masker(private_names).mask
    kinds: dict[str, int] = {}
    links, unresolved = _resolve_links(found, vault, kinds)
    return Survey(
        notes=notes,
        flags=flags,
        body_hashes=b"".join([fact.body_hash or NO_HASH for fact in facts]),
        closings=_closings(found, vault, mask),
        reviewed={number: fact.reviewed for number, fact in enumerate(facts) if fact.reviewed},
        links=links,
        # A property may be called like a private note.
        kinds=tuple(map(mask, kinds)),
        unresolved=unresolved,
        entries=_entries(found, vault),
        mentions=_mentions(found, vault),
        names=tuple([name.written for name in names.names]),
        aliases=tuple(
            [
                (fold_name(alias), number)
                for number, fact in enumerate(facts)
                for alias in fact.aliases
            ]
        ),
        ambiguous=tuple(
            (name.written, name.owners, name.counts)
            for name in names.ambiguous()
            if not any(flags[owner] & PRIVATE for owner in name.owners)
        ),
        private_names=private_names,
        skipped=scope.skipped,
        problems=tuple(sorted([*scope.problems, *_problems(found, vault)])),
    )


def has_same_standing(was: NoteFacts, now: NoteFacts) -> bool:
    """Whether nothing that other notes' rows depend on differs between a note's facts."""
    return (
        was.aliases == now.aliases
        and was.is_private == now.is_private
        and was.is_report == now.is_report
        and was.is_readable == now.is_readable
    )


def gather_again(
    survey: Survey,
    numbers: Sequence[int],
    scope: Scope,
    facts: Sequence[NoteFacts],
    names: Names,
    mentions: Sequence[NoteMentions],
    index: LinkIndex,
    settings: Settings,
) -> Survey:
    """Return ``survey`` with the rows of the notes ``numbers``, growing, made anew.

    It equals what ``gather`` gives for all notes, as long as the same notes are there under the
    same settings, and the ones made anew have the standing that they had. ``scope``, facts and
    mentions are those of the notes made anew; ``index`` need only know what these may link to.
    """
    all_numbers = {note: number for number, note in enumerate(survey.notes)}
    vault = Vault(all_numbers, survey.flags, scope, names, index, settings)
    notes = [survey.notes[number] for number in numbers]
    found = Found(numbers, notes, facts, mentions)
    anew, notes_anew = set(numbers), set(notes)
    mask = Masker(survey.private_names).mask
    kinds = {kind: number for number, kind in enumerate(survey.kinds)}
    links, unresolved = _resolve_links(found, vault, kinds)
    hashes = bytearray(survey.body_hashes)
    for number, fact in zip(numbers, facts, strict=True):
        start = HASH_SIZE * number
        hashes[start : start + HASH_SIZE] = fact.body_hash or NO_HASH
    closings = {n: closing for n, closing in survey.closings.items() if n not in anew}
    closings.update(_closings(found, vault, mask))
    reviewed = {n: text for n, text in survey.reviewed.items() if n not in anew}
    reviewed.update((n, f.reviewed) for n, f in zip(numbers, facts, strict=True) if f.reviewed)
    problems = [problem for problem in survey.problems if problem.path not in notes_anew]
    all_links, order = _with_kinds_as_met(survey.links.with_rows_of(numbers, links))
    kinds_known = (*survey.kinds, *map(mask, list(kinds)[len(survey.kinds) :]))
    return replace(
        survey,
        body_hashes=bytes(hashes),
        closings=dict(sorted(closings.items())),
        reviewed=dict(sorted(reviewed.items())),
        links=all_links,
        kinds=tuple([kinds_known[kind] for kind in order]),
        unresolved=_merged(survey.unresolved, unresolved, anew),
        entries=_merged(survey.entries, _entries(found, vault), anew),
        mentions=survey.mentions.with_rows_of(numbers, _mentions(found, vault)),
        problems=tuple(sorted([*problems, *_problems(found, vault)])),
    )


def _with_kinds_as_met(links: Columns) -> tuple[Columns, list[int]]:
    """Return the links with their kinds numbered in the order met, and the old number of each."""
    order = list(dict.fromkeys(links.columns[3]))
    if order != list(range(len(order))):
        number_of = {kind: number for number, kind in enumerate(order)}
        kinds = links.columns[3]
        kinds[:] = array("I", [number_of[kind] for kind in kinds])
    return links, order


def _merged(rows: tuple[_Row, ...], new: tuple[_Row, ...], anew: set[int]) -> tuple[_Row, ...]:
    """Return the rows of all notes by their number, those of the notes ``anew`` being ``new``."""
    kept = [row for row in rows if row[0] not in anew]
    return tuple(sorted([*kept, *new], key=itemgetter(0)))


def _flags(note: NoteId, facts: NoteFacts, scope: Scope) -> int:
    return (
        (0 if facts.is_readable else UNREADABLE)
        | (RECORD if note in scope.records else 0)
        | (PRIVATE if facts.is_private or note in scope.private else 0)
        | (REPORT if facts.is_report else 0)
    )


def _resolve_links(
    found: Found, vault: Vault, kinds: dict[str, int]
) -> tuple[Columns, tuple[tuple[int, str, int], ...]]:
    """Return the links that reach a note, and those that reach nothing; adds new ``kinds``."""
    rows: list[int] = []
    unresolved: list[tuple[int, str, int]] = []
    # Most targets reach the same from everywhere, and most stand in several notes.
    reached: dict[str, int] = {}
    for number, note, fact in zip(found.numbers, found.notes, found.facts, strict=True):
        for target, line, kind in fact.links:
            to = reached.get(target, _UNKNOWN)
            if to == _UNKNOWN:
                to, is_settled = _reach(target, note, vault)
                if is_settled:
                    reached[target] = to
            if to >= 0:
                if to != number:
                    rows += (number, to, line, kinds.setdefault(kind, len(kinds)))
            elif to == _NOTHING:
                unresolved.append((number, target, line))
        if fact.entries:
            unresolved += [
                (number, target, line)
                for _, target, line in fact.entries
                if vault.link_index.resolve(target, note) is None
            ]
    return Columns.of(rows), tuple(unresolved)


def _reach(target: str, note: NoteId, vault: Vault) -> tuple[int, bool]:
    """Return what a link in ``note`` reaches, and whether it reaches that from everywhere."""
    path, is_settled = vault.link_index.look_up(target, note)
    if path is None:
        return _NOTHING, is_settled
    # A picture, a template: reached, and no link between notes.
    return vault.numbers.get(NoteId(path), _NO_NOTE), is_settled


def _entries(found: Found, vault: Vault) -> tuple[EntryRow, ...]:
    rows: list[EntryRow] = []
    for number, note, fact in zip(found.numbers, found.notes, found.facts, strict=True):
        for in_list, target, line in fact.entries:
            path = vault.link_index.resolve(target, note)
            to = None if path is None else vault.numbers.get(NoteId(path))
            rows.append(EntryRow(number, to, in_list, target, line))
    return tuple(rows)


def _closings(found: Found, vault: Vault, mask: Callable[[str], str]) -> dict[int, Closing]:
    def resolve(target: str, note: NoteId) -> NoteId | None:
        path = vault.link_index.resolve(target, note)
        to = None if path is None else vault.numbers.get(NoteId(path))
        # A private successor may not be named, so it counts as not given.
        is_named = to is not None and not vault.flags[to] & PRIVATE
        return NoteId(path) if is_named and path is not None else None

    decide = closing_rule(vault.settings, resolve)
    closings: dict[int, Closing] = {}
    for number, note, fact in zip(found.numbers, found.notes, found.facts, strict=True):
        closing = decide(note, fact, note in vault.scope.archived)
        if closing is not None:
            closings[number] = replace(closing, sign=mask(closing.sign), on=mask(closing.on))
    return closings


def _mentions(found: Found, vault: Vault) -> Columns:
    rows: list[int] = []
    flags, table = vault.flags, vault.names.names
    for number, mentions in zip(found.numbers, found.mentions, strict=True):
        if not mentions or flags[number]:
            continue
        for name, line in mentions:
            _, _, owners, counts = table[name]
            # What a note says about its own name is about itself, whoever else has the name.
            if counts and number not in owners:
                for owner in owners:
                    if not flags[owner]:
                        rows += (number, owner, name, line)
    return Columns.of(rows)


def _private_names(
    notes: tuple[NoteId, ...], facts: Sequence[NoteFacts], flags: bytes, scope: Scope
) -> tuple[str, ...]:
    found = {fold_name(name) for name in scope.private_names}
    for number, flag in enumerate(flags):
        if flag & PRIVATE:
            found.add(fold_name(title_of(notes[number])))
            found.update(fold_name(alias) for alias in facts[number].aliases)
    return tuple(sorted(found))


def _problems(found: Found, vault: Vault) -> Iterator[Problem]:
    """Yield what is wrong with the notes; problems of private ones are told nowhere."""
    for number, note, fact in zip(found.numbers, found.notes, found.facts, strict=True):
        if not (fact.faults or fact.entries) or vault.flags[number] & PRIVATE:
            continue
        for fault in fact.faults:
            yield Problem(note, *fault)
        yield from _entry_problems(note, fact, vault)


def _entry_problems(note: NoteId, facts: NoteFacts, vault: Vault) -> Iterator[Problem]:
    """Yield the entries of our lists that cannot be meant as they stand."""
    keys = vault.settings.keys
    lists: dict[str, set[str]] = {}
    for in_list, target, line in facts.entries:
        path, key = vault.link_index.resolve(target, note), keys.of_list(in_list)
        if path is None:
            text = f"an entry of {key} reaches no note: {target}"
            yield Problem(note, line, "lost-entry", text)
            continue
        if path == note:
            yield Problem(note, line, "self-entry", f"an entry of {key} is the note itself")
        standing = lists.setdefault(path, set())
        standing.add(in_list)
        if in_list != "proposed" and {"accepted", "rejected"} <= standing:
            text = f"{target} is accepted and rejected; {keys.accepted} counts"
            yield Problem(note, line, "contradiction", text)
