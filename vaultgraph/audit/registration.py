"""What is fixed before anything is drawn, and its one form that is hashed."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal, get_args

from vaultgraph.domain.chain import canonical_json
from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultgraph.domain.writing import Json

FILE = "registration.toml"
SCHEMA = 1

Kind = Literal["staleness", "precision", "recall", "filter", "rereview", "custom"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_DEPENDS = ("depends", "does-not", "unsure")
#: The labels of each kind, and those that leave the count.
LABELS: dict[Kind, tuple[str, ...]] = {
    "staleness": ("live", "stale", "dead", "not-a-plan"),
    "precision": _DEPENDS,
    "recall": _DEPENDS,
    "filter": _DEPENDS,
    "rereview": _DEPENDS,
    "custom": (),
}
EXCLUDED: dict[Kind, tuple[str, ...]] = {"staleness": ("not-a-plan",)}
UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of the population that is sampled by itself."""

    name: str
    #: How many units it has, and how many are drawn.
    units: int
    size: int


@dataclass(frozen=True, slots=True)
class Registration:
    """An audit, as it was meant to be before anybody saw a unit."""

    name: str
    kind: Kind
    #: In the owner's words.
    prediction: str
    #: What the population is, in words, and what decides it: filters, cutoff, judge.
    population: str
    seed: str
    strata: tuple[Stratum, ...]
    labels: tuple[str, ...]
    #: Labels that leave the count.
    excluded: tuple[str, ...]
    #: ``share(stale, dead) > 0.5``; empty where nothing is to be decided.
    rule: str
    ends: str
    #: SHA-256 of the population file.
    population_hash: str
    confidence: float = 0.95
    definition: Mapping[str, str] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many units are drawn in all."""
        return sum(stratum.size for stratum in self.strata)

    @property
    def units(self) -> int:
        """How many units there are in all."""
        return sum(stratum.units for stratum in self.strata)


def registration_document(registration: Registration) -> dict[str, Any]:
    """Return a registration as the file holds it."""
    return {
        "schema": SCHEMA,
        "name": registration.name,
        "kind": registration.kind,
        "prediction": registration.prediction,
        "seed": registration.seed,
        "confidence": registration.confidence,
        "labels": list(registration.labels),
        "excluded": list(registration.excluded),
        "rule": registration.rule,
        "ends": registration.ends,
        "population": {
            "what": registration.population,
            "sha256": registration.population_hash,
            **dict(sorted(registration.definition.items())),
        },
        "strata": [
            {"name": stratum.name, "units": stratum.units, "size": stratum.size}
            for stratum in registration.strata
        ],
    }


def hash_document(document: Mapping[str, Json]) -> str:
    """Return the SHA-256 of a registration's canonical form.

    That is the file's values as JSON, keys sorted, no blanks, UTF-8: comments, spacing and line
    endings do not count.
    """
    return sha256(canonical_json(document)).hexdigest()


def registration_toml(registration: Registration) -> str:
    """Return the file."""
    document = registration_document(registration)
    lines = ["# Fixed before anything is drawn; after vaultgraph audit lock every change shows."]
    lines += [
        f"{k} = {_toml(v)}" for k, v in document.items() if k not in {"population", "strata"}
    ]
    lines += ["", "[population]"]
    lines += [f"{key} = {_toml(value)}" for key, value in document["population"].items()]
    for stratum in document["strata"]:
        lines += ["", "[[strata]]"]
        lines += [f"{key} = {_toml(value)}" for key, value in stratum.items()]
    return "\n".join([*lines, ""])


def _toml(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_toml(item) for item in value)}]"
    if isinstance(value, str):
        # As in JSON, but TOML escapes DEL as well.
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{"".join(_escaped(c) for c in escaped)}"'
    return repr(value)


def _escaped(character: str) -> str:
    is_control = character < " " or character == "\x7f"
    return f"\\u{ord(character):04x}" if is_control else character


def read_document(content: bytes) -> dict[str, Any]:
    """Return the values of a registration file; raises ``InputError`` where it is no TOML."""
    try:
        return tomllib.loads(content.decode())
    except UnicodeDecodeError:
        raise _fault("is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise _fault(str(error)) from None


def parse_registration(document: Mapping[str, Any]) -> Registration:
    """Return a registration; raises ``InputError`` naming what is missing or makes no sense."""
    population = _get(document, "population", dict)
    strata = _get(document, "strata", list)
    if not strata or not all(isinstance(stratum, dict) for stratum in strata):
        raise _fault("strata must be [[strata]] tables")
    if _get(document, "schema", int) != SCHEMA:
        raise _fault(f"schema must be {SCHEMA}")
    registration = Registration(
        name=_get(document, "name", str),
        kind=_get(document, "kind", str),
        prediction=_get(document, "prediction", str),
        population=_get(population, "what", str),
        seed=_get(document, "seed", str),
        strata=tuple(
            Stratum(_get(s, "name", str), _get(s, "units", int), _get(s, "size", int))
            for s in strata
        ),
        labels=tuple(_get(document, "labels", list)),
        excluded=tuple(_get(document, "excluded", list)),
        rule=_get(document, "rule", str),
        ends=_get(document, "ends", str),
        population_hash=_get(population, "sha256", str),
        confidence=float(_get(document, "confidence", float)),
        definition={k: str(v) for k, v in population.items() if k not in {"what", "sha256"}},
    )
    check_registration(registration)
    return registration


def check_registration(registration: Registration) -> None:
    """Raise ``InputError`` where a registration makes no sense."""
    if registration.kind not in KINDS:
        raise _fault(f"kind must be one of {', '.join(KINDS)}")
    if not registration.seed or not all(c >= " " and c != "\x7f" for c in registration.seed):
        raise _fault("seed must be one line of text")
    for key, text in (
        ("prediction", registration.prediction),
        ("seed", registration.seed),
        ("rule", registration.rule),
        ("ends", registration.ends),
        ("population", registration.population),
        *registration.definition.items(),
    ):
        if not _is_unicode(text):
            raise _fault(f"{key} must be text in UTF-8")
    # Below a half an interval misses more often than not.
    if not 0.5 <= registration.confidence < 1:
        raise _fault("confidence must be from 0.5 to below 1")
    _check_labels(registration.labels, registration.excluded)
    _check_strata(registration.strata)


def _is_unicode(text: str) -> bool:
    """Whether text can be written; the shell may hand over any bytes, which Python keeps."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _check_labels(labels: tuple[str, ...], excluded: tuple[str, ...]) -> None:
    if not all(_is_word(label) for label in (*labels, *excluded)):
        raise _fault("labels must be words of letters, digits and -")
    if not set(excluded) <= set(labels):
        raise _fault("excluded labels must be among the labels")
    if len(set(labels)) != len(labels) or len(set(labels) - set(excluded)) < 2:
        raise _fault("labels must be at least two different words that are not excluded")


