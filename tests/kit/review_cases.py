"""How the cases of ``review`` are run: each decision as a command of its own."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tests.kit.cases import Case, CaseRun
from tests.kit.cli import run_program
from tests.kit.writing import age, notes_bytes

if TYPE_CHECKING:
    from pathlib import Path


def run_review(case: Case, vault: Path) -> CaseRun:
    age(vault)
    before = notes_bytes(vault)
    start = time.monotonic()
    (decision,) = case.says["given"]["decisions"]
    dependent, basis, what = decision
    ran = run_program(vault, "review", f"--{what}", dependent, basis, "--json")
    seconds = time.monotonic() - start
    report = ran.ok().json
    report["problems"] = report["refused"]
    scan = run_program(vault, "scan", "--json").ok().json
    return CaseRun(vault, before, ran, scan, report, seconds)
