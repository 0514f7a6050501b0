"""``vaultgraph stale``."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import typer

from vaultgraph.cli.options import Check, Csv, Jobs, Json, NoCache, one_form
from vaultgraph.cli.output import Output, err, out, shown
from vaultgraph.cli.scan import print_problem_list
from vaultgraph.cli.wiring import context_of
from vaultgraph.errors import EXIT_FINDINGS

if TYPE_CHECKING:
    from vaultgraph.domain.notes import Closing
    from vaultgraph.flows.stale import StaleReport
    from vaultgraph.graph.pointers import Pointer
    from vaultgraph.vault.privacy import Masker

_PLACES_SHOWN = 3


def stale(
    ctx: typer.Context,
    check: Check = False,
    as_json: Json = False,
    as_csv: Csv = False,
    no_cache: NoCache = False,
    jobs: Jobs = None,
) -> None:
    """List the live notes that point at closed ones, grouped by what they point at."""
    from vaultgraph.flows.stale import find_stale, stale_document

    one_form(as_json=as_json, as_csv=as_csv)
    report = find_stale(context_of(ctx, cache=not no_cache, jobs=jobs))
    stream = out()
    if as_json:
        stream.json(stale_document(report))
    elif as_csv:
        _print_csv(stream, report)
    else:
        _print(stream, report)
    if not as_json:
        _print_problems(report)
    if check and report.pointers.found:
        raise typer.Exit(EXIT_FINDINGS)


def _print_csv(stream: Output, report: StaleReport) -> None:
    from vaultgraph.flows.context import masker_of

    mask = masker_of(report.survey).mask
    stream.csv(
        ("note", "basis", "level", "how", "sign", "words", "on", "successor", "line", "kind"),
        (
            (
                p.note,
                p.basis,
                p.level,
                p.closing.how,
                p.closing.sign,
                mask(p.closing.words),
                p.closing.on,
                next(iter(p.closing.successors), ""),
                line,
                kind,
            )
            for p in report.pointers.found
            for line, kind in p.evidence
        ),
    )


def _print(stream: Output, report: StaleReport) -> None:
    from vaultgraph.flows.context import masker_of

    found = report.pointers.found
    masker = masker_of(report.survey)
    for basis, group in groupby(found, key=lambda pointer: pointer.basis):
        pointers = list(group)
        stream.line((shown(basis), "bold"), "  ", *_closed(pointers[0].closing, masker), indent=2)
        for pointer in pointers:
            _print_pointer(stream, pointer)
        stream.line("")
    if not found:
        stream.line("No live note points at a closed one.")
    else:
        stream.line(
            (f"{_count(report.notes, 'live note')} point at", "bold"),
            (f" {_count(report.bases, 'closed one')}", "bold"),
            f"; {report.confirmed:,} of them by depends-on, which its owner wrote.",
        )
        stream.note(
            "No judge has been asked: the others may rest on what they point at, or only cite it."
        )
    _print_left_out(stream, report)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _closed(closing: Closing, masker: Masker) -> list[tuple[str, str]]:
    parts = [(f"{closing.how} ({shown(closing.sign)}{_on(closing)})", "red")]
    if closing.successors:
        parts.append((f"  → now {', '.join(map(shown, closing.successors))}", "green"))
    if closing.words:
        parts.append((f"  “{shown(masker.mask(closing.words))}”", "italic"))
    return parts


def _on(closing: Closing) -> str:
    return f", {shown(closing.on)}" if closing.on else ""


def _print_pointer(stream: Output, pointer: Pointer) -> None:
    places = [f"{kind} in line {line}" for line, kind in pointer.evidence]
    more = len(places) - _PLACES_SHOWN
    listed = ", ".join(map(shown, places[:_PLACES_SHOWN])) + (
        f" and {more} more" if more > 0 else ""
    )
    mark = (
        ("confirmed  ", "bold yellow") if pointer.level == "confirmed" else ("pointer    ", "dim")
    )
    stream.line("  ", mark, shown(pointer.note), "  ", (listed, "dim"), indent=15)


def _print_left_out(stream: Output, report: StaleReport) -> None:
    pointers = report.pointers
    if pointers.rejected:
        stream.note(f"Left out: {pointers.rejected:,} that you rejected (depends-on-rejected).")
    if pointers.private:
        stream.note(f"Left out: {pointers.private:,} with a private note.")


def _print_problems(report: StaleReport) -> None:
    from vaultgraph.flows.context import shown_problems

    problems = shown_problems(report.survey)
    if problems:
        print_problem_list(err(), problems)
