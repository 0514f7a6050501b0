"""Everything that touches the world: disk, cache, processes, clock and terminal settings."""

from __future__ import annotations
