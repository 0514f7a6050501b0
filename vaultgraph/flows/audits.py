"""One audit's life from plan to end; before each step it is checked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from vaultgraph.audit import population_file, registration
from vaultgraph.audit.drawing import draw
from vaultgraph.audit.events import (
    abandoned_event,
    drawn_event,
    labelled_event,
    locked_event,
    merged_event,
)
from vaultgraph.audit.population_file import hash_population, population_bytes
from vaultgraph.audit.registration import (
    hash_document,
    read_document,
    registration_toml,
)
from vaultgraph.audit.units import Population, UnitId
from vaultgraph.audit.verify import Head, Verified, require_whole, verify_audit
from vaultgraph.domain.writing import NewEvent
from vaultgraph.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultgraph.audit.registration import Registration
    from vaultgraph.audit.verify import AuditFiles
    from vaultgraph.domain.writing import KeepsEvents
    from vaultgraph.flows.audit_names import AuditNames

#: In the vault's own ledger: the head of an audit at that time.
HEAD_EVENT = "audit-head"


class KeepsAudits(Protocol):
    """The audits' folders."""

    def names(self) -> list[str]:
        """Return the audits there are, sorted."""
        ...

    def read(self, name: str) -> AuditFiles:
        """Return the files of an audit."""
        ...

    def heads(self, name: str) -> tuple[Head, ...]:
        """Return the head that this machine remembers."""
        ...

    def write(self, name: str, file: str, content: bytes) -> None:
        """Replace one file as a whole; raises ``InputError``."""
        ...

    def append(self, name: str, new: Sequence[NewEvent]) -> str:
        """Append events to an audit's ledger and return the new head; raises ``InputError``."""
        ...


class Merged(NamedTuple):
    """What came of a label file."""

    labeller: str
    taken: int
    #: Labels that stood already.
    known: int


@dataclass(frozen=True, slots=True)
class Audits:
    """The audits of one vault, and the vault's ledger, which remembers their heads."""

    kept: KeepsAudits
    ledger: KeepsEvents

    def verify(self, name: str, *heads: Head) -> Verified:
        """Return an audit, checked against every head that is at hand.

        Raises:
            InputError: there is no such audit.
        """
        files = self.kept.read(name) if is_audit_name(name) else None
        if files is None or all(part is None for part in files[1:]):
            there = ", ".join(self.kept.names())
            raise InputError(
                f"there is no audit {name}",
                hint=f"there are: {there}" if there else "vaultgraph audit plan makes one",
            )
        return verify_audit(files, (*heads, *self.kept.heads(name), *self._ledger_heads(name)))

    def _ledger_heads(self, name: str) -> tuple[Head, ...]:
        newest: dict[str, Head] = {}
        for event in self.ledger.read().events:
            head = event.payload.get("head")
            if event.kind == HEAD_EVENT and event.payload.get("audit") == name:
                newest[event.device] = Head(f"the vault's ledger of {event.device}", str(head))
        return tuple(newest.values())

    def whole(self, name: str) -> tuple[Verified, Registration]:
        """Return an audit that is what was locked; raises ``IntegrityError``."""
        verified = self.verify(name)
        return verified, require_whole(verified)

    def plan(self, made: Registration, population: Population) -> None:
        """Write a registration and its population; nothing is fixed yet.

        Raises:
            InputError: an audit of this name is locked already.
        """
        if self.kept.read(made.name).ledger is not None:
            raise InputError(
                f"the audit {made.name} is locked", hint="give the new one another name"
            )
        self.kept.write(made.name, population_file.FILE, population_bytes(population))
        self.kept.write(made.name, registration.FILE, registration_toml(made).encode())

    def lock(self, name: str, names: AuditNames) -> str:
        """Fix a registration, and return the head.

        Raises:
            InputError: it is locked already, or a note of its population became private.
        """
        verified, _ = self.whole(name)
        if verified.history.locked is not None:
            raise InputError(
                f"the audit {name} is locked already", hint=f"vaultgraph audit draw {name}"
            )
        names.check_population(verified.population or Population({}))
        files = self.kept.read(name)
        document = read_document(files.registration or b"")
        event = locked_event(
            document, hash_document(document), hash_population(files.population or b"")
        )
        return self.append(name, [event])

    def draw(self, name: str) -> dict[str, tuple[UnitId, ...]]:
        """Draw the units, or return those that were drawn."""
        verified, made = self.locked(name)
        if verified.history.drawn:
            return dict(verified.history.drawn)
        population = verified.population or Population({})
        drawn = draw(made, population)
        self.append(name, [drawn_event(drawn)])
        return drawn

    def locked(self, name: str) -> tuple[Verified, Registration]:
        """Return an audit that is locked and goes on."""
        verified, made = self.whole(name)
        if verified.history.locked is None:
            raise InputError(
                f"the audit {name} is not locked", hint=f"vaultgraph audit lock {name}"
            )
        if verified.history.abandoned is not None:
            raise InputError(f"the audit {name} was abandoned", hint="plan another one")
        return verified, made

    def open_drawn(self, name: str) -> tuple[Verified, Registration]:
        """Return an audit that can be labelled."""
        self.locked(name)
        return self.drawn(name)

    def drawn(self, name: str) -> tuple[Verified, Registration]:
        """Return an audit that can be reported: also one that was abandoned."""
        verified, made = self.whole(name)
        if not verified.history.drawn:
            raise InputError(
                f"nothing is drawn in the audit {name}", hint=f"vaultgraph audit draw {name}"
            )
        return verified, made

    def abandon(self, name: str, why: str) -> str:
        """Give an audit up, and return the head."""
        if not why.strip():
            raise UsageError("an audit is not given up without a reason", hint="give --why WORDS")
        self.locked(name)
        return self.append(name, [abandoned_event(why)])

    def merge(self, name: str, content: bytes, labeller: str, file: str) -> Merged:
        """Take the labels of a file as ``labeller``'s.

        Raises:
            InputError: a line is no label of a unit that was drawn; the message names it.
        """
        verified, made = self.open_drawn(name)
        history = verified.history
        given = _read_label_file(content, file, labeller, set(history.units), made.labels)
        standing = history.labels_of(labeller)
        fresh = {unit: label for unit, label in given.items() if standing.get(unit) != label[0]}
        if fresh:
            new = [merged_event(labeller, sha256(content).hexdigest(), len(fresh))]
            new += (labelled_event(labeller, unit, *label) for unit, label in fresh.items())
            self.append(name, new)
        return Merged(labeller, len(fresh), len(given) - len(fresh))

    def append(self, name: str, events: list[NewEvent]) -> str:
        """Append to an audit's ledger, and remember the head in the vault's, too."""
        head = self.kept.append(name, events)
        self.remember(name, head)
        return head

    def remember(self, name: str, head: str) -> None:
        """Keep a head in the vault's own ledger."""
        self.ledger.append([NewEvent(HEAD_EVENT, {"audit": name, "head": head})])


