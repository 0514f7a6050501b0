"""``vaultgraph calibrate``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vaultgraph.cli.audit_parts import audits_of
from vaultgraph.cli.options import Json
from vaultgraph.cli.output import Output, err, out, shown
from vaultgraph.cli.wiring import context_of, vault_root
from vaultgraph.cli.written import count
from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from vaultgraph.audit.calibration import Reliability
    from vaultgraph.domain.settings import Settings
    from vaultgraph.flows.calibrate import Calibration

_GROUPS = {
    "audits": "audits",
    "of-decisions": "audits of what was accepted",
    "decisions": "review decisions",
}
_NO_SAMPLE = {
    "of-decisions": "drawn from what a person had kept, so precision looks better than it is",
    "decisions": "no sample, and made with the score in sight unless --blind",
}


def calibrate(
    ctx: typer.Context,
    judge: Annotated[str | None, typer.Option(help="Whose scores. Default: the vault's.")] = None,
    audit: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="What decides. Default: the one with most labels."),
    ] = None,
    precision: Annotated[float, typer.Option(help="Wanted of the cutoff.")] = 0.8,
    confidence: Annotated[float, typer.Option(help="In that, and of intervals.")] = 0.95,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write reliability as SVG, to a new file.")
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Set the cutoff in the configuration.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Compare a judge's scores with what people labelled, and find the cutoff they bear out."""
    from vaultgraph.flows.calibrate import CalibrateOptions
    from vaultgraph.flows.calibrate import calibrate as calibrate_judge
    from vaultgraph.flows.calibrate_report import calibration_document

    context = context_of(ctx)
    options = CalibrateOptions(judge, audit, precision, confidence)
    found = calibrate_judge(context, audits_of(ctx), options)
    if as_json:
        out().json(calibration_document(found))
    else:
        _print(out(), found)
    if picture is not None:
        _write_picture(picture, found)
    if write:
        _write(ctx, found, context.settings)


def _print(stream: Output, found: Calibration) -> None:
    judge = " ".join((found.judge, *found.models))
    stream.line((f"judge {shown(judge)}", "bold"))
    for group in found.groups:
        if group.reliability is None and not group.unscored:
            continue
        caution = f"  {_NO_SAMPLE[group.name]}" if group.name in _NO_SAMPLE else ""
        stream.line((_GROUPS[group.name], "bold"), (caution, "dim"), indent=4)
        if group.unscored:
            stream.line(f"  {count(group.unscored, 'label')} left out: no score as things are now")
        if group.reliability is not None:
            _print_reliability(stream, group.reliability, found.confidence)
    _print_cutoff(stream, found)


def _print_reliability(stream: Output, found: Reliability, confidence: float) -> None:
    stream.line(
        f"  {count(found.n, 'label')}, {found.k} depend; Brier score {found.brier:.3f}, expected"
        f" calibration error {found.calibration_error:.3f} ({len(found.bins)} bins)",
        indent=4,
    )
    stream.line((f"  scores    labels  mean score  depend  {confidence:.0%} interval", "dim"))
    for each in found.bins:
        if each.told is None or each.share is None:
            continue
        stream.line(
            f"  {each.low:.1f}-{each.high:.1f}  {each.n:>8,}  {each.told:>10.2f}"
            f"  {each.share:>6.0%}  {each.share_low:.0%} to {each.share_high:.0%}"
        )


def _print_cutoff(stream: Output, found: Calibration) -> None:
    test, sample = found.test, found.sample
    if test is None or sample is None:
        stream.line(
            "No cutoff: it takes labels of pairs drawn from all that was judged, as by"
            " vaultgraph audit plan NAME --kind recall.",
            indent=2,
        )
        return
    unit = "directions" if sample.is_directed else "pairs, by the higher of their two scores"
    stream.line(("cutoff", "bold"), f"  by audit {shown(sample.audit)}, of {unit}", indent=4)
    for step in test.steps:
        verdict = "passes" if step.bound >= test.wanted else "fails, and ends the test"
        stream.line(
            f"  {step.cutoff:.2f}  {step.k} of {step.n} labels, of {step.units:,}: precision"
            f" {step.precision:.0%}, at least {step.bound:.0%}: {verdict}",
            indent=8,
        )
    wanted = f"{test.wanted:.0%}"
    level = f"{test.confidence:.0%}"
    if test.cutoff is None:
        few = "there are too few labels" if not test.steps else "none passed"
        stream.line(f"  No cutoff has a precision of {wanted} with {level} confidence: {few}.")
        return
    stream.line(
        (f"  {test.cutoff:g}", "bold green"),
        f"  is the lowest whose precision is at least {wanted}, with {level} confidence",
        indent=4,
    )
    if not sample.is_directed:
        stream.note("  Labels say whether either note depends on the other, not which.")
    _print_recall(stream, found)


def _print_recall(stream: Output, found: Calibration) -> None:
    from vaultgraph.flows.audit_report_text import estimate_line

    if found.recall is not None:
        stream.line(f"  {estimate_line(found.recall)}", indent=4)
    else:
        stream.line("  recall is not known: that takes an audit of kind recall", indent=4)


def _write_picture(file: Path, found: Calibration) -> None:
    from vaultgraph.audit.pictures import reliability_picture

    group = next(group for group in found.groups if group.reliability is not None)
    if group.reliability is None:
        return
    judge = " ".join((found.judge, *found.models))
    text = reliability_picture(
        f"{judge}, {_GROUPS[group.name]}",
        group.reliability,
        found.test.cutoff if found.test is not None else None,
        found.confidence,
    )
    try:
        # Only a new file: the name may be a note's.
        with file.open("xb") as stream:
            stream.write(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise InputError(
            f"{file} cannot be written: {error.strerror}", hint="give another --picture FILE"
        ) from None
    err().line(f"written: {shown(str(file))}")


def _write(ctx: typer.Context, found: Calibration, settings: Settings) -> None:
    from vaultgraph.effects.clock import SystemClock
    from vaultgraph.effects.config_file import set_number
    from vaultgraph.flows.calibrate_report import provenance_of, setting_of

    cutoff = found.test.cutoff if found.test is not None else None
    if cutoff is None:
        raise InputError(
            "no cutoff passed, and nothing was written",
            hint="label more pairs, or ask for less with --precision",
        )
    section, key = setting_of(found.judge)
    if section == "proposals" and cutoff < settings.proposals.middle:
        raise InputError(
            f"the middle band begins at {settings.proposals.middle:g}, above the cutoff found",
            hint=f"set middle = {cutoff:g} or less in [proposals], and run calibrate again",
        )
    why = provenance_of(found, SystemClock().today().isoformat())
    set_number(vault_root(ctx.obj), section, key, cutoff, why)
    err().line(f"written: {key} = {cutoff:g} in [{section}] of .vaultgraph/config.toml")
    is_own = section == "judge"
    err().line(f"next: vaultgraph {'judge --recut' if is_own else 'propose'}")
