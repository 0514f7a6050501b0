"""What the tests share: vaults on disk, ways to run the program, and independent judges."""

from __future__ import annotations
