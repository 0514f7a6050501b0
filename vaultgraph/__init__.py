"""Finds what the notes in an Obsidian vault rest on, and which of them have gone stale."""

from __future__ import annotations

__version__ = "0.1.0"
