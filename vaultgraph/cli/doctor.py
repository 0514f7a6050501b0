"""``vaultgraph doctor``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vaultgraph.cli.options import Json, NoCache
from vaultgraph.cli.output import Output, out, shown
from vaultgraph.cli.reading import read_given_file
from vaultgraph.cli.wiring import context_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultgraph.flows.doctor import DoctorReport

_SHOWN = 10


def doctor(
    ctx: typer.Context,
    compare: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            readable=False,
            help="The app's own metadataCache.resolvedLinks, saved as JSON.",
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="List every row.")] = False,
    as_json: Json = False,
    no_cache: NoCache = False,
) -> None:
    """Show what is odd in this vault: problems, shared names, lost links, copies."""
    from vaultgraph.flows.doctor import doctor_document, examine

    data = read_given_file(compare, "the app's links") if compare is not None else None
    report = examine(context_of(ctx, cache=not no_cache), data)
    stream = out()
    if as_json:
        stream.json(doctor_document(report))
    else:
        _print(stream, report, len(report.unresolved) + 10**6 if everything else _SHOWN)


def _print(stream: Output, report: DoctorReport, most: int) -> None:
    sections: list[tuple[str, list[str]]] = [
        (
            "problems in notes",
            [f"{_place(p)}  {p['text']}" for p in report.problems],
        ),
        (
            "names that several notes share",
            [f"{name}:  {', '.join(notes)}" for name, notes in report.ambiguous],
        ),
        (
            "paths that differ only in letter case",
            [", ".join(notes) for notes in report.case_twins],
        ),
        ("file names in decomposed Unicode (NFD)", report.decomposed),
        (
            "links that reach nothing",
            [f"{note}:{line}  {target}" for note, line, target in report.unresolved],
        ),
        (
            "links that may reach another note than you think",
            [
                f"{note}:{line}  {target}  reaches {reached}, not {other or 'nothing'}: {reason}"
                for note, line, target, reason, reached, other in report.doubtful
            ],
        ),
        ("conflict copies that a sync tool left", report.conflict_copies),
        (
            "notes that look like copies",
            [f"{copy}  is nearly {of}" for copy, of in report.likely_copies],
        ),
    ]
    if report.comparison is not None:
        rows = [
            f"{row.note} → {row.to}:  {row.ours} here, {row.theirs} in the app"
            for row in report.comparison.differences
        ]
        sections.append(("links that the app sees otherwise", rows))
        rows = [
            f"{row.note}:  {row.reason}, {row.links:,} links in the app"
            for row in report.comparison.not_read
        ]
        sections.append(("files whose links the app counts and vaultgraph does not read", rows))
    found = [(title, rows) for title, rows in sections if rows]
    for title, rows in found:
        _print_section(stream, title, rows, most)
    clean = [title for title, rows in sections if not rows]
    if clean:
        stream.line(("none: ", "green"), ", ".join(clean), indent=6)


def _place(problem: dict[str, object]) -> str:
    path, line = problem["path"], problem["line"]
    return f"{path}:{line}" if line else str(path)


def _print_section(stream: Output, title: str, rows: Iterable[str], most: int) -> None:
    listed = list(rows)
    stream.line((title, "bold"), (f": {len(listed):,}", "bold yellow"))
    for row in listed[:most]:
        stream.line(f"  {shown(row)}", indent=4)
    if len(listed) > most:
        stream.note(f"  … {len(listed) - most:,} more: --all lists them")
    stream.line("")
