"""Obsidian's own settings: what counts, and defaults for whatever is missing or broken."""

from __future__ import annotations

import json

import pytest

from vaultgraph.domain.settings import AppSettings
from vaultgraph.vault.app_settings import APP, DAILY, TEMPLATER, TEMPLATES, parse_app_settings


def parse(**files: object) -> AppSettings:
    names = {"app": APP, "templates": TEMPLATES, "daily": DAILY, "templater": TEMPLATER}
    return parse_app_settings(
        {
            names[key]: value if isinstance(value, bytes) else json.dumps(value).encode()
            for key, value in files.items()
        }
    )


def test_nothing_there_means_defaults():
    assert parse() == AppSettings()
    assert parse(app={}) == AppSettings()


def test_what_is_read():
    settings = parse(
        app={"userIgnoreFilters": ["Clippings/", "/x/", 3]},
        templates={"folder": "/Meta/Templates/"},
        daily={"folder": "Journal", "format": "YYYY-[W]ww", "template": "x"},
        templater={"templates_folder": "Meta/Templater", "other": 1},
    )
    assert settings.ignore_filters == ("Clippings/", "/x/")
    assert settings.template_folders == ("Meta/Templater", "Meta/Templates")
    assert (settings.daily_folder, settings.daily_format) == ("Journal", "YYYY-[W]ww")
    assert settings.unreadable == ()


def test_daily_notes_with_the_defaults():
    settings = parse(daily={})
    assert (settings.daily_folder, settings.daily_format) == ("", "YYYY-MM-DD")
    assert parse(daily={"folder": "", "format": " "}) == settings


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"a": }'])
def test_a_broken_file_is_told_and_means_defaults(data: bytes):
    settings = parse(app=data)
    assert [name for name, _ in settings.unreadable] == [APP]
    assert settings.ignore_filters == ()


@pytest.mark.parametrize(
    "value", [None, 3, [], "x", [1], {"userIgnoreFilters": None}, {"userIgnoreFilters": "x"}]
)
def test_odd_values_mean_defaults(value: object):
    assert parse(app=value) == AppSettings()
    assert parse(templates={"folder": value}).template_folders in {(), ("x",)}
