"""Whatever is wrong with the cache, the run gives the right answer and at most a warning."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import OBEY_MODES, Ran, run_program

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILES = {f"Note {n:02}.md": f"[[Note {n // 2:02}]] note {n % 5:02}" for n in range(40)}

#: Python that lets no file of this process grow: what a full disk does to a cache.
FULL = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (@, @))
"""


@pytest.fixture
def vault(make_vault: Callable[..., Path]) -> Path:
    return make_vault(FILES)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", os.fspath(tmp_path / "cache"))
    return tmp_path / "cache"


def expected(vault: Path) -> str:
    return run_program(vault, "scan", "--json", "--no-cache").ok().out


def scan(vault: Path, *, prelude: str = "") -> Ran:
    return run_program(vault, "scan", "--json", prelude=prelude).ok()


def the_file(cache: Path) -> Path:
    (found,) = cache.rglob("*.sqlite")
    return found


def test_a_run_without_a_cache_leaves_none(vault: Path, cache: Path):
    expected(vault)
    assert not cache.exists() or not list(cache.rglob("*.sqlite"))


@pytest.mark.parametrize(
    "content", [b"", b"garbage", b"SQLite format 3\x00" + b"\x00" * 4096, b"\xff" * 100_000]
)
def test_a_corrupt_file_is_a_warning_and_made_anew(vault: Path, cache: Path, content: bytes):
    scan(vault)
    the_file(cache).write_bytes(content)
    ran = scan(vault)
    assert ran.out == expected(vault)
    if content:
        assert ran.err.startswith("warning: the cache")
        assert len(ran.err.splitlines()) == 1
    again = scan(vault)
    assert (again.out, again.err) == (ran.out, "")


def test_a_truncated_file(vault: Path, cache: Path):
    scan(vault)
    data = the_file(cache).read_bytes()
    the_file(cache).write_bytes(data[: len(data) // 2])
    assert scan(vault).out == expected(vault)
    scan(vault)
    assert scan(vault).err == ""


def test_an_older_form(vault: Path, cache: Path):
    scan(vault)
    with sqlite3.connect(the_file(cache)) as db:
        db.execute("UPDATE kept SET data = 'older' WHERE name = 'tag'")
        db.execute("UPDATE kept SET data = x'00' WHERE name != 'tag'")
    db.close()
    ran = scan(vault)
    assert ran.out == expected(vault)
    assert scan(vault).err == ""


def test_a_file_of_another_program(vault: Path, cache: Path):
    scan(vault)
    the_file(cache).unlink()
    path = next(cache.rglob("CACHEDIR.TAG")).parent / "survey.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE kept (something INTEGER)")
    db.close()
    ran = scan(vault)
    assert ran.out == expected(vault)
    assert ran.err.startswith("warning: the cache")


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such mode there")
@pytest.mark.parametrize("what", ["a file", "read-only", "a file above"])
def test_a_folder_that_cannot_be_used(vault: Path, cache: Path, what: str):
    if what == "a file above":
        cache.write_text("in the way")
    else:
        cache.mkdir()
        (cache / "vaultgraph").write_text("in the way") if what == "a file" else cache.chmod(0o555)
    try:
        ran = scan(vault, prelude=OBEY_MODES)
    finally:
        cache.chmod(0o755)
    assert ran.out == expected(vault)
    assert ran.err.startswith("warning: the cache cannot be used")
    assert len(ran.err.splitlines()) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit there")
@pytest.mark.parametrize("limit", ["0", "4096", "20000"])
def test_a_full_disk(vault: Path, cache: Path, limit: str):
    ran = scan(vault, prelude=FULL.replace("@", limit))
    assert ran.out == expected(vault)
    assert ran.err.startswith("warning: the cache cannot be used")
    assert len(ran.err.splitlines()) == 1
    # With room again, all is well.
    again = scan(vault)
    assert (again.out, again.err) == (ran.out, "")
    assert scan(vault).err == ""


def test_a_cache_that_another_program_holds(vault: Path, cache: Path):
    scan(vault)
    holder = sqlite3.connect(the_file(cache), isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    program = subprocess.Popen(
        [sys.executable, "-m", "vaultgraph", "--vault", os.fspath(vault), "scan", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with pytest.raises(subprocess.TimeoutExpired):
        program.wait(timeout=2)
    holder.execute("COMMIT")
    holder.close()
    out, err = program.communicate(timeout=60)
    assert (program.returncode, err) == (0, "")
    assert out == expected(vault)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_a_run_that_was_killed_leaves_a_usable_cache(vault: Path, cache: Path):
    prelude = (
        "import sqlite3, os, signal\n"
        "from vaultgraph.effects import cache\n"
        "real = cache._pack\n"
        "def pack(value):\n"
        "    pack.count = getattr(pack, 'count', 0) + 1\n"
        "    if pack.count == 5: os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return real(value)\n"
        "cache._pack = pack"
    )
    assert run_program(vault, "scan", "--json", prelude=prelude).code == -9
    for _ in range(2):
        ran = scan(vault)
        assert (ran.out, ran.err) == (expected(vault), "")
