"""A person at a terminal: the program on a pseudo-terminal, its screen, and keys to press."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import select
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    import signal
    from collections.abc import Callable, Mapping
    from pathlib import Path

_PATIENCE = 60.0
_CONTROL = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])")


class Grid:
    """What a terminal shows: as much of one as the program uses, and nothing it does not."""

    def __init__(self, columns: int, lines: int) -> None:
        self.columns, self.height = columns, lines
        self.rows: list[str] = []
        #: The codes that make each character look as it does.
        self.styles: list[list[str]] = []
        self._clear()
        self.at = (0, 0)
        self.is_alternate = False
        self._style = ""
        self._pending = ""

    def feed(self, text: str) -> None:
        text = self._pending + text
        self._pending = ""
        at = 0
        while at < len(text):
            if text[at] == "\x1b":
                found = _CONTROL.match(text, at)
                if found is None:
                    self._pending = text[at:]
                    return
                self._control(found.group(1), found.group(2))
                at = found.end()
            else:
                self._put(text[at])
                at += 1

    def _put(self, character: str) -> None:
        row, column = self.at
        if character == "\r":
            self.at = (row, 0)
        elif character == "\n":
            if row + 1 == self.height:
                self.rows = [*self.rows[1:], " " * self.columns]
                self.styles = [*self.styles[1:], [""] * self.columns]
            self.at = (min(row + 1, self.height - 1), column)
        else:
            assert character.isprintable(), repr(character)
            if column == self.columns:
                self._put("\r")
                self._put("\n")
                row, column = self.at
            line = self.rows[row]
            self.rows[row] = line[:column] + character + line[column + 1 :]
            self.styles[row][column] = self._style
            self.at = (row, column + 1)

    def _control(self, numbers: str, kind: str) -> None:
        row, column = self.at
        match kind:
            case "H":
                assert numbers in {"", "1;1"}
                self.at = (0, 0)
            case "K":
                assert numbers in {"", "0"}
                self.rows[row] = self.rows[row][:column].ljust(self.columns)
                self.styles[row][column:] = [""] * (self.columns - column)
            case "J":
                self._clear()
            case "h" | "l":
                if numbers == "?1049":
                    self.is_alternate = kind == "h"
                    self._clear()
                    self.at = (0, 0)
            case "m":
                self._style = "" if numbers in {"", "0"} else f"{self._style}\x1b[{numbers}m"
            case other:
                raise AssertionError(f"the program sent CSI {numbers}{other}")

    def _clear(self) -> None:
        self.rows = [" " * self.columns for _ in range(self.height)]
        self.styles = [[""] * self.columns for _ in range(self.height)]

    @property
    def ansi(self) -> str:
        """What is shown, with these codes."""
        shown = ""
        for row, styles in zip(self.rows, self.styles, strict=True):
            pairs = zip(styles, row, strict=True)
            for style, part in itertools.groupby(pairs, key=lambda pair: pair[0]):
                shown += f"\x1b[0m{style}" + "".join(character for _, character in part)
            shown += "\n"
        return shown

    @property
    def text(self) -> str:
        return "\n".join(row.rstrip() for row in self.rows)


class Person:
    """The program on a terminal, and somebody who reads it and presses keys."""

    def __init__(
        self,
        vault: Path,
        *arguments: str,
        columns: int = 80,
        lines: int = 24,
        env: Mapping[str, str] | None = None,
    ) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self._ours, self._theirs = pty.openpty()
        size = struct.pack("HHHH", lines, columns, 0, 0)
        fcntl.ioctl(self._theirs, termios.TIOCSWINSZ, size)
        self.modes = termios.tcgetattr(self._theirs)
        self.raw = ""
        self.grid = Grid(columns, lines)
        settings = {**os.environ, "TERM": "xterm-256color", **(env or {})}
        for variable in ("COLUMNS", "LINES"):
            settings.pop(variable, None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "vaultgraph", "--vault", os.fspath(vault), *arguments],
            stdin=self._theirs,
            stdout=self._theirs,
            stderr=self._theirs,
            env=settings,
            start_new_session=True,
            # Ctrl-C is a signal only on a terminal that controls its processes.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        os.close(self._ours)
        os.close(self._theirs)

    def press(self, key: str) -> Self:
        os.write(self._ours, key.encode())
        return self

    def sees(self, *parts: str) -> Self:
        """Wait until all of these stand on the screen."""
        self._wait(lambda: all(part in self.grid.text for part in parts), parts)
        return self

    def stops(self, code: int = 0) -> Self:
        """Wait for the end of the program, and find the terminal as it was before."""
        import termios

        self._wait(lambda: self.process.poll() is not None, ("the end",))
        self._take(0.1)
        assert self.process.returncode == code, (self.process.returncode, self.grid.text)
        assert termios.tcgetattr(self._theirs) == self.modes
        assert not self.grid.is_alternate
        return self

    def ends_by(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def _wait(self, is_so: Callable[[], bool], what: tuple[Any, ...]) -> None:
        end = time.monotonic() + _PATIENCE
        while not is_so():
            assert time.monotonic() < end, f"never saw {what}:\n{self.grid.text}"
            self._take(0.02)
            assert self.process.poll() is None or is_so() or not self._take(0.1) or is_so(), (
                f"ended without {what}:\n{self.grid.text}"
            )

    def _take(self, seconds: float) -> bool:
        """Read what there is; whether there was something."""
        if not select.select([self._ours], [], [], seconds)[0]:
            return False
        text = os.read(self._ours, 65536).decode(errors="replace")
        self.raw += text
        self.grid.feed(text)
        return True
