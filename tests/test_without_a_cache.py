"""Every command does its work where nothing can be kept between two runs, or within one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from tests.kit.vaults import REPOSITORY
from tests.kit.writing import age, verdict
from tests.test_only_writer import COMMANDS, LAST
from vaultgraph.effects.cache import YOUNG_NS

if TYPE_CHECKING:
    from pathlib import Path


def wait_until_old(vault: Path) -> None:
    """Wait until no note of the vault is too young for its stamp to prove anything."""
    youngest = max(path.stat().st_ctime_ns for path in vault.rglob("*.md"))
    while time.time_ns() <= youngest + YOUNG_NS:
        time.sleep(0.05)


def test_every_command(sample_vault: Path, tmp_path: Path):
    (sample_vault / ".vaultgraph" / "config.toml").unlink(missing_ok=True)
    age(sample_vault)
    verdicts = tmp_path / "verdicts.jsonl"
    pairs = (
        ("Apartment Checklist", "Relocation Plan", 0.93),
        ("School Search", "Relocation Plan", 0.9),
        ("Cover Letter Template", "Portfolio Site Plan", 0.8),
    )
    verdicts.write_text("".join(f"{json.dumps(verdict(*pair))}\n" for pair in pairs))
    files = {"VERDICTS": str(verdicts), "PICTURE": str(tmp_path / "picture.html")}
    no_folder = tmp_path / "no-folder"
    no_folder.write_text("")
    commands = [[name, *rest] for name, variants in COMMANDS.items() for rest in variants]
    # A stamp proves nothing while a note is young, and then everything is read at each survey.
    wait_until_old(sample_vault)
    warned = 0
    for command in [*commands, *LAST]:
        ran = subprocess.run(
            [sys.executable, "-m", "vaultgraph", "--vault", os.fspath(sample_vault)]
            + [files.get(part, part) for part in command],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            env={
                **os.environ,
                "PYTHONPATH": os.fspath(REPOSITORY),
                "XDG_CACHE_HOME": os.fspath(no_folder),
            },
            check=False,
        )
        assert ran.returncode == 0, (command, ran.stderr)
        warned += "the cache cannot be used" in ran.stderr
    assert warned > len(commands) / 2
