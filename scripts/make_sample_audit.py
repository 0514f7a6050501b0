#!/usr/bin/env python3
"""Makes the finished audit of the sample vault, by the real commands, labels by truth.json.

    scripts/make_sample_audit.py

It asks what the pass without AI missed, and gives the same bytes whenever it runs: only the
clock is set.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from typer.testing import CliRunner

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY))

from vaultgraph.cli.app import app  # noqa: E402 - behind the path
from vaultgraph.effects.clock import SystemClock  # noqa: E402 - behind the path

NAME = "missed-pairs"
AT = datetime(2026, 3, 20, 9, 0, tzinfo=UTC)


def main() -> None:
    """Plan, lock, draw, label and report, in a copy; then take the audit's folder over."""
    truth = json.loads((REPOSITORY / "samples" / "truth.json").read_text("utf-8"))
    depends = {frozenset((row["dependent"], row["basis"])) for row in truth["dependencies"]}
    SystemClock.now = lambda self: AT  # type: ignore[method-assign] # noqa: ARG005 - its port
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["XDG_STATE_HOME"] = os.environ["XDG_CACHE_HOME"] = scratch
        vault = Path(scratch) / "vault"
        shutil.copytree(REPOSITORY / "samples" / "vault", vault)
        made = vault / ".vaultgraph" / "audits" / NAME
        shutil.rmtree(made, ignore_errors=True)
        run(
            vault, "plan", NAME, "--kind", "filter", "--size", "60", "--seed", "sample vault",
            "--prediction", "At most one in twenty of the pairs left out is a dependency.",
            "--rule", "share(depends) < 0.05",
        )  # fmt: skip
        run(vault, "lock", NAME)
        run(vault, "draw", NAME)
        drawn = json.loads((made / "ledger.jsonl").read_text("utf-8").splitlines()[1])
        labels = Path(scratch) / "labels.jsonl"
        with labels.open("w", encoding="utf-8") as stream:
            for unit in drawn["payload"]["strata"][0]["units"]:
                label = "depends" if frozenset(unit.split("\n")) in depends else "does-not"
                stream.write(json.dumps({"unit": unit, "label": label}) + "\n")
        run(vault, "merge", NAME, str(labels), "--as", "owner")
        run(vault, "report", NAME, "--write")
        kept = REPOSITORY / "samples" / "vault" / ".vaultgraph" / "audits" / NAME
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(made, kept)


def run(vault: Path, *arguments: str) -> None:
    """Run one command in this process; it must go well."""
    result = CliRunner().invoke(app, ["--vault", str(vault), "audit", *arguments])
    if result.exit_code:
        sys.exit(result.output)


if __name__ == "__main__":
    main()
