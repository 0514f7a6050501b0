"""A picture that a person can follow, and one of names that try to be something else."""

from __future__ import annotations

import itertools

from vaultgraph.domain.dependencies import Edge, Finding
from vaultgraph.domain.notes import Closing, NoteId
from vaultgraph.graph.picture import Picture, picture_of

CHECKLIST, PLAN, SELLING = map(
    NoteId, ("Move/Apartment Checklist.md", "Move/Relocation Plan.md", "Move/Furniture to Sell.md")
)
LETTER, OLD, NEW = map(
    NoteId, ("Work/Cover Letter.md", "Work/Portfolio Plan.md", "Work/Portfolio.md")
)
RATES, QUOTE = map(NoteId, ("Work/Rates.md", "Work/Quote Template.md"))
ENDED = Closing("ended", "resolved-to", "we stay in Porto", "2026-03-10")
SUPERSEDED = Closing("superseded", "superseded-by", "", "2026-02-01", (NEW,))

EDGES = (
    Edge(CHECKLIST, PLAN, "confirmed", ((3, "depends-on"),), on="2026-01-05"),
    Edge(SELLING, CHECKLIST, "judged", ((7, "wikilink"),), 0.93, "embedded", "e1", "2026-03-01"),
    Edge(LETTER, OLD, "proposed", ((9, "mention"),), 0.81, "chat", "small", "2026-03-02"),
    Edge(QUOTE, RATES, "confirmed"),
    Edge(RATES, NEW, "pointer", ((1, "wikilink"),)),
)
FINDINGS = (
    Finding(CHECKLIST, PLAN, "confirmed", "stale", ENDED, (CHECKLIST, PLAN), EDGES[0].evidence),
    Finding(SELLING, CHECKLIST, "judged", "at-risk", ENDED, (SELLING, CHECKLIST, PLAN)),
    Finding(LETTER, OLD, "proposed", "handled", SUPERSEDED, (LETTER, OLD)),
    Finding(QUOTE, RATES, "confirmed", "suspect", None, (QUOTE, RATES), sections=("Day rate",)),
)
CLOSINGS = {PLAN: ENDED, OLD: SUPERSEDED}
PICTURE = picture_of(EDGES, FINDINGS, CLOSINGS)

#: Titles that mean something to one format or another; none holds what no file name may.
HOSTILE_TITLES = (
    "end",
    "graph",
    "subgraph x",
    "click me",
    "style",
    '"quoted" and \\N back\\slashed\\',
    "[red]bold[red]",
    "<img src=x onerror=alert(1)>",
    "<b>bold<b> &amp; &#35; #35; #quot;",
    "`code` *b* _i_ ~~s~~ $$x$$",
    "%%{init: {'theme':'dark'}}%%",
    "1. first",
    "- second",
    "+ third",
    "fa:fa-car www.example.org me@example.org",
    "{a|b} {{c}} ((d)) >e]",
    "a;b --> c == d",
    "]]>",
    "--> <!-- x",
    "😀 👩‍👩‍👧 family",
    "שלום עולם",
    "مرحبا",
    "帮妹妹搬家",
    "lines\u2028and\u2029paragraphs\x85",
    "bell\x07 and escape \x1b[31m",
    "turned \u202eround",
    "'single' ${x} `${y}`",
    "__proto__",
    "constructor",
)


def hostile_picture() -> Picture:
    """Return a picture of every hostile title, each resting on the next; the last one ended."""
    notes = [NoteId(f"{title}.md") for title in HOSTILE_TITLES]
    # A folder may be called so as well.
    notes.append(NoteId("</script><script>alert(1)</script>/<b>.md"))
    edges = [Edge(a, b, "confirmed") for a, b in itertools.pairwise(notes)]
    closing = Closing("ended", 'status: "</script>"', "</script> \u2028 [[x]] `y`", "2026-03-10")
    path = (notes[-2], notes[-1])
    findings = [Finding(*path, "confirmed", "stale", closing, path)]
    return picture_of(edges, findings, {notes[-1]: closing})
