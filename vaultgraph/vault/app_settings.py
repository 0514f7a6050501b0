"""Obsidian's own settings files, read for what they say of the vault's layout."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from vaultgraph.domain.settings import AppSettings

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The files read, relative to the configuration folder.
APP, TEMPLATES, DAILY = "app.json", "templates.json", "daily-notes.json"
TEMPLATER = "plugins/templater-obsidian/data.json"
SETTINGS_FILES = (APP, TEMPLATES, DAILY, TEMPLATER)


def parse_app_settings(files: Mapping[str, bytes]) -> AppSettings:
    """Return what the given files say; a missing one means defaults, a corrupt one is listed."""
    parsed: dict[str, dict[str, Any]] = {}
    unreadable: list[tuple[str, str]] = []
    for name, data in sorted(files.items()):
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            unreadable.append((name, "is not valid JSON, so its settings are not known"))
            continue
        if isinstance(value, dict):
            parsed[name] = value
    app, daily = parsed.get(APP, {}), parsed.get(DAILY)
    filters = app.get("userIgnoreFilters")
    templates = (
        _folder(parsed.get(TEMPLATES, {}).get("folder")),
        _folder(parsed.get(TEMPLATER, {}).get("templates_folder")),
    )
    return AppSettings(
        ignore_filters=tuple(f for f in filters if isinstance(f, str))
        if isinstance(filters, list)
        else (),
        template_folders=tuple(sorted({folder for folder in templates if folder})),
        daily_folder=_folder(daily.get("folder")) or "" if daily is not None else None,
        daily_format=_text(daily.get("format") if daily else None) or "YYYY-MM-DD",
        unreadable=tuple(unreadable),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _folder(value: object) -> str | None:
    text = _text(value)
    return text.strip().strip("/") if text else None
