"""Single keys from a terminal, which is given back as it was, however the program ends."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

#: The terminal, or the other end of the line, is gone.
END = "end of input"
#: A key that is not one character.
UP, DOWN, PAGE_UP, PAGE_DOWN, HOME, LAST, ESCAPE, ENTER, OTHER = (
    "up",
    "down",
    "page up",
    "page down",
    "home",
    "last",
    "escape",
    "enter",
    "other",
)

_SEQUENCES = {
    b"[A": UP,
    b"[B": DOWN,
    b"OA": UP,
    b"OB": DOWN,
    b"[5~": PAGE_UP,
    b"[6~": PAGE_DOWN,
    b"[H": HOME,
    b"OH": HOME,
    b"[1~": HOME,
    b"[F": LAST,
    b"OF": LAST,
    b"[4~": LAST,
}
#: How long the rest of an arrow key may take on a slow line before it counts as Esc.
_SEQUENCE_SECONDS = 0.1


def line_keys(stream: TextIO) -> Callable[[], str]:
    """Return what reads a line and takes its first character: for terminals with no keys."""

    def read() -> str:
        line = stream.readline()
        if not line:
            return END
        return line.strip()[:1] or ENTER

    return read


if sys.platform == "win32":
    import msvcrt

    _WINDOWS = {"H": UP, "P": DOWN, "I": PAGE_UP, "Q": PAGE_DOWN, "G": HOME, "O": LAST}

    @contextmanager
    def single_keys(stream: TextIO) -> Iterator[Callable[[], str]]:
        """Give what reads one key at a time."""
        del stream

        def read() -> str:
            key = msvcrt.getwch()
            if key == "\x03":
                raise KeyboardInterrupt
            if key in "\x00\xe0":
                return _WINDOWS.get(msvcrt.getwch(), OTHER)
            return {"\x1b": ESCAPE, "\r": ENTER}.get(key, key)

        yield read
else:
    import select
    import termios
    import tty

    @contextmanager
    def single_keys(stream: TextIO) -> Iterator[Callable[[], str]]:
        """Give what reads one key at a time, unechoed; Ctrl-C and Ctrl-Z mean what they always do.

        Afterwards the terminal is as it was: also when the program is told to end, or the line
        is cut. Behind Ctrl-Z and ``fg`` single keys work again.
        """
        descriptor = stream.fileno()
        before = termios.tcgetattr(descriptor)

        def prepare(*_: object) -> None:
            tty.setcbreak(descriptor)

        restore_signals = _on_signals(prepare)
        try:
            prepare()
            yield lambda: _read_key(descriptor)
        finally:
            restore_signals()
            # A terminal that is gone needs nothing.
            with suppress(OSError, termios.error):
                termios.tcsetattr(descriptor, termios.TCSADRAIN, before)

    def _on_signals(resume: Callable[..., None]) -> Callable[[], None]:
        """Let the program end by exception when it is told to end, so that it cleans up."""
        if threading.current_thread() is not threading.main_thread():
            return lambda: None

        def end(number: int, _frame: FrameType | None) -> None:
            raise SystemExit(128 + number)

        before = {
            signal.SIGTERM: signal.signal(signal.SIGTERM, end),
            signal.SIGHUP: signal.signal(signal.SIGHUP, end),
            signal.SIGCONT: signal.signal(signal.SIGCONT, resume),
        }

        def restore() -> None:
            for number, handler in before.items():
                signal.signal(number, handler)

        return restore

    def _read_key(descriptor: int) -> str:
        try:
            first = os.read(descriptor, 1)
        except OSError:
            return END
        if first in (b"", b"\x04"):
            return END
        if first == b"\x1b":
            return _read_sequence(descriptor)
        if first in b"\r\n":
            return ENTER
        size = next((n for mask, n in ((0xF0, 4), (0xE0, 3), (0xC0, 2)) if first[0] >= mask), 1)
        whole = first + b"".join(os.read(descriptor, 1) for _ in range(size - 1))
        return whole.decode(errors="replace")

    def _read_sequence(descriptor: int) -> str:
        """Return the key of an escape sequence; one that is not known does nothing."""
        sequence = b""
        while select.select([descriptor], [], [], _SEQUENCE_SECONDS)[0]:
            sequence += os.read(descriptor, 1)
            is_opening = sequence in (b"[", b"O")
            if not is_opening and (sequence[-1:].isalpha() or sequence.endswith(b"~")):
                break
            if sequence[:1] not in b"[O":
                break
        if not sequence:
            return ESCAPE
        return _SEQUENCES.get(sequence, OTHER)
