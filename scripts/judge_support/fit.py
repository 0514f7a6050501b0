"""Logistic regression with a quadratic penalty, by Newton's method: the same digits every run.

Some twenty thousand numbers do not need a library, and without one anybody can train it again.
"""

from __future__ import annotations

import math
import statistics
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.judge.embedded.features import FEATURES
from vaultgraph.judge.embedded.weights import FeatureWeight

if TYPE_CHECKING:
    from collections.abc import Sequence

_STEPS = 50
_CLOSE = 1e-10


class Example(NamedTuple):
    """One training row."""

    values: tuple[float, ...]
    label: bool
    weight: float


class Fit(NamedTuple):
    """What was fitted."""

    features: tuple[FeatureWeight, ...]
    intercept: float
    base_rate: float


def fit(examples: Sequence[Example], penalty: float) -> Fit:
    """Return the model of ``examples``.

    Features are clipped to their middle 98 % and standardised, so ``penalty``, per example and
    squared weight, means the same for each; the intercept has none.
    """
    total = sum(example.weight for example in examples)
    shares = [example.weight / total for example in examples]
    labels = [float(example.label) for example in examples]
    columns: list[list[float]] = []
    scaling: list[tuple[float, float, float, float]] = []
    for values in zip(*(example.values for example in examples), strict=True):
        cuts = statistics.quantiles(values, n=100, method="inclusive")
        clipped = [min(max(value, cuts[0]), cuts[-1]) for value in values]
        mean = math.fsum(map(mul, shares, clipped))
        variance = math.fsum(map(mul, shares, ((value - mean) ** 2 for value in clipped)))
        # A feature that never varies, such as a cue in a corpus without it, gets no weight.
        scale = math.sqrt(variance) or 1.0
        columns.append([(value - mean) / scale for value in clipped])
        scaling.append((mean, scale, cuts[0], cuts[-1]))
    columns.append([1.0] * len(examples))
    *weights, intercept = _newton(columns, labels, shares, penalty)
    features = tuple(
        FeatureWeight(name, weight, *place)
        for name, weight, place in zip(FEATURES, weights, scaling, strict=True)
    )
    return Fit(features, intercept, math.fsum(map(mul, shares, labels)))


def _newton(
    columns: Sequence[Sequence[float]],
    labels: Sequence[float],
    shares: Sequence[float],
    penalty: float,
) -> list[float]:
    """Return the weights, one a column; the last column's is free of the penalty."""
    size = len(columns)
    penalties = [penalty] * (size - 1) + [0.0]
    weights = [0.0] * size
    for _ in range(_STEPS):
        odds = [math.fsum(map(mul, weights, row)) for row in zip(*columns, strict=True)]
        chances = [1 / (1 + math.exp(-value)) for value in odds]
        errors = [s * (p - y) for s, p, y in zip(shares, chances, labels, strict=True)]
        curves = [s * p * (1 - p) for s, p in zip(shares, chances, strict=True)]
        slope = [
            math.fsum(map(mul, errors, column)) + lam * weight
            for column, lam, weight in zip(columns, penalties, weights, strict=True)
        ]
        bend = [[0.0] * size for _ in range(size)]
        for i, column in enumerate(columns):
            curved = list(map(mul, curves, column))
            for j in range(i, size):
                bend[i][j] = bend[j][i] = math.fsum(map(mul, curved, columns[j]))
            bend[i][i] += penalties[i]
        step = _solve(bend, slope)
        weights = [weight - move for weight, move in zip(weights, step, strict=True)]
        if max(map(abs, step)) < _CLOSE:
            return weights
    raise ArithmeticError(f"no convergence in {_STEPS} steps")


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Return x with matrix x = right; the matrix is symmetric and positive definite."""
    size = len(right)
    lower = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = matrix[i][j] - math.fsum(map(mul, lower[i][:j], lower[j][:j]))
            lower[i][j] = math.sqrt(rest) if i == j else rest / lower[j][j]
    forward: list[float] = []
    for i in range(size):
        rest = right[i] - math.fsum(map(mul, lower[i][:i], forward))
        forward.append(rest / lower[i][i])
    solved = [0.0] * size
    for i in reversed(range(size)):
        rest = math.fsum(lower[j][i] * solved[j] for j in range(i + 1, size))
        solved[i] = (forward[i] - rest) / lower[i][i]
    return solved
