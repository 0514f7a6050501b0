"""How the cases of ``propose`` are run, and how their facts about changed notes are checked."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

import yaml

from tests.kit.cases import CASES, Case, CaseRun
from tests.kit.cli import run_program
from tests.kit.vaults import file_bytes
from tests.kit.writing import age, import_lines, notes_bytes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BOM = b"\xef\xbb\xbf"
#: Puts the later state of a vault in place when the notes are about to be written.
SWAP = """
import os, shutil
from vaultgraph.effects.writer import NoteWriter
write = NoteWriter.write
def write_later(self, plans, **options):
    for name in os.listdir({later!r}):
        shutil.copy2(os.path.join({later!r}, name), os.path.join({vault!r}, name))
    return write(self, plans, **options)
NoteWriter.write = write_later
"""


def run_propose(case: Case, vault: Path) -> CaseRun:
    """Give the case's judgements through ``judge --import``, then propose."""
    age(vault)
    pairs = case.says["given"]["accepted_pairs"]
    taken = import_lines(vault, *({"dependent": a, "basis": b} for a, b in pairs)).ok().json
    assert taken["refused"] == []
    before = notes_bytes(vault)
    later = CASES / case.folder.name / "vault.next"
    prelude = ""
    if "timing" in case.says["given"]:
        prelude = SWAP.format(later=str(later), vault=str(vault))
        before = file_bytes(later)
    start = time.monotonic()
    ran = run_program(vault, "propose", "--yes", "--json", prelude=prelude)
    seconds = time.monotonic() - start
    report = ran.json
    scan = run_program(vault, "scan", "--json").ok().json
    report["problems"] = report["refused"]
    return CaseRun(vault, before, ran, scan, report, seconds)


def check_changed(run: CaseRun, expected: dict[str, Any], _is_complete: bool) -> None:
    for name, facts in expected.items():
        old, new = run.before[name], (run.vault / name).read_bytes()
        assert old != new, f"{name} did not change"
        for fact, value in facts.items():
            _CHECKS[fact](run, name, old, new, value)


def check_compare_with(_run: CaseRun, expected: str, _is_complete: bool) -> None:
    assert expected == "vault.next"


def _inserted(old: bytes, new: bytes) -> tuple[int, bytes]:
    """Return where one run of bytes was put in, and which; it must be only one.

    Where the bytes around repeat themselves there are several such places; the one at the start
    of a line is meant.
    """
    size = len(new) - len(old)
    places = [
        at for at in range(len(old) + 1) if new[:at] == old[:at] and new[at + size :] == old[at:]
    ]
    assert places, "more than one insertion"
    at = next((at for at in reversed(places) if old[:at].endswith((b"\n", BOM))), places[0])
    return at, new[at : at + size]


def _single_insertion(_run: CaseRun, _name: str, old: bytes, new: bytes, _value: Any) -> None:
    assert len(new) > len(old)
    _inserted(old, new)


def _block_span(data: bytes) -> tuple[int, int] | None:
    """Return where the YAML between the fences begins and ends."""
    found = re.match(
        rb"(?:\xef\xbb\xbf)?---\r?\n(.*?)^---(?:\r?\n|\Z)", data, re.DOTALL | re.MULTILINE
    )
    return found.span(1) if found else None


def _block(_run: CaseRun, _name: str, old: bytes, new: bytes, value: str) -> None:
    start, put_in = _inserted(old, new)
    if value == "existing":
        span = _block_span(old)
        assert span is not None
        # The end of the block, just before the closing fence, is inside.
        assert span[0] <= start <= span[1]
    else:
        assert value == "new"
        assert _block_span(old) is None
        top = len(BOM) if old.startswith(BOM) else 0
        assert new[:top] + put_in + old[top:] == new
        assert re.fullmatch(rb"---\r?\n.*^---\r?\n", put_in, re.DOTALL | re.MULTILINE)


def _inserted_line_ending(_run: CaseRun, _name: str, old: bytes, new: bytes, value: str) -> None:
    ends = {
        b"\r\n" if line.endswith(b"\r\n") else b"\n"
        for line in _inserted(old, new)[1].splitlines(True)
    }
    assert ends == {{"LF": b"\n", "CRLF": b"\r\n"}[value]}


def _without(data: bytes, keys: list[str]) -> bytes:
    """Return a note without the lines of some properties."""
    span = _block_span(data)
    assert span is not None
    kept: list[bytes] = []
    is_ours = False
    for line in data[slice(*span)].splitlines(True):
        if not line[:1].isspace() and not line.startswith((b"-", b"#")):
            is_ours = line.split(b":")[0].decode() in keys
        if not is_ours:
            kept.append(line)
    return data[: span[0]] + b"".join(kept) + data[span[1] :]


def _only_keys_changed(_run: CaseRun, _name: str, old: bytes, new: bytes, value: Any) -> None:
    assert _without(old, value) == _without(new, value)


def _properties(data: bytes) -> dict[str, Any]:
    span = _block_span(data)
    assert span is not None
    loaded = yaml.load(data[slice(*span)].decode(), yaml.BaseLoader)
    assert isinstance(loaded, dict)
    return loaded


def _keys_once(_run: CaseRun, _name: str, _old: bytes, new: bytes, _value: Any) -> None:
    span = _block_span(new)
    assert span is not None
    keys = re.findall(rb"^([\w-]+) *:", new[slice(*span)], re.MULTILINE)
    assert len(keys) == len(set(keys))


def _lists(run: CaseRun, name: str, _old: bytes, new: bytes, value: dict[str, list[str]]) -> None:
    properties = _properties(new)
    for key, notes in value.items():
        entries = properties[key]
        assert isinstance(entries, list)
        assert all(re.fullmatch(r"\[\[[^\[\]]+\]\]", entry) for entry in entries)
        assert sorted(_reached(run, name, entry) for entry in entries) == sorted(notes)


def _reached(run: CaseRun, source: str, entry: str) -> str:
    """Return what an entry reaches: Obsidian's rule as far as the cases need it, on its own."""
    target = entry[2:-2].partition("|")[0].partition("#")[0]
    paths = [path for path in run.before if path.endswith(".md")]
    wanted = target if target.endswith(".md") else f"{target}.md"
    if wanted in paths:
        return wanted
    fits = [path for path in paths if f"/{path}".lower().endswith(f"/{wanted}".lower())]
    assert fits, f"{entry} in {source} reaches nothing"
    return min(fits, key=len)


#: One fact about one changed note: the run, its name, old and new bytes, what is expected.
_CHECKS: dict[str, Callable[[CaseRun, str, bytes, bytes, Any], None]] = {
    "single_insertion": _single_insertion,
    "block": _block,
    "inserted_line_ending": _inserted_line_ending,
    "only_keys_changed": _only_keys_changed,
    "keys_once": _keys_once,
    "lists": _lists,
    "text_value": lambda _run, _name, _old, new, value: _equal(
        {key: _properties(new)[key] for key in value}, value
    ),
    "contains_lines": lambda _run, _name, _old, new, value: _equal(
        [line for line in value if line not in new.decode().splitlines()], []
    ),
    "starts_with_hex": lambda _run, _name, _old, new, value: _equal(
        new.hex()[: len(value)], value
    ),
    "ends_with_hex": lambda _run, _name, _old, new, value: _equal(new.hex()[-len(value) :], value),
}


def _equal(found: object, expected: object) -> None:
    assert found == expected
