"""Lets a benchmark started with any Python run under the project's own."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

_PROJECT = Path(__file__).resolve().parents[1] / ".venv" / "bin" / "python"


def use_project_interpreter() -> None:
    """Start again under the project's interpreter where this one lacks its libraries."""
    if find_spec("ahocorasick"):
        return
    if not _PROJECT.exists() or Path(sys.executable) == _PROJECT:
        name = Path(sys.argv[0]).name
        raise SystemExit(f"{name}: set up the project first (scripts/demo), or use its Python")
    os.execv(_PROJECT, [str(_PROJECT), *sys.argv])  # noqa: S606 -- no shell is wanted
