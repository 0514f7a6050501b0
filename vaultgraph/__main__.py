"""``python -m vaultgraph`` is ``vaultgraph``."""

from __future__ import annotations

from vaultgraph.cli.app import main

main()
