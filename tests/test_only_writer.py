"""Nothing but the one writer opens a note for writing: read in the source, and seen in the run."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
import typer.main

from tests.kit.vaults import REPOSITORY, tree
from tests.kit.writing import age, verdict
from vaultgraph.cli.app import app

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: Every module that can change a file at all, and what its files are. A new one belongs here once
#: it is certain that a note is not among them.
WRITERS = {
    "effects.note_file": "notes",
    "effects.write_run": "the twin that a note is replaced by, removed again",
    "effects.recovery": "such a twin, left behind by a crash",
    "effects.journal": "the journal, in the state folder",
    "effects.lock": "locks, in the state folder",
    "effects.durable": "what its callers name; callers are looked at like any other writer",
    "effects.state_folder": "the device's name, in the state folder",
    "effects.ledger": ".vaultgraph/ledger",
    "effects.chain_file": "what its callers name: .vaultgraph/ledger and the ledgers of audits",
    "effects.audit_folder": ".vaultgraph/audits, and their heads in the state folder",
    "effects.own_files": ".vaultgraph/",
    "effects.config_file": ".vaultgraph/config.toml",
    "effects.cache": "the cache, in the cache folder",
    "effects.cache_folder": "the cache folder and its tag",
    "effects.export_file": "the file that a person names for a picture, which is no note",
    "effects.obsidian_files": "the script, template and base for Templater, .obsidian/ when asked",
    "cli.boundary": "the log of bugs, in the log folder",
    "cli.calibrate": "a picture, to a file that was not there before",
}
OPENS_NOTES = "effects.note_file"

#: Calls that change files, by the name that is called.
_OS = {
    "chmod", "chown", "fchmod", "ftruncate", "link", "mkdir", "makedirs", "remove", "removedirs",
    "rename", "renames", "replace", "rmdir", "setxattr", "symlink", "truncate", "unlink", "utime",
    "write", "pwrite", "writev", "sendfile", "copy_file_range",
}  # fmt: skip
_PATH = {
    "chmod", "hardlink_to", "lchmod", "mkdir", "rename", "rmdir", "symlink_to", "touch", "unlink",
    "write_bytes", "write_text",
}  # fmt: skip
_OURS = {"open_private", "replace_file", "write_all", "make_private_folder"}
_FLAGS = {"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND"}
_MODULES = {"tempfile", "fileinput", "mmap"}


def modules() -> Iterator[tuple[str, ast.Module]]:
    package = REPOSITORY / "vaultgraph"
    for path in sorted(package.rglob("*.py")):
        name = ".".join(path.relative_to(package).with_suffix("").parts)
        yield name, ast.parse(path.read_text("utf-8"))


def writes(call: ast.Call) -> bool:
    """Whether a call may change a file."""
    match call.func:
        case ast.Name(name):
            return name in _OURS or (name == "open" and _is_writing_mode(call, 1))
        case ast.Attribute(ast.Name("os"), name):
            return name in _OS or (name == "open" and _has_writing_flags(call))
        case ast.Attribute(ast.Name("shutil"), name):
            return name not in {"get_terminal_size", "which", "disk_usage"}
        case ast.Attribute(ast.Name("sqlite3"), name):
            return name == "connect"
        case ast.Attribute(of, name):
            return _path_writes(call, of, name)
        case _:
            return False


def _path_writes(call: ast.Call, of: ast.expr, name: str) -> bool:
    if name == "open":
        return _is_writing_mode(call, 0)
    if name == "replace":
        # A path's takes one argument; a text's takes two, a date's takes keywords. The form of a
        # property has one as well.
        is_form = isinstance(of, ast.Attribute) and of.attr == "_form"
        return len(call.args) == 1 and not call.keywords and not is_form
    return name in _PATH


def _is_writing_mode(call: ast.Call, position: int) -> bool:
    modes = [keyword.value for keyword in call.keywords if keyword.arg == "mode"]
    modes += call.args[position : position + 1]
    return any(
        not isinstance(mode, ast.Constant) or bool(set(str(mode.value)) & set("wax+"))
        for mode in modes
    )


def _has_writing_flags(call: ast.Call) -> bool:
    return any(
        isinstance(node, ast.Attribute) and node.attr in _FLAGS
        for argument in call.args[1:]
        for node in ast.walk(argument)
    )


def test_every_module_that_can_change_a_file_is_known():
    found = {
        name
        for name, module in modules()
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and writes(node)
    }
    assert found == set(WRITERS)


def test_only_the_writer_and_the_recovery_open_notes():
    users = {
        name
        for name, module in modules()
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom)
        and any(alias.name in {"open_note", "NoteFile"} for alias in node.names)
    }
    assert users == {"effects.write_run", "effects.recovery"}


def test_nothing_that_writes_behind_the_back_is_imported():
    for name, module in modules():
        for node in ast.walk(module):
            if isinstance(node, ast.Import):
                assert not _MODULES & {alias.name.partition(".")[0] for alias in node.names}, name
            elif isinstance(node, ast.ImportFrom):
                assert str(node.module).partition(".")[0] not in _MODULES, name


#: Every command there is, with arguments that let it do its work, in an order that lets each find
#: something to do. ``VERDICTS`` stands for a file of verdicts, ``OUT`` for a folder elsewhere.
COMMANDS: dict[str, list[list[str]]] = {
    "init": [["--print"], []],
    "scan": [[], ["--json"], ["--pairs"], ["--no-cache", "--jobs", "2"]],
    "why": [["Apartment Checklist", "Relocation Plan"]],
    "judge": [["--import", "VERDICTS"], ["--yes"], ["--json"]],
    "propose": [
        ["--dry-run"],
        ["--yes", "--limit", "2"],
        ["--yes"],
        ["--yes", "--json"],
        ["--withdraw", "--dry-run"],
    ],
    "review": [
        ["--status"],
        ["--accept", "Apartment Checklist", "Relocation Plan"],
        ["--reject", "School Search", "Relocation Plan"],
    ],
    "stale": [
        [],
        ["--json"],
        ["--write-note", "Report.md", "--dry-run"],
        ["--write-note", "Report.md", "--yes"],
        ["--write-note", "Report.md", "--all", "--yes"],
    ],
    "export": [["PICTURE"], ["PICTURE", "--scope", "all"], ["-", "--format", "json"]],
    "show": [["Relocation Plan"], ["Relocation Plan", "--depth", "3", "--json"]],
    "origin": [["Lisbon"], ["Lisbon", "--json"]],
    "resolve": [
        ["Relocation Plan", "--to", "We stay", "--dry-run"],
        ["Seed Order", "--to", "Sown", "--superseded-by", "Allotment Plan", "--yes"],
    ],
    "ack": [["Budget 2026", "--dry-run"], ["Budget 2026", "--yes"], ["Home", "--yes", "--json"]],
    "runs": [[], ["--json"]],
    "undo": [["--dry-run"], ["--yes"]],
    "doctor": [[], ["--json"]],
    "audit": [
        ["plan", "plans", "--kind", "staleness", "--size", "5", "--seed", "s"],
        ["lock", "plans"],
        ["draw", "plans"],
        ["label", "plans"],
        ["report", "plans", "--write"],
        ["verify", "plans"],
        ["list", "--json"],
        ["abandon", "plans", "--why", "a trial"],
    ],
    "calibrate": [["--judge", "imported"], ["--judge", "imported", "--json"]],
    "ledger": [["verify"]],
    "obsidian": [
        ["status"],
        ["install", "--scripts", "Scripts", "--templates", "Templates"],
    ],
}
#: What remains to be run after the rest, as it takes away what they need.
LAST = [
    ["undo", "--yes"],
    ["propose", "--withdraw", "--yes"],
    ["runs", "--prune", "--days", "0"],
]


def test_every_command_is_traced():
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert set(commands) == set(COMMANDS), "a new command belongs in COMMANDS"


def traced(vault: Path, scratch: Path, arguments: list[str]) -> tuple[int, list[Any]]:
    """Return how a command ended, and what it opened for writing, changed or renamed."""
    tracer = REPOSITORY / "tests" / "unit" / "effects" / "open_trace.py"
    trace = scratch / "trace.json"
    trace.unlink(missing_ok=True)
    ran = subprocess.run(
        [sys.executable, tracer, vault, trace, "-m", "vaultgraph", "--vault", vault, *arguments],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.fspath(REPOSITORY)},
        check=False,
    )
    assert b"Traceback" not in ran.stderr, ran.stderr.decode()
    return ran.returncode, json.loads(trace.read_text())


def test_no_note_is_opened_for_writing_but_by_the_writer(sample_vault: Path, tmp_path: Path):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    age(sample_vault)
    (sample_vault / ".vaultgraph" / "config.toml").unlink(missing_ok=True)
    lines = [
        verdict("Apartment Checklist", "Relocation Plan", 0.93),
        verdict("School Search", "Relocation Plan", 0.9),
        verdict("Cover Letter Template", "Portfolio Site Plan", 0.8),
    ]
    verdicts = scratch / "verdicts.jsonl"
    verdicts.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    files = {"VERDICTS": str(verdicts), "PICTURE": str(scratch / "picture.html")}
    commands = [
        [name, *(files.get(part, part) for part in arguments)]
        for name, variants in COMMANDS.items()
        for arguments in variants
    ]
    written: set[str] = set()
    for command in [*commands, *LAST]:
        before = tree(sample_vault)
        code, trace = traced(sample_vault, scratch, command)
        assert code == 0, command
        outside = [row for row in trace if not row[1].startswith(".vaultgraph")]
        if command[0] == "obsidian":
            # Its files are new ones, and no notes of the owner's.
            assert {module for _, _, module in outside} <= {"vaultgraph.effects.obsidian_files"}
            assert before.keys().isdisjoint(p for event, p, _ in outside if event == "open")
            continue
        assert {module for _, _, module in outside} <= {f"vaultgraph.{OPENS_NOTES}"}, command
        # Only what we made ourselves is ever removed, when that is taken back.
        removing = {"os.remove"} if command[0] == "undo" else set()
        assert {event for event, _, _ in outside} <= {"open"} | removing, command
        assert {path for event, path, _ in outside if event == "os.remove"} <= {"Report.md"}
        assert all(path.endswith(".md") for _, path, _ in outside), command
        # The tracer misses nothing: what differs afterwards is what it saw.
        after = tree(sample_vault)
        changed = {
            path
            for path in {*before, *after}
            if not path.startswith(".vaultgraph") and before.get(path) != after.get(path)
        }
        assert changed <= {path for _, path, _ in outside}, command
        written |= changed
    assert len(written) >= 3


def test_what_a_crash_left_is_settled_by_the_writer(sample_vault: Path, tmp_path: Path):
    from tests.kit.cli import run_program
    from tests.kit.writing import judged

    age(sample_vault)
    judged(sample_vault, ("Apartment Checklist", "Relocation Plan"))
    die = "import os\nos.ftruncate = lambda *_: os._exit(9)"
    assert run_program(sample_vault, "propose", "--yes", prelude=die).code == 9
    code, trace = traced(sample_vault, tmp_path, ["runs"])
    assert code == 0
    assert {(path, module) for _, path, module in trace} == {
        ("Move/Apartment Checklist.md", f"vaultgraph.{OPENS_NOTES}")
    }


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("open(p, 'w')", True),
        ("open(p)", False),
        ("open(p, mode='rb')", False),
        ("open(p, mode)", True),
        ("p.open('ab')", True),
        ("p.open()", False),
        ("os.open(p, os.O_RDONLY)", False),
        ("os.open(p, os.O_RDWR | x)", True),
        ("p.replace(q)", True),
        ("t.replace('a', 'b')", False),
        ("d.replace(tzinfo=UTC)", False),
        ("os.replace(a, b)", True),
        ("shutil.copy(a, b)", True),
        ("p.write_text(t)", True),
        ("stream.write(t)", False),
    ],
)
def test_the_reader_of_the_source_sees(code: str, expected: bool):
    expression = ast.parse(code, mode="eval").body
    assert isinstance(expression, ast.Call)
    assert writes(expression) is expected
