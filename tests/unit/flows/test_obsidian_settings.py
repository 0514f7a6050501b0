from __future__ import annotations

import json
from typing import Any

import pytest

from vaultgraph.domain.settings import KeySettings
from vaultgraph.errors import InputError
from vaultgraph.flows.obsidian import clean_folder
from vaultgraph.flows.obsidian_settings import (
    HOTKEYS,
    TEMPLATER,
    bind,
    bound_keys,
    parse_settings,
    templater_state,
)
from vaultgraph.flows.obsidian_setup import fill_keys

TEMPLATE = "Templates/vaultgraph review.md"
COMMAND = f"templater-obsidian:{TEMPLATE}"


def test_both_forms_of_a_listed_template_are_read():
    entries = [
        "",
        TEMPLATE,
        {"template": "B.md", "insert_enabled": True, "create_enabled": True},
        {"template": "C.md", "insert_enabled": False, "create_enabled": True},
        3,
    ]
    state = templater_state({TEMPLATER: {"enabled_templates_hotkeys": entries}}, is_installed=True)
    assert state.listed == (TEMPLATE, "B.md")
    assert (state.scripts, state.templates) == (None, None)


@pytest.mark.parametrize("odd", [None, [], "x", 3, {"enabled_templates_hotkeys": "x"}])
def test_settings_of_any_shape_are_read(odd):
    settings = {TEMPLATER: odd, HOTKEYS: odd, "community-plugins.json": odd}
    assert templater_state(settings, is_installed=False).listed == ()
    assert bound_keys(settings, TEMPLATE) == []


def test_binding_adds_what_is_missing_and_nothing_else():
    before: dict[str, Any] = {
        TEMPLATER: {
            "command_timeout": 5,
            "templates_folder": "Templates",
            "enabled_templates_hotkeys": ["", "Daily.md"],
            "ä": 1,
        },
        HOTKEYS: {"editor:fold-all": [{"modifiers": ["Mod"], "key": "D"}]},
    }
    found = bind(before, TEMPLATE, "Scripts", "Templates")
    assert json.loads(found.files[TEMPLATER]) == {
        "command_timeout": 5,
        "templates_folder": "Templates",
        "enabled_templates_hotkeys": ["Daily.md", TEMPLATE],
        "ä": 1,
        "user_scripts_folder": "Scripts",
    }
    assert "ä" in found.files[TEMPLATER].decode()
    assert json.loads(found.files[HOTKEYS]) == {
        **before[HOTKEYS],
        COMMAND: [{"modifiers": ["Mod", "Shift"], "key": "D"}],
    }
    assert found.left == []
    settings = parse_settings(found.files)
    assert bound_keys(settings, TEMPLATE) == ["Mod+Shift+D"]
    assert bind(settings, TEMPLATE, "Scripts", "Templates").files == {}


def test_keys_that_somebody_uses_are_left_to_them():
    hotkeys = {"other:command": [{"modifiers": ["Shift", "Mod"], "key": "d"}]}
    found = bind({TEMPLATER: {}, HOTKEYS: hotkeys}, TEMPLATE, "Scripts", "Templates")
    assert HOTKEYS not in found.files
    assert "other:command" in found.left[0]


def test_a_hotkey_that_its_owner_took_away_stays_away():
    assert HOTKEYS not in bind({TEMPLATER: {}, HOTKEYS: {COMMAND: []}}, TEMPLATE, "S", "T").files


def test_settings_that_are_no_json_are_an_error():
    with pytest.raises(InputError, match=r"hotkeys\.json"):
        parse_settings({HOTKEYS: b"{"})


BASE = (
    "filters: 'file.hasProperty(\"depends-on-proposed\")'\n"
    "x: 'list(note[\"depends-on-proposed\"]).length'\n"
    "note.depends-on-proposed: {displayName: Proposed}\n"
    "order: [file.name, note.depends-on]\n"
)


def test_key_names_are_filled_in():
    keys = KeySettings(proposed="rests on", accepted="depends-on-proposed")
    assert fill_keys(BASE, keys) == (
        "filters: 'file.hasProperty(\"rests on\")'\n"
        "x: 'list(note[\"rests on\"]).length'\n"
        "note.rests on: {displayName: Proposed}\n"
        "order: [file.name, note.depends-on-proposed]\n"
    )
    assert fill_keys(BASE, KeySettings()) == BASE


@pytest.mark.parametrize("name", ["it's", 'a"b', "a: b", "a, b", " a", "a ", "[a]", "#a", ""])
def test_key_names_that_would_have_to_be_escaped_are_not(name):
    assert fill_keys(BASE, KeySettings(accepted=name)) is None


@pytest.mark.parametrize(
    ("written", "expected"),
    [("Scripts", "Scripts"), ("/a//b/", "a/b"), ("a\\b", "a/b"), ("/", "")],
)
def test_folders(written, expected):
    assert clean_folder(written) == expected


@pytest.mark.parametrize("written", ["../x", ".obsidian/scripts", "a/../b", "C:/x", "./a"])
def test_folders_outside_or_hidden_are_refused(written):
    with pytest.raises(InputError):
        clean_folder(written)
