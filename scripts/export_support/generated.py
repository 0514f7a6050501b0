"""Pictures of any size: notes that rest on each other, a few of them closed."""

from __future__ import annotations

from random import Random

from vaultgraph.domain.dependencies import Edge
from vaultgraph.domain.notes import Closing, NoteId
from vaultgraph.graph.findings import Standing, find_findings
from vaultgraph.graph.picture import Picture, picture_of

SEED = 20261201
_CLOSED = 0.02  # of the notes
_WORDS = ("budget", "draft", "plan", "review", "letter", "lease", "harvest", "archive", "chapter")


def generated_picture(notes: int) -> Picture:
    """Return a picture in which each note rests on one before it, and half of them on two.

    Few bases have many dependents and most have none, as in real vaults.
    """
    random = Random(SEED)  # noqa: S311 - the same picture every time, and no secrets
    names = [
        NoteId(f"{number // 200:03}/{' '.join(random.choices(_WORDS, k=3))} {number}.md")
        for number in range(notes)
    ]
    pairs: dict[tuple[NoteId, NoteId], Edge] = {}
    for number in range(1, notes):
        for _ in range(1 + (random.random() < 0.5)):
            basis = names[int(number * random.random() ** 2)]
            level, probability = random.choice((("confirmed", None), ("judged", 0.9)))
            edge = Edge(names[number], basis, level, probability=probability)  # type: ignore[arg-type]
            pairs[edge.dependent, basis] = edge
    closings = {
        name: Closing("ended", "status: done", "It is over.", "2026-03-01")
        for name in names
        if random.random() < _CLOSED
    }
    edges = sorted(pairs.values())
    findings = find_findings(edges, Standing(closings, str))
    return picture_of(edges, findings, closings)
