"""A remote judge in the bench: what it would take, and a file that no answer is lost from."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from vaultgraph.domain.judging import Answer
from vaultgraph.domain.settings import JudgeSettings
from vaultgraph.effects.judges import open_remote_judge
from vaultgraph.judge.estimates import estimate_run
from vaultgraph.judge.pair_text import TextRules
from vaultgraph.vault.privacy import Masker

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from scripts.judge_support.corpus import Corpus
    from vaultgraph.domain.judging import JudgedPair, QuestionSet
    from vaultgraph.effects.openai_judge import OpenAIJudge
    from vaultgraph.effects.systemone import SystemOneJudge

    RemoteJudge = SystemOneJudge | OpenAIJudge

_SAMPLED = 200
#: Corpus, and the titles of a pair in the order of their ids.
_Asked = tuple[str, str, str]


def add_options(parser: ArgumentParser) -> None:
    """Add what says where a remote judge is; the words are those of ``vaultgraph judge``."""
    for option in ("preset", "base-url", "path", "model", "key-variable"):
        parser.add_argument(f"--{option}", default="", help="of a remote judge")
    parser.add_argument("--concurrency", type=int, default=0, help="calls at a time")
    parser.add_argument("--price", type=float, help="dollars for a million input tokens")
    parser.add_argument("--answers", type=Path, help="keep a remote judge's answers in this file")
    parser.add_argument("--yes", action="store_true", help="ask the remote judge, at that cost")


def open_judge(name: str, options: Namespace) -> RemoteJudge:
    """Return the remote judge that the command line names."""
    settings = JudgeSettings(
        name=name,
        preset=options.preset,
        base_url=options.base_url,
        path=options.path,
        model=options.model,
        key_variable=options.key_variable,
        concurrency=options.concurrency,
    )
    return open_remote_judge(
        settings,
        TextRules(Masker(())),
        os.environ,
        price=options.price,
        needs_key=options.yes,
    )


class KeptAnswers:
    """A remote judge's answers, one JSON line each, as they came."""

    def __init__(self, path: Path, judge: RemoteJudge, questions: QuestionSet) -> None:
        self._path = path
        self._key = [judge.name, judge.model, questions.hash]
        self._kept: dict[_Asked, Answer] = {}
        if path.exists():
            for line in path.read_text("utf-8").splitlines():
                row = json.loads(line)
                if row["by"] == self._key:
                    first, second = row["answer"]
                    self._kept[tuple(row["asked"])] = Answer(first, second, row["model"])

    def find(self, corpus: Corpus, pair: JudgedPair) -> Answer | None:
        """Return what was answered about a pair, if anything."""
        return self._kept.get((corpus.name, pair.first.title, pair.second.title))

    def keep(self, corpus: Corpus, pair: JudgedPair, answer: Answer) -> None:
        """Keep an answer."""
        row = {
            "by": self._key,
            "asked": [corpus.name, pair.first.title, pair.second.title],
            "answer": [answer.first_depends, answer.second_depends],
            "model": answer.model,
        }
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def say_cost(judge: RemoteJudge, pairs: Sequence[JudgedPair], questions: QuestionSet) -> None:
    """Print what asking about ``pairs`` would take."""
    sampled = [
        judge.requests(pair, questions) for pair in pairs[:: max(1, len(pairs) // _SAMPLED)]
    ]
    endpoint = judge.endpoint
    estimate = estimate_run(
        len(pairs),
        sampled,
        price=endpoint.price,
        concurrency=endpoint.concurrency,
        is_local=endpoint.is_local,
    )
    cost = "an unknown price" if estimate.cost is None else f"${estimate.cost:.2f}"
    print(
        f"{len(pairs):,} pairs to ask {judge.model} at {endpoint.host}: about"
        f" {estimate.calls:,} calls, {estimate.tokens:,} tokens, {cost},"
        f" {estimate.minutes:.0f} minutes",
        file=sys.stderr,
    )
