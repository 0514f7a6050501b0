"""The judges that can be measured: anything with the port's ``ask``, made for one corpus."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from vaultgraph.domain.judging import Answer, JudgePort
from vaultgraph.judge.embedded.judge import EmbeddedJudge
from vaultgraph.judge.embedded.profile import profile_note

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scripts.judge_support.corpus import Corpus
    from vaultgraph.domain.judging import JudgedNote, JudgedPair, QuestionSet


class LinkJudge:
    """What one has without any judge: a link means dependency."""

    name: str = "link"
    model: str = "link"

    def __init__(self) -> None:
        """Keep what is known of each note; a note stands in many pairs."""
        self._profile = cache(profile_note)

    def ask(self, pair: JudgedPair, questions: QuestionSet) -> Answer:  # noqa: ARG002
        """Return 1 for each note that links to the other, else 0."""
        return Answer(
            first_depends=float(self._links(pair.first, pair.second)),
            second_depends=float(self._links(pair.second, pair.first)),
            model=self.model,
        )

    def _links(self, note: JudgedNote, other: JudgedNote) -> bool:
        return self._profile(other).names[0] in self._profile(note).links_to


def embedded(corpus: Corpus) -> JudgePort:
    """Return the judge as shipped."""
    return EmbeddedJudge(context_of=corpus.context)


def embedded_alone(_corpus: Corpus) -> JudgePort:
    """Return the judge as shipped, with nothing but the two notes to go by."""
    return EmbeddedJudge()


def link(_corpus: Corpus) -> JudgePort:
    """Return the judge that needs no model."""
    return LinkJudge()


#: Judges by the name given on the command line. Another is one more line: a function from the
#: corpus to anything with ``ask``.
JUDGES: Mapping[str, Callable[[Corpus], JudgePort]] = {
    "embedded": embedded,
    "embedded-alone": embedded_alone,
    "link": link,
}
