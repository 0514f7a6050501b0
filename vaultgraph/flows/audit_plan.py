"""``audit plan``: a registration from a population and what the owner wants to know."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from vaultgraph.audit.drawing import count_units
from vaultgraph.audit.intervals import exact_upper, wilson
from vaultgraph.audit.population_file import hash_population, population_bytes
from vaultgraph.audit.registration import (
    EXCLUDED,
    KINDS,
    LABELS,
    Kind,
    Registration,
    Stratum,
    check_registration,
)
from vaultgraph.audit.rules import parse_rule
from vaultgraph.audit.sample_size import size_for_bound, size_for_width
from vaultgraph.audit.units import Population, UnitId
from vaultgraph.errors import InputError, UsageError
from vaultgraph.flows.audit_filters import Filters
from vaultgraph.flows.audit_populations import Described

if TYPE_CHECKING:
    from collections.abc import Mapping

ENDS = "when every drawn unit has a label"
_KEYS = frozenset(
    {
        *("kind", "prediction", "size", "width", "seed", "confidence", "rule", "ends"),
        *("labels", "excluded", "folders", "tags", "statuses", "source", "cutoff", "middle"),
        *("judge", "strata", "population"),
    }
)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the owner asks for; nothing of it is fixed."""

    kind: Kind
    prediction: str = ""
    size: int | None = None
    #: How wide the interval may be; solved for the size.
    width: float | None = None
    seed: str = ""
    confidence: float = 0.95
    rule: str = ""
    ends: str = ENDS
    labels: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    filters: Filters = field(default_factory=Filters)
    #: Sizes by stratum, and for a custom audit the units.
    sizes: dict[str, int] = field(default_factory=dict)
    units: dict[str, tuple[UnitId, ...]] = field(default_factory=dict)
    #: In words, for a custom audit.
    population: str = ""


def parse_wishes(document: Mapping[str, Any]) -> Wishes:
    """Return what a plan file asks for; raises ``InputError`` naming what it cannot mean."""
    unknown = sorted(document.keys() - _KEYS)
    if unknown:
        raise _fault(f"{unknown[0]} is not known")
    kind = document.get("kind")
    if kind not in KINDS:
        raise _fault(f"kind must be one of {', '.join(KINDS)}")
    strata = document.get("strata", [])
    if not isinstance(strata, list) or not all(_is_stratum(s) for s in strata):
        raise _fault("strata must be [[strata]] with name, and size or units")
    texts = {key: _typed(document, key, str, "") for key in ("prediction", "seed", "rule")}
    filters = Filters(
        folders=_words(document, "folders"),
        tags=_words(document, "tags"),
        statuses=_words(document, "statuses"),
        source=_typed(document, "source", str, "accepted"),
        cutoff=_typed(document, "cutoff", float, None),
        middle=_typed(document, "middle", float, None),
        judge=_typed(document, "judge", str, None),
    )
    return Wishes(
        kind=kind,
        **texts,
        size=_typed(document, "size", int, None),
        width=_typed(document, "width", float, None),
        confidence=_typed(document, "confidence", float, 0.95),
        ends=_typed(document, "ends", str, ENDS),
        labels=_words(document, "labels"),
        excluded=_words(document, "excluded"),
        filters=filters,
        sizes={str(s["name"]): s["size"] for s in strata if "size" in s},
        units={
            str(s["name"]): tuple(sorted({_unit(u) for u in s["units"]}))
            for s in strata
            if "units" in s
        },
        population=_typed(document, "population", str, ""),
    )


def custom_population(wishes: Wishes) -> Described:
    """Return the population that a custom plan lists."""
    if not wishes.units:
        raise _fault("a custom audit needs [[strata]] with units")
    return Described(Population(wishes.units), wishes.population or "units listed by hand", {})


