"""Law 8: file order, locale, time zone, hashing and workers change nothing; warm equals cold."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from tests.kit.cli import run, run_program
from tests.kit.vaults import SAMPLE_VAULT, write_file
from vaultgraph.domain.settings import Settings
from vaultgraph.effects.disk import DiskVault
from vaultgraph.effects.note_store import NoteStore
from vaultgraph.flows.survey import survey_vault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vaultgraph.domain.survey import Survey

COMMANDS = (
    ("scan", "--json"),
    ("scan", "--pairs"),
    ("stale", "--all", "--json"),
    ("doctor", "--json"),
    ("origin", "Lisbon", "--json"),
)


def outputs(vault: Path, *options: str, **how: Any) -> list[tuple[str, str]]:
    # Where the vault lies is part of the report, and is the same in every run here.
    found = []
    for command in COMMANDS:
        if options and command[0] not in {"scan", "stale", "origin"}:
            continue
        ran = run_program(vault, *command, "--no-cache", *options, **how).ok()
        found.append((ran.out, ran.err))
    return found


def test_hashing_locale_and_time_zone_change_nothing():
    expected = outputs(SAMPLE_VAULT, env={"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC"})
    for env in (
        {"PYTHONHASHSEED": "1", "LC_ALL": "C", "LANG": "C", "TZ": "Pacific/Kiritimati"},
        {"PYTHONHASHSEED": "4711", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8",
        "TZ": "Pacific/Pago_Pago"},
        {"PYTHONHASHSEED": "7", "LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0",
        "TZ": ":none"},
    ):  # fmt: skip
        assert outputs(SAMPLE_VAULT, env=env) == expected


@pytest.mark.parametrize("jobs", ["2", "3", "8"])
def test_the_number_of_workers_changes_nothing(jobs: str):
    alone = outputs(SAMPLE_VAULT, "--jobs", "1")
    assert outputs(SAMPLE_VAULT, "--jobs", jobs) == alone


def test_workers_and_a_cache(make_vault: Callable[..., Path]):
    vault = make_vault(
        {f"Note {n:02}.md": f"See [[Note {n // 2:02}]] and Note {n % 7:02}." for n in range(40)}
    )
    cold = run_program(vault, "scan", "--json", "--no-cache").ok().out
    for jobs in ("1", "3", "2"):
        write_file(vault / "Note 00.md", f"changed for {jobs}: Note 11")
        assert (
            run_program(vault, "scan", "--json", "--jobs", jobs).ok().json["counts"]["found"] == 40
        )
        warm = run_program(vault, "scan", "--json", "--jobs", jobs).ok().out
        cold = run_program(vault, "scan", "--json", "--no-cache", "--jobs", "1").ok().out
        assert warm == cold


FILES = {
    "b/Plan.md": "[[Plan]] the cache layer",
    "a/Plan.md": "---\naliases: [Cache Layer]\n---\n",
    "c/Plan.md": "---\naliases: [Cache Layer]\n---\n[[../a/Plan]]",
    "c/d/x.md": "[[Plan]] [[d/Plan]]",
    "Cache Layer.md": "---\nstatus: done\n---\n",
    "Z.md": "[[cache layer]]",
    "é.md": "[[Z]]",
    "2024-05-01.md": "[[Z]]",
    "Bad.md": "---\na: b: c\n---\n",
    "p.png": "",
    "Plan.png": "",
}


def survey_of(vault: Path) -> Survey:
    disk = DiskVault(vault)
    return survey_vault(disk, NoteStore(disk), Settings())


@settings(max_examples=25)
@given(st.permutations(sorted(FILES)), st.randoms(use_true_random=False))
def test_the_order_of_files_on_disk_changes_nothing(order: list[str], random):
    real = os.scandir

    class Shuffled:
        """A folder whose entries come in any order, as a file system may give them."""

        def __init__(self, path: str) -> None:
            with real(path) as entries:
                self._entries = list(entries)
            random.shuffle(self._entries)

        def __iter__(self) -> Iterator[os.DirEntry[str]]:
            return iter(self._entries)

        def __enter__(self) -> Iterator[os.DirEntry[str]]:
            return iter(self)

        def __exit__(self, *_: object) -> None: ...

    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        for path in sorted(FILES):
            write_file(Path(one) / path, FILES[path])
        for path in order:
            write_file(Path(other) / path, FILES[path])
        expected = survey_of(Path(one))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "scandir", Shuffled)
            assert survey_of(Path(other)) == expected


TITLES = (
    "Plan",
    "Rate Limiter",
    "Rate Limiter Design",
    "Cache Layer",
    "Old Plan",
    "搬家清单",
    "x",
)
FOLDERS = ("", "a/", "b/", "Archive/")
ALIASES = ("The Guard", "Rate Limiter", "Layer Cake", "Cache Layer Design")
BODIES = (
    "", "the rate limiter design", "Rate Limiter and [[Cache Layer]]", "[[Plan]] 我的搬家清单",
    "the guard",
    "layer cake, cache layer design", "[x](Rate%20Limiter.md)", "old plan\n\nrate\nlimiter",
    "`rate limiter`",
)  # fmt: skip
HEADS = (
    "",
    "status: done",
    "private: true",
    "superseded-by: '[[Plan]]'",
    "depends-on: ['[[Old Plan]]']",
    "a: b: c",
)
CONFIGS = (
    "",
    "[names]\nminimum-words = 1\n",
    "[names]\nignore = ['rate limiter']\n",
    "[scope]\nrecords = ['a']\n",
)

paths = st.tuples(st.sampled_from(FOLDERS), st.sampled_from(TITLES)).map(
    lambda parts: f"{parts[0]}{parts[1]}.md"
)


class Vault(RuleBasedStateMachine):
    """Notes come, change, move and go between runs that share one cache."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.cache = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)

    def teardown(self) -> None:
        self.folder.cleanup()
        self.cache.cleanup()

    def settle(self, path: Path) -> None:
        """Let the clock of the file system tick, so that the next change has another stamp."""
        stamp = path.stat().st_ctime_ns
        while path.stat().st_ctime_ns == stamp:
            os.utime(path)

    @rule(
        path=paths,
        head=st.sampled_from(HEADS),
        aliases=st.lists(st.sampled_from(ALIASES), max_size=2, unique=True),
        body=st.sampled_from(BODIES),
    )
    def write(self, path: str, head: str, aliases: list[str], body: str) -> None:
        block = "\n".join(
            line for line in (f"aliases: {aliases}" if aliases else "", head) if line
        )
        file = self.root / path
        write_file(file, f"---\n{block}\n---\n{body}" if block else body)
        self.settle(file)

    @rule(path=paths)
    def remove(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)

    @rule(path=paths, to=paths)
    def rename(self, path: str, to: str) -> None:
        if (self.root / path).exists():
            (self.root / to).parent.mkdir(exist_ok=True)
            (self.root / path).replace(self.root / to)

    @rule(path=paths)
    def touch(self, path: str) -> None:
        if (self.root / path).exists():
            os.utime(self.root / path, ns=(0, 0))

    @rule(config=st.sampled_from(CONFIGS))
    def configure(self, config: str) -> None:
        write_file(self.root / ".vaultgraph" / "config.toml", config)

    @rule()
    def run_again(self) -> None:
        """Run on an unchanged vault: the survey itself comes from the cache."""

    @invariant()
    def warm_is_cold(self) -> None:
        env = {"XDG_CACHE_HOME": self.cache.name}
        for command in (("scan", "--json"), ("stale", "--all", "--json")):
            warm = run(self.root, *command, env=env).ok()
            cold = run(self.root, *command, "--no-cache", env=env).ok()
            assert warm.out == cold.out
            assert warm.err == cold.err


