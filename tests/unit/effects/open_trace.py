"""Runs a Python program and notes every file of a folder that it opens for writing, or renames.

    python open_trace.py FOLDER TRACE PROGRAM.py [ARGUMENT…]
    python open_trace.py FOLDER TRACE -m MODULE [ARGUMENT…]

TRACE becomes a JSON list of ``[event, path, module]``: what happened, to which path (relative to
the folder), and the innermost vaultgraph module on the stack (empty where there is none). It is
the interpreter that tells (``sys.addaudithook``), so no way of opening a file escapes.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

_WRITING_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
#: Events whose first arguments are paths that they change, and how many there are.
_CHANGING = {
    "os.chmod": 1,
    "os.chown": 1,
    "os.link": 2,
    "os.mkdir": 1,
    "os.remove": 1,
    "os.rename": 2,
    "os.rmdir": 1,
    "os.setxattr": 1,
    "os.symlink": 2,
    "os.truncate": 1,
    "os.utime": 1,
}


def innermost_module() -> str:
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith("vaultgraph"):
            return module
        frame = frame.f_back
    return ""


def changed_paths(event: str, arguments: tuple) -> list:
    if event == "open":
        path, _mode, flags = arguments
        return [path] if flags & _WRITING_FLAGS else []
    if event == "sqlite3.connect":
        return [arguments[0]]
    return list(arguments[: _CHANGING.get(event, 0)])


def watch(folder: Path, trace: list[tuple[str, str, str]]) -> None:
    """Begin to note; a hook of the interpreter stays until the process ends."""
    root = f"{folder.resolve()}{os.sep}"

    def hook(event: str, arguments: tuple) -> None:
        for path in changed_paths(event, arguments):
            if isinstance(path, str | bytes | os.PathLike):
                real = os.path.realpath(os.fsdecode(path))
                if real.startswith(root):
                    trace.append((event, real.removeprefix(root), innermost_module()))

    sys.addaudithook(hook)


def main() -> None:
    folder, trace_file, *program = sys.argv[1:]
    trace: list[tuple[str, str, str]] = []
    watch(Path(folder), trace)
    try:
        if program[0] == "-m":
            sys.argv = program[1:]
            runpy.run_module(program[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = program
            runpy.run_path(program[0], run_name="__main__")
    finally:
        Path(trace_file).write_text(json.dumps(trace))


if __name__ == "__main__":
    main()
