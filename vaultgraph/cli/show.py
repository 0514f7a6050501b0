"""``vaultgraph show``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from vaultgraph.cli.options import Json, NoCache
from vaultgraph.cli.output import Output, out, shown
from vaultgraph.cli.stale_text import closed, mark_of, places_of
from vaultgraph.cli.wiring import context_of, ledger_of

if TYPE_CHECKING:
    from vaultgraph.cli.output import Segment
    from vaultgraph.domain.dependencies import Edge
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.flows.show import Branch, ShowReport
    from vaultgraph.vault.privacy import Masker

_STYLES = {"stale": "red", "suspect": "magenta", "at-risk": "cyan", "handled": "dim"}
_SINCE = {"confirmed": "accepted", "proposed": "proposed", "judged": "judged"}


def show(
    ctx: typer.Context,
    note: Annotated[str, typer.Argument(help="A note: its path, title or an alias.")],
    depth: Annotated[
        int, typer.Option(min=1, max=50, help="So many steps away from the note.")
    ] = 1,
    as_json: Json = False,
    no_cache: NoCache = False,
) -> None:
    """Show what a note rests on and what rests on it, and how all of it stands."""
    from vaultgraph.flows.show import show_document, show_note

    report = show_note(context_of(ctx, cache=not no_cache), ledger_of(ctx), note, depth)
    if as_json:
        out().json(show_document(report))
    else:
        _print(out(), report)


def _print(stream: Output, report: ShowReport) -> None:
    from vaultgraph.flows.context import masker_of

    masker = masker_of(report.stale.survey)
    closing = report.stale.standing.closings.get(report.note)
    state = _state(report, report.note) if closing is not None else []
    stream.line((shown(report.note), "bold"), *state, indent=2)
    if report.is_private:
        stream.line("  private: it rests on nothing here, and nothing rests on it", indent=2)
        return
    if closing is not None and closing.words:
        stream.line("  ", (f"“{shown(masker.mask(closing.words))}”", "italic"), indent=2)
    for finding in report.findings:
        way = " → ".join(map(shown, finding.path[1:]))
        style = _STYLES[finding.state]
        stream.line("  ", (finding.state.replace("-", " "), style), f" by way of {way}", indent=4)
    _print_tree(stream, report, "rests on", report.rests_on, masker)
    _print_tree(stream, report, "what rests on it", report.resting_on_it, masker)
    for cycle in report.stale.cycles:
        if report.note in cycle.notes:
            ring = " → ".join(map(shown, (*cycle.notes, cycle.notes[0])))
            stream.line(("ring  ", "bold yellow"), ring, indent=6)


def _state(report: ShowReport, note: NoteId) -> list[Segment]:
    closing = report.stale.standing.closings.get(note)
    if closing is not None:
        now = ", ".join(map(shown, closing.successors))
        return ["  ", *closed(closing), *([(f"  now: {now}", "green")] if now else [])]
    state = report.state_of(note)
    return [] if state == "live" else ["  ", (state.replace("-", " "), _STYLES[state])]


def _source(edge: Edge) -> list[str]:
    """Return since when an edge is known, and what a judge said of it."""
    # A model of ours is called after its judge.
    is_named = edge.model.startswith(edge.judge)
    judge = shown(edge.model if is_named else f"{edge.judge} {edge.model}".strip())
    since = f"{_SINCE[edge.level]} {edge.on}" if edge.on else ""
    if edge.level == "judged":
        return [f"{since} by {judge}".strip()]
    said = f"{judge} said {edge.probability:.2f}" if edge.probability is not None else ""
    return [since, said]


def _print_tree(
    stream: Output, report: ShowReport, title: str, branches: tuple[Branch, ...], masker: Masker
) -> None:
    if not branches:
        stream.line((title, "bold"), ": nothing that is known")
        return
    stream.line((title, "bold"))
    _print_branches(stream, report, branches, "  ", masker)


def _print_branches(
    stream: Output, report: ShowReport, branches: tuple[Branch, ...], lead: str, masker: Masker
) -> None:
    for position, branch in enumerate(branches):
        is_last = position == len(branches) - 1
        edge = branch.edge
        told = "; ".join(filter(None, (masker.mask(places_of(edge.evidence)), *_source(edge))))
        again = " (more of it elsewhere here)" if branch.is_repeated else ""
        stream.line(
            (f"{lead}{'└' if is_last else '├'} ", "dim"),
            mark_of(edge.level, edge.probability),
            "  ",
            shown(branch.note),
            *_state(report, branch.note),
            (f"  {told}{again}", "dim") if told or again else "",
            indent=len(lead) + 6,
        )
        below = f"{lead}{' ' if is_last else '│'} "
        _print_branches(stream, report, branch.branches, below, masker)
