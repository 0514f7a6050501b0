"""``vaultgraph stale``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from vaultgraph.cli.options import Check, Csv, Jobs, Json, NoCache, day_given, one_form
from vaultgraph.cli.output import Output, err, out
from vaultgraph.cli.scan import print_problem_list
from vaultgraph.cli.wiring import context_of, ledger_of
from vaultgraph.cli.write_note import print_report_note, write_report_note
from vaultgraph.errors import EXIT_FINDINGS

if TYPE_CHECKING:
    from vaultgraph.domain.dependencies import Finding
    from vaultgraph.flows.stale import StaleReport


def stale(
    ctx: typer.Context,
    everything: Annotated[
        bool, typer.Option("--all", help="Also list the notes that only point at closed ones.")
    ] = False,
    handled: Annotated[
        bool, typer.Option("--handled", help="Also list what was reviewed since.")
    ] = False,
    folder: Annotated[
        str | None, typer.Option(metavar="DIR", help="Only notes below this folder of the vault.")
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="Only what closed or changed on this day or later."),
    ] = None,
    cycles: Annotated[
        bool, typer.Option("--cycles", help="List the notes that rest on each other instead.")
    ] = False,
    write_note: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Also write the list as a note of the vault."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --write-note: print the note instead.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="With --write-note: do not ask.")
    ] = False,
    check: Check = False,
    as_json: Json = False,
    as_csv: Csv = False,
    no_cache: NoCache = False,
    jobs: Jobs = None,
) -> None:
    """List the live notes that rest on closed or changed ones, by what they rest on."""
    from vaultgraph.flows import stale_report
    from vaultgraph.flows.stale import find_stale

    one_form(as_json=as_json, as_csv=as_csv)
    day = None if since is None else day_given("--since", since)
    context = context_of(ctx, cache=not no_cache, jobs=jobs)
    report = find_stale(context, ledger_of(ctx))
    if folder is not None:
        report = stale_report.in_folder(report, folder)
    if day is not None:
        report = stale_report.since(report, day, context)
    findings = stale_report.chosen(report, pointers=everything, handled=handled)
    stream = out()
    if dry_run:
        print_report_note(context, report, findings, write_note)
    elif as_json:
        stream.json(stale_report.stale_document(report, findings))
    elif as_csv:
        _print_csv(stream, report, findings)
    else:
        _print(stream, report, findings, only_cycles=cycles)
    if not as_json and report.problems:
        print_problem_list(err(), report.problems)
    if write_note is not None and not dry_run:
        write_report_note(ctx, context, report, findings, write_note, yes=yes)
    if check and any(finding.state in ("stale", "suspect") for finding in findings):
        raise typer.Exit(EXIT_FINDINGS)


def _print_csv(stream: Output, report: StaleReport, findings: tuple[Finding, ...]) -> None:
    """Print one row a finding; of its places the first."""
    from vaultgraph.flows.context import masker_of
    from vaultgraph.flows.stale_report import finding_document

    mask = masker_of(report.survey).mask
    closed = ("how", "sign", "words", "on", "successor")
    header = ("note", "basis", "level", "state", *closed, "path", "probability", "sections")
    rows = []
    for finding in findings:
        document = finding_document(finding, mask)
        closing = document["closed"] or {}
        line, kind = finding.evidence[0] if finding.evidence else ("", "")
        rows.append(
            (
                *finding[:4],
                *(closing.get(key) or "" for key in closed),
                " > ".join(finding.path),
                "" if finding.probability is None else f"{finding.probability:g}",
                "; ".join(document["sections"]),
                line,
                kind,
            )
        )
    stream.csv((*header, "line", "kind"), rows)


def _print(
    stream: Output, report: StaleReport, findings: tuple[Finding, ...], *, only_cycles: bool
) -> None:
    from vaultgraph.cli import stale_text

    if only_cycles:
        stale_text.print_cycles(stream, report)
        return
    stale_text.print_findings(stream, report, findings)
    stale_text.print_summary(stream, report, findings)
