"""Why a score is what it is, in words a person understands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.judge.embedded.features import IndexKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultgraph.judge.embedded.features import Talk
    from vaultgraph.judge.embedded.weights import Weights

#: How many features are given as reasons, and how much of the log-odds one must at least move.
_MOST = 4
_LEAST = 0.1

UNNAMED = "- never names it, though it is named by it"
NO_EVIDENCE = "- neither note names the other in its text"
_INDEX = "- is an index: it names many notes once each"
_SUPERSEDED = "- one of the two says that it takes the other's place"


def explain(talk: Talk, weights: Weights) -> tuple[str, ...]:
    """Return what counted most for the score of a note that talks about another, strongest first.

    "+" counts for the dependency and "-" against it; "it" is the note that may be depended on.
    """
    counts = list(weights.counts(talk.values))
    order = sorted(range(len(counts)), key=lambda at: (-abs(counts[at]), at))
    words = [
        (counts[at], _word(weights.features[at].name, talk, talk.values[at]))
        for at in order
        if abs(counts[at]) >= _LEAST
    ]
    reasons = [f"{'+' if adds > 0 else '-'} {word}" for adds, word in words if word][:_MOST]
    if talk.says_superseded:
        reasons.insert(0, _SUPERSEDED)
    if talk.index_kind is not IndexKind.NO:
        reasons.insert(0, _INDEX)
    return tuple(dict.fromkeys(reasons))


def _word(name: str, talk: Talk, value: float) -> str:
    """Return one feature in words, or nothing where its absence is what counted."""
    describe = _WORDS.get(name)
    if describe is not None:
        return describe(talk, value)
    cue = talk.cues[name]
    return f"{_CUE_WORDS[name]} “{cue.word}” beside it" if cue.word else ""


def _density(talk: Talk, _value: float) -> str:
    return f"names it {_times(talk.pointers)} in {talk.words:,} words"


def _linked(talk: Talk, _value: float) -> str:
    return f"links to it {_times(talk.links)}" if talk.links else "names it without a link"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _first(_talk: Talk, value: float) -> str:
    if value < 0.2:
        return "names it near its beginning"
    return "first names it towards its end" if value > 0.6 else "first names it half-way down"


def _sections(talk: Talk, _value: float) -> str:
    return f"in {talk.sections} of its sections" if talk.sections > 1 else ""


def _company(_talk: Talk, value: float) -> str:
    return "names it among others" if value else "names it by itself"


def _matter(_talk: Talk, value: float) -> str:
    return "in the sections that say what it is about" if value else ""


def _asides(_talk: Talk, value: float) -> str:
    return "only in sections such as background or alternatives" if value else ""


def _sources(_talk: Talk, value: float) -> str:
    return "among its references" if value else ""


_WORDS: dict[str, Callable[[Talk, float], str]] = {
    "density": _density,
    "linked": _linked,
    "first": _first,
    "sections": _sections,
    "company": _company,
    "matter": _matter,
    "asides": _asides,
    "sources": _sources,
}
_CUE_WORDS = {
    "rests": "says",
    "example": "gives it as an example:",
    "compares": "compares or contrasts:",
    "hedges": "names it loosely:",
    "replaces": "speaks of something past:",
    "refers": "only refers to it:",
}
