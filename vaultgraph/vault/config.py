"""``config.toml`` as settings: everything optional, nothing unknown, every fault with its line."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields, is_dataclass, replace
from typing import Any

from vaultgraph.domain.settings import CONFIG_FILE, Settings
from vaultgraph.errors import InputError
from vaultgraph.vault.globs import path_matcher

_HINT = "correct the file, or move it away to go on with the defaults"
_SCHEMA_KEY, SCHEMA = "schema", 1
_GLOBS = frozenset({"include", "exclude", "records", "archives", "private"})
_TOML_LINE = re.compile(r"\(at line (\d+), column \d+\)")


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
        raise _fault(int(found.group(1)) if found else 0, reason) from None
    schema = tables.pop(_SCHEMA_KEY, SCHEMA)
    if schema != SCHEMA:
        line = _line_of(text, "", _SCHEMA_KEY)
        raise _fault(line, f"schema {schema!r} is not known to this version, which reads {SCHEMA}")
    settings = Settings()
    for section, values in tables.items():
        changed: dict[str, Any] = {section: _read_section(text, settings, section, values)}
        settings = replace(settings, **changed)
    return settings


def _read_section(text: str, settings: Settings, section: str, values: object) -> object:
    defaults = getattr(settings, section, None)
    if not is_dataclass(defaults) or isinstance(defaults, type):
        names = ", ".join(f.name for f in fields(settings))
        raise _fault(_line_of(text, section), f"unknown section or key {section} (known: {names})")
    if not isinstance(values, dict):
        raise _fault(_line_of(text, "", section), f"{section} must be a section: [{section}]")
    known = {f.name.replace("_", "-"): getattr(defaults, f.name) for f in fields(defaults)}
    changed: dict[str, Any] = {}
    for key, value in values.items():
        line = _line_of(text, section, key)
        if key not in known:
            raise _fault(line, f"unknown key {key} in [{section}] (known: {', '.join(known)})")
        changed[key.replace("-", "_")] = _checked(value, known[key], line, f"{section}.{key}")
    return replace(defaults, **changed)


def _checked(value: object, default: object, line: int, name: str) -> object:
    match default:
        case bool():
            if not isinstance(value, bool):
                raise _fault(line, f"{name} must be true or false")
        case int():
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise _fault(line, f"{name} must be a whole number from 1 on")
        case str():
            if not isinstance(value, str) or not value.strip():
                raise _fault(line, f"{name} must be text in quotes")
        case tuple():
            if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
                raise _fault(line, f'{name} must be a list of texts: ["…", "…"]')
            if name.partition(".")[2] in _GLOBS:
                _check_globs(value, line, name)
            return tuple(value)
        case _:  # pragma: no cover - settings hold nothing else
            raise AssertionError(name)
    return value


def _check_globs(globs: list[str], line: int, name: str) -> None:
    try:
        path_matcher(globs)
    except re.error as error:
        raise _fault(line, f"{name} holds a pattern that cannot be read: {error}") from None


def _fault(line: int, reason: str) -> InputError:
    where = f"{CONFIG_FILE}:{line}" if line else CONFIG_FILE
    return InputError(f"{where}: {reason}", hint=_HINT)


def _line_of(text: str, section: str, key: str | None = None) -> int:
    """Return the 1-based line of a section's header or of a key in it; 0 if written otherwise."""
    current = ""
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[\s*\"?([^\]\"]+?)\"?\s*\]", line)
        if header:
            current = header.group(1)
            if key is None and current == section:
                return number
            continue
        written = re.match(r"\s*[\"']?([^\s=\"']+)[\"']?\s*=", line)
        if written and key is not None and current == section and written.group(1) == key:
            return number
        if written and key is None and not current and written.group(1).split(".")[0] == section:
            return number
    return 0
