"""The only module that asks what time it is."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """Return this moment, aware and in UTC."""
        return datetime.now(UTC)  # noqa: TID251 -- the ban points here

    def today(self) -> date:
        """Return the day it is in the machine's time zone."""
        return datetime.now().astimezone().date()  # noqa: TID251 -- local is meant

    def sleep(self, seconds: float) -> None:
        """Return after that many seconds."""
        time.sleep(seconds)
