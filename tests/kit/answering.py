"""The program on a terminal, with somebody who answers its question."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from typing import TYPE_CHECKING

from tests.kit.cli import Ran

if TYPE_CHECKING:
    from pathlib import Path

_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_PATIENCE = 60
#: The end of input, as Ctrl-D sends it.
EOF = "\x04"


def run_and_answer(
    vault: Path, *arguments: str, answer: str | signal.Signals = "", columns: int = 80
) -> Ran:
    """Run a command on a terminal; once it asks, type the answer or send the signal.

    All that it shows is in ``out``, what was typed included, styles left out.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    with subprocess.Popen(
        [sys.executable, "-m", "vaultgraph", "--vault", os.fspath(vault), *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "TZ": "UTC"},
    ) as process:
        os.close(theirs)
        shown = _read_until(ours, "[y/N] ", process)
        again = answer if isinstance(answer, signal.Signals) else None
        if shown.endswith("[y/N] ") and not isinstance(answer, signal.Signals):
            os.write(ours, answer.encode())
        shown += _read_until(ours, None, process, again)
        code = process.wait(timeout=_PATIENCE)
    os.close(ours)
    # Where a line is folded, the blank stays at its end.
    return Ran(code, re.sub(r" +\n", "\n", shown), "")


def _read_until(
    terminal: int,
    end: str | None,
    process: subprocess.Popen[bytes],
    again: signal.Signals | None = None,
) -> str:
    """Return what comes, up to ``end`` or the program's own end.

    A signal that comes just before a program waits for a line is handled only after the line, so
    ``again`` is sent each second, as a person would press the key once more.
    """
    shown = b""
    if again is not None:
        process.send_signal(again)
    give_up = time.monotonic() + _PATIENCE
    while True:
        text = _STYLE.sub("", shown.decode(errors="replace")).replace("\r\n", "\n")
        if end is not None and text.endswith(end):
            return text
        if time.monotonic() > give_up:
            process.kill()
            raise AssertionError(f"the program neither ends nor asks: {text}")
        if not select.select([terminal], [], [], 1)[0]:
            if again is not None:
                process.send_signal(again)
            continue
        try:
            part = os.read(terminal, 65536)
        except OSError:  # Linux reports the end of a terminal so
            return text
        if not part:
            return text
        shown += part
