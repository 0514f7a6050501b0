"""What a person decided without telling us: the notes say one thing, the ledger another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.review.decisions import Decision, list_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from vaultgraph.domain.notes import EntryList, NoteId
    from vaultgraph.proposals.decide import Directed
    from vaultgraph.review.history import History

#: SHA-256 of nothing: many notes have no body, and are not the same for it.
EMPTY_BODY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


class Noticed(NamedTuple):
    """A decision that stands in a note and not in the ledger."""

    dependent: NoteId
    basis: NoteId
    decision: Decision
    was: EntryList | None


def find_decisions(
    history: History,
    standing: Mapping[Directed, Collection[EntryList]],
    comparable: Collection[NoteId],
    unsure: Collection[NoteId],
) -> list[Noticed]:
    """Return the decisions about pairs the ledger knows that the notes hold and it does not.

    ``comparable`` are the notes that are read and may be named; ``unsure`` those of whose entries
    some may be hidden by a fault: what is missing there says nothing. An entry that left
    ``depends-on-proposed`` for nowhere is no decision.
    """
    found: list[Noticed] = []
    for (dependent, basis), pair in sorted(history.pairs.items()):
        if dependent not in comparable or basis not in comparable:
            continue
        here = list_of(standing.get((dependent, basis), ()))
        decision = _decision(pair.state, here, is_sure=dependent not in unsure)
        if decision is not None:
            found.append(Noticed(dependent, basis, decision, pair.state))
    return found


def _decision(
    known: EntryList | None, here: EntryList | None, *, is_sure: bool
) -> Decision | None:
    if known == here:
        return None
    if here in ("accepted", "rejected"):
        return here
    if known not in ("accepted", "rejected"):
        return None
    if here == "proposed":
        return "undone"
    return "reset" if is_sure else None


def find_renamed(
    lost: Mapping[NoteId, str], found: Mapping[NoteId, str]
) -> list[tuple[NoteId, NoteId]]:
    """Return (old, new) for each note that is gone and whose body stands under one new name.

    Both map notes to body hashes. Where two notes have one body, none of them is taken for it.
    """
    old, new = _unique(lost), _unique(found)
    return sorted((old[digest], new[digest]) for digest in old.keys() & new.keys())


def _unique(hashes: Mapping[NoteId, str]) -> dict[str, NoteId]:
    counted: dict[str, list[NoteId]] = {}
    for note, digest in hashes.items():
        counted.setdefault(digest, []).append(note)
    return {
        digest: notes[0]
        for digest, notes in counted.items()
        if len(notes) == 1 and digest != EMPTY_BODY
    }


def known_notes(history: History) -> set[NoteId]:
    """Return every note of a pair that was proposed or decided."""
    return {note for direction in history.pairs for note in direction}
