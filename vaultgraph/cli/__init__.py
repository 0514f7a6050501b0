"""The command line: one file a command, each only parses, calls a flow and shows its report."""

from __future__ import annotations
