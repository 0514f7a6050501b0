"""Programs that draw or read what we export; where one is missing its tests say so, not in CI."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest


def need(program: str | None, what: str, script: str = "setup_drawing") -> str:
    """Return a program; a test that cannot have it is skipped, and in CI fails."""
    if program is not None:
        return program
    message = f"NOT TESTED: {what}; scripts/{script} installs it"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


def graphviz(text: str, form: str) -> str:
    """Return what Graphviz makes of DOT; a warning of its is an error."""
    program = need(shutil.which("dot"), "Graphviz is not here")
    ran = subprocess.run(
        [program, f"-T{form}"], input=text.encode(), capture_output=True, check=False, timeout=60
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == b"", ran.stderr
    return ran.stdout.decode()
