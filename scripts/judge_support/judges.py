"""The judges that can be measured without a server: anything with the port's ``ask``."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from vaultgraph.domain.judging import Answer
from vaultgraph.judge.embedded.judge import EmbeddedJudge
from vaultgraph.judge.embedded.profile import profile_note

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vaultgraph.domain.judging import JudgedNote, JudgedPair, JudgePort, QuestionSet


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


#: By the name given on the command line.
LOCAL_JUDGES: Mapping[str, Callable[[], JudgePort]] = {
    "embedded": EmbeddedJudge,
    "link": LinkJudge,
}
