"""Measures judges on dependencies that other people declared, and prints Markdown tables.

Forward rows only, where the dependent (A) names the basis: elsewhere the answer is nearly always
no. "A lists" rows are those whose author declares any dependency; "all" adds the silent authors,
whose every reference then counts as none, so the truth lies between. Precision and recall are
those from --cutoff up. On the corpora that it was trained on, the embedded judge is measured on
notes outside its train part; "embedded, other two" is its recipe, fitted to the train parts of
the other two corpora. Any other corpus in the folder is measured whole. A remote judge is
configured as on vaultgraph's own command line, and asked only with --yes; the texts are public,
so it has probably read the labels.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.judge_support import choices
from scripts.judge_support.corpus import read_corpora
from scripts.judge_support.judges import LOCAL_JUDGES
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
from scripts.judge_support.remote import KeptAnswers, add_options, open_judge, say_cost
from scripts.judge_support.train import fit_without, read_train_rows
from vaultgraph.domain.judging import Answer
from vaultgraph.effects.asking import ask_many
from vaultgraph.effects.judges import JUDGES
from vaultgraph.errors import VaultgraphError
from vaultgraph.judge.embedded.judge import EmbeddedJudge
from vaultgraph.judge.embedded.weights import load_weights, read_weights_file
from vaultgraph.judge.questions import DEFAULT_QUESTIONS, parse_question_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scripts.judge_support.corpus import Corpus
    from scripts.judge_support.lines import Direction, Line, RowSet
    from scripts.judge_support.train import TrainRows
    from vaultgraph.domain.judging import JudgedPair, JudgePort, PairError

_QUESTIONS = Path(__file__).resolve().parents[2] / "prompts" / f"{DEFAULT_QUESTIONS}.toml"
_OTHER_TWO = "embedded, other two"


class Bench:
    """One run: every judge on every set of rows on which it may be measured."""

    def __init__(self, corpora: Sequence[Corpus], cutoff: float) -> None:
        self.corpora = corpora
        self.cutoff = cutoff
        self.questions = parse_question_set(DEFAULT_QUESTIONS, _QUESTIONS.read_bytes())
        self.lines: list[Line] = []
        self.closed: dict[str, list[Line]] = {}
        self.proposals: list[str] = []
        self.speeds: list[str] = []

    def run_local(self, names: Sequence[str]) -> None:
        """Ask judges that need no server about every corpus."""
        rows = self._train_rows() if "embedded" in names else {}
        for corpus in self.corpora:
            for name in names:
                self._measure(corpus, name, LOCAL_JUDGES[name]())
            if corpus.name in rows:
                self._measure(corpus, _OTHER_TWO, _fit_other_two(corpus, rows))

    def run_remote(self, name: str, options: argparse.Namespace) -> bool:
        """Ask a remote judge about every corpus; without --yes say only what that would take."""
        with open_judge(name, options) as judge:
            kept = KeptAnswers(options.answers, judge, self.questions) if options.answers else None
            missing = [
                pair
                for corpus in self.corpora
                for pair in _pairs(corpus)
                if kept is None or kept.find(corpus, pair) is None
            ]
            say_cost(judge, missing, self.questions)
            if missing and not options.yes:
                print("nothing was sent; --yes asks", file=sys.stderr)
                return False
            for corpus in self.corpora:
                self._measure(
                    corpus, f"{name} {judge.model}", judge, kept, judge.endpoint.concurrency
                )
        return True

    def _train_rows(self) -> dict[str, TrainRows]:
        """Return the rows to train on, where all corpora are there."""
        known = [corpus for corpus in self.corpora if corpus.name in choices.CORPORA]
        if len(known) < len(choices.CORPORA):
            return {}
        return {corpus.name: read_train_rows(corpus) for corpus in known}

    def _measure(
        self,
        corpus: Corpus,
        name: str,
        judge: JudgePort,
        kept: KeptAnswers | None = None,
        threads: int = 0,
    ) -> None:
        scores = self._ask(corpus, name, judge, kept, threads)
        true = true_directions(corpus)
        has_seen_some = name == "embedded" and corpus.name in choices.CORPORA
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

    def _ask(
        self,
        corpus: Corpus,
        name: str,
        judge: JudgePort,
        kept: KeptAnswers | None,
        threads: int,
    ) -> dict[Direction, float]:
        """Return the score of every directed row; each pair is asked once."""
        scores: dict[Direction, float] = {}
        failed = 0

        def add(pair: JudgedPair, answer: Answer) -> None:
            first, second = pair.first.title, pair.second.title
            scores[first, second] = answer.first_depends
            scores[second, first] = answer.second_depends

        def on_answer(pair: JudgedPair, answer: Answer | PairError) -> None:
            nonlocal failed
            if isinstance(answer, Answer):
                add(pair, answer)
                if kept is not None:
                    kept.keep(corpus, pair, answer)
            else:
                failed += 1

        to_ask = []
        for pair in _pairs(corpus):
            known = kept.find(corpus, pair) if kept is not None else None
            if known is None:
                to_ask.append(pair)
            else:
                add(pair, known)
        began = time.perf_counter()
        ask_many(judge, to_ask, self.questions, on_answer, threads=threads, stop=_stop_of(judge))
        took = 1000 * (time.perf_counter() - began) / max(1, len(to_ask))
        left_out = f", {failed} failed and are left out" if failed else ""
        self.speeds.append(
            f"{corpus.name}, {name}: {len(to_ask)} pairs, {took:.2f} ms a pair{left_out}"
        )
        return scores


def _pairs(corpus: Corpus) -> Iterator[JudgedPair]:
    """Yield each pair of the rows once."""
    seen: set[frozenset[str]] = set()
    for row in corpus.rows:
        both = frozenset((row.dependent, row.basis))
        if both not in seen:
            seen.add(both)
            yield corpus.pair(row.dependent, row.basis)


def _stop_of(judge: JudgePort) -> Callable[[], None] | None:
    return getattr(judge, "stop", None)


def _fit_other_two(corpus: Corpus, rows: dict[str, TrainRows]) -> EmbeddedJudge:
    shipped = load_weights()
    penalty = json.loads(read_weights_file())["penalty"]
    weights = fit_without(corpus.name, rows, penalty)
    return EmbeddedJudge(weights._replace(cap=shipped.cap, floor=shipped.floor))


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench_judge", description=__doc__)
    parser.add_argument("--bench", type=Path, required=True, help="folder of the corpora")
    names = list(dict.fromkeys((*LOCAL_JUDGES, *JUDGES)))
    parser.add_argument("--judge", choices=names, action="append", help="only this one; repeat")
    parser.add_argument("--cutoff", type=float, default=0.5, help="default: 0.5")
    parser.add_argument("--draws", type=int, default=1000, help="for the intervals; 0: none")
    add_options(parser)
    options = parser.parse_args()
    asked = options.judge or list(LOCAL_JUDGES)
    try:
        _run(asked, options)
    except VaultgraphError as error:
        raise SystemExit(f"error: {error.message}\nhint: {error.hint}") from None


def _run(asked: Sequence[str], options: argparse.Namespace) -> None:
    bench = Bench(read_corpora(options.bench), options.cutoff)
    bench.run_local([name for name in asked if name in LOCAL_JUDGES])
    for name in asked:
        if name not in LOCAL_JUDGES and not bench.run_remote(name, options):
            return
    print(QUALITY_HEADER)
    for line in sorted(bench.lines, key=lambda line: line.rows):
        print(show(line, options.cutoff, options.draws), flush=True)
    for lines in bench.closed.values():
        if any(line.scored for line in lines):
            pooled = pool("live to closed, pooled", lines)
            print(show(pooled, options.cutoff, options.draws), flush=True)
    if bench.proposals:
        print(f"\nWhat the default proposes in a vault that is the corpus\n\n{PROPOSALS_HEADER}")
        print("\n".join(bench.proposals))
    print("\n" + "\n".join(bench.speeds))
