"""Several readers at work on one list, each with every n-th item of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from vaultgraph.effects.note_reader import LocalWorker, ProcessWorker, Reader, Worker

if TYPE_CHECKING:
    from vaultgraph.domain.settings import Settings

#: Below so many notes to read, a second process costs more than it saves.
WORTH_A_PROCESS = 3_000
#: More than this many processes wait for the disk, not for each other.
MOST_PROCESSES = 4


class Team:
    """One reader in this process, and others in processes of their own where they pay."""

    def __init__(self, prefix: str, settings: Settings, work: int, jobs: int | None) -> None:
        if jobs is None:
            jobs = min(os.cpu_count() or 1, MOST_PROCESSES) if work >= WORTH_A_PROCESS else 1
        self._workers: list[Worker] = [
            ProcessWorker(prefix, settings) for _ in range(min(jobs, work or 1) - 1)
        ]
        # Last, because it works only when asked for its answer: by then the others are busy.
        self._workers.append(LocalWorker(Reader(prefix, settings)))

    def share(self, method: str, items: list[Any], *arguments: object) -> list[Any]:
        """Return one result an item, in order, of a method of ``Reader``."""
        count = len(self._workers)
        for number, worker in enumerate(self._workers):
            worker.ask(method, items[number::count], *arguments)
        results: list[Any] = [None] * len(items)
        for number in (count - 1, *range(count - 1)):
            results[number::count] = self._workers[number].answer()
        return results

    def close(self) -> None:
        """End the processes."""
        # A forked process holds the pipes of those begun before it open, so the last goes first.
        for worker in reversed(self._workers):
            worker.close()
