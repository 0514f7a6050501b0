"""``vaultgraph audit plan``: from a question to a registration, guided on a terminal."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vaultgraph.cli.audit_parts import Name, audits_of, survey_of
from vaultgraph.cli.output import err, out, shown
from vaultgraph.cli.reading import read_given_file
from vaultgraph.cli.wiring import context_of
from vaultgraph.errors import InputError, UsageError

if TYPE_CHECKING:
    from vaultgraph.audit.registration import Registration
    from vaultgraph.flows.audit_filters import Filters
    from vaultgraph.flows.audit_plan import Wishes
    from vaultgraph.flows.audit_populations import Described

_QUESTIONS = {
    "staleness": "what share of plan notes is out of date",
    "precision": "how often the judge and reviewer are right",
    "recall": "what share of true dependencies the cutoff keeps",
    "filter": "what the pass without AI missed",
    "rereview": "whether the reviewer says the same again",
}


_RULES = {
    "staleness": "share(stale, dead) > 0.5",
    "precision": "share(depends) >= 0.9",
    "recall": "recall >= 0.8",
    "filter": "share(depends) < 0.05",
    "rereview": "agreement >= 0.9",
}


def plan(
    ctx: typer.Context,
    name: Name,
    from_file: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="A plan written as TOML.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option(help="staleness, precision, recall, filter or rereview.")
    ] = None,
    prediction: Annotated[str | None, typer.Option(help="What you expect, in your words.")] = None,
    size: Annotated[int | None, typer.Option(min=1, help="How many units to draw.")] = None,
    width: Annotated[
        float | None,
        typer.Option(
            help="Instead: how wide the interval may be, as 0.2; for filter, the bound that no"
            " hit at all should give."
        ),
    ] = None,
    rule: Annotated[str | None, typer.Option(help="As 'share(stale, dead) > 0.5'.")] = None,
    seed: Annotated[str | None, typer.Option(help="Any text; else a random one.")] = None,
    confidence: Annotated[float, typer.Option(help="Of the intervals.")] = 0.95,
    folder: Annotated[list[str] | None, typer.Option(help="Only notes in it; a glob.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only notes with this tag.")] = None,
    status: Annotated[list[str] | None, typer.Option(help="Only notes of this status.")] = None,
    source: Annotated[
        str, typer.Option(help="accepted, or proposed (precision), or decided (rereview).")
    ] = "accepted",
    cutoff: Annotated[float | None, typer.Option(help="Default: the configured one.")] = None,
    judge: Annotated[str | None, typer.Option(help="Only this judge's verdicts.")] = None,
) -> None:
    """Write a registration and its population; lock fixes them."""
    from vaultgraph.flows.audit_filters import Filters
    from vaultgraph.flows.audit_plan import Wishes, make_registration, what_it_buys
    from vaultgraph.flows.audits import check_audit_name

    check_audit_name(name)
    if from_file is not None:
        wishes = _from_file(from_file)
    else:
        filters = Filters(
            tuple(folder or ()), tuple(tag or ()), tuple(status or ()), source, cutoff, None, judge
        )
        kind = _asked_kind(kind)
        filters = _asked_folder(kind, filters)
        wishes = Wishes(
            kind=kind,  # type: ignore[arg-type] # checked where it was asked
            prediction=_asked(prediction, "What do you expect? "),
            size=size,
            width=width,
            seed=seed or "",
            confidence=confidence,
            rule=_asked(rule, f"What is to be decided, as {_RULES[kind]}? (Enter: nothing) "),
            filters=filters,
        )
    wishes = replace(wishes, seed=wishes.seed or os.urandom(8).hex())
    audits = audits_of(ctx)
    described = _described(ctx, audits, wishes)
    wishes = _asked_size(wishes, described)
    made = make_registration(name, wishes, described)
    audits.plan(made, described.population)
    _print_plan(made, what_it_buys(made))


def _from_file(file: Path) -> Wishes:
    from vaultgraph.audit.registration import read_document
    from vaultgraph.flows.audit_plan import parse_wishes

    content = read_given_file(file, "the plan")
    try:
        return parse_wishes(read_document(content))
    except InputError as error:
        reason = error.message.partition(": ")[2] or error.message
        raise InputError(f"{file}: {reason}", hint=error.hint) from None


def _described(ctx: typer.Context, audits: Any, wishes: Wishes) -> Described:  # noqa: ANN401 - a flow's
    from vaultgraph.flows.audit_names import AuditNames
    from vaultgraph.flows.audit_plan import custom_population
    from vaultgraph.flows.audit_populations import find_population

    if wishes.kind == "custom":
        described = custom_population(wishes)
        names = AuditNames(survey_of(ctx))
        names.check_population(described.population)
        names.check_there(described.population)
        return described
    return find_population(context_of(ctx), audits.ledger, wishes.kind, wishes.filters)


def _asked_kind(kind: str | None) -> str:
    if kind is None and sys.stdin.isatty():
        for name, question in _QUESTIONS.items():
            err().line(f"  {name:<10} {question}", indent=13)
        kind = _asked(None, "Which kind? ")
    if kind not in _QUESTIONS:
        said = f"there is no kind {kind}" if kind else "what kind of audit is not said"
        raise UsageError(said, hint=f"give --kind {'|'.join(_QUESTIONS)}, or --from FILE")
    return kind


def _asked_folder(kind: str, filters: Filters) -> Filters:
    if kind != "staleness" or filters.folders or filters.tags or filters.statuses:
        return filters
    folder = _asked(None, "Only notes in which folder? (Enter: all live notes) ")
    return replace(filters, folders=(folder,) if folder else ())


def _asked_size(wishes: Wishes, described: Described) -> Wishes:
    """Ask for a size until it is one, showing what it would buy."""
    from vaultgraph.audit.drawing import count_units

    if wishes.size or wishes.width or wishes.sizes or not sys.stdin.isatty():
        return wishes
    counts = count_units(wishes.kind, described.population)
    for name, units in counts.items():
        err().line(f"  {shown(name)}: {units:,} units")
    while True:
        answer = _asked(None, "How many to draw, or how wide an interval (as 0.2)? ")
        try:
            number = float(answer)
        except ValueError:
            continue
        if 0 < number < 1:
            return replace(wishes, width=number)
        if 1 <= number <= sum(counts.values()):
            return replace(wishes, size=int(number))


def _asked(given: str | None, question: str) -> str:
    if given is not None or not sys.stdin.isatty():
        return given or ""
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise UsageError("nobody answered, and nothing was planned", hint="give the options")
    return line.strip()


def _print_plan(made: Registration, buys: list[str]) -> None:
    stream = out()
    stream.line((shown(made.name), "bold"), f"  {made.kind}: {shown(made.population)}", indent=2)
    for stratum in made.strata:
        stream.line(f"  {shown(stratum.name)}: {stratum.size} of {stratum.units:,}")
    for line in buys:
        stream.line(f"  {line}", indent=4)
    stream.line(f"  rule: {shown(made.rule) or '(none)'}; seed: {shown(made.seed)}", indent=4)
    err().line(
        f"Look it over, then fix it before anybody sees a unit:"
        f" vaultgraph audit lock {shown(made.name)}"
    )