def is_audit_name(name: str) -> bool:
    """Whether a name is safe as a folder's: letters, digits, ``-`` and ``_``."""
    return name.replace("-", "").replace("_", "").isalnum() and name.isascii()


def check_audit_name(name: str) -> None:
    """Raise ``UsageError`` for a name that cannot be a folder's."""
    if not is_audit_name(name):
        raise UsageError(
            f"an audit cannot be called {name}", hint="use letters a to z, digits, - and _"
        )


def _read_label_file(
    content: bytes, file: str, labeller: str, drawn: set[UnitId], labels: Sequence[str]
) -> dict[UnitId, tuple[str, float | None]]:
    """Return the labels of a file of JSON lines, or of another copy's ledger."""
    found: dict[UnitId, tuple[str, float | None]] = {}
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            entry: Any = json.loads(line)
        except (ValueError, RecursionError):
            raise _bad_line(file, number, "is no JSON") from None
        if isinstance(entry, dict) and "event" in entry:
            # Another copy's ledger: it may hold labels of others that we have already.
            entry = entry.get("payload")
            if not isinstance(entry, dict) or entry.get("labeller") != labeller:
                continue
        if not isinstance(entry, dict):
            raise _bad_line(file, number, "is no JSON object")
        unit, label, seconds = _label_fields(entry)
        if unit not in drawn:
            raise _bad_line(file, number, "labels a unit that was not drawn")
        if label not in labels:
            raise _bad_line(file, number, f"{label!r} is no label of this audit")
        found[unit] = (label, seconds)
    return found


def _label_fields(entry: dict[str, Any]) -> tuple[UnitId, str, float | None]:
    unit, seconds = entry.get("unit"), entry.get("seconds")
    written = "\n".join(map(str, unit)) if isinstance(unit, list) else str(unit)
    measured = float(seconds) if isinstance(seconds, int | float) else None
    return UnitId(written), str(entry.get("label")), measured


def _bad_line(file: str, number: int, text: str) -> InputError:
    return InputError(
        f"{file}:{number}: {text}",
        hint='every line holds {"unit": note or [first, second], "label": one of the labels}',
    )
