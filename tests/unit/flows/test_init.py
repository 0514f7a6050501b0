"""``init`` writes what it saw, once, and what it wrote is a valid configuration."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields, replace
from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import run
from tests.kit.vaults import tree
from vaultgraph.domain.settings import JudgeSettings, Settings
from vaultgraph.effects.judges import open_remote_judge
from vaultgraph.judge.embedded.judge import EmbeddedJudge
from vaultgraph.judge.pair_text import TextRules
from vaultgraph.vault.config import parse_config
from vaultgraph.vault.privacy import Masker

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILES = {
    ".obsidian/templates.json": '{"folder": "Templates"}',
    "Templates/T.md": "",
    "Old.md": "---\nstatus: Done\n---\n",
    "Older.md": "---\nstatus: Done\nstage: archived\n---\n",
    "New.md": '---\nstatus: "in # progress"\nphase: one\n---\n',
    "Archive/Gone.md": "",
    "2024-05-01.md": "",
    **{f"n{number}.md": "The Next Steps." for number in range(9)},
    "Next Steps.md": "",
}


def written(vault: Path) -> str:
    return (vault / ".vaultgraph" / "config.toml").read_text("utf-8")


def switched_on(text: str) -> str:
    """Return a configuration with every setting of it switched on."""
    lines: list[str] = []
    in_list = False
    for line in text.splitlines():
        is_setting = in_list or re.match(r"# [a-z-]+ = ", line) is not None
        lines.append(line.removeprefix("#") if is_setting else line)
        in_list = is_setting and "]" not in line and (in_list or line.endswith("["))
    return "\n".join(line.removeprefix(" ") for line in lines)


def test_it_writes_what_it_saw(make_vault: Callable[..., Path]):
    vault = make_vault(FILES)
    ran = run(vault, "init").ok()
    text = written(vault)
    assert str(vault / ".vaultgraph" / "config.toml") in ran.out
    for part in (
        '2  status: "Done"  closed',
        '1  status: "in # progress"  live',
        '1  stage: "archived"  closed',
        '1  phase: "one"  live',
        "template folder",
        "Next Steps",
        "1 here",
    ):
        assert part in text, part
    assert "template folder (Templates)" in ran.out
    # Only the keys that close notes here are looked at, and the usual one.
    assert parse_config(text).status.keys == ("status", "stage")


def test_what_it_writes_is_a_valid_configuration_with_the_defaults(
    make_vault: Callable[..., Path],
):
    vault = make_vault({"A.md": ""})
    run(vault, "init").ok()
    assert parse_config(written(vault)) == Settings()
    run(vault, "scan").ok()


def test_every_line_that_is_commented_out_is_a_valid_setting(make_vault: Callable[..., Path]):
    vault = make_vault(FILES)
    run(vault, "init").ok()
    settings = parse_config(switched_on(written(vault)))
    assert settings.names.ignore == ("Next Steps",)
    assert settings.scope == Settings().scope
    assert settings.status.closed == Settings().status.closed
    assert settings.keys == Settings().keys
    # What it says of the judge is what holds without it.
    rules = TextRules(Masker(()))
    assert settings.judge.cap == EmbeddedJudge().weights.cap
    assert settings.judge.floor == EmbeddedJudge().weights.floor
    assert settings.judge.prior == pytest.approx(EmbeddedJudge().weights.base_rate, abs=0.005)
    endpoints = []
    for judge in (replace(settings.judge, name="systemone"), JudgeSettings(name="systemone")):
        with open_remote_judge(judge, rules, {"TYPESAFE_API_KEY": "k"}) as opened:
            endpoints.append(opened.endpoint)
    assert endpoints[0] == endpoints[1]


def test_every_setting_stands_in_it(make_vault: Callable[..., Path]):
    run(vault := make_vault(FILES), "init").ok()
    sections = tomllib.loads(switched_on(written(vault)))
    for section in fields(Settings):
        known = {f.name.replace("_", "-") for f in fields(getattr(Settings(), section.name))}
        assert set(sections[section.name]) == known


def test_it_never_overwrites(make_vault: Callable[..., Path]):
    vault = make_vault({**FILES, ".vaultgraph/config.toml": "# mine\n"})
    before = tree(vault)
    run(vault, "init").fails(3, ".vaultgraph/config.toml exists already")
    assert tree(vault) == before


def test_print_writes_nothing(make_vault: Callable[..., Path]):
    vault = make_vault(FILES)
    before = tree(vault)
    printed = run(vault, "init", "--print").ok().out
    assert tree(vault) == before
    run(vault, "init").ok()
    assert written(vault) == printed


def test_it_writes_nothing_else(make_vault: Callable[..., Path]):
    vault = make_vault(FILES)
    before = tree(vault)
    run(vault, "init").ok()
    after = tree(vault)
    assert set(after) - set(before) == {".vaultgraph", ".vaultgraph/config.toml"}
    assert {path: after[path] for path in before} == before


def test_a_vault_without_statuses(make_vault: Callable[..., Path]):
    vault = make_vault({"A.md": ""})
    assert "no note" in run(vault, "init").ok().out.lower()


@pytest.mark.parametrize(
    "value", ['"a\\nb"', "'quote \" here'", '"\\u001b[31m"', "'back\\slash'", "'# x'"]
)
def test_odd_values_do_not_break_the_file(make_vault: Callable[..., Path], value: str):
    vault = make_vault({"A.md": f"---\nstatus: {value}\n---\n"})
    ran = run(vault, "init").ok()
    assert "\x1b" not in ran.out
    assert "\x1b" not in written(vault)
    assert parse_config(written(vault)) == Settings()


def test_a_file_in_place_of_our_folder(make_vault: Callable[..., Path]):
    vault = make_vault({**FILES, ".vaultgraph": "a file"})
    run(vault, "init").fails(3, ".vaultgraph/config.toml")
    run(vault, "scan").ok()
