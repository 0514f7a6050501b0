"""What one run of a command costs: CPU and wall seconds, and peak memory, of its whole tree."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

LINUX = sys.platform == "linux"
MEMORY_KIND = (
    "of a run of its own, the higher of the largest process's resident peak and the sampled sum "
    "of PSS over all its processes"
    if LINUX
    else "resident size of the largest process (no per-tree figure on this system)"
)
SAMPLE_EVERY = 0.004  # seconds, at first
PR_SET_CHILD_SUBREAPER = 36


class CommandFailedError(Exception):
    """A measured command ended with something other than success."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One run. ``peak_mb`` is only known of runs whose memory was watched."""

    cpu: float
    wall: float
    peak_mb: float | None


def adopt_orphans() -> None:
    """From now on a process whose parent ended is waited for here, so its CPU time counts.

    A worker pool can leave helpers that outlive the command by a moment. Linux only; elsewhere
    they go uncounted.
    """
    if LINUX:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def environment(home: Path) -> dict[str, str]:
    """Return an environment in which every cache and setting of the command lies in ``home``."""
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("PYTHON", "COVERAGE", "VAULTGRAPH", "XDG_"))
    }
    folders = {
        f"XDG_{kind}_HOME": str(home / kind.lower())
        for kind in ("CACHE", "CONFIG", "DATA", "STATE")
    }
    return kept | folders | {"HOME": str(home), "COLUMNS": "100"}


def run(command: list[str], home: Path, *, watch_memory: bool = False) -> Sample:
    """Run the command to its end and return what it cost.

    The caller has no other child processes: all that are found are taken for the command's.
    Watching memory costs time, so such a run's seconds are not for comparing.

    Raises:
        CommandFailedError: its exit code is not 0.
    """
    home.mkdir(parents=True, exist_ok=True)
    complaint = home / "stderr"
    watcher = MemoryWatcher() if watch_memory and LINUX else None
    start = time.perf_counter()
    main = _spawn(command, environment(home), complaint)
    if watcher:
        watcher.start()
    cpu, largest, wall, status = 0.0, 0, 0.0, 0
    while True:
        try:
            pid, ended, usage = os.wait4(-1, 0)
        except ChildProcessError:
            break
        if pid == main:
            wall, status = time.perf_counter() - start, ended
        cpu += usage.ru_utime + usage.ru_stime
        largest = max(largest, usage.ru_maxrss)
    peak = watcher.stop() if watcher else largest * (1 if sys.platform == "darwin" else 1024)
    if code := os.waitstatus_to_exitcode(status):
        raise CommandFailedError(
            f"exit code {code}: {' '.join(command)}\n"
            + complaint.read_text("utf-8", "replace")[-2000:]
        )
    return Sample(cpu, wall, peak / 1e6 if watch_memory else None)


def _spawn(command: list[str], env: Mapping[str, str], complaint: Path) -> int:
    write = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    return os.posix_spawn(
        command[0],
        command,
        env,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(complaint.with_name("stdout")), write, 0o600),
            (os.POSIX_SPAWN_OPEN, 2, str(complaint), write, 0o600),
        ],
    )


class MemoryWatcher(threading.Thread):
    """Samples the memory of all descendants of this process."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak = 0
        self.ended = threading.Event()

    def run(self) -> None:
        """Keep the highest figure until told to stop."""
        start = time.perf_counter()
        # Long runs are sampled less and less often, so that watching slows none of them much.
        while not self.ended.wait(max(SAMPLE_EVERY, (time.perf_counter() - start) / 200)):
            pids = _descendants(os.getpid())
            # PSS alone would let a lone process off the pages it shares with strangers.
            resident = [_kilobytes(f"/proc/{pid}/status", b"VmHWM:") for pid in pids]
            shares = [_kilobytes(f"/proc/{pid}/smaps_rollup", b"Pss:") for pid in pids]
            self.peak = max(self.peak, sum(shares) * 1024, max(resident, default=0) * 1024)

    def stop(self) -> int:
        """Return the peak, in bytes."""
        self.ended.set()
        self.join()
        return self.peak


def _descendants(ancestor: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 -- a hundred Path objects per sample add up
        if name.isdigit():
            stat = _read(f"/proc/{name}/stat")
            if stat:  # the name in brackets may hold anything; the parent is the 2nd word after it
                children.setdefault(int(stat.rpartition(b")")[2].split()[1]), []).append(int(name))
    found = list(children.get(ancestor, ()))
    for pid in found:  # grows while it is walked
        found += children.get(pid, ())
    return found


def _kilobytes(path: str, key: bytes) -> int:
    for line in _read(path).splitlines():
        if line.startswith(key):
            return int(line.split()[1])
    return 0


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:  # it ended in between
        return b""
