"""Measures judges on dependencies that other people declared, and prints Markdown tables.

Forward rows only, where the dependent (A) names the basis: elsewhere the answer is nearly always
no. "A lists" rows are those whose author declares any dependency; "all" adds the silent authors,
whose every reference then counts as none, so the truth lies between. Precision and recall are
those from --cutoff up. On the corpora that it was trained on, the embedded judge is measured on
notes outside its train part; "embedded, other two" is its recipe, fitted to the train parts of
the other two corpora, and "embedded-alone" goes by the two notes only. Any other corpus in the
folder is measured whole.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.judge_support import choices
from scripts.judge_support.corpus import read_corpora
from scripts.judge_support.judges import JUDGES
from scripts.judge_support.lines import (
    PROPOSALS_HEADER,
    QUALITY_HEADER,
    live_to_closed,
    pool,
    show,
    show_proposals,
    to_line,
    true_directions,
    unseen_sets,
    whole_sets,
)
from scripts.judge_support.train import fit_without, read_train_rows
from vaultgraph.judge.embedded.judge import EmbeddedJudge
from vaultgraph.judge.embedded.weights import load_weights, read_weights_file
from vaultgraph.judge.questions import DEFAULT_QUESTIONS, parse_question_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scripts.judge_support.corpus import Corpus
    from scripts.judge_support.lines import Direction, Line, RowSet
    from scripts.judge_support.train import TrainRows
    from vaultgraph.domain.judging import JudgePort

_QUESTIONS = Path(__file__).resolve().parents[2] / "prompts" / f"{DEFAULT_QUESTIONS}.toml"
_OTHER_TWO = "embedded, other two"


class Bench:
    """One run: every judge on every set of rows on which it may be measured."""

    def __init__(self, corpora: Sequence[Corpus], names: Sequence[str], cutoff: float) -> None:
        self.corpora = corpora
        self.names = names
        self.cutoff = cutoff
        self.questions = parse_question_set(DEFAULT_QUESTIONS, _QUESTIONS.read_bytes())
        self.lines: list[Line] = []
        self.closed: dict[str, list[Line]] = {}
        self.proposals: list[str] = []
        self.speeds: list[str] = []

    def run(self) -> None:
        """Ask every judge about every corpus."""
        rows = self._train_rows()
        for corpus in self.corpora:
            for name in self.names:
                self._measure(corpus, name, JUDGES[name](corpus))
            if corpus.name in rows:
                self._measure(corpus, _OTHER_TWO, _fit_other_two(corpus, rows))

    def _train_rows(self) -> dict[str, TrainRows]:
        """Return the rows to train on, where all corpora are there and it is asked for."""
        known = [corpus for corpus in self.corpora if corpus.name in choices.CORPORA]
        if "embedded" not in self.names or len(known) < len(choices.CORPORA):
            return {}
        return {corpus.name: read_train_rows(corpus) for corpus in known}

    def _measure(self, corpus: Corpus, name: str, judge: JudgePort) -> None:
        scores = self._ask(corpus, name, judge)
        true = true_directions(corpus)
        is_shipped = name.startswith("embedded") and name != _OTHER_TWO
        has_seen_some = is_shipped and corpus.name in choices.CORPORA
        for row_set in self._sets(corpus, has_seen_some=has_seen_some):
            if row_set.rows:
                self.lines.append(to_line(row_set, name, scores, self.cutoff, true))
        if has_seen_some:
            return
        closed = to_line(live_to_closed(corpus), name, scores, self.cutoff, true)
        self.closed.setdefault(name, []).append(closed)
        if isinstance(judge, EmbeddedJudge):
            self.proposals.append(show_proposals(corpus, name, scores, judge.weights))

    def _sets(self, corpus: Corpus, *, has_seen_some: bool) -> list[RowSet]:
        if has_seen_some:
            return list(unseen_sets(corpus))
        if corpus.name in choices.CORPORA:
            return [*unseen_sets(corpus), *whole_sets(corpus)]
        return list(whole_sets(corpus))

    def _ask(self, corpus: Corpus, name: str, judge: JudgePort) -> dict[Direction, float]:
        """Return the score of every directed row; each pair is asked once."""
        scores: dict[Direction, float] = {}
        asked, began = 0, time.perf_counter()
        for row in corpus.rows:
            if (row.dependent, row.basis) not in scores:
                pair = corpus.pair(row.dependent, row.basis)
                answer = judge.ask(pair, self.questions)
                first, second = pair.first.title, pair.second.title
                scores[first, second] = answer.first_depends
                scores[second, first] = answer.second_depends
                asked += 1
        took = 1000 * (time.perf_counter() - began) / asked
        self.speeds.append(f"{corpus.name}, {name}: {asked} pairs, {took:.2f} ms a pair")
        return scores


def _fit_other_two(corpus: Corpus, rows: dict[str, TrainRows]) -> EmbeddedJudge:
    shipped = load_weights()
    penalty = json.loads(read_weights_file())["penalty"]
    weights = fit_without(corpus.name, rows, penalty)
    weights = weights._replace(cap=shipped.cap, floor=shipped.floor)
    return EmbeddedJudge(weights, context_of=corpus.context)


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench_judge", description=__doc__)
    parser.add_argument("--bench", type=Path, required=True, help="folder of the corpora")
    parser.add_argument("--judge", choices=JUDGES, action="append", help="only this one; repeat")
    parser.add_argument("--cutoff", type=float, default=0.5, help="default: 0.5")
    parser.add_argument("--draws", type=int, default=1000, help="for the intervals; 0: none")
    options = parser.parse_args()
    bench = Bench(read_corpora(options.bench), options.judge or list(JUDGES), options.cutoff)
    bench.run()
    print(QUALITY_HEADER)
    for line in sorted(bench.lines, key=lambda line: line.rows):
        print(show(line, options.cutoff, options.draws), flush=True)
    for lines in bench.closed.values():
        if any(line.scored for line in lines):
            pooled = pool("live to closed, pooled", lines)
            print(show(pooled, options.cutoff, options.draws), flush=True)
    print(f"\nWhat the default proposes in a vault that is the corpus\n\n{PROPOSALS_HEADER}")
    print("\n".join(bench.proposals))
    print("\n" + "\n".join(bench.speeds))
