"""Whether an audit still is what was locked, and where not.

All that is needed is the folder. That a folder was put back to an earlier state of itself shows
only against a head: the hash of the ledger's last line, as somebody remembered it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.audit import events, population_file, registration
from vaultgraph.audit.drawing import count_units, draw
from vaultgraph.audit.events import Chain, Fault, Line, read_lines
from vaultgraph.audit.history import History, read_history
from vaultgraph.audit.population_file import hash_population, parse_population
from vaultgraph.audit.registration import (
    Registration,
    find_changes,
    hash_document,
    parse_registration,
    read_document,
)
from vaultgraph.errors import InputError, IntegrityError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultgraph.audit.units import Population, UnitId

REPORT_FILE = "report.md"
_HEAD_IN_REPORT = re.compile(r"^Head: `?([0-9a-f]{64})`?$", re.MULTILINE)


class AuditFiles(NamedTuple):
    """The files of one audit's folder; ``None`` where one is missing."""

    name: str
    registration: bytes | None
    population: bytes | None
    ledger: bytes | None
    report: bytes | None


class Head(NamedTuple):
    """A head that was remembered outside of the ledger."""

    #: Where, in words.
    where: str
    hash: str


@dataclass(frozen=True, slots=True)
class Verified:
    """An audit, checked."""

    name: str
    #: ``None`` where it cannot be read; then there is a fault.
    registration: Registration | None
    population: Population | None
    chain: Chain
    history: History
    #: The heads that were found, the one in the report too.
    heads: tuple[Head, ...]
    faults: tuple[Fault, ...]

    @property
    def head(self) -> str:
        """The hash of the ledger's last line."""
        return self.chain.head


def verify_audit(files: AuditFiles, heads: Sequence[Head]) -> Verified:
    """Return an audit with everything in it that differs from what was locked."""
    chain = read_lines(files.ledger or b"")
    history = read_history(chain.lines)
    heads = (*heads, *_head_of_report(files.report))
    checked = _Check(files, chain, history)
    checked.check_files()
    checked.check_draw()
    checked.check_lines()
    checked.check_heads(heads)
    return Verified(
        name=files.name,
        registration=checked.registration,
        population=checked.population,
        chain=chain,
        history=history,
        heads=heads,
        faults=tuple(checked.faults),
    )


def require_whole(verified: Verified) -> Registration:
    """Return the registration of an audit that is what was locked.

    Raises:
        IntegrityError: it is not; the message names the first difference.
    """
    if verified.faults or verified.registration is None:
        first, *rest = verified.faults
        more = f" (and {len(rest)} more)" if rest else ""
        raise IntegrityError(
            f"audit {verified.name}: {first.where}: {first.text}{more}",
            hint=f"vaultgraph audit verify {verified.name} lists everything; a changed mind"
            " is a new registration",
        )
    return verified.registration


def _head_of_report(report: bytes | None) -> tuple[Head, ...]:
    found = _HEAD_IN_REPORT.search((report or b"").decode(errors="replace").replace("\r", ""))
    return (Head(REPORT_FILE, found.group(1)),) if found else ()


class _Check:
    """One check of one folder."""

    def __init__(self, files: AuditFiles, chain: Chain, history: History) -> None:
        self._files = files
        self._chain = chain
        self._history = history
        self.faults = list(chain.faults)
        self.registration: Registration | None = None
        self.population: Population | None = None

    def check_files(self) -> None:
        """Compare the registration and the population with what was locked."""
        locked = self._history.locked or {}
        if self._files.ledger and not locked:
            self._fault(events.FILE, "holds no lock: lines were deleted")
        document = self._read(registration.FILE, self._files.registration, read_document)
        if document is not None:
            if locked and hash_document(document) != locked.get("registration_sha256"):
                was = locked.get("registration")
                changes = find_changes(was if isinstance(was, dict) else {}, document)
                for change in changes or ["differs from what was locked"]:
                    self._fault(registration.FILE, change)
            self.registration = self._read(registration.FILE, document, parse_registration)
        population = self._files.population
        if population is not None:
            self._check_population(hash_population(population), locked)
        self.population = self._read(population_file.FILE, population, parse_population)
        self._check_counts()

    def _check_population(self, digest: str, locked: Any) -> None:  # noqa: ANN401 - JSON
        if locked and digest != locked.get("population_sha256"):
            self._fault(population_file.FILE, "differs from what was locked")
        elif self.registration is not None and digest != self.registration.population_hash:
            self._fault(population_file.FILE, "is not the one that the registration names")

    def _check_counts(self) -> None:
        if self.registration is None or self.population is None:
            return
        counts = count_units(self.registration.kind, self.population)
        for stratum in self.registration.strata:
            if counts.get(stratum.name, 0) != stratum.units:
                self._fault(
                    registration.FILE,
                    f"strata.{stratum.name}.units is {stratum.units:,}, and"
                    f" {population_file.FILE} holds {counts.get(stratum.name, 0):,}",
                )

    def check_draw(self) -> None:
        """Redo the draw; without sound files there is nothing to redo it from."""
        if self.faults or self.registration is None or self.population is None:
            return
        line = next((line for line in self._chain.lines if line.kind == "drawn"), None)
        if line and draw(self.registration, self.population) != self._history.drawn:
            self._fault(f"{events.FILE}:{line.number}", "is not the draw that the seed gives")

    def check_lines(self) -> None:
        """Look whether the lines could have been written, one after the other."""
        seen: list[str] = []
        drawn = frozenset(self._history.units)
        labels = self.registration.labels if self.registration is not None else None
        for line in self._chain.lines:
            for text in _line_faults(line, seen, drawn, labels):
                self._fault(f"{events.FILE}:{line.number}", text)
            seen.append(line.kind)

    def check_heads(self, heads: Sequence[Head]) -> None:
        """Look for every head among the lines."""
        hashes = {line.hash for line in self._chain.lines}
        for head in heads:
            if head.hash not in hashes:
                self._fault(
                    events.FILE,
                    f"no line is the one that {head.where} remembers ({head.hash[:12]}…): the"
                    " ledger was shortened, put back to an older one, or its last line edited",
                )

    def _read(self, name: str, content: Any, parse: Any) -> Any:  # noqa: ANN401 - of each file's kind
        if content is None:
            self._fault(name, "is missing")
            return None
        try:
            return parse(content)
        except (InputError, IntegrityError) as error:
            place, _, reason = error.message.partition(": ")
            self._fault(place, reason)
            return None

    def _fault(self, where: str, text: str) -> None:
        self.faults.append(Fault(where, text))


def _line_faults(
    line: Line, seen: Sequence[str], drawn: frozenset[UnitId], labels: Sequence[str] | None
) -> Iterator[str]:
    if line.kind in ("locked", "drawn") and line.kind in seen:
        yield f"is a second {'lock' if line.kind == 'locked' else 'draw'}"
    if line.kind != "locked" and "locked" not in seen:
        yield "stands before the lock"
    if "abandoned" in seen and line.kind != "reported":
        yield "was written after the audit was abandoned"
    if line.kind == "labelled":
        if line.payload.get("unit") not in drawn:
            yield "labels a unit that was not drawn"
        if labels is not None and line.payload.get("label") not in labels:
            yield f"holds {line.payload.get('label')!r}, which is no label of this audit"
