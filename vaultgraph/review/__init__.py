"""A person's decisions: which proposals are shown, what a decision changes, what is remembered."""

from __future__ import annotations