def make_registration(name: str, wishes: Wishes, described: Described) -> Registration:
    """Return a registration that is complete.

    Raises:
        InputError: it makes no sense.
    """
    counts = count_units(wishes.kind, described.population)
    labels = wishes.labels or LABELS[wishes.kind]
    made = Registration(
        name=name,
        kind=wishes.kind,
        prediction=wishes.prediction,
        population=described.what,
        seed=wishes.seed,
        strata=_strata(wishes, counts),
        labels=labels,
        excluded=wishes.excluded or (() if wishes.labels else EXCLUDED.get(wishes.kind, ())),
        rule=wishes.rule,
        ends=wishes.ends,
        population_hash=hash_population(population_bytes(described.population)),
        confidence=wishes.confidence,
        definition=described.definition,
    )
    try:
        check_registration(made)
    except InputError as error:
        raise _fault(error.message.partition(": ")[2]) from None
    if made.rule:
        rule = parse_rule(made.rule, made.labels)
        if rule.what == "recall" and made.kind != "recall":
            raise _fault("recall is known only in an audit of that kind")
    return made


def what_it_buys(made: Registration) -> list[str]:
    """Return what the sample can show, before anybody looks."""
    n, level = made.size, f"{made.confidence:.0%}"
    lines = [f"{n} of {made.units:,} units"]
    if n == made.units:
        return [*lines, "every unit is looked at: the numbers will be exact"]
    for share in (0.5, 0.65, 0.9):
        k = round(share * n)
        low, high = wilson(k, n, made.confidence) or (0.0, 1.0)
        lines.append(
            f"if {k} of {n} are hits ({k / n:.0%}): {level} interval {low:.0%} to {high:.0%}"
        )
    lines.append(f"if none is: at most {exact_upper(0, n, made.confidence):.1%}, one-sided")
    return lines


def _strata(wishes: Wishes, counts: Mapping[str, int]) -> tuple[Stratum, ...]:
    unknown = sorted(wishes.sizes.keys() - counts.keys())
    if unknown:
        raise InputError(
            f"there is no stratum {unknown[0]}", hint=f"there are: {', '.join(counts)}"
        )
    if wishes.sizes:
        return tuple(Stratum(name, n, wishes.sizes.get(name, 0)) for name, n in counts.items())
    total = wishes.size
    if total is not None and wishes.width is not None:
        raise UsageError("a size and a width are both given", hint="give one of them")
    if total is None and wishes.width is not None:
        if not 0 < wishes.width < 1:
            raise UsageError("a width is between 0 and 1", hint="0.2 is twenty points")
        solve = size_for_bound if wishes.kind == "filter" else size_for_width
        total = min(solve(wishes.width, wishes.confidence), sum(counts.values()))
    if total is None:
        raise UsageError("how many units to draw is not said", hint="give --size or --width")
    sizes = _shared_out(total, counts)
    return tuple(Stratum(name, n, sizes[name]) for name, n in counts.items())


def _shared_out(total: int, counts: Mapping[str, int]) -> dict[str, int]:
    """Return equal parts for all strata; what a small one cannot use goes to the others."""
    sizes: dict[str, int] = {}
    left = total
    for place, name in enumerate(sorted(counts, key=lambda name: counts[name])):
        sizes[name] = min(counts[name], left // (len(counts) - place))
        left -= sizes[name]
    if left:
        raise InputError(
            f"{total:,} units cannot be drawn: there are {sum(counts.values()):,}",
            hint="give a smaller --size",
        )
    return sizes


def _is_stratum(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return False
    units, size = value.get("units", []), value.get("size", 0)
    is_size = isinstance(size, int) and not isinstance(size, bool)
    return is_size and isinstance(units, list) and all(isinstance(u, str | list) for u in units)


def _unit(written: str | list[str]) -> UnitId:
    return UnitId(written if isinstance(written, str) else "\n".join(map(str, written)))


def _words(document: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = document.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _fault(f"{key} must be a list of text")
    return tuple(value)


def _typed(document: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:  # noqa: ANN401 - TOML's
    value = document.get(key, default)
    if value is default:
        return default
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or isinstance(value, bool):
        words = {str: "text", int: "a whole number", float: "a number"}
        raise _fault(f"{key} must be {words[kind]}")
    return value


def _fault(reason: str) -> InputError:
    return InputError(f"the plan: {reason}", hint="docs/audits.md shows a whole one")
