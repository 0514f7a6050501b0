"""One module per command: ports and settings in, a report out; only here stands the order."""

from __future__ import annotations
