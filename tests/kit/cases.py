"""The cases cut from public bug reports: what to do on a copy of each vault, and what must hold.

A case names a command, and facts about its run. To cover a further command, add its runner to
``RUNNERS``; to cover a further kind of fact, add its check to ``CHECKS``.
"""

from __future__ import annotations

import json
import os
import time
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.kit.cli import Ran, run_program
from tests.kit.vaults import copy_vault, file_bytes, write_file

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = Path(__file__).resolve().parents[1] / "cases"

#: What ``expect_if`` may ask, and whether it is so.
CONDITIONS = {"Markdown-style links are read as well as wikilinks": True}


@dataclass(frozen=True)
class Case:
    """One case: its folder and what its description says."""

    folder: Path
    says: dict[str, Any]

    @property
    def command(self) -> str:
        return str(self.says["command"])


@dataclass
class CaseRun:
    """What a case's command did to the copy of its vault."""

    vault: Path
    before: dict[str, bytes]
    ran: Ran
    #: ``scan --json`` of the vault as the command left it.
    scan: dict[str, Any]
    #: What the command itself reported as JSON.
    report: dict[str, Any]
    seconds: float


def load_cases() -> list[Case]:
    return [
        Case(path.parent, json.loads(path.read_text("utf-8")))
        for path in sorted(CASES.glob("*/case.json"))
    ]


def prepare(case: Case, to: Path) -> Path:
    """Return a copy of the case's vault with its steps done and its settings written."""
    vault = copy_vault(case.folder / "vault", to)
    for step in case.says.get("setup", ()):
        _do(step, vault)
    given = case.says.get("given", {}).get("settings")
    if given:
        lines = [
            "[status]",
            f"keys = {json.dumps([given['status_key']])}",
            f"closed = {json.dumps(given['closed'])}",
            "superseded = []",
        ]
        write_file(vault / ".vaultgraph" / "config.toml", "\n".join(lines) + "\n")
    return vault


def _do(step: dict[str, Any], vault: Path) -> None:
    path = vault / step.get("path", ".")
    match step["op"]:
        case "symlink":
            path.symlink_to(step["target"])
        case "write":
            write_file(path, step["text"])
        case "repeat":
            text = step.get("before", "") + step["unit"] * step["times"] + step.get("then", "")
            write_file(path, text)
        case "chmod":
            path.chmod(int(step["mode"], 8))
        case "touch":
            later = time.time_ns() + 60_000_000_000
            os.utime(path, ns=(later, later))
        case other:
            raise AssertionError(f"no such step is known: {other}")


def _run_reading(case: Case, vault: Path) -> CaseRun:
    before = file_bytes(vault)
    start = time.monotonic()
    ran = run_program(vault, case.command, "--json")
    seconds = time.monotonic() - start
    report = json.loads(ran.out) if ran.code == 0 else {}
    scan = report if case.command == "scan" else run_program(vault, "scan", "--json").json
    return CaseRun(vault, before, ran, scan, report, seconds)


#: How each command is run on a copy of a case's vault.
RUNNERS: dict[str, Callable[[Case, Path], CaseRun]] = {
    "scan": _run_reading,
    "stale": _run_reading,
}


def _rows(document: dict[str, Any], table: str, *keys: str) -> set[tuple[str, ...]]:
    return {tuple(row[key] for key in keys) for row in document[table]}


def _named(expected: list[Any]) -> set[Any]:
    """Return what a list names; paths in Unicode form NFC, as ids are,
    however the disk has them."""
    return {tuple(map(_nfc, item)) if isinstance(item, list) else _nfc(item) for item in expected}


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _holds(found: Callable[[CaseRun], set[Any]]) -> Callable[[CaseRun, Any, bool], None]:
    """Return a check that a set holds what is expected, and nothing else where it is complete."""

    def check(run: CaseRun, expected: Any, is_complete: bool) -> None:
        seen, wanted = found(run), _named(expected)
        assert wanted <= seen, f"missing: {sorted(wanted - seen)}"
        assert not is_complete or seen == wanted, f"too many: {sorted(seen - wanted)}"

    return check


def _lacks(found: Callable[[CaseRun], set[Any]]) -> Callable[[CaseRun, Any, bool], None]:
    def check(run: CaseRun, expected: Any, _is_complete: bool) -> None:
        assert not found(run) & _named(expected)

    return check


def _notes(run: CaseRun) -> set[Any]:
    return set(run.scan["notes"])


def _links(run: CaseRun) -> set[Any]:
    return _rows(run.scan, "links", "note", "to")


def _unresolved(run: CaseRun) -> set[Any]:
    return _rows(run.scan, "unresolved", "note", "target")


def _mentions(run: CaseRun) -> set[Any]:
    return _rows(run.scan, "mentions", "note", "of")


def _candidates(run: CaseRun) -> set[Any]:
    return _rows(run.scan, "pairs", "first", "second")


def _stale(run: CaseRun) -> set[Any]:
    return _rows(run.report, "findings", "note", "basis")


def _completes(run: CaseRun, expected: Any, _is_complete: bool) -> None:
    assert (run.ran.calm().code == 0) is expected, run.ran.err
    if expected:
        counts = run.scan["counts"]
        assert counts["found"] == counts["read"] + counts["unreadable"] + counts["skipped"]


def _names_files(run: CaseRun, expected: Any, _is_complete: bool) -> None:
    problems = {problem["path"] for problem in run.report["problems"]}
    for name in expected:
        assert name in problems or name in run.ran.err, f"{name} is not named as a problem"


def _message_names_vault(run: CaseRun, expected: Any, _is_complete: bool) -> None:
    assert (os.fspath(run.vault) in run.ran.err) is expected


def _is_in_time(run: CaseRun, expected: Any, _is_complete: bool) -> None:
    assert run.seconds <= expected


def _unchanged(run: CaseRun, expected: Any, _is_complete: bool) -> None:
    after = file_bytes(run.vault)
    if expected == "all":
        # ``.vaultgraph/`` is ours, not the user's.
        ours = {path for path in {*after, *run.before} if path.startswith(".vaultgraph/")}
        assert {p: d for p, d in after.items() if p not in ours} == {
            p: d for p, d in run.before.items() if p not in ours
        }
    else:
        for name in expected:
            assert after[name] == run.before[name], name


#: How each kind of fact is checked: the run, what is expected, and whether that is all.
CHECKS: dict[str, Callable[[CaseRun, Any, bool], None]] = {
    "notes": _holds(_notes),
    "links": _holds(_links),
    "not_links": _lacks(_links),
    "unresolved": _holds(_unresolved),
    "mentions": _holds(_mentions),
    "not_mentions": _lacks(_mentions),
    "candidates": _holds(_candidates),
    "not_candidates": _lacks(_candidates),
    "stale": _holds(_stale),
    "not_stale": _lacks(_stale),
    "completes": _completes,
    "names_files": _names_files,
    "message_names_vault": _message_names_vault,
    "seconds_at_most": _is_in_time,
    "unchanged": _unchanged,
}


def check_facts(run: CaseRun, facts: dict[str, Any]) -> None:
    """Assert that every fact holds; one of a kind that is not known is an error."""
    complete = set(facts.get("complete", ()))
    for kind, expected in facts.items():
        if kind == "complete":
            continue
        if kind == "any_of":
            for group in expected:
                assert any(_hold(run, alternative) for alternative in group), group
            continue
        CHECKS[kind](run, expected, kind in complete)


def _hold(run: CaseRun, facts: dict[str, Any]) -> bool:
    try:
        check_facts(run, facts)
    except AssertionError:
        return False
    return True
