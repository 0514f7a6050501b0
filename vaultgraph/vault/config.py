"""``config.toml`` as settings: everything optional, nothing unknown, every fault with its line."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from vaultgraph.domain.settings import CONFIG_FILE, Settings
from vaultgraph.errors import InputError
from vaultgraph.vault.globs import path_matcher

if TYPE_CHECKING:
    from collections.abc import Callable

_HINT = "correct the file, or move it away to go on with the defaults"
_SCHEMA_KEY, SCHEMA = "schema", 1
_GLOBS = frozenset({"include", "exclude", "records", "archives", "private"})
_TOML_LINE = re.compile(r"\(at line (\d+), column \d+\)")
_NAME = re.compile(r"[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'")
_KEY = re.compile(rf"\s*((?:{_NAME.pattern})(?:\s*\.\s*(?:{_NAME.pattern}))*)\s*=")
_HEADER = re.compile(r"\s*\[\[?([^\[\]]+)\]\]?\s*(?:#.*)?$")


def parse_config(text: str) -> Settings:
    """Return the settings in ``text``.

    Raises:
        InputError: not TOML, an unknown key, or a value of the wrong type; names line and key.
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _TOML_LINE.search(str(error))
        reason = _TOML_LINE.sub("", str(error)).strip()
        last = text.rstrip().count("\n") + 1
        raise _fault(int(found.group(1)) if found else last, reason) from None
    schema = tables.pop(_SCHEMA_KEY, SCHEMA)
    if schema != SCHEMA:
        line = _line_of(text, _SCHEMA_KEY)
        raise _fault(line, f"schema {schema!r} is not known to this version, which reads {SCHEMA}")
    settings = Settings()
    for section, values in tables.items():
        changed: dict[str, Any] = {section: _read_section(text, settings, section, values)}
        settings = replace(settings, **changed)
    if settings.proposals.middle > settings.proposals.cutoff:
        line = _line_of(text, "proposals", "middle") or _line_of(text, "proposals", "cutoff")
        raise _fault(line, "proposals.middle must not be above proposals.cutoff")
    return settings


def _read_section(text: str, settings: Settings, section: str, values: object) -> object:
    defaults = getattr(settings, section, None)
    if not is_dataclass(defaults) or isinstance(defaults, type):
        names = ", ".join(f.name for f in fields(settings))
        raise _fault(_line_of(text, section), f"unknown section or key {section} (known: {names})")
    if not isinstance(values, dict):
        raise _fault(_line_of(text, section), f"{section} must be a section: [{section}]")
    known = {f.name.replace("_", "-"): getattr(defaults, f.name) for f in fields(defaults)}
    changed: dict[str, Any] = {}
    for key, value in values.items():
        line = _line_of(text, section, key)
        if key not in known:
            raise _fault(line, f"unknown key {key} in [{section}] (known: {', '.join(known)})")
        changed[key.replace("-", "_")] = _checked(value, known[key], line, f"{section}.{key}")
    return replace(defaults, **changed)


#: What each kind of default asks of a value: a test, and the words for a value that fails it.
_RULES: tuple[tuple[type, Callable[[Any], bool], str], ...] = (
    (bool, lambda v: isinstance(v, bool), "must be true or false"),
    (int, lambda v: type(v) is int and v >= 1, "must be a whole number from 1 on"),
    (float, lambda v: type(v) in {int, float} and 0 <= v <= 1, "must be a number from 0 to 1"),
    (str, lambda v: isinstance(v, str) and v.strip() != "", "must be text in quotes"),
    (
        tuple,
        lambda v: isinstance(v, list) and all(isinstance(item, str) for item in v),
        'must be a list of texts: ["…", "…"]',
    ),
)


def _checked(value: Any, default: object, line: int, name: str) -> object:  # noqa: ANN401 - TOML's
    is_valid, words = next((test, words) for kind, test, words in _RULES if type(default) is kind)
    if not is_valid(value):
        raise _fault(line, f"{name} {words}")
    if not isinstance(value, list):
        return value
    if name.partition(".")[2] in _GLOBS:
        _check_globs(value, line, name)
    return tuple(value)


def _check_globs(globs: list[str], line: int, name: str) -> None:
    try:
        path_matcher(globs)
    except re.error as error:
        raise _fault(line, f"{name} holds a pattern that cannot be read: {error}") from None


def _fault(line: int, reason: str) -> InputError:
    where = f"{CONFIG_FILE}:{line}" if line else CONFIG_FILE
    return InputError(f"{where}: {reason}", hint=_HINT)


def _line_of(text: str, section: str, key: str | None = None) -> int:
    """Return the 1-based line where a section begins, or where a key of it is written.

    A key may stand below its section's header, behind its name and a dot, or in an inline table,
    whose one line is that of the section.
    """
    wanted = tuple(part for part in (section, key) if part)
    above: tuple[str, ...] = ()
    found = 0
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.match(line):
            above = path = _parts(header.group(1))
        elif written := _KEY.match(line):
            path = (*above, *_parts(written.group(1)))
        else:
            continue
        if path[: len(wanted)] == wanted:
            return number
        if not found and path[:1] == wanted[:1]:
            found = number
    return found


def _parts(name: str) -> tuple[str, ...]:
    """Return the parts of a dotted name, unquoted."""
    return tuple(part.strip("\"'") for part in _NAME.findall(name))
