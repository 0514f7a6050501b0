"""The lines that the Templater script writes into ``.vaultgraph/decisions/<device>.jsonl``."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.domain.notes import NoteId, Problem
from vaultgraph.review.decisions import Decision, Score, decided_event

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultgraph.domain.writing import NewEvent
    from vaultgraph.proposals.decide import Directed

FOLDER = "decisions"

#: What tells one line from all others, whatever file it stands in: a sync tool may copy files.
LineKey = tuple[str, str, str, str]


class LogFile(NamedTuple):
    """What one device logged."""

    device: str
    content: bytes


class LoggedDecision(NamedTuple):
    """One line: a decision made in Obsidian."""

    #: As written there, with its milliseconds: it is part of the line's identity.
    at: str
    decision: Decision
    dependent: NoteId
    basis: NoteId
    device: str
    seconds: float | None
    #: For ``undone``: which decision was taken back.
    undoes: str | None
    score: Score | None

    @property
    def direction(self) -> Directed:
        """The pair it is about."""
        return self.dependent, self.basis

    @property
    def key(self) -> LineKey:
        """What tells this line from all others."""
        return self.at, self.dependent, self.basis, self.decision

    def event(self, **more: Any) -> NewEvent:  # noqa: ANN401 - plain JSON values
        """Return it as the ledger keeps it, with what else is known."""
        was = self.undoes if self.decision == "undone" else "proposed"
        return decided_event(
            self.direction,
            self.decision,
            "obsidian",
            was=was,  # type: ignore[arg-type] # checked when it was read
            score=self.score,
            decided_at=self.at,
            device=self.device,
            seconds=self.seconds,
            **more,
        )


def read_logs(files: Iterable[LogFile]) -> tuple[list[LoggedDecision], list[Problem]]:
    """Return every decision once, in an order that no file decides, and the lines that are none.

    A last line without its end is left for the next run: it may be on its way.
    """
    found: dict[LineKey, LoggedDecision] = {}
    problems: list[Problem] = []
    for file in sorted(files):
        # What stands behind the last line end, if anything, is torn or on its way.
        *lines, _ = file.content.split(b"\n")
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            logged = _parse(file.device, line)
            if logged is None:
                path = f".vaultgraph/{FOLDER}/{file.device}.jsonl"
                problems.append(Problem(path, number, "decision-line", "is not a decision"))
            else:
                found.setdefault(logged.key, logged)
    return sorted(found.values(), key=lambda one: one.key), problems


def _parse(device: str, line: bytes) -> LoggedDecision | None:
    try:
        entry: Any = json.loads(line)
        is_timed = datetime.fromisoformat(entry["at"]).tzinfo is not None
        is_known = entry["schema"] >= 1 and entry["decision"] in {"accepted", "rejected", "undone"}
        is_named = all(isinstance(entry[end], str) for end in ("dependent", "basis"))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    undoes = entry.get("undoes")
    if not (is_timed and is_known and is_named):
        return None
    return LoggedDecision(
        at=entry["at"],
        decision=entry["decision"],
        dependent=NoteId(entry["dependent"]),
        basis=NoteId(entry["basis"]),
        device=device,
        seconds=read_seconds(entry),
        undoes=undoes if undoes in ("accepted", "rejected") else None,
        score=read_score(entry),
    )


def read_seconds(entry: Any) -> float | None:  # noqa: ANN401 - whatever JSON held
    """Return how long an item was looked at, if that is known."""
    seconds = entry.get("seconds")
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    return float(seconds) if is_number and 0 <= seconds < float("inf") else None


def read_score(entry: Any) -> Score | None:  # noqa: ANN401 - whatever JSON held
    """Return what a judge said of the pair, if that is known."""
    probability, judge, model = (entry.get(key) for key in Score._fields)
    is_number = isinstance(probability, int | float) and not isinstance(probability, bool)
    if not is_number or not 0 <= probability <= 1:
        return None
    return Score(
        float(probability),
        judge if isinstance(judge, str) else "",
        model if isinstance(model, str) else "",
    )
