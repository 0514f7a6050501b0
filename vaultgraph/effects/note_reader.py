"""Reads many notes and finds names in them, here or in a process of its own."""

from __future__ import annotations

import marshal
import sys
from typing import TYPE_CHECKING, Any, Protocol

from vaultgraph.candidates.mentions import Matcher, Probe, names_within
from vaultgraph.effects.disk import read_file
from vaultgraph.errors import InputError
from vaultgraph.vault.note import NoteReader, ReadNote, unreadable_facts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkContext, SpawnContext

    from vaultgraph.candidates.mentions import Mention
    from vaultgraph.domain.notes import NoteFacts
    from vaultgraph.domain.ports import NoteMentions
    from vaultgraph.domain.settings import Settings

#: So many notes are searched for names as one text.
_AT_ONCE = 256
#: For so few notes, most names are not worth putting into a matcher.
_FEW = 4

#: In place of a note's prose, and the lines before it, once it has been searched.
_SEARCHED = ("", 0)

#: Numbers of the names a note has itself.
OwnNames = tuple[int, ...]


class Reader:
    """Reads notes one after the other and keeps their prose for the search that follows."""

    def __init__(self, prefix: str, settings: Settings) -> None:
        self._prefix = prefix
        self._note_reader = NoteReader(settings)
        self._prose: list[tuple[str, int]] = []

    def _read(self, os_path: str) -> ReadNote:
        try:
            data = read_file(self._prefix + os_path)
        except OSError as error:
            reason = f"cannot be read: {error.strerror or 'unknown reason'}"
            return ReadNote(unreadable_facts(reason), "", 0)
        return self._note_reader.read(data)

    def _read_if(self, probe: Probe, os_path: str) -> ReadNote | None:
        try:
            data = read_file(self._prefix + os_path)
        except OSError:
            return None
        return self._note_reader.read(data) if probe.may_find(data) else None

    def read(self, os_paths: Sequence[str]) -> list[NoteFacts]:
        """Return the facts of each file, in order, and keep its prose."""
        facts: list[NoteFacts] = []
        self._prose = []
        for os_path in os_paths:
            note = self._read(os_path)
            facts.append(note.facts)
            self._prose.append((note.prose, note.lines_before))
        return facts

    def find(self, own: Sequence[OwnNames], folded_names: Sequence[str]) -> list[NoteMentions]:
        """Return the mentions in each note last read, in order, and let go of their prose."""
        if len(self._prose) <= _FEW:
            proses = [prose for prose, _ in self._prose]
            matcher = Matcher(folded_names, among=names_within(proses, folded_names))
        else:
            matcher = Matcher(folded_names)
        found: list[NoteMentions] = []
        for start in range(0, len(self._prose), _AT_ONCE):
            notes = self._prose[start : start + _AT_ONCE]
            # What is searched is let go of at once: the prose of all notes is most of the memory.
            self._prose[start : start + _AT_ONCE] = [_SEARCHED] * len(notes)
            proses = [prose for prose, _ in notes]
            in_bodies = matcher.find_all(proses, own[start : start + _AT_ONCE])
            found += [
                _in_file(mentions, lines_before)
                for mentions, (_, lines_before) in zip(in_bodies, notes, strict=True)
            ]
        self._prose = []
        return found

    def find_new(
        self,
        notes: Sequence[tuple[str, OwnNames]],
        new: Sequence[str],
        all_names: Sequence[str],
    ) -> list[NoteMentions | None]:
        """Return the mentions in each note that holds one of the ``new`` names, else ``None``."""
        probe, searched, matcher = Probe(new), Matcher(new), None
        results: list[NoteMentions | None] = []
        for os_path, own in notes:
            note = self._read_if(probe, os_path)
            if note is None or not searched.find(note.prose):
                results.append(None)
                continue
            matcher = matcher or Matcher(all_names)
            results.append(_in_file(matcher.find(note.prose, own), note.lines_before))
        return results


def _in_file(mentions: list[Mention], lines_before: int) -> NoteMentions:
    return tuple([(name, line + lines_before) for name, line in mentions])


class Worker(Protocol):
    """A reader that can be asked now and answers later."""

    def ask(self, method: str, *arguments: Any) -> None:  # noqa: ANN401 - lists of plain values
        """Begin a call of one of ``Reader``'s methods."""
        ...

    def answer(self) -> list[Any]:
        """Return the result of the call last begun."""
        ...

    def close(self) -> None:
        """End the worker."""
        ...


class LocalWorker:
    """A reader in this process; it works when its answer is wanted."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._pending: tuple[str, tuple[object, ...]] = ("read", ((),))

    def ask(self, method: str, *arguments: Any) -> None:  # noqa: ANN401 - lists of plain values
        """Begin a call."""
        self._pending = (method, arguments)

    def answer(self) -> list[Any]:
        """Return the result of the call last begun."""
        method, arguments = self._pending
        result: list[Any] = getattr(self._reader, method)(*arguments)
        return result

    def close(self) -> None:
        """Nothing to end."""


#: Seconds a process may take to end before it is made to.
_PATIENCE = 1.0


class ProcessWorker:
    """A reader in a process of its own."""

    def __init__(self, prefix: str, settings: Settings) -> None:
        from multiprocessing import get_context

        # Forking costs a few milliseconds where starting anew costs a hundred; macOS and Windows
        # cannot fork safely.
        forks = sys.platform == "linux"
        context: ForkContext | SpawnContext
        context = get_context("fork") if forks else get_context("spawn")
        self._connection, theirs = context.Pipe()
        inherited = self._connection if forks else None
        self._process = context.Process(
            target=_serve, args=(theirs, inherited, prefix, settings), daemon=True
        )
        self._process.start()
        theirs.close()

    def ask(self, method: str, *arguments: Any) -> None:  # noqa: ANN401 - lists of plain values
        """Begin a call."""
        try:
            self._connection.send_bytes(marshal.dumps((method, arguments)))
        except BrokenPipeError:
            raise _died() from None

    def answer(self) -> list[Any]:
        """Return the result of the call last begun.

        Raises:
            InputError: the process is gone; the kernel ends one where memory runs out.
        """
        try:
            result: list[Any] = marshal.loads(self._connection.recv_bytes())  # noqa: S302 - our own
        except (EOFError, ConnectionResetError):
            raise _died() from None
        return result

    def close(self) -> None:
        """End the process."""
        self._connection.close()
        self._process.join(timeout=_PATIENCE)
        if self._process.is_alive():
            self._process.terminate()


def _died() -> InputError:
    return InputError(
        "a process that read notes was ended from outside, perhaps for want of memory",
        hint="try again with one process: vaultgraph scan --jobs 1",
    )


def _serve(
    connection: Connection, inherited: Connection | None, prefix: str, settings: Settings
) -> None:
    if inherited is not None:
        # With the other end of its own pipe open, it would wait for ever where nobody asks.
        inherited.close()
    reader = Reader(prefix, settings)
    while True:
        try:
            method, arguments = marshal.loads(connection.recv_bytes())  # noqa: S302 - our own
            results = getattr(reader, method)(*arguments)
            plain = [tuple(facts) for facts in results] if method == "read" else results
            connection.send_bytes(marshal.dumps(plain))
        except (EOFError, KeyboardInterrupt, BrokenPipeError):
            return
