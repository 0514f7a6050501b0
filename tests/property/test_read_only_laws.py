"""Law 10: reading commands leave everything as it was, and work on a vault nobody may write to."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import OBEY_MODES, Ran, run, run_program
from tests.kit.vaults import tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

READING = [
    ("scan",),
    ("scan", "--pairs"),
    ("scan", "--json"),
    ("scan", "--csv"),
    ("scan", "--no-cache"),
    ("scan", "--jobs", "3"),
    ("stale",),
    ("stale", "--all", "--handled"),
    ("stale", "--all", "--json"),
    ("stale", "--all", "--csv"),
    ("stale", "--cycles"),
    ("stale", "--check"),
    ("show", "Relocation Plan"),
    ("show", "Relocation Plan", "--depth", "3", "--json"),
    ("why", "Home", "Relocation Plan"),
    ("why", "Home", "Nothing Of The Kind"),
    ("origin", "Lisbon"),
    ("origin", "Lisbon", "--csv"),
    ("stale", "--write-note", "Report", "--dry-run"),
    ("doctor",),
    ("doctor", "--json"),
    ("init", "--print"),
    ("--help",),
]

#: Says of every attempt to change a file below the vault, in this process and those it forks.
WATCH = """
import os, sys
vault = os.path.realpath(os.environ["WATCHED"])
told = os.open(os.environ["TOLD"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGES = {"os." + name for name in (
    "remove rename rmdir mkdir link symlink truncate chmod chown utime setxattr".split())}

def hook(event, arguments):
    changes = event in CHANGES or event == "sqlite3.connect"
    if event == "open":
        path, mode, flags = arguments
        changes = bool((flags or 0) & WRITING) or any(letter in (mode or "r") for letter in "wax+")
    if not changes:
        return
    for argument in arguments[:2]:
        if isinstance(argument, (str, bytes, os.PathLike)):
            path = os.path.realpath(os.fsdecode(os.fspath(argument)))
            if path == vault or path.startswith(vault + os.sep):
                os.write(told, f"{event} {path}\\n".encode())

sys.addaudithook(hook)
"""


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_the_vault_is_as_it_was(sample_vault: Path, command: tuple[str, ...]):
    before = tree(sample_vault)
    ran = run(sample_vault, *command).calm()
    assert ran.code in {0, 1, 3}
    run(sample_vault, *command)
    assert tree(sample_vault) == before


@pytest.fixture
def sealed(sample_vault: Path) -> Iterator[Path]:
    """Return a vault in which nothing may be written."""
    paths = [sample_vault, *sample_vault.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield sample_vault
    for path in filter(os.path.exists, paths):
        path.chmod(0o755 if path.is_dir() else 0o644)


def sealed_run(vault: Path, *command: str, **how: str) -> Ran:
    return run_program(vault, *command, prelude=OBEY_MODES, env=how or None)


@pytest.mark.skipif(os.name == "nt", reason="folders have no such mode there")
@pytest.mark.parametrize("command", READING[:-1:2], ids=" ".join)
def test_it_works_on_a_vault_that_nobody_may_write_to(sealed: Path, command: tuple[str, ...]):
    before = tree(sealed)
    ran = sealed_run(sealed, *command).calm()
    assert ran.code in {0, 1, 3}
    assert "warning" not in ran.err
    assert ran.out == run(sealed, *command).out
    assert tree(sealed) == before


@pytest.mark.skipif(os.name == "nt", reason="folders have no such mode there")
def test_init_says_that_it_cannot_write_there(sealed: Path):
    ran = sealed_run(sealed, "init")
    ran.fails(3, ".vaultgraph/config.toml")
    (sealed / ".vaultgraph").chmod(0o755)
    (sealed / ".vaultgraph" / "config.toml").unlink()
    (sealed / ".vaultgraph").chmod(0o555)
    sealed_run(sealed, "init").fails(3, ".vaultgraph/config.toml cannot be written", "--print")


@pytest.mark.parametrize("command", READING[::2], ids=" ".join)
def test_nothing_in_the_vault_is_opened_for_writing(
    sample_vault: Path, tmp_path: Path, command: tuple[str, ...]
):
    env = {"WATCHED": os.fspath(sample_vault), "TOLD": os.fspath(tmp_path / "told")}
    run_program(sample_vault, *command, prelude=WATCH, env=env).calm()
    assert (tmp_path / "told").read_text() == ""


def test_the_watch_sees_what_is_written(sample_vault: Path, tmp_path: Path):
    env = {"WATCHED": os.fspath(sample_vault), "TOLD": os.fspath(tmp_path / "told")}
    (sample_vault / ".vaultgraph" / "config.toml").unlink()
    run_program(sample_vault, "init", prelude=WATCH, env=env).ok()
    assert "config.toml" in (tmp_path / "told").read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="no such folders there")
def test_what_is_written_lies_in_the_users_own_folders(sample_vault: Path, tmp_path: Path):
    home = tmp_path / "home"
    home.mkdir()
    env = {
        "HOME": os.fspath(home),
        "XDG_CACHE_HOME": os.fspath(home / "cache"),
        "XDG_STATE_HOME": os.fspath(home / "state"),
    }
    run_program(sample_vault, "scan", env=env, cwd=tmp_path).ok()
    run_program(sample_vault, "stale", env=env, cwd=tmp_path).ok()
    written = {path.relative_to(home).parts[0] for path in home.rglob("*") if path.is_file()}
    assert written <= {"cache", "Library"}
    assert set(tmp_path.iterdir()) == {home, sample_vault}
