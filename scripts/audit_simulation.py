#!/usr/bin/env python3
"""Audits the embedded judge's recall and precision where the truth is known, again and again.

    scripts/audit_simulation.py --bench FOLDER [--size 60] [--seeds 200]

Each corpus is a vault whose dependencies its authors declared. Its pairs are scored, registered as
a recall audit with the usual strata, drawn by a seed, and labelled by what the authors said; then
it is seen whether the 95 % intervals hold what is true of all pairs. It prints Markdown.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.judge_support.corpus import read_corpora
from vaultgraph.audit.drawing import draw
from vaultgraph.audit.estimates import Counted, Estimate, estimate_recall, estimate_share
from vaultgraph.audit.units import Population, pair_unit
from vaultgraph.domain.settings import ProposalSettings
from vaultgraph.flows.audit_plan import Wishes, make_registration
from vaultgraph.flows.audit_populations import BELOW, KEPT, MIDDLE, Described
from vaultgraph.judge.embedded.cutoff import choose_cutoff
from vaultgraph.judge.embedded.judge import EmbeddedJudge

if TYPE_CHECKING:
    from scripts.judge_support.corpus import Corpus
    from vaultgraph.audit.units import UnitId

HEADER = (
    "| corpus | estimated | strata | true ones in them | labels | truth | no number | inside"
    " | below it, above it | median width |\n| --- | --- | --- | --- " + "| ---: " * 6 + "|"
)


class Vault(NamedTuple):
    """A corpus as an audit sees it: pairs in strata, and the truth about each."""

    name: str
    described: Described
    true: frozenset[UnitId]


def read_vault(corpus: Corpus) -> Vault:
    """Return a corpus scored by the embedded judge, with the strata that a recall audit has."""
    judge = EmbeddedJudge()
    true = frozenset(
        pair_unit(*sorted(corpus.notes[t].note for t in (row.dependent, row.basis)))
        for row in corpus.rows
        if row.label
    )
    scores: dict[UnitId, float] = {}
    for row in corpus.rows:
        pair = corpus.pair(row.dependent, row.basis)
        unit = pair_unit(pair.first.note, pair.second.note)
        if unit not in scores:
            answer = judge.judge(pair)
            scores[unit] = max(answer.first_depends, answer.second_depends)
    weights = judge.weights
    cutoff = choose_cutoff(
        scores.values(), notes=len(corpus.notes), cap=weights.cap, floor=weights.floor
    )
    middle = min(ProposalSettings().middle, cutoff)
    strata: dict[str, list[UnitId]] = {KEPT: [], MIDDLE: [], BELOW: []}
    for unit, score in sorted(scores.items()):
        strata[KEPT if score >= cutoff else MIDDLE if score >= middle else BELOW].append(unit)
    units = {name: tuple(found) for name, found in strata.items()}
    return Vault(corpus.name, Described(Population(units), "pairs", {}), true)


class Tally:
    """How the intervals of one estimate did."""

    def __init__(self, truth: float) -> None:
        self.truth = truth
        self.found: list[Estimate] = []

    def line(self) -> str:
        """Return what a table says of them."""
        known = [e for e in self.found if e.low is not None and e.high is not None]
        low = sum(e.low > self.truth for e in known if e.low is not None)
        high = sum(e.high < self.truth for e in known if e.high is not None)
        inside = len(known) - low - high
        width = median((e.high or 0) - (e.low or 0) for e in known)
        return (
            f"{self.truth:.3f} | {len(self.found) - len(known)} | {inside / len(known):.1%}"
            f" of {len(known)} | {high}, {low} | {width:.2f}"
        )


def simulate(vault: Vault, size: int, seeds: int) -> dict[str, Tally]:
    """Return the audits' recall and precision, one for each seed."""
    units = vault.described.population.units
    kept = len(vault.true.intersection(units[KEPT]))
    tallies = {
        "recall": Tally(kept / len(vault.true)),
        "precision": Tally(kept / len(units[KEPT])),
    }
    for number in range(seeds):
        wishes = Wishes("recall", size=size, seed=f"{vault.name} {number}")
        made = make_registration("simulated", wishes, vault.described)
        drawn = draw(made, vault.described.population)
        rows = [
            Counted(
                stratum.name,
                stratum.units,
                stratum.size,
                len(vault.true.intersection(drawn[stratum.name])),
                is_census=stratum.size == stratum.units,
            )
            for stratum in made.strata
        ]
        tallies["recall"].found.append(estimate_recall(rows, made.confidence, made.seed))
        tallies["precision"].found.append(
            estimate_share("precision", rows[:1], made.confidence, made.seed)
        )
    return tallies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", type=Path, required=True, help="folder of the corpora")
    parser.add_argument("--size", type=int, default=60, help="labels of each audit")
    parser.add_argument("--seeds", type=int, default=200, help="audits of each corpus")
    options = parser.parse_args()
    print(HEADER)
    for corpus in read_corpora(options.bench):
        vault = read_vault(corpus)
        units = vault.described.population.units
        sizes = " + ".join(f"{len(found):,}" for found in units.values())
        true = " + ".join(str(len(vault.true.intersection(found))) for found in units.values())
        for what, tally in simulate(vault, options.size, options.seeds).items():
            cells = f"{vault.name} | {what} | {sizes} | {true} | {options.size}"
            print(f"| {cells} | {tally.line()} |", flush=True)


if __name__ == "__main__":
    main()
