"""What can be decided about a proposal, which lists that changes, and how it is remembered.

Frontmatter is the only truth about decisions. The ledger remembers when, where and how fast they
were made, and what a judge had said; it is what the notes are compared with to see what a person
did in a text editor or on another device.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, assert_never

from vaultgraph.domain.writing import NewEvent
from vaultgraph.proposals.plan import Add, Change, Move, Remove

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from vaultgraph.domain.notes import EntryList, NoteId
    from vaultgraph.domain.settings import KeySettings
    from vaultgraph.proposals.decide import Directed

DECIDED, SKIPPED, RENAMED = "decided", "skipped", "renamed"

#: ``undone``: it waits again. ``reset``: it stands nowhere, and may be asked again.
Decision = Literal["accepted", "rejected", "undone", "reset"]
DECISIONS: tuple[Decision, ...] = ("accepted", "rejected", "undone", "reset")
#: ``file``: an edit by hand, or on another device; only its outcome is known.
Where = Literal["terminal", "obsidian", "file"]


class Score(NamedTuple):
    """What a judge said of one direction."""

    probability: float
    judge: str
    model: str


def list_of(standing: Collection[EntryList]) -> EntryList | None:
    """Return what an entry counts as that stands in these lists: a decision beats a proposal."""
    order: tuple[EntryList, ...] = ("accepted", "rejected", "proposed")
    return next((entries for entries in order if entries in standing), None)


def changes_for(
    basis: NoteId, decision: Decision, standing: Collection[EntryList], keys: KeySettings
) -> list[Change]:
    """Return what a decision changes in the dependent, given in which lists the basis stands.

    An entry ends up in one list at most. One that stands nowhere can be accepted or rejected, too:
    a person may know of a dependency that nobody proposed.
    """
    match decision:
        case "accepted" | "rejected":
            to: EntryList = decision
        case "undone":
            to = "proposed"
        case "reset":
            decided: tuple[EntryList, ...] = ("accepted", "rejected")
            return [Remove(keys.of_list(e), basis) for e in decided if e in standing]
        case _:
            assert_never(decision)
    sources: list[EntryList] = [
        entries for entries in ("proposed", "accepted", "rejected") if entries in standing
    ]
    if not sources:
        return [Add(keys.of_list(to), basis)]
    key = keys.of_list(to)
    return [Move(keys.of_list(entries), key, basis) for entries in sources if entries != to]


def decided_event(
    direction: Directed,
    decision: Decision,
    where: Where,
    *,
    was: EntryList | None,
    score: Score | None = None,
    hashes: Mapping[NoteId, str] | None = None,
    **more: Any,  # noqa: ANN401 - plain JSON values
) -> NewEvent:
    """Return a decision as the ledger keeps it; what is not known is left out."""
    dependent, basis = direction
    hashes = hashes or {}
    payload: dict[str, Any] = {
        "dependent": dependent,
        "basis": basis,
        "decision": decision,
        "where": where,
        "was": was,
        # What the two notes said at the time: a basis that changes since makes a suspect.
        "dependent_hash": hashes.get(dependent),
        "basis_hash": hashes.get(basis),
        **(score._asdict() if score is not None else {}),
        **more,
    }
    return NewEvent(DECIDED, {key: value for key, value in payload.items() if value is not None})


def skipped_event(direction: Directed) -> NewEvent:
    """Return that a proposal was put off: it comes last in the next sitting."""
    return NewEvent(SKIPPED, {"dependent": direction[0], "basis": direction[1]})


def renamed_event(was: NoteId, note: NoteId) -> NewEvent:
    """Return that a note has another name now; what is known of the old one is the new one's."""
    return NewEvent(RENAMED, {"was": was, "note": note})
