"""A calibration as a document, and where its cutoff is set, with what it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vaultgraph.flows.audit_report import estimate_document
from vaultgraph.proposals.verdicts import RANKER

if TYPE_CHECKING:
    from vaultgraph.audit.calibration import CutoffTest, Reliability, Step
    from vaultgraph.flows.calibrate import Calibration


def last_passed(test: CutoffTest) -> Step | None:
    """Return the test of the cutoff that was found."""
    return next((step for step in test.steps if step.cutoff == test.cutoff), None)


def setting_of(judge: str) -> tuple[str, str]:
    """Return which setting holds a judge's cutoff: section and key.

    The embedded judge sets a cutoff of its own, at most so many proposals; what one may set is
    how low that may be.
    """
    return ("judge", "floor") if judge == RANKER else ("proposals", "cutoff")


def provenance_of(calibration: Calibration, today: str) -> str:
    """Return, in one line, where a cutoff comes from."""
    test, sample = calibration.test, calibration.sample
    step = last_passed(test) if test is not None else None
    if test is None or sample is None or step is None:
        return ""
    judge = " ".join((calibration.judge, *calibration.models))
    return (
        f"vaultgraph calibrate, {today}: precision at least {test.wanted:g} with"
        f" {test.confidence:.0%} confidence; {step.k} of {step.n} labels of audit"
        f" {sample.audit}; judge {judge}"
    )


def calibration_document(calibration: Calibration) -> dict[str, Any]:
    """Return it as ``calibrate --json`` documents it."""
    test, sample = calibration.test, calibration.sample
    return {
        "judge": calibration.judge,
        "models": list(calibration.models),
        "confidence": calibration.confidence,
        "groups": [
            {
                "group": group.name,
                "audits": list(group.sources),
                "unscored": group.unscored,
                "reliability": _reliability_document(group.reliability),
            }
            for group in calibration.groups
        ],
        "audit": sample.audit if sample is not None else None,
        "directed": sample.is_directed if sample is not None else None,
        "precision": test.wanted if test is not None else None,
        "cutoff": test.cutoff if test is not None else None,
        "tested": [step._asdict() for step in test.steps] if test is not None else [],
        "recall": estimate_document(calibration.recall) if calibration.recall else None,
    }


def _reliability_document(found: Reliability | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {**found._asdict(), "bins": [each._asdict() for each in found.bins]}
