"""One line that tells how far a long run is."""

from __future__ import annotations

import sys
import time


class Progress:
    """One line on a terminal: done, rate, cost so far, time left."""

    def __init__(self) -> None:
        self._is_shown = sys.stderr.isatty()
        self._began = time.monotonic()
        # A run that is over at once shows nothing.
        self._last = self._began

    def count(self, done: int, of: int, cost: float = 0.0) -> None:
        """Tell how far the run is, at most five times a second."""
        now = time.monotonic()
        if not self._is_shown or now - self._last < 0.2:
            return
        self._last = now
        rate = done / max(now - self._began, 0.001)
        left = (of - done) / rate if rate else 0.0
        paid = f"  ${cost:.4f}" if cost else ""
        sys.stderr.write(f"\r\x1b[2K{done:,} of {of:,}  {rate:.0f}/s{paid}  {left:.0f} s left")
        sys.stderr.flush()

    def done(self) -> None:
        """Take the line away."""
        if self._is_shown:
            sys.stderr.write("\r\x1b[2K")
