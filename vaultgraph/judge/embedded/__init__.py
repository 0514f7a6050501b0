"""The judge in the package: a small trained model of how one note talks about another."""

from __future__ import annotations
