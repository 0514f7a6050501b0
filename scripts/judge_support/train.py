"""Trains the embedded judge on the train parts of the corpora and writes its weights.

Nothing but the train parts is read. Prints how the penalty, the cap and the floor come out.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scripts.judge_support import choices
from scripts.judge_support.corpus import Corpus, read_corpora
from scripts.judge_support.cut import choose_cap, choose_floor, rank
from scripts.judge_support.fit import Example, Fit, fit
from scripts.judge_support.metrics import Scored, measure
from vaultgraph.judge.embedded import weights as package
from vaultgraph.judge.embedded.judge import EmbeddedJudge
from vaultgraph.judge.embedded.weights import FORMAT, Weights, parse_weights, squash

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scripts.judge_support.corpus import Row

#: Features are read before there are weights.
_NO_WEIGHTS = Weights((), 0.0, 0.5, choices.BELIEFS, 0.0, 1.0, "none")
#: Digits kept of every weight: enough for equal scores, few enough for equal bytes anywhere.
_DIGITS = 5


class TrainRows(NamedTuple):
    """The train part of one corpus as examples, apart for whole and for shortened notes."""

    whole: list[tuple[tuple[float, ...], bool]]
    short: list[tuple[tuple[float, ...], bool]]


def read_train_rows(corpus: Corpus) -> TrainRows:
    """Return the rows to train on: the dependent points at the basis, both in the train part."""
    rows = [row for row in corpus.rows if row.is_train and is_believed(corpus, row)]
    return TrainRows(_values(corpus, rows), _values(corpus.shortened(), rows))


def is_believed(corpus: Corpus, row: Row) -> bool:
    """Whether a row's label counts: it is forward, and its author declares dependencies."""
    return row.is_forward and (row.lists or corpus.name not in choices.BELIEVES_LISTS_ONLY)


def _values(corpus: Corpus, rows: Iterable[Row]) -> list[tuple[tuple[float, ...], bool]]:
    reader = EmbeddedJudge(weights=_NO_WEIGHTS)
    found = []
    for row in rows:
        pair = corpus.pair(row.dependent, row.basis)
        talk = reader.read(pair)
        own = talk.first if pair.first.title == row.dependent else talk.second
        if own is not None:
            found.append((own.values, row.label))
    return found


def fit_corpora(corpora: Iterable[TrainRows], penalty: float) -> Fit:
    """Return the model of several corpora, each weighing the root of its number of rows."""
    examples: list[Example] = []
    for rows in corpora:
        both = rows.whole + rows.short
        weight = 1 / math.sqrt(len(both))
        examples += (Example(values, label, weight) for values, label in both)
    return fit(examples, penalty)


def weights_file(model: Fit, penalty: float, cap: float, floor: float) -> bytes:
    """Return the weights file."""
    table = {
        "format": FORMAT,
        "trained_by": "scripts/train_embedded_judge",
        "penalty": penalty,
        "base_rate": round(model.base_rate, _DIGITS),
        "intercept": round(model.intercept, _DIGITS),
        "features": [
            {name: value if name == "name" else round(value, _DIGITS) for name, value in row}
            for row in (feature._asdict().items() for feature in model.features)
        ],
        "beliefs": asdict(choices.BELIEFS),
        "proposals": {"per_hundred_notes": cap, "floor": floor},
    }
    return (json.dumps(table, indent=1) + "\n").encode()


def fit_without(left_out: str, rows: Mapping[str, TrainRows], penalty: float) -> Weights:
    """Return the model of the other corpora."""
    others = (rows[name] for name in sorted(rows) if name != left_out)
    return parse_weights(weights_file(fit_corpora(others, penalty), penalty, 100.0, 0.0))


def compare(rows: Mapping[str, TrainRows], penalty: float) -> tuple[float, list[float]]:
    """Return the weighted mean of the areas under the ROC curve, each corpus left out in turn.

    Then the areas: whole and shortened notes of each corpus.
    """
    areas: list[float] = []
    weighted = 0.0
    for name, weight in choices.CORPORA.items():
        model = fit_without(name, rows, penalty)
        for part in rows[name]:
            scored = [Scored("", squash(model.log_odds(values)), label) for values, label in part]
            areas.append(measure(scored, math.inf).roc_auc)
            weighted += weight * areas[-1]
    return weighted / (2 * sum(choices.CORPORA.values())), areas


def choose_penalty(rows: Mapping[str, TrainRows]) -> float:
    """Return the strongest penalty that is as good as the best."""
    results = {}
    print("penalty | S | " + " | ".join(f"{n} whole | short" for n in choices.CORPORA))
    for penalty in choices.PENALTIES:
        results[penalty], areas = compare(rows, penalty)
        shown = " | ".join(f"{area:.3f}" for area in areas)
        print(f"{penalty} | {results[penalty]:.4f} | {shown}", flush=True)
    best = max(results.values())
    return max(p for p, result in results.items() if result >= best - choices.PENALTY_TIE)


def read_all(folder: Path) -> dict[str, Corpus]:
    """Return the corpora to train on."""
    found = {corpus.name: corpus for corpus in read_corpora(folder)}
    missing = choices.CORPORA.keys() - found.keys()
    if missing:
        raise SystemExit(f"{folder} lacks {', '.join(sorted(missing))}")
    return {name: found[name] for name in choices.CORPORA}


def main() -> None:
    parser = argparse.ArgumentParser(prog="train_embedded_judge", description=__doc__)
    parser.add_argument("--bench", type=Path, required=True, help="folder of the corpora")
    default = Path(package.__file__).with_name("weights.json")
    parser.add_argument("--out", type=Path, default=default, help="where to write the weights")
    options = parser.parse_args()
    corpora = read_all(options.bench)
    rows = {name: read_train_rows(corpus) for name, corpus in corpora.items()}
    penalty = choose_penalty(rows)
    rankings = [rank(corpora[name], fit_without(name, rows, penalty)) for name in choices.DECIDING]
    cap, floor = choose_cap(rankings), choose_floor(rankings)
    model = fit_corpora((rows[name] for name in sorted(rows)), penalty)
    data = weights_file(model, penalty, cap, floor)
    options.out.write_bytes(data)
    print(
        f"\npenalty {penalty}, {cap:g} per 100 notes, floor {floor}: {parse_weights(data).model}"
    )
    for feature in model.features:
        low, high = feature.adds(feature.low), feature.adds(feature.high)
        print(f"{feature.name:9s} {feature.weight:+.3f} a deviation; {low:+.2f} to {high:+.2f}")
