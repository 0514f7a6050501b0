"""``config.toml``: what it may say, and an error with line and key for all else."""

from __future__ import annotations

import pytest

from vaultgraph.domain.settings import Settings
from vaultgraph.errors import InputError
from vaultgraph.vault.config import parse_config


def test_nothing_means_the_defaults():
    assert parse_config("") == Settings()
    assert parse_config("schema = 1\n\n[scope]\n[names]\n") == Settings()


def test_every_setting():
    settings = parse_config(
        """
schema = 1
[scope]
include = ["Notes"]
exclude = ["Notes/Old"]
records = ["Log/**"]
date-titles = false
archives = []
private = ["Private/**"]
[status]
keys = ["state", "phase"]
closed = ["over"]
superseded = []
[names]
minimum-words = 3
ignore = ["Next Steps"]
[keys]
proposed = "p"
accepted = "a"
rejected = "r"
resolved-to = "rt"
resolved-on = "ro"
superseded-by = "sb"
reviewed = "rv"
"""
    )
    assert settings.scope.include == ("Notes",)
    assert settings.scope.exclude == ("Notes/Old",)
    assert settings.scope.records == ("Log/**",)
    assert settings.scope.date_titles is False
    assert settings.scope.archives == ()
    assert settings.scope.private == ("Private/**",)
    assert settings.status.keys == ("state", "phase")
    assert settings.status.closed == ("over",)
    assert settings.status.superseded == ()
    assert settings.names.minimum_words == 3
    assert settings.names.ignore == ("Next Steps",)
    assert (settings.keys.proposed, settings.keys.accepted) == ("p", "a")
    assert (settings.keys.rejected, settings.keys.reviewed) == ("r", "rv")
    assert (settings.keys.resolved_to, settings.keys.resolved_on) == ("rt", "ro")
    assert settings.keys.superseded_by == "sb"


#: A text, the line its error names, and what else the message must hold.
FAULTS = {
    "not TOML": ("[scope]\ninclude = [\n", None, []),
    "not TOML, first line": ("scope\n", 1, []),
    "not TOML, third line": ("\n[scope]\ninclude = Notes\n", 3, []),
    "given twice": ('[names]\nignore = []\nignore = ["a"]\n', 3, []),
    "section given twice": ("[names]\n[scope]\n[names]\n", 3, []),
    "unknown section": ("[scope]\n\n[scopes]\n", 3, ["scopes", "scope, status"]),
    "unknown key at the top": ("a = 1\n", 1, ["a"]),
    "unknown key": ("[scope]\n# x\ninclud = []\n", 3, ["includ", "[scope]", "include"]),
    "underscore for a hyphen": ("[names]\nminimum_words = 2\n", 2, ["minimum_words",
    "minimum-words"]),
    "key of another section": ("[names]\nprivate = []\n", 2, ["private", "[names]"]),
    "key in capitals": ("[names]\nIgnore = []\n", 2, ["Ignore"]),
    "text for a list": ('[scope]\nprivate = "Private"\n', 2, ["scope.private", "list"]),
    "number in a list": ('[scope]\n\nexclude = ["a", 1]\n', 3, ["scope.exclude", "list"]),
    "text for a number": ('[names]\nminimum-words = "2"\n', 2, ["names.minimum-words", "number"]),
    "zero": ("[names]\nminimum-words = 0\n", 2, ["names.minimum-words"]),
    "fraction": ("[names]\nminimum-words = 2.5\n", 2, ["names.minimum-words"]),
    "truth for a number": ("[names]\nminimum-words = true\n", 2, ["names.minimum-words"]),
    "number for truth": ("[scope]\ndate-titles = 1\n", 2, ["scope.date-titles", "true or false"]),
    "list for a text": ('[keys]\naccepted = ["x"]\n', 2, ["keys.accepted", "text"]),
    "empty text": ('[keys]\naccepted = " "\n', 2, ["keys.accepted"]),
    "section as a value": ("scope = 3\n", 1, ["scope"]),
    "section as a list": ("[[scope]]\n", 1, ["scope"]),
    "section within a section": ("[scope]\n[scope.private]\nx = 1\n", 2, ["scope.private"]),
    "inline table": ("# x\nscope = {private = 3}\n", 2, ["scope.private"]),
    "dotted key": ("\nscope.private = 3\n", 2, ["scope.private"]),
    "quoted key": ('[names]\n"ignore" = 3\n', 2, ["names.ignore"]),
    "spaces around": ("  [ names ]  \n  ignore=3\n", 2, ["names.ignore"]),
    "comment behind the section": ("[names] # mine\nignore = 3\n", 2, ["names.ignore"]),
    "after a list over lines": ('[scope]\nexclude = [\n  "a",\n]\nprivate = 3\n', 5,
    ["scope.private"]),
    "same key in an earlier section": ("[scope]\n[status]\nkeys = []\n[names]\nkeys = []\n", 5,
    ["keys", "[names]"]),
    "newer schema": ("# x\nschema = 2\n", 2, ["schema", "2"]),
    "pattern that cannot be read": ('[scope]\nexclude = ["[z-a]"]\n', 2, ["scope.exclude"]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "parts"), FAULTS.values(), ids=FAULTS)
def test_each_fault_names_file_line_and_key(text: str, line: int | None, parts: list[str]):
    with pytest.raises(InputError) as caught:
        parse_config(text)
    message = caught.value.message
    assert message.startswith(".vaultgraph/config.toml:"), message
    where = message.partition(": ")[0]
    assert where.rpartition(":")[2].isdigit(), message
    if line is not None:
        assert where == f".vaultgraph/config.toml:{line}", message
    for part in parts:
        assert part in message
    assert caught.value.hint
    assert caught.value.exit_code == 3