@pytest.mark.parametrize("ahead", [0, 10_000_000_000], ids=["young files", "old files"])
def test_a_warm_run_equals_a_cold_one(monkeypatch: pytest.MonkeyPatch, ahead: int):
    real = time.time_ns
    # Ten seconds ahead, every stamp is old enough to be trusted; at the right time, none is.
    monkeypatch.setattr(time, "time_ns", lambda: real() + ahead)
    run_state_machine_as_test(
        Vault,
        settings=settings(
            max_examples=8 if ahead else 2,
            stateful_step_count=12,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_two_programs_at_once_on_one_cache(make_vault: Callable[..., Path]):
    import subprocess
    import sys

    vault = make_vault(
        {f"Note {n:03}.md": f"[[Note {n // 2:03}]] Note {n % 9:03}" for n in range(300)}
    )
    command = [sys.executable, "-m", "vaultgraph", "--vault", os.fspath(vault), "scan", "--json"]
    expected = run_program(vault, "scan", "--json", "--no-cache").ok().out
    for _ in range(2):
        programs = [
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(4)
        ]
        for program in programs:
            out, err = program.communicate(timeout=120)
            assert (program.returncode, err) == (0, b"")
            assert out.decode() == expected
        write_file(vault / "Note 000.md", "Note 123")
        expected = run_program(vault, "scan", "--json", "--no-cache").ok().out
    assert run_program(vault, "scan", "--json").ok().out == expected
