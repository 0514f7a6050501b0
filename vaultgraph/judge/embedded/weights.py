"""The trained weights, read from the package, and how they turn features into a score.

The file is written by ``scripts/train_embedded_judge`` and by nothing else.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.judge.embedded.features import FEATURES, IndexKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FORMAT = "vaultgraph-embedded/1"
_FILE = "weights.json"
#: A score is never quite 0 or 1: the model has not seen enough to be so sure.
_SMALLEST = 0.001


class FeatureWeight(NamedTuple):
    """How one feature counts: ``weight`` per ``scale`` away from ``mean``."""

    name: str
    weight: float
    mean: float
    scale: float
    #: The range it was trained on; what lies outside counts as its edge.
    low: float
    high: float

    def adds(self, value: float) -> float:
        """Return what the feature adds to the log-odds."""
        return self.weight * (min(max(value, self.low), self.high) - self.mean) / self.scale


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What no training row can tell, stated instead; docs/embedded-judge.md says why so much."""

    #: Added to the log-odds where the dependent is an index, long or short.
    long_index: float
    short_index: float
    #: Added where either note says that one takes the other's place.
    superseded: float
    #: Added to the weaker direction where each note names the other.
    weaker: float
    #: The score of "it depends on a note that it never names, though that one names it".
    unnamed: float
    #: That score is at most this part of the opposite direction's.
    unnamed_part: float
    #: The score where neither names the other.
    no_evidence: float

    def of_index(self, kind: IndexKind) -> float:
        """Return what is added for an index of this kind."""
        match kind:
            case IndexKind.NO:
                return 0.0
            case IndexKind.SHORT:
                return self.short_index
            case IndexKind.LONG:
                return self.long_index


class Weights(NamedTuple):
    """The model."""

    features: tuple[FeatureWeight, ...]
    intercept: float
    #: The share of dependencies among the rows it was trained on.
    base_rate: float
    beliefs: Beliefs
    #: How many proposals per hundred notes the default makes at most, and the lowest score.
    cap: float
    floor: float
    #: ``embedded-<first eight digits of the SHA-256 of the file>``.
    model: str

    def counts(self, values: Sequence[float]) -> Iterator[float]:
        """Yield what each feature adds to the log-odds, in order."""
        return (f.adds(value) for f, value in zip(self.features, values, strict=True))

    def log_odds(self, values: Sequence[float]) -> float:
        """Return the log-odds for one note's talk about another."""
        return self.intercept + sum(self.counts(values))

    def shift(self, prior: float | None) -> float:
        """Return what a base rate other than the trained one adds to the log-odds."""
        return 0.0 if prior is None else logit(prior) - logit(self.base_rate)


def logit(probability: float) -> float:
    """Return the log-odds of a probability between 0 and 1, both excluded."""
    return math.log(probability / (1 - probability))


def squash(log_odds: float) -> float:
    """Return the probability of given log-odds, never quite 0 or 1."""
    return min(max(1 / (1 + math.exp(-log_odds)), _SMALLEST), 1 - _SMALLEST)


def parse_weights(data: bytes) -> Weights:
    """Return the weights in ``data``.

    Raises:
        ValueError: it is not such a file, or was made for other features.
    """
    table: Mapping[str, Any] = json.loads(data)
    if table.get("format") != FORMAT:
        raise ValueError(f"the weights are not in the format {FORMAT}")
    features = tuple(FeatureWeight(**row) for row in table["features"])
    if tuple(feature.name for feature in features) != FEATURES:
        raise ValueError("the weights were made for other features")
    return Weights(
        features=features,
        intercept=table["intercept"],
        base_rate=table["base_rate"],
        beliefs=Beliefs(**table["beliefs"]),
        cap=table["proposals"]["per_hundred_notes"],
        floor=table["proposals"]["floor"],
        model=f"embedded-{sha256(data).hexdigest()[:8]}",
    )


def read_weights_file() -> bytes:
    """Return the weights file of the package."""
    return files(__package__).joinpath(_FILE).read_bytes()


@cache
def load_weights() -> Weights:
    """Return the weights of the package."""
    return parse_weights(read_weights_file())
