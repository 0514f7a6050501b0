"""A small vault to be judged, and judges that say what a test wants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.judge_server import QUESTIONS
from vaultgraph.domain.judging import Answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultgraph.domain.judging import JudgedPair, QuestionSet

BRIDGE, LAUNCH, STEEL = "Bridge Plan.md", "Launch Plan.md", "Steel Order.md"
#: Three notes, each naming the next, so three pairs; and notes that make none.
FILES = {
    LAUNCH: "---\nstatus: active\n---\nWaits for the [[Bridge Plan]] and the Steel Order.\n",
    BRIDGE: "Needs the [[Steel Order]].\n",
    STEEL: "Forty tonnes.\n",
    "2026-01-01.md": "Talked about the [[Bridge Plan]].\n",
    "Salary Talks.md": "---\nprivate: true\n---\nAfter the [[Bridge Plan]].\n",
    "Loose Note.md": "On its own.\n",
}
#: Sorted, as they are asked.
PAIRS = [(BRIDGE, LAUNCH), (BRIDGE, STEEL), (LAUNCH, STEEL)]


class ScriptedJudge:
    """A judge that answers each pair as ``answer`` says, and remembers what it was asked."""

    name = "scripted"

    def __init__(
        self,
        answer: Callable[[JudgedPair], Answer] | None = None,
        *,
        model: str = "m-1",
    ) -> None:
        self.model = model
        self.asked: list[tuple[str, str]] = []
        self._answer = answer or (lambda _: Answer(0.9, 0.1, model, 100, 10, 0.5))

    def ask(self, pair: JudgedPair, questions: QuestionSet) -> Answer:
        assert questions is QUESTIONS
        self.asked.append((pair.first.note, pair.second.note))
        return self._answer(pair)
