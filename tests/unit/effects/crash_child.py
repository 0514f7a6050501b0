"""Kills writing processes at seeded moments and looks at what they leave. Prints counts.

A program of its own, because forking is safe in a process with one thread only:

    python crash_child.py FOLDER ROUNDS SEED
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import sys
from collections import Counter
from pathlib import Path

from tests.unit.effects.writing_kit import Bench, names
from vaultgraph.effects.journal import Journal
from vaultgraph.effects.undo import undo

STEPS = {
    False: ["intended", "checked", "written", "truncated", "synced", "ended", "finished"],
    True: ["intended", "twin made", "checked", "replaced", "ended", "finished"],
}
NAMES = ("A.md", "B.md", "C.md")


class Killer:
    """Ends the process at one step of one note, or some bytes into the next write."""

    def __init__(self, step: str, at: int, after_bytes: int | None) -> None:
        self.step, self.left, self.after_bytes = step, at, after_bytes

    def __call__(self, step: str) -> None:
        if step != self.step:
            return
        self.left -= 1
        if self.left > 0:
            return
        if self.after_bytes is None:
            os.kill(os.getpid(), signal.SIGKILL)
            return
        # The kernel writes that many bytes of the file and no more; then it sends a signal.
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.after_bytes, resource.RLIM_INFINITY))


def in_child(work) -> int:
    """Return the signal that ended a process of its own which did the work."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    return os.WTERMSIG(os.waitpid(child, 0)[1])


def content(rng: random.Random, size: int) -> bytes:
    return bytes(rng.choices(b"ab\n", k=size))


def changed(rng: random.Random, old: bytes) -> bytes:
    """Return text with up to two stretches put in, taken out or replaced."""
    for _ in range(rng.randint(1, 2)):
        start = rng.randint(0, len(old))
        end = min(len(old), start + rng.choice([0, 0, 5, 9000]))
        old = old[:start] + content(rng, rng.choice([0, 7, 40, 9000])) + old[end:]
    return old


def one_round(folder: Path, rng: random.Random, seen: Counter[str]) -> None:
    bench = Bench(folder)
    atomic = rng.random() < 0.25
    old = {name: content(rng, rng.choice([0, 30, 5000, 20_000])) for name in NAMES}
    new = {name: changed(rng, old[name]) for name in NAMES}
    for name in NAMES:
        bench.note(name, old[name])
    plans = [bench.plan(name, new[name]) for name in NAMES]
    is_mid_write = rng.random() < 0.5
    before_write = "intended" if atomic else "checked"
    step = before_write if is_mid_write else rng.choice(STEPS[atomic])
    killer = Killer(step, rng.randint(1, 3), rng.randint(1, 25_000) if is_mid_write else None)
    ended = in_child(lambda: bench.writer(killer).write(plans, command="x", atomic=atomic))
    if ended:
        where = "mid-write" if is_mid_write else step
        seen[f"{where} (atomic)" if atomic else where] += 1
    found = {name: (bench.vault / name).read_bytes() for name in NAMES}
    torn = sum(found[name] not in (old[name], new[name]) for name in NAMES)
    seen["torn"] += torn
    assert torn <= 1
    if rng.random() < 0.5:
        # The recovery is cut off, too.
        step = rng.choice(["taking back", "written", "truncated", "synced"])
        after_bytes = rng.choice([None, rng.randint(1, 25_000)]) if step == "taking back" else None
        killer = Killer(step, 1, after_bytes)
        seen["recovery"] += in_child(bench.writer(killer).recover) != 0
    recovered = bench.writer().recover()
    seen.update(note.kind for note in recovered)
    assert all(note.kind in ("kept", "dropped", "restored") for note in recovered), recovered
    whole = {name: (bench.vault / name).read_bytes() for name in NAMES}
    for name in NAMES:
        assert whole[name] in (old[name], new[name]), name
        assert torn == 0 or found[name] in (old[name], new[name]) or whole[name] == old[name]
    journal = Journal(bench.folders.state)
    assert journal.open_names() == []
    assert bench.writer().recover() == ()
    assert names(bench.vault) == sorted(NAMES)
    if any(whole[name] != old[name] for name in NAMES):
        undo(bench.writer())
    for name in NAMES:
        assert (bench.vault / name).read_bytes() == old[name], name


def main(folder: Path, rounds: int, seed: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(rounds):
        place = folder / str(number)
        place.mkdir()
        try:
            one_round(place, random.Random(seed + number), seen)
        except BaseException:
            sys.stderr.write(f"seed {seed + number}\n")
            raise
        shutil.rmtree(place)
    sys.stdout.write(json.dumps(seen))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
