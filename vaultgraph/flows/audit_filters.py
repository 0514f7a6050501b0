"""What narrows an audit's population, and which kind knows which filter."""

from __future__ import annotations

from dataclasses import dataclass

from vaultgraph.errors import UsageError

ACCEPTED, PROPOSED, DECIDED = "accepted", "proposed", "decided"


@dataclass(frozen=True, slots=True)
class Filters:
    """What narrows a population; empty means everything."""

    folders: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    #: ``accepted``, ``proposed`` or ``decided``.
    source: str = ACCEPTED
    cutoff: float | None = None
    middle: float | None = None
    judge: str | None = None


#: The filters that each kind knows, and where it may draw from.
_FILTERS = {
    "staleness": {"folders", "tags", "statuses"},
    "precision": {"source", "cutoff", "judge"},
    "recall": {"cutoff", "middle", "judge"},
    "filter": set[str](),
    "rereview": {"source"},
}
_SOURCES = {"precision": (ACCEPTED, PROPOSED), "rereview": (ACCEPTED, DECIDED)}


def check_filters(kind: str, filters: Filters) -> None:
    """Raise ``UsageError`` for a filter that would change nothing."""
    known, everything = _FILTERS[kind], Filters()
    for name in Filters.__dataclass_fields__:
        if name not in known and getattr(filters, name) != getattr(everything, name):
            fit = ", ".join(sorted(known)) or "none"
            raise UsageError(
                f"a {kind} audit knows no {name}", hint=f"leave it away; what it knows: {fit}"
            )
    sources = _SOURCES.get(kind, (ACCEPTED,))
    if filters.source not in sources:
        raise UsageError(
            f"a {kind} audit does not draw from {filters.source}",
            hint=f"it draws from {' or '.join(sources)}",
        )
    if kind == "precision" and filters.source == ACCEPTED and (filters.cutoff or filters.judge):
        raise UsageError(
            "a cutoff and a judge narrow what was judged, not what was accepted",
            hint="leave them away, or give --source proposed",
        )
