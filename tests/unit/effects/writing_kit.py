"""A clock that tests turn, and vaults of a few notes with a writer."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import PlannedWrite, digest_of
from vaultgraph.effects.note_file import Checkpoint, no_checkpoint
from vaultgraph.effects.state_folder import LocalFolders, local_folders
from vaultgraph.effects.writer import NoteWriter

if TYPE_CHECKING:
    from pathlib import Path


class FakeClock:
    """Begins with the real time, so that it agrees with what the file system says."""

    def __init__(self) -> None:
        self.time = datetime.now(UTC)
        self.slept: list[float] = []

    def now(self) -> datetime:
        return self.time

    def today(self) -> date:
        return self.time.date()

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += timedelta(seconds=seconds)

    def skip(self, **parts: float) -> None:
        self.time += timedelta(**parts)


@dataclass
class Bench:
    """A vault, its local folders, and a clock."""

    root: Path
    clock: FakeClock = field(default_factory=FakeClock)

    def __post_init__(self) -> None:
        self.vault.mkdir(exist_ok=True)

    @property
    def vault(self) -> Path:
        return self.root / "vault"

    @property
    def folders(self) -> LocalFolders:
        return local_folders(
            self.vault, user_state=self.root / "state", user_cache=self.root / "cache"
        )

    def writer(self, checkpoint: Checkpoint = no_checkpoint) -> NoteWriter:
        return NoteWriter(self.vault, self.folders, self.clock, checkpoint=checkpoint)

    def note(self, name: str, content: bytes, *, age: float = 3600) -> Path:
        path = self.vault / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self.set_age(path, age)
        return path

    def set_age(self, path: Path, age: float) -> None:
        changed = self.clock.time.timestamp() - age
        os.utime(path, (changed, changed))

    def plan(self, name: str, new: bytes, *, of: bytes | None = None) -> PlannedWrite:
        read = (self.vault / name).read_bytes() if of is None else of
        return PlannedWrite(NoteId(name), name, digest_of(read), new, ("depends-on-proposed",))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def kinds(report) -> dict[str, str]:
    return {outcome.note: outcome.kind for outcome in report.outcomes}
