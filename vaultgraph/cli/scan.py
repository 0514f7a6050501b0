"""``vaultgraph scan``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from vaultgraph.cli.options import Csv, Jobs, Json, NoCache, one_form
from vaultgraph.cli.output import Output, err, out, shown
from vaultgraph.cli.wiring import context_of
from vaultgraph.cli.written import count

if TYPE_CHECKING:
    from vaultgraph.flows.context import Context
    from vaultgraph.flows.scan import ScanReport

_NAMES_SHOWN = 8
_PROBLEMS_SHOWN = 10
_TEXT_SHOWN = 160


def scan(
    ctx: typer.Context,
    pairs: Annotated[
        bool,
        typer.Option("--pairs", help="List the pairs with evidence, as --json and --csv do."),
    ] = False,
    as_json: Json = False,
    as_csv: Csv = False,
    no_cache: NoCache = False,
    jobs: Jobs = None,
) -> None:
    """Find the notes, their links and mentions, and the candidate pairs they make."""
    from vaultgraph.flows.scan import scan as run
    from vaultgraph.flows.scan import scan_document

    one_form(as_json=as_json, as_csv=as_csv)
    context = context_of(ctx, cache=not no_cache, jobs=jobs)
    report = run(context)
    stream = out()
    if as_json:
        stream.json(scan_document(report))
    elif as_csv:
        _print_csv(stream, report)
    elif pairs:
        _print_pairs(stream, report, context)
    else:
        _print_summary(stream, report)
    if not as_json:
        print_problems(report)


def _print_csv(stream: Output, report: ScanReport) -> None:
    from vaultgraph.flows.scan import list_pairs

    notes = report.survey.notes
    stream.csv(
        ("first", "second", "note", "of", "line", "kind", "name"),
        (
            (pair.first, pair.second, notes[row.note], notes[row.of], row.line, row.kind, row.name)
            for pair in list_pairs(report)
            for row in pair.evidence
        ),
    )


def _print_pairs(stream: Output, report: ScanReport, context: Context) -> None:
    from vaultgraph.flows.context import masker_of
    from vaultgraph.flows.passages import NoteTexts
    from vaultgraph.flows.scan import list_pairs
    from vaultgraph.flows.why import shown_evidence

    texts = NoteTexts(context, masker_of(report.survey))
    for pair in list_pairs(report):
        stream.line((shown(pair.first), "bold"), "  —  ", (shown(pair.second), "bold"), indent=2)
        for row in shown_evidence(report.survey, pair.evidence, texts):
            print_evidence(stream, row.note, row.line, row.kind, row.text)


def print_evidence(stream: Output, note: str, line: int, kind: str, text: str) -> None:
    """Print one place that joins two notes."""
    text = text if len(text) <= _TEXT_SHOWN else f"{text[:_TEXT_SHOWN]}…"
    stream.line(
        f"    {shown(note)}:{line}  ", (kind, "cyan"), "  ", (shown(text), "dim"), indent=6
    )


def _print_summary(stream: Output, report: ScanReport) -> None:
    counts, pairs = report.notes, report.pairs
    stream.line(("vault  ", "bold"), shown(report.root), indent=7)
    stream.line(
        ("notes  ", "bold"),
        f"{counts['found']:,} found = {counts['read']:,} read"
        f" + {counts['unreadable']:,} unreadable + {counts['skipped']:,} skipped",
        indent=7,
    )
    for reason, number in _reasons(report):
        stream.line(f"       {number:>6,}  {shown(reason)}", indent=15)
    stream.line(
        f"       of those read: {counts['closed']:,} closed, {count(counts['records'], 'record')},"
        f" {counts['private']:,} private",
        indent=7,
    )
    share = pairs.candidates / pairs.possible * 100 if pairs.possible else 0.0
    stream.line(
        ("pairs  ", "bold"),
        (f"{pairs.candidates:,}", "bold"),
        f" candidates of {pairs.possible:,} possible ({share:.2g} %)",
        indent=7,
    )
    stream.line(
        f"       {pairs.linked:,} linked, {pairs.mentioned:,} by name, {pairs.both:,} both",
        indent=7,
    )
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in report.kinds.items())
    if kinds:
        stream.line(f"       by evidence: {kinds}", indent=20)
    _print_names(stream, report)
    stream.line(("stale  ", "bold"), _pointing(report), indent=7)


def _pointing(report: ScanReport) -> str:
    if not report.pointing:
        return "no live note points at a closed one"
    verb = "points" if report.pointing == 1 else "point"
    pointing, closed = count(report.pointing, "live note"), count(report.pointed_at, "closed one")
    return f"{pointing} {verb} at {closed}: vaultgraph stale --all lists them"


def _reasons(report: ScanReport) -> list[tuple[str, int]]:
    from collections import Counter

    counted = Counter(skip.reason for skip in report.survey.skipped)
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))


def _print_names(stream: Output, report: ScanReport) -> None:
    import json

    noisy = [share for share in report.names if share.alone][:_NAMES_SHOWN]
    strong = sorted(report.names, key=lambda share: (share.alone - share.pairs, share.name))
    strong = [share for share in strong if share.pairs > share.alone][:_NAMES_SHOWN]
    if noisy:
        stream.line(
            ("noisiest names", "bold"), ": pairs that nothing but the name makes", indent=2
        )
        for share in noisy:
            part = share.alone / report.pairs.candidates * 100
            stream.line(f"       {share.alone:>6,}  {part:4.1f} %  {shown(share.name)}", indent=24)
        names = json.dumps([share.name for share in noisy[:3]], ensure_ascii=False)
        hint = "       to silence some, under [names] in .vaultgraph/config.toml:"
        stream.line((hint, "dim"), indent=7)
        # On a line of its own, so that it can be copied: TOML breaks no line before a bracket.
        stream.line((f"       ignore = {shown(names)}", "dim"), indent=9)
    if strong:
        stream.line(("strongest names", "bold"), ": pairs both linked and named", indent=2)
        for share in strong:
            stream.line(f"       {share.pairs - share.alone:>6,}  {shown(share.name)}", indent=16)


def print_problems(report: ScanReport) -> None:
    """Print the problems on stderr, the first few of them."""
    from vaultgraph.flows.context import shown_problems

    stream = err()
    problems = shown_problems(report.survey)
    if problems:
        print_problem_list(stream, problems)


def print_problem_list(stream: Output, problems: list[dict[str, object]]) -> None:
    """Print problems, the first few of them, and how many there are."""
    plural = "" if len(problems) == 1 else "s"
    stream.line((f"{len(problems):,} problem{plural}", "yellow"))
    for problem in problems[:_PROBLEMS_SHOWN]:
        line = f":{problem['line']}" if problem["line"] else ""
        path, text = shown(str(problem["path"])), shown(str(problem["text"]))
        stream.line(f"  {path}{line}: {text}", indent=4)
    if len(problems) > _PROBLEMS_SHOWN:
        stream.note(f"  … {len(problems) - _PROBLEMS_SHOWN:,} more: vaultgraph doctor lists all")