def _is_word(label: object) -> bool:
    return isinstance(label, str) and label.replace("-", "").replace("_", "").isalnum()


def _check_strata(strata: tuple[Stratum, ...]) -> None:
    names = [stratum.name for stratum in strata]
    if len(set(names)) != len(names) or not all(name and name.isprintable() for name in names):
        raise _fault("strata must have different names")
    for stratum in strata:
        if not 0 <= stratum.size <= stratum.units:
            raise _fault(
                f"strata.{stratum.name}.size is {stratum.size},"
                f" and the stratum has {stratum.units:,} units"
            )
    if not any(stratum.size for stratum in strata):
        raise _fault("nothing is to be drawn: every size is 0")


def find_changes(locked: Mapping[str, Any], now: Mapping[str, Any], prefix: str = "") -> list[str]:
    """Return what differs between two registrations, a sentence each."""
    changes: list[str] = []
    for key in sorted({*locked, *now}):
        was, is_now = locked.get(key), now.get(key)
        name = f"{prefix}{key}"
        if was == is_now and type(was) is type(is_now):
            continue
        if isinstance(was, dict) and isinstance(is_now, dict):
            changes += find_changes(was, is_now, f"{name}.")
        elif key == "strata" and isinstance(was, list) and isinstance(is_now, list):
            changes += find_changes(_by_name(was), _by_name(is_now), f"{name}.")
        else:
            changes.append(f"{name} was {was!r} when locked and is {is_now!r} now")
    return changes


def _by_name(strata: list[Any]) -> dict[str, Any]:
    return {
        str(stratum.get("name", number) if isinstance(stratum, dict) else number): stratum
        for number, stratum in enumerate(strata)
    }


def _get(table: Mapping[str, Any], key: str, kind: type) -> Any:  # noqa: ANN401 - TOML's
    value = table.get(key)
    is_number = kind is float and isinstance(value, int)
    if not (isinstance(value, kind) or is_number) or isinstance(value, bool):
        words = {str: "text", int: "a whole number", float: "a number", list: "a list"}
        raise _fault(f"{key} must be {words.get(kind, 'a table')}")
    return value


def _fault(reason: str) -> InputError:
    return InputError(f"{FILE}: {reason}", hint="vaultgraph audit plan writes a whole one")
