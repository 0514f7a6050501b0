"""Ways to run the program: in this process, as a program of its own, and in a terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from typer.testing import CliRunner

from vaultgraph.cli.app import app

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

#: Generous: a run that takes as long hangs.
_PATIENCE = 120


@dataclass(frozen=True)
class Ran:
    """What a run of the program left: exit code, data and the rest."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON object on standard output."""
        return json.loads(self.out)

    def ok(self) -> Ran:
        """Return the run itself, which must have gone well and shown no traceback."""
        self.calm()
        assert self.code == 0, self.err
        return self

    def calm(self) -> Ran:
        """Return the run itself, which must not have shown a traceback or called itself a bug."""
        for stream in (self.out, self.err):
            assert "Traceback" not in stream, stream
            assert "a bug in vaultgraph" not in stream, stream
        return self

    def fails(self, code: int, *parts: str) -> Ran:
        """Return the run itself, which must have failed with a message that holds ``parts``."""
        self.calm()
        assert self.code == code, (self.code, self.err)
        assert self.err.startswith("error: "), self.err
        assert "\nhint: " in self.err, self.err
        for part in parts:
            assert part in self.err, self.err
        return self


def _arguments(vault: Path | None, arguments: Sequence[str | Path]) -> list[str]:
    given = [os.fspath(argument) for argument in arguments]
    return given if vault is None else ["--vault", os.fspath(vault), *given]


def run(vault: Path | None, *arguments: str | Path, env: Mapping[str, str] | None = None) -> Ran:
    """Run a command in this process."""
    result = CliRunner().invoke(app, _arguments(vault, arguments), env=dict(env or {}))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ran(result.exit_code, result.stdout, result.stderr)


def run_program(
    vault: Path | None,
    *arguments: str | Path,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    prelude: str = "",
) -> Ran:
    """Run a command as a program of its own.

    ``prelude`` is Python that runs in that program before anything of ours is imported.
    """
    start = ["-m", "vaultgraph"]
    if prelude:
        start = ["-c", f"{prelude}\nfrom vaultgraph.cli.app import main\nmain()"]
    result = subprocess.run(
        [sys.executable, *start, *_arguments(vault, arguments)],
        capture_output=True,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        timeout=_PATIENCE,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return Ran(result.returncode, result.stdout.decode(errors="replace"), result.stderr.decode())


def run_in_terminal(
    vault: Path | None,
    *arguments: str | Path,
    columns: int = 80,
    env: Mapping[str, str] | None = None,
) -> Ran:
    """Run a command on a terminal of that width; all that it shows is in ``out``."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    settings = {**os.environ, "TERM": "xterm-256color", **(env or {})}
    with subprocess.Popen(
        [sys.executable, "-m", "vaultgraph", *_arguments(vault, arguments)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=settings,
        close_fds=True,
    ) as process:
        os.close(theirs)
        parts: list[bytes] = []
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # Linux reports the end of a terminal so
                break
            if not part:
                break
            parts.append(part)
        os.close(ours)
        code = process.wait(timeout=_PATIENCE)
    return Ran(code, b"".join(parts).decode(errors="replace").replace("\r\n", "\n"), "")


#: Python that makes the process obey file modes even where it runs as root (Linux only).
OBEY_MODES = """
import ctypes, os, sys
if sys.platform == "linux" and os.geteuid() == 0:
    class Header(ctypes.Structure):
        _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]
    class Sets(ctypes.Structure):
        _fields_ = [(name, ctypes.c_uint32) for name in ("effective", "permitted", "inheritable")]
    libc = ctypes.CDLL(None, use_errno=True)
    header, sets = Header(0x20080522, 0), (Sets * 2)()
    assert libc.capget(ctypes.byref(header), sets) == 0
    for number in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        for kind in ("effective", "permitted", "inheritable"):
            setattr(sets[0], kind, getattr(sets[0], kind) & ~(1 << number))
    assert libc.capset(ctypes.byref(header), sets) == 0
"""
