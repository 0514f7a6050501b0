"""What goes into a judgement and what comes out: pairs, questions, answers, verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from vaultgraph.domain.notes import NoteId


@dataclass(frozen=True, slots=True)
class JudgedNote:
    """One note as a judge may see it: no frontmatter, no status, no age."""

    note: NoteId
    title: str
    aliases: tuple[str, ...]
    #: The whole body, cleaned but with its lines; what is shown of it is cut to a budget later.
    body: str
    #: SHA-256, hex, of the body as it stands in the file: what a verdict is about.
    body_hash: str


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """Two notes to be judged, ``first`` < ``second`` by id, with the evidence that joins them."""

    first: JudgedNote
    second: JudgedNote
    #: Lines of each body (1-based, within the body) that link to or name the other note.
    first_lines: tuple[int, ...]
    second_lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """One yes/no question about a pair."""

    instructions: str
    #: What a yes means, and what a no means.
    yes: str
    no: str


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """The two questions of a set; never edited after use, as verdicts carry its hash."""

    #: Name and version: ``depends.v1``.
    id: str
    first_on_second: Question
    second_on_first: Question
    #: SHA-256, hex, of the file it was read from.
    hash: str


class Answer(NamedTuple):
    """What a judge says of one pair."""

    first_depends: float
    second_depends: float
    #: The model that answered, as the judge itself names it.
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    #: In US dollars, where the judge says so.
    cost: float | None = None
    #: Why, in words, where the judge can say.
    reasons: tuple[str, ...] = ()


class Verdict(NamedTuple):
    """Two probabilities for one pair and where they come from."""

    first: NoteId
    second: NoteId
    first_depends: float
    second_depends: float
    judge: str
    model: str
    #: Id and hash of the question set; empty where no question was asked.
    questions: str
    questions_hash: str
    #: Body hashes of the two notes when they were judged; a verdict holds only for these.
    first_hash: str
    second_hash: str
    #: ISO 8601, UTC.
    at: str


class JudgePort(Protocol):
    """Anything that gives two probabilities for a pair."""

    #: How it is named on the command line and in verdicts: ``embedded``, ``systemone``, ….
    name: str
    #: The model asked for; empty where the judge decides.
    model: str

    def ask(self, pair: JudgedPair, questions: QuestionSet) -> Answer:
        """Return the judge's answer for one pair.

        Raises:
            JudgeError: the judge is unreachable or refuses altogether: the run ends.
            PairError: this pair cannot be judged; the run goes on.
        """
        ...


class PairError(Exception):
    """One pair could not be judged; the text says why, and holds no note text."""
