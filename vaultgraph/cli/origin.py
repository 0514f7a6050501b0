"""``vaultgraph origin``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from vaultgraph.cli.options import Csv, Jobs, Json, NoCache, one_form
from vaultgraph.cli.output import Output, err, out, shown
from vaultgraph.cli.scan import print_problem_list
from vaultgraph.cli.stale_text import closed, mark_of, places_of
from vaultgraph.cli.wiring import context_of, ledger_of
from vaultgraph.cli.written import count

if TYPE_CHECKING:
    from vaultgraph.cli.output import Segment
    from vaultgraph.flows.origin import OriginReport
    from vaultgraph.graph.origin import Origin
    from vaultgraph.vault.privacy import Masker

_OTHERS_SHOWN = 20
_TEXT_SHOWN = 160


def origin(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(help="A word or more, as the notes write it.")],
    everything: Annotated[
        bool, typer.Option("--all", help=f"List all notes, not {_OTHERS_SHOWN} at a time.")
    ] = False,
    as_json: Json = False,
    as_csv: Csv = False,
    no_cache: NoCache = False,
    jobs: Jobs = None,
) -> None:
    """List the notes that state something, first the one that the others rest on."""
    from vaultgraph.flows.origin import find_origin, origin_document

    one_form(as_json=as_json, as_csv=as_csv)
    report = find_origin(context_of(ctx, cache=not no_cache, jobs=jobs), ledger_of(ctx), text)
    stream = out()
    if as_json:
        stream.json(origin_document(report))
        return
    if as_csv:
        _print_csv(stream, report)
    else:
        _print(stream, report, len(report.ranked) if everything else _OTHERS_SHOWN)
    if report.stale.problems:
        print_problem_list(err(), report.stale.problems)


def _print_csv(stream: Output, report: OriginReport) -> None:
    stream.csv(
        ("note", "state", "record", "line", "text", "resting", "further", "pointing", "rests_on"),
        (
            (
                row.note,
                report.states.get(row.note, "live"),
                "record" if row.note in report.records else "",
                statement.line or "",
                statement.text,
                len(row.resting),
                row.further,
                len(row.pointing),
                "; ".join(edge.basis for edge in row.bases),
            )
            for row in report.ranked
            for statement in (report.statements[row.note],)
        ),
    )


def _print(stream: Output, report: OriginReport, limit: int) -> None:
    from vaultgraph.flows.context import masker_of

    first = report.origin
    others = report.ranked
    if first is not None:
        _print_first(stream, report, first, masker_of(report.stale.survey), limit)
        others = others[1:]
    for row in others[:limit]:
        _print_note(stream, report, row)
    if len(others) > limit:
        stream.note(f"  and {count(len(others) - limit, 'note')} more: --all lists them")
    if report.ranked:
        stream.line("")
    _print_summary(stream, report)


def _print_first(
    stream: Output, report: OriginReport, row: Origin, masker: Masker, limit: int
) -> None:
    """Print the origin, and what comes to it."""
    _print_note(stream, report, row)
    closing = report.stale.standing.closings.get(row.note)
    if closing is not None and closing.words:
        stream.line("  ", (f"“{shown(masker.mask(closing.words))}”", "italic"), indent=2)
    for edge in row.resting[:limit]:
        stream.line(
            "  ",
            mark_of(edge.level, edge.probability),
            shown(edge.dependent),
            (f"  {masker.mask(places_of(edge.evidence))}" if edge.evidence else "", "dim"),
            indent=17,
        )
    left = max(limit - len(row.resting), 0)
    for note in row.pointing[:left]:
        stream.line("  ", mark_of("pointer", None), shown(note), indent=17)
    more = max(len(row.resting) - limit, 0) + max(len(row.pointing) - left, 0)
    if more:
        stream.note(f"  and {more:,} more: --all lists them")
    if row.further:
        stream.line(f"  and {row.further:,} more of them, further along", indent=2)
    stream.line("")


def _print_note(stream: Output, report: OriginReport, row: Origin) -> None:
    statement = report.statements[row.note]
    closing = report.stale.standing.closings.get(row.note)
    state = report.states.get(row.note, "live")
    told: list[Segment] = []
    if closing is not None:
        told = ["  ", *closed(closing)]
    elif state != "live":
        told = [(f"  {state.replace('-', ' ')}", "red" if state == "stale" else "yellow")]
    if row.note in report.records:
        told.append(("  record", "dim"))
    stream.line((shown(row.note), "bold"), *told, indent=2)
    line = statement.text
    if len(line) > _TEXT_SHOWN:
        line = _around(line, report.text)
    where = f"{statement.line}: " if statement.line else "title: "
    stream.line("  ", (where, "dim"), shown(line), indent=4)
    if row.bases and row is not report.origin:
        bases = ", ".join(shown(edge.basis) for edge in row.bases)
        stream.line("  ", (f"rests on {bases}", "dim"), indent=4)


def _around(line: str, text: str) -> str:
    """Return the stretch of a long line that holds the text."""
    at = max(line.casefold().find(text.split(maxsplit=1)[0].casefold()), 0)
    start = max(min(at - _TEXT_SHOWN // 2, len(line) - _TEXT_SHOWN), 0)
    end = start + _TEXT_SHOWN
    cut = line[start:end].strip()
    return ("… " if start else "") + cut + (" …" if end < len(line) else "")


def _print_summary(stream: Output, report: OriginReport) -> None:
    """Print the one line to remember, and what was not looked into."""
    notes, first = len(report.ranked), report.origin
    if not notes:
        stream.line((f"No note states “{shown(report.text)}”.", "bold"))
    else:
        verb = "states" if notes == 1 else "state"
        line = f"{count(notes, 'note')} {verb} “{shown(report.text)}”; {_told(first, notes)}"
        stream.line((line, "bold"))
    if notes > 1 and (first is None or not first.resting) and not report.stale.judged:
        stream.note("No judge has been asked which notes depend on which: vaultgraph judge.")
    if report.masked:
        stream.note(f"Left out: {count(report.masked, 'place')} with a private note's name.")
    if report.private:
        stream.note(f"Not searched: {count(report.private, 'private note')}.")


def _told(first: Origin | None, notes: int) -> str:
    if notes == 1:
        return "no other does."
    if first is None:
        return "none of them is known to rest on another."
    name = shown(first.note)
    resting, pointing = len(first.resting) + first.further, len(first.pointing)
    points = f"{'points' if pointing == 1 else 'point'} at"
    if not resting:
        return f"{pointing:,} of the others only {points} {name}."
    line = f"{resting:,} of the others {'rests' if resting == 1 else 'rest'} on {name}"
    return f"{line}; {pointing:,} more only {points} it." if pointing else f"{line}."
