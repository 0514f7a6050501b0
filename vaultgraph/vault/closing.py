"""Whether and how a note closed, by what it says and where it lies."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from vaultgraph.domain.notes import Closing, NoteFacts, NoteId
from vaultgraph.text.links import link_value

if TYPE_CHECKING:
    from vaultgraph.domain.settings import Settings

_NOT_WORD = re.compile(r"[^\w']+|_+")

#: From a link as written and the note it stands in to the note it reaches.
Resolve = Callable[[str, NoteId], NoteId | None]


def status_word(value: str) -> str:
    """Return a status as compared: ``Won't-Do``, ``[[won't do]]`` and ``✅ wont_do`` are one."""
    target = link_value(value)
    text = target.rpartition("/")[2] if target else value
    return _NOT_WORD.sub(" ", text.casefold().replace("\u2019", "'")).replace("'", "").strip()


def closing_rule(
    settings: Settings, resolve: Resolve
) -> Callable[[NoteId, NoteFacts, bool], Closing | None]:
    """Return what decides how a note closed: its id, its facts, whether it lies in an archive.

    The result is ``None`` for a live note. Where several signs agree, the first speaks: the
    status, ``resolved-to``, ``superseded-by``, ``archived``, the folder.
    """
    closed = {status_word(value) for value in settings.status.closed}
    superseded = {status_word(value) for value in settings.status.superseded}
    keys = settings.keys

    def decide(note: NoteId, facts: NoteFacts, in_archive: bool) -> Closing | None:  # noqa: FBT001
        words = [(status_word(value), f"{key}: {value}") for key, value in facts.statuses]
        ended = next((sign for word, sign in words if word in closed | superseded), None)
        if ended is not None:
            sign = ended
        elif facts.resolved_to:
            sign = keys.resolved_to
        elif facts.superseded_by:
            sign = keys.superseded_by
        elif facts.archived:
            sign = "archived: true"
        elif in_archive:
            sign = f"in {note.rpartition('/')[0]}/"
        else:
            return None
        lives_on = bool(facts.superseded_by) or any(word in superseded for word, _ in words)
        reached = (resolve(link_value(x) or x, note) for x in facts.superseded_by)
        return Closing(
            how="superseded" if lives_on else "ended",
            sign=sign,
            words=facts.resolved_to,
            on=facts.resolved_on,
            successors=tuple(note for note in reached if note is not None),
        )

    return decide
