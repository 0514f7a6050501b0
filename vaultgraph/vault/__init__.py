"""Bytes become notes: which files are notes, what each says, and what its links reach."""

from __future__ import annotations
