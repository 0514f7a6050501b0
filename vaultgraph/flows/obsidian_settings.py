"""Templater's and Obsidian's settings, as far as our hotkey needs them: read, and extended.

    plugins/templater-obsidian/data.json   folders, and the templates that have a command
    hotkeys.json                           which keys a command has
    community-plugins.json                 which plugins are enabled

Only what is missing is added; whatever the owner has set stays.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from vaultgraph.errors import InputError

TEMPLATER = "plugins/templater-obsidian/data.json"
HOTKEYS = "hotkeys.json"
PLUGINS = "community-plugins.json"
SETTINGS_FILES = (TEMPLATER, HOTKEYS, PLUGINS)

_PLUGIN = "templater-obsidian"
#: Ctrl on Linux and Windows, Cmd on macOS.
_MODIFIERS, _KEY = ("Mod", "Shift"), "D"
SCRIPTS_KEY, TEMPLATES_KEY, LISTED_KEY = (
    "user_scripts_folder",
    "templates_folder",
    "enabled_templates_hotkeys",
)


class TemplaterState(NamedTuple):
    """What the settings say of Templater."""

    is_installed: bool
    is_enabled: bool
    #: Vault-relative, ``""`` for the vault itself; ``None`` where not set.
    scripts: str | None
    templates: str | None
    #: The templates that have a command of their own.
    listed: tuple[str, ...]


def parse_settings(files: dict[str, bytes]) -> dict[str, Any]:
    """Return each settings file as a value; files that do not exist are not among them.

    Raises:
        InputError: one of them is not JSON.
    """
    parsed: dict[str, Any] = {}
    for name, data in files.items():
        try:
            parsed[name] = json.loads(data.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            raise InputError(
                f"Obsidian's {name} is not valid JSON", hint="open the vault in Obsidian once"
            ) from None
    return parsed


def templater_state(settings: dict[str, Any], *, is_installed: bool) -> TemplaterState:
    """Return what the settings say of Templater."""
    data = _dict(settings.get(TEMPLATER))
    enabled = settings.get(PLUGINS)
    return TemplaterState(
        is_installed=is_installed,
        is_enabled=isinstance(enabled, list) and _PLUGIN in enabled,
        scripts=_folder(data.get(SCRIPTS_KEY)),
        templates=_folder(data.get(TEMPLATES_KEY)),
        listed=tuple(
            name for entry in _list(data.get(LISTED_KEY)) if (name := _template_of(entry))
        ),
    )


def _template_of(entry: object) -> str | None:
    """Return the template of an entry: a path, or since 2.25 an object that holds one."""
    if isinstance(entry, dict):
        # "Create" alone makes an empty note each time; it is not what we need.
        entry = entry.get("template") if entry.get("insert_enabled", True) else None
    return entry if isinstance(entry, str) else None


def command_of(template: str) -> str:
    """Return the id of the command that inserts a template."""
    return f"{_PLUGIN}:{template}"


def bound_keys(settings: dict[str, Any], template: str) -> list[str]:
    """Return the hotkeys of a template's command, as ``Mod+Shift+D``."""
    hotkeys = _list(_dict(settings.get(HOTKEYS)).get(command_of(template)))
    return [_spelled(hotkey) for hotkey in hotkeys if isinstance(hotkey, dict)]


def _spelled(hotkey: dict[str, Any]) -> str:
    return "+".join(map(str, (*_list(hotkey.get("modifiers")), hotkey.get("key"))))


class Binding(NamedTuple):
    """The settings files with our template bound, and what could not be done."""

    #: New contents, of the files that change.
    files: dict[str, bytes]
    left: list[str]


def bind(settings: dict[str, Any], template: str, scripts: str, templates: str) -> Binding:
    """Return the settings with folders, template and hotkey filled in where they are missing."""
    files: dict[str, bytes] = {}
    left: list[str] = []
    data = dict(_dict(settings.get(TEMPLATER)))
    for key, folder in ((SCRIPTS_KEY, scripts), (TEMPLATES_KEY, templates)):
        if _folder(data.get(key)) is None:
            data[key] = folder or "/"
    listed = list(_list(data.get(LISTED_KEY)))
    if template not in map(_template_of, listed):
        # Templater itself keeps an empty row for a template not chosen yet.
        data[LISTED_KEY] = [*(entry for entry in listed if entry != ""), template]
    if data != settings.get(TEMPLATER):
        files[TEMPLATER] = _dumped(data)
    hotkeys = dict(_dict(settings.get(HOTKEYS)))
    if command_of(template) not in hotkeys:
        holder = _holder_of_our_keys(hotkeys)
        if holder is None:
            hotkey = {"modifiers": list(_MODIFIERS), "key": _KEY}
            hotkeys[command_of(template)] = [hotkey]
            files[HOTKEYS] = _dumped(hotkeys)
        else:
            keys = "+".join((*_MODIFIERS, _KEY))
            left.append(f"{keys} is bound to {holder}: choose other keys for {template}")
    return Binding(files, left)


def _holder_of_our_keys(hotkeys: dict[str, Any]) -> str | None:
    for command, bound in hotkeys.items():
        for hotkey in _list(bound):
            if (
                isinstance(hotkey, dict)
                and set(_list(hotkey.get("modifiers"))) == set(_MODIFIERS)
                and str(hotkey.get("key")).upper() == _KEY
            ):
                return command
    return None


def _dumped(value: object) -> bytes:
    """Return JSON as Obsidian itself writes it."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace")


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _folder(value: object) -> str | None:
    if not isinstance(value, str) or not value.strip():
        return None
    return value.strip().strip("/")
