"""Chance that comes out the same everywhere: all of it from a seed, by rules written down here.

Python promises that ``Random.random()`` keeps its numbers for a seed, and promises it of nothing
else; so what is more than that is made of it here.
"""

from __future__ import annotations

import random  # noqa: TID251 - seeded from the registration
from hashlib import sha256
from math import cos, log, pi, sqrt
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


class Chance:
    """One stream of chance, from the SHA-256 of a seed."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(int.from_bytes(sha256(seed.encode()).digest())).random  # noqa: S311

    def resample(self, items: Sequence[T]) -> list[T]:
        """Return as many items as there are, each drawn from all of them."""
        return [items[int(self._random() * len(items))] for _ in items]

    def beta(self, a: float, b: float) -> float:
        """Return a number from Beta(a, b)."""
        one = self._gamma(a)
        return one / (one + self._gamma(b))

    def _gamma(self, shape: float) -> float:
        """Return a number from Gamma(shape), by Marsaglia and Tsang (ACM TOMS 26, 2000)."""
        if shape < 1:
            return self._gamma(shape + 1) * float(self._above_zero() ** (1 / shape))
        d = shape - 1 / 3
        c = 1 / sqrt(9 * d)
        while True:
            x = sqrt(-2 * log(self._above_zero())) * cos(2 * pi * self._random())
            v = (1 + c * x) ** 3
            if v > 0 and log(self._above_zero()) < x * x / 2 + d - d * v + d * log(v):
                return d * v

    def _above_zero(self) -> float:
        return 1 - self._random()
