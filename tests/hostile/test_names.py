"""Names made to mislead: escape sequences, markup, line breaks, marks that turn text around."""

from __future__ import annotations

import json
import os
import re
import sys
import unicodedata
from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import run, run_in_terminal, run_program

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name == "nt", reason="such names are not allowed there")

ESCAPE = "Red \x1b[31mPlan \x1b]0;title\x07"
MARKUP = "The [red]Plan[/red] [/] [bold]"
BROKEN = "Two\nLines"
TURNED = "Plan \u202egnp.md \u2066x\u2069 \u200f"
ODD = "A\tB\x7fC\x85D\u2028E\ufeffF\u0000"[:-1]
NAMES = (
    ESCAPE,
    MARKUP,
    BROKEN,
    TURNED,
    ODD,
    "-rf",
    "$(touch x)",
    "a;b|c&d",
    "%s %d {0} {x}",
    "'\"`",
)

CLOSED = """---
status: done
resolved-to: "it \\e[32m ended [green]"
---
See [[Gone \x07]] and [[Home]].
"""
FILES = {
    **{f"{name}.md": CLOSED for name in NAMES},
    "Home.md": "".join(f"[x](<{name}.md>) {name}\n\n" for name in NAMES if "\n" not in name),
    "Bad \x1b[5m.md": "---\na: b: c\n---\n",
}  # fmt: skip

COMMANDS = [
    ("scan",),
    ("scan", "--pairs"),
    ("stale",),
    ("stale", "--all"),
    ("show", "Home"),
    ("show", ESCAPE),
    ("doctor", "--all"),
    ("why", "Home", ESCAPE),
    ("why", "Home", "\x1b[31mnothing\u202e"),
    ("init", "--print"),
    ("init",),
]

#: Control characters, marks of direction, separators: none may reach a terminal as it is.
RAW = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u2028\u2029]"
)
STYLE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def vault(make_vault: Callable[..., Path]) -> Path:
    return make_vault(FILES)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0] + str(len(command)))
def test_nothing_raw_reaches_a_pipe(vault: Path, command: tuple[str, ...]):
    ran = run_program(vault, *command).calm()
    for stream in (ran.out, ran.err):
        assert RAW.search(stream) is None, repr(stream)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0] + str(len(command)))
def test_nothing_raw_reaches_a_terminal(vault: Path, command: tuple[str, ...]):
    shown = STYLE.sub("", run_in_terminal(vault, *command, columns=200).out)
    assert "Traceback" not in shown
    assert RAW.search(shown) is None, repr(RAW.search(shown))


def test_names_are_shown_in_full_with_markup_as_text(vault: Path):
    out = run(vault, "stale", "--all").ok().out
    assert f"{MARKUP}.md" in out
    assert "Red \\x1b[31mPlan \\x1b]0;title\\x07.md" in out
    assert "Two\\nLines.md" in run(vault, "doctor", "--all").ok().out
    assert "Plan \\u202egnp.md" in out
    shown = STYLE.sub("", run_in_terminal(vault, "stale", "--all", columns=200).ok().out)
    assert f"{MARKUP}.md" in shown


def test_a_line_break_in_a_name_makes_no_line_of_its_own(vault: Path):
    for line in run(vault, "stale", "--all").ok().out.splitlines():
        assert not line.startswith("Lines")
    rows = run(vault, "scan", "--csv").ok().out
    assert "Two" in rows or BROKEN not in rows


def test_json_and_csv_hold_the_names_as_they_are(vault: Path):
    found = json.loads(run_program(vault, "scan", "--json").ok().out)["notes"]
    assert set(found) == {unicodedata.normalize("NFC", path) for path in FILES}
    pairs = {pair["first"] for pair in run(vault, "scan", "--json").json["pairs"]}
    assert f"{MARKUP}.md" in pairs | {
        pair["second"] for pair in run(vault, "scan", "--json").json["pairs"]
    }


def test_a_vault_with_such_a_name(make_vault: Callable[..., Path]):
    vault = make_vault({"A.md": "[[B]]"}, name="v \x1b[31m[red]\u202e")
    ran = run_program(vault, "scan").ok()
    assert RAW.search(ran.out) is None
    missing = run_program(vault / "none \x1b[1m", "scan").fails(3)
    assert RAW.search(missing.err) is None


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep one of the two")
def test_two_spellings_of_one_name(make_vault: Callable[..., Path]):
    composed, decomposed = "Résumé One.md", unicodedata.normalize("NFD", "Résumé One.md")
    vault = make_vault({composed: "[[Home]]", decomposed: "[[Home]] x", "Home.md": "résumé one"})
    for command in (
        ("scan", "--json"),
        ("stale", "--json"),
        ("doctor", "--json"),
        ("scan", "--pairs"),
    ):
        run(vault, *command).ok()
        run(vault, *command).ok()
    counts = run(vault, "scan", "--json").json["counts"]
    assert counts["found"] == 3


@pytest.mark.skipif(sys.platform != "linux", reason="names are text there")
def test_names_that_are_no_text(make_vault: Callable[..., Path]):
    vault = make_vault({"Home.md": "[[x]]"})
    for name in (b"\xff one.md", b"\xfe one.md"):
        with open(os.fsencode(vault) + b"/" + name, "wb") as file:  # noqa: PTH123 - bytes are meant
            file.write(b"[[Home]]")
    for command in (
        ("scan",),
        ("scan", "--json"),
        ("stale",),
        ("doctor",),
        ("scan", "--pairs"),
        ("init", "--print"),
    ):
        run_program(vault, *command).ok()
    assert run_program(vault, "scan", "--json").json["counts"]["found"] == 3
