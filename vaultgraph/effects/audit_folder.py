"""The folders ``.vaultgraph/audits/<name>/``, complete in themselves, and heads kept apart."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from vaultgraph.audit import events, population_file, registration
from vaultgraph.audit.events import chain_line, is_whole
from vaultgraph.audit.verify import REPORT_FILE, AuditFiles, Head
from vaultgraph.domain.chain import hash_line
from vaultgraph.effects.chain_file import append_chained
from vaultgraph.effects.durable import make_private_folder, replace_file
from vaultgraph.effects.lock import waiting_lock
from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from vaultgraph.domain.writing import Clock, NewEvent
    from vaultgraph.effects.state_folder import LocalFolders

FOLDER = ".vaultgraph/audits"
_HEX = 64


class AuditFolders:
    """The audits of one vault."""

    def __init__(self, vault: Path, folders: LocalFolders, clock: Clock) -> None:
        self._folder = vault / FOLDER
        self._folders = folders
        self._clock = clock

    def names(self) -> list[str]:
        """Return the audits there are, sorted."""
        try:
            return sorted(path.name for path in self._folder.iterdir() if path.is_dir())
        except OSError:
            return []

    def read(self, name: str) -> AuditFiles:
        """Return the files of an audit."""
        return read_folder(self._folder / name)

    def heads(self, name: str) -> tuple[Head, ...]:
        """Return the head that this machine remembers of an audit, if it does."""
        try:
            kept = self._head_file(name).read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            return ()
        return (Head("this machine", kept),) if len(kept) == _HEX else ()

    def write(self, name: str, file: str, content: bytes) -> None:
        """Replace one file of an audit as a whole; raises ``InputError``."""
        with _refusals(f"{FOLDER}/{name}/{file}"):
            (self._folder / name).mkdir(parents=True, exist_ok=True)
            replace_file(self._folder / name / file, content)

    def append(self, name: str, new: Sequence[NewEvent]) -> str:
        """Append events, and remember the new head; they are on disk when this returns.

        Raises:
            InputError: they cannot be kept; then none of them is.
        """
        at = self._clock.now()

        def lines(prev: str) -> Iterator[bytes]:
            for event in new:
                line = chain_line(event, at, prev)
                yield line
                prev = hash_line(line)

        self._folders.make_state()
        make_private_folder(self._head_file(name).parent)
        with waiting_lock(self._head_file(name).with_suffix(".lock")):
            with _refusals(f"{FOLDER}/{name}/{events.FILE}"):
                head = append_chained(self._folder / name / events.FILE, is_whole, lines)
            replace_file(self._head_file(name), f"{head}\n".encode("ascii"))
        return head

    def _head_file(self, name: str) -> Path:
        return self._folders.state / "audits" / f"{name}.head"


def read_folder(folder: Path) -> AuditFiles:
    """Return the files of an audit, wherever its folder lies."""

    def content(name: str) -> bytes | None:
        try:
            return (folder / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(
                f"{folder.name}/{name} cannot be read: {error.strerror}", hint="make it readable"
            ) from None

    return AuditFiles(
        name=folder.resolve().name,
        registration=content(registration.FILE),
        population=content(population_file.FILE),
        ledger=content(events.FILE),
        report=content(REPORT_FILE),
    )


@contextmanager
def _refusals(what: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{what} cannot be written: {error.strerror}",
            hint="make .vaultgraph in the vault writable",
        ) from None
