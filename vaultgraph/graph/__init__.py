"""What rests on what, and which of it has gone stale."""

from __future__ import annotations
