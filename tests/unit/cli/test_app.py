"""Exit codes and messages: public, and never a traceback."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typer.main

from tests.kit.cli import run, run_in_terminal, run_program
from vaultgraph import __version__
from vaultgraph.cli.app import app
from vaultgraph.cli.commands import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Callable

FILES = {
    "Old Plan.md": "---\nstatus: done\n---\n",
    "New Plan.md": "[[Old Plan]]\n",
    ".obsidian/app.json": "{}",
}
READING = (("scan",), ("stale",), ("doctor",), ("why", "Old Plan", "New Plan"))


@pytest.fixture
def vault(make_vault: Callable[..., Path]) -> Path:
    return make_vault(FILES)


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_done_is_0(vault: Path, command: tuple[str, ...]):
    run(vault, *command).ok()
    assert isinstance(run(vault, *command, "--json").ok().json, dict)


def test_findings_are_1_only_when_asked(vault: Path):
    # A bare pointer is a finding only for those who ask for all.
    run(vault, "stale", "--check").ok()
    for form in ((), ("--json",), ("--csv",)):
        ran = run(vault, "stale", "--all", "--check", *form).calm()
        assert ran.code == 1
        assert ran.out == run(vault, "stale", "--all", *form).ok().out
    (vault / "New Plan.md").write_text("")
    run(vault, "stale", "--all", "--check").ok()


@pytest.mark.parametrize(
    "arguments",
    [
        ("--nope",),
        ("nope",),
        ("scan", "--nope"),
        ("scan", "--json", "--csv"),
        ("scan", "--pairs", "--csv", "--json"),
        ("stale", "--csv", "--json"),
        ("scan", "--jobs", "0"),
        ("scan", "--jobs", "many"),
        ("why",),
        ("why", "Old Plan"),
        ("why", "a", "b", "c"),
        ("doctor", "--compare"),
        ("--vault",),
    ],
    ids=" ".join,
)
def test_usage_is_2(vault: Path, arguments: tuple[str, ...]):
    ran = run(None if arguments == ("--vault",) else vault, *arguments).calm()
    assert ran.code == 2
    assert ran.out == ""
    assert "error: " in ran.err.lower()
    if {"--json", "--csv"} <= set(arguments):
        assert "--json and --csv" in ran.err


def test_bad_input_is_3(vault: Path, tmp_path: Path):
    for command in READING:
        run(tmp_path / "none", *command).fails(3, str(tmp_path / "none"))
        run(vault / "Old Plan.md", *command).fails(3, "not a folder")
    (vault / ".vaultgraph").mkdir()
    (vault / ".vaultgraph" / "config.toml").write_text("[scope]\nincludes = []\n")
    for command in READING:
        run(vault, *command).fails(3, ".vaultgraph/config.toml:2", "includes")
    run(vault, "init").fails(3, ".vaultgraph/config.toml:2")


def test_errors_are_two_lines_and_stdout_stays_empty(vault: Path):
    ran = run(vault, "why", "Old Plam", "New Plan").fails(3, "Old Plam")
    assert ran.out == ""
    assert len(ran.err.splitlines()) == 2


def test_the_vault_by_variable_and_by_folder(vault: Path):
    named = run(vault, "scan", "--json").ok().json
    assert (
        run(None, "scan", "--json", env={"VAULTGRAPH_VAULT": os.fspath(vault)}).ok().json == named
    )
    assert run_program(None, "scan", "--json", cwd=vault).ok().json == named
    ran = run_program(None, "scan", cwd=vault.parent)
    ran.fails(3, "no vault here", "VAULTGRAPH_VAULT")


def test_a_relative_vault(vault: Path):
    found = run_program(None, "--vault", vault.name, "scan", "--json", cwd=vault.parent).ok().json
    assert found["vault"] == os.fspath(vault.resolve())


def test_the_version():
    assert run(None, "--version").ok().out == f"vaultgraph {__version__}\n"


@pytest.mark.parametrize(
    "arguments", [("--help",), ("-h",), ("scan", "-h"), ("why", "--help"), ("init", "-h")]
)
def test_help(arguments: tuple[str, ...]):
    ran = run(None, *arguments).ok()
    assert ran.out.startswith("Usage: ")
    assert ran.err == ""


def test_every_command_says_what_it_does():
    commands = typer.main.get_command(app).commands.items()  # type: ignore[attr-defined]
    assert {name for name, _ in commands} == set(COMMANDS)
    for name, command in commands:
        assert command.name == name
        assert (command.help or "").strip(), name


def test_only_the_command_that_is_run_is_imported(tmp_path: Path):
    prelude = "import atexit, sys; atexit.register(lambda: print(*sorted(sys.modules)))"
    loaded = run_program(tmp_path, "show", "x", prelude=prelude).out.split()
    # What it prints, and what it was given, are shared with other commands.
    assert "vaultgraph.cli.show" in loaded
    others = {f"vaultgraph.cli.{module}" for module in COMMANDS.values()}
    assert others & {*loaded} == {"vaultgraph.cli.show"}
    assert not {"networkx", "httpx", "rich"} & {*loaded}


def test_no_command_is_help():
    ran = run(None).calm()
    assert ran.code in {0, 2}
    assert "Usage: " in ran.out + ran.err


def test_json_is_one_object_with_the_documented_keys(vault: Path):
    scan = run(vault, "scan", "--json").ok().json
    assert {
        "vault",
        "notes",
        "skipped",
        "links",
        "unresolved",
        "mentions",
        "pairs",
        "problems",
        "counts",
    } <= set(scan)
    assert scan["links"] == [
        {"note": "New Plan.md", "to": "Old Plan.md", "line": 1, "kind": "wikilink"}
    ]
    assert scan["pairs"] == [
        {
            "first": "New Plan.md",
            "second": "Old Plan.md",
            "evidence": [
                {"note": "New Plan.md", "of": "Old Plan.md", "line": 1, "kind": "wikilink"}
            ],
        }
    ]
    stale = run(vault, "stale", "--all", "--json").ok().json
    assert {"findings", "counts", "problems"} <= set(stale)
    (finding,) = stale["findings"]
    assert {
        key: finding[key] for key in ("note", "basis", "level", "state", "path", "evidence")
    } == {
        "note": "New Plan.md",
        "basis": "Old Plan.md",
        "level": "pointer",
        "state": "stale",
        "path": ["New Plan.md", "Old Plan.md"],
        "evidence": [{"line": 1, "kind": "wikilink"}],
    }
    assert set(finding["closed"]) >= {"how", "words", "on", "successor"}


def test_csv_is_rfc_4180(make_vault: Callable[..., Path]):
    vault = make_vault({'A, "quoted".md': "[[B]]\n", "B.md": "---\nstatus: done\n---\n"})
    rows = list(csv.reader(io.StringIO(run(vault, "scan", "--csv").ok().out)))
    assert rows == [
        ["first", "second", "note", "of", "line", "kind", "name"],
        ['A, "quoted".md', "B.md", 'A, "quoted".md', "B.md", "1", "wikilink", ""],
    ]
    rows = list(csv.reader(io.StringIO(run(vault, "stale", "--all", "--csv").ok().out)))
    assert rows[0][:2] == ["note", "basis"]
    assert rows[1][:2] == ['A, "quoted".md', "B.md"]


def test_data_on_stdout_and_problems_on_stderr(make_vault: Callable[..., Path]):
    vault = make_vault({"Bad.md": "---\na: b: c\n---\n"})
    ran = run(vault, "scan").ok()
    assert "Bad.md" not in ran.out
    assert "Bad.md:2" in ran.err
    assert run(vault, "scan", "--json").ok().err == ""
    assert "Bad.md:2" in run(vault, "stale", "--csv").ok().err


def test_text_is_utf8_whatever_the_locale(make_vault: Callable[..., Path]):
    vault = make_vault({"Résumé 双链 🚀.md": "[[x]]"})
    for env in (
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
    ):
        found = run_program(vault, "scan", "--json", env=env).ok().json
        assert found["notes"] == ["Résumé 双链 🚀.md"]
        assert "Résumé 双链 🚀.md" in run_program(vault, "doctor", env=env).ok().out


class TestBugs:
    """What nobody foresaw is one line, a log without contents, and exit code 70."""

    PRELUDE = (
        "import vaultgraph.flows.scan\n"
        "def broken(context): raise KeyError('secret content')\n"
        "vaultgraph.flows.scan.scan = broken"
    )

    def test_a_bug_is_70(self, vault: Path, tmp_path: Path):
        env = {"XDG_STATE_HOME": os.fspath(tmp_path / "state"), "HOME": os.fspath(tmp_path)}
        ran = run_program(vault, "scan", prelude=self.PRELUDE, env=env)
        assert ran.code == 70
        assert ran.out == ""
        assert "a bug in vaultgraph: KeyError" in ran.err
        assert "hint: " in ran.err
        assert "Traceback" not in ran.err
        logs = list(tmp_path.rglob("bugs.log"))
        assert len(logs) == 1
        assert os.fspath(logs[0]) in ran.err
        text = logs[0].read_text("utf-8")
        assert "KeyError" in text
        assert "in broken" in text
        assert "secret content" not in text + ran.err

    def test_debug_shows_the_traceback(self, vault: Path):
        ran = run_program(None, "--debug", "--vault", vault, "scan", prelude=self.PRELUDE)
        assert ran.code not in {0, 70}
        assert "Traceback" in ran.err

    def test_no_place_for_the_log(self, vault: Path, tmp_path: Path):
        (tmp_path / "file").write_text("")
        env = {
            "XDG_STATE_HOME": os.fspath(tmp_path / "file"),
            "HOME": os.fspath(tmp_path / "file"),
        }
        ran = run_program(vault, "scan", "--no-cache", prelude=self.PRELUDE, env=env)
        assert ran.code == 70
        assert "Traceback" not in ran.err


@pytest.mark.skipif(os.name == "nt", reason="signals are others there")
def test_an_interrupt_is_130(vault: Path):
    prelude = (
        "import vaultgraph.flows.scan, os, signal\n"
        "def slow(context): os.kill(os.getpid(), signal.SIGINT)\n"
        "vaultgraph.flows.scan.scan = slow"
    )
    ran = run_program(vault, "scan", prelude=prelude).calm()
    assert ran.code == 130
    assert "interrupted" in ran.err


@pytest.mark.skipif(os.name == "nt", reason="there are no such pipes there")
class TestOutputThatGoesNowhere:
    """A reader that has had enough, and a disk that is full."""

    @pytest.fixture
    def many(self, make_vault: Callable[..., Path]) -> Path:
        return make_vault(
            {f"Note {n:04}.md": f"[[Note {n // 2:04}]] [[gone {n}]]" for n in range(1500)}
        )

    @pytest.mark.parametrize(
        "command",
        [
            ("scan", "--json"),
            ("scan", "--csv"),
            ("scan", "--pairs"),
            ("doctor", "--all"),
            ("scan",),
        ],
        ids=" ".join,
    )
    def test_a_closed_pipe(self, many: Path, command: tuple[str, ...]):
        program = subprocess.Popen(
            [sys.executable, "-m", "vaultgraph", "--vault", os.fspath(many), *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.read(20)
        program.stdout.close()
        err = program.stderr.read().decode()
        program.stderr.close()
        assert program.wait(timeout=60) == 0, err
        assert err == ""

    def test_a_pipe_closed_before_anything_is_written(self, vault: Path):
        reading, writing = os.pipe()
        os.close(reading)
        result = subprocess.run(
            [sys.executable, "-m", "vaultgraph", "--vault", os.fspath(vault), "scan"],
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
        os.close(writing)
        assert (result.returncode, result.stderr) == (0, b"")

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
    @pytest.mark.parametrize(
        "command", [("scan",), ("scan", "--json"), ("stale",), ("--help",)], ids=" ".join
    )
    def test_a_full_disk(self, many: Path, command: tuple[str, ...]):
        with open("/dev/full", "w") as full:  # noqa: PTH123 - not a path of ours
            result = subprocess.run(
                [sys.executable, "-m", "vaultgraph", "--vault", os.fspath(many), *command],
                stdout=full,
                stderr=subprocess.PIPE,
                check=False,
                timeout=60,
                text=True,
            )
        assert result.returncode == 3, result.stderr
        assert "Traceback" not in result.stderr
        assert "No space left" in result.stderr

    def test_no_output_at_all(self, vault: Path):
        result = subprocess.run(
            [
                "/bin/sh",
                "-c",
                f'exec "{sys.executable}" -m vaultgraph --vault "{vault}" scan >&- 2>&-',
            ],
            check=False,
            timeout=60,
        )
        assert result.returncode in {0, 1, 3}


class TestTerminal:
    """Colour and folding only where a person looks."""

    def test_no_styles_without_a_terminal(self, vault: Path):
        for env in ({}, {"TERM": "xterm-256color", "COLORTERM": "truecolor"}, {"COLUMNS": "40"}):
            for command in READING[:2]:
                assert "\x1b" not in run_program(vault, *command, env=env).ok().out

    def test_lines_are_not_folded_without_a_terminal(self, make_vault: Callable[..., Path]):
        name = "long " * 30 + "name"
        vault = make_vault({f"{name}.md": "[[x]]"})
        out = run_program(vault, "doctor", env={"COLUMNS": "40"}).ok().out
        assert any(name in line for line in out.splitlines())

    @pytest.mark.skipif(os.name == "nt", reason="there are no such terminals there")
    def test_colour_on_a_terminal_and_none_where_it_is_not_wanted(self, vault: Path):
        colours = ("\x1b[31m", "\x1b[33m", "\x1b[1;33m", "\x1b[32m", "\x1b[36m")
        plain = run_in_terminal(vault, "stale", "--all", env={"NO_COLOR": "1"}).ok().out
        shown = run_in_terminal(vault, "stale", "--all").ok().out
        assert any(colour in shown for colour in colours)
        assert not any(colour in plain for colour in colours)
        # NO_COLOR asks for no colour (no-color.org); bold and dim are none, and stay.
        assert "\x1b[1m" in plain
        assert set(re.findall(r"\x1b\[[0-9;]*m", plain)) <= {
            "\x1b[0m",
            "\x1b[1m",
            "\x1b[2m",
            "\x1b[3m",
        }
        assert "\x1b" not in run_in_terminal(vault, "stale", env={"TERM": "dumb"}).ok().out

    @pytest.mark.skipif(os.name == "nt", reason="there are no such terminals there")
    @pytest.mark.parametrize("columns", [40, 60])
    @pytest.mark.parametrize(
        "command",
        [("scan",), ("stale",), ("stale", "--all"), ("doctor",), ("scan", "--pairs")],
        ids=" ".join,
    )
    def test_lines_fit(self, sample_vault: Path, columns: int, command: tuple[str, ...]):
        from unicodedata import east_asian_width

        shown = re.sub(
            r"\x1b\[[0-9;]*m",
            "",
            run_in_terminal(sample_vault, *command, columns=columns).ok().out,
        )
        for line in shown.split("\n"):
            width = sum(2 if east_asian_width(c) in "WF" else 1 for c in line.rstrip())
            # One word longer than a line may stand out: a folder's path.
            assert width <= columns or len(line.split()) <= 2, line
        unfolded = "".join(run(sample_vault, *command).ok().out.split())
        assert "".join(shown.split()).startswith(unfolded)


def test_json_is_not_escaped(make_vault: Callable[..., Path]):
    vault = make_vault({"é.md": ""})
    assert json.loads(run(vault, "scan", "--json").ok().out)["notes"] == ["é.md"]
    assert "é.md" in run(vault, "scan", "--json").ok().out


@pytest.mark.skipif(os.name == "nt", reason="there are no such terminals there")
def test_what_scan_offers_to_ignore_can_be_copied_from_a_terminal(sample_vault: Path):
    shown = run_in_terminal(sample_vault, "scan", columns=60, env={"TERM": "dumb"}).ok().out
    plain = run_in_terminal(sample_vault, "scan", columns=60, env={"NO_COLOR": "1"}).ok().out
    for text in (shown, re.sub(r"\x1b\[[0-9;]*m", "", plain)):
        offered = text[text.index("ignore = [") : text.index("]", text.index("ignore = [")) + 1]
        assert tomllib.loads(f"[names]\n{offered}")["names"]["ignore"][0] == "Next Steps"


def test_scan_counts_one_as_one_and_none_as_none(make_vault: Callable[..., Path]):
    assert (
        "stale  1 live note points at 1 closed one: vaultgraph stale --all lists them\n"
        in run(make_vault(FILES), "scan").ok().out
    )
    none = run(make_vault({"2026-03-02.md": "", "New Plan.md": ""}, "other"), "scan").ok().out
    assert "stale  no live note points at a closed one\n" in none
    assert "of those read: 0 closed, 1 record, 0 private" in none
