"""Lines of the tables that ``bench_judge`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scripts.judge_support.metrics import Scored, intervals, measure
from vaultgraph.judge.embedded.cutoff import choose_cutoff

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from scripts.judge_support.corpus import Corpus, Row
    from vaultgraph.judge.embedded.weights import Weights

#: Dependent and basis, by title.
Direction = tuple[str, str]

QUALITY_HEADER = (
    "| rows | judge | n | dependencies | ROC-AUC | PR-AUC | precision | recall | Brier | ECE"
    " | reversed of kept |\n| --- | --- " + "| ---: " * 9 + "|"
)
PROPOSALS_HEADER = (
    "| vault | judge | notes | proposed | cutoff | right where A lists | of all dependencies"
    " | reversed |\n| --- | --- " + "| ---: " * 6 + "|"
)


class RowSet(NamedTuple):
    """Directed rows of one corpus that are measured together."""

    title: str
    rows: list[Row]


class Line(NamedTuple):
    """Everything that stands in one line of the table."""

    rows: str
    judge: str
    #: The forward rows.
    scored: list[Scored]
    #: How many directed rows are kept, both directions counted, and how many of them are reversed.
    kept: int
    turned: int


def unseen_sets(corpus: Corpus) -> Iterator[RowSet]:
    """Yield the sets on which a model trained on the train part may be measured."""
    unseen = [row for row in corpus.rows if not row.is_train_dependent]
    yield RowSet(f"{corpus.name} unseen A, A lists", [row for row in unseen if row.lists])
    yield RowSet(f"{corpus.name} unseen A, all", unseen)
    yield RowSet(f"{corpus.name} strict, all", [row for row in unseen if row.is_strict])


def whole_sets(corpus: Corpus) -> Iterator[RowSet]:
    """Yield the sets on which any other judge may be measured."""
    yield RowSet(f"{corpus.name}, A lists", [row for row in corpus.rows if row.lists])
    yield RowSet(f"{corpus.name}, all", list(corpus.rows))


def live_to_closed(corpus: Corpus) -> RowSet:
    """Return the rows whose dependent is live and whose basis is closed."""
    return RowSet(corpus.name, [row for row in corpus.rows if row.is_live_to_closed])


def true_directions(corpus: Corpus) -> set[Direction]:
    """Return every dependency between two notes that point at each other in some way."""
    return {(row.dependent, row.basis) for row in corpus.rows if row.label}


def to_line(
    row_set: RowSet,
    judge: str,
    scores: Mapping[Direction, float],
    cutoff: float,
    true: Collection[Direction],
) -> Line:
    """Return the line of one judge on one set of rows."""
    scored, kept, turned = [], 0, 0
    for row in row_set.rows:
        score = scores.get((row.dependent, row.basis))
        if score is None:  # the judge gave no answer
            continue
        if row.is_forward:
            scored.append(Scored(row.dependent, score, row.label))
        if score >= cutoff:
            kept += 1
            turned += not row.label and (row.basis, row.dependent) in true
    return Line(row_set.title, judge, scored, kept, turned)


def pool(title: str, lines: Sequence[Line]) -> Line:
    """Return the lines of one judge as one."""
    return Line(
        title,
        lines[0].judge,
        [row._replace(note=f"{line.rows}/{row.note}") for line in lines for row in line.scored],
        sum(line.kept for line in lines),
        sum(line.turned for line in lines),
    )


def show(line: Line, cutoff: float, draws: int) -> str:
    """Return a line as Markdown, with 95 % intervals where there are draws."""
    quality = measure(line.scored, cutoff)
    figures = [f"{value:.3f}" for value in quality]
    if draws:
        spans = intervals(line.scored, cutoff, draws=draws)
        figures = [
            f"{figure} [{span.low:.2f}, {span.high:.2f}]"
            for figure, span in zip(figures, spans, strict=True)
        ]
    positive = sum(row.label for row in line.scored)
    cells = [line.rows, line.judge, len(line.scored), positive, *figures]
    return _markdown([*cells, f"{line.turned} of {line.kept}"])


def show_proposals(
    corpus: Corpus, judge: str, scores: Mapping[Direction, float], weights: Weights
) -> str:
    """Return, as Markdown, what the default would propose in a vault that is this corpus."""
    cutoff = choose_cutoff(
        scores.values(), notes=len(corpus.notes), cap=weights.cap, floor=weights.floor
    )
    kept = [row for row in corpus.rows if scores[row.dependent, row.basis] >= cutoff]
    true = true_directions(corpus)
    believed = [row for row in kept if row.lists]
    right = sum(row.label for row in believed)
    turned = sum(not row.label and (row.basis, row.dependent) in true for row in kept)
    counts = [len(corpus.notes), len(kept), f"{cutoff:.3f}", f"{right} of {len(believed)}"]
    return _markdown([corpus.name, judge, *counts, f"{right} of {len(true)}", turned])


def _markdown(cells: Sequence[object]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"
