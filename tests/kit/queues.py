"""A long queue of proposals in notes of many shapes, and a reviewer who answers it by a plan.

The reviewer works in a terminal, or in Node through the shipped script in Templater's engine.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from typing import TYPE_CHECKING, NamedTuple

from tests.kit.drawing import need
from tests.kit.terminal import Person
from tests.kit.vaults import REPOSITORY
from tests.kit.writing import ACCEPTED, PROPOSED, age, judged, old_vault, propose

if TYPE_CHECKING:
    from pathlib import Path

NOTES, PROPOSED_BY_US, BY_HAND = 300, 495, 5
#: What is answered in turn: `a` accept, `r` reject, `s` skip, and `u` undo behind either.
_ANSWERS = ("a", "r", "a", "aus", "s", "a", "aur", "r", "rus", "a", "rua")
#: Each keeps its own way of writing, line ends and comments.
_SHAPES = (
    "---\nzip: 007 # keep\n---\n{}",
    "---\r\nstatus: live\r\n---\r\n{}",
    "\ufeff---\naliases: []\n---\n{}",
    f'---\n{ACCEPTED}: ["[[Home]]"]\n# mine\nzip: 010\n---\n{{}}',
    "{}",
    f"---\n{ACCEPTED}:\n- Home   # by hand\ntags: [x]\n---\n{{}}",
)
#: The lists of a note that neither side can edit safely.
_UNSAFE = f'---\n{PROPOSED}: # mine\n  - "[[Note 020]]"\n---\nText.\n'


class Queue(NamedTuple):
    """A vault in which everything waits, and the answers to each question."""

    vault: Path
    answers: dict[str, str]


def make_queue_vault(root: Path) -> Queue:
    """Make 300 notes with 500 proposals, five of them in notes that are refused."""
    pairs = _pairs()
    files = {"Home.md": "Where the hotkey is pressed.\n"}
    for number in range(NOTES):
        links = "".join(f"Rests on [[{_path(n)[:-3]}]].\n" for m, n in pairs if m == number)
        files[_path(number)] = _SHAPES[number % len(_SHAPES)].format(
            f"# {number}\n\n{links}End.\n"
        )
    # A name that two notes have is linked to by its path.
    files |= {f"Old/Note {n:03}.md": "Of the same name.\n" for n in range(1, NOTES, 25)}
    files |= {f"Unsafe {n}.md": _UNSAFE for n in range(BY_HAND)}
    vault = old_vault(root, files)
    # Many are as strong as others: then the order is that of the notes.
    judged(vault, *((_path(m), _path(n), 0.7 + (m * 7 + n) % 30 / 100) for m, n in pairs))
    done = propose(vault).ok().json
    assert len(done["proposed"]) == PROPOSED_BY_US, done
    age(vault)
    names = [f"Note {m:03} depends on Note {n:03}" for m, n in pairs]
    answers = {name: _ANSWERS[k % len(_ANSWERS)] for k, name in enumerate(names)}
    answers |= {f"Unsafe {n} depends on Note 020": "a" for n in range(BY_HAND)}
    return Queue(vault, answers)


def _path(number: int) -> str:
    return f"{'ABC'[number % 3]}/Note {number:03}.md"


def _pairs() -> list[tuple[int, int]]:
    """Return who depends on whom: always on one of a lower number."""
    found = {(m, m // part): None for part in (2, 3) for m in range(part, NOTES)}
    return list(found)[:PROPOSED_BY_US]


class Reviewer:
    """Answers each question by the plan, whenever it comes."""

    def __init__(self, answers: dict[str, str]) -> None:
        self._left = dict(answers)
        #: Whether the next key takes the last answer back.
        self.is_sorry = False

    def key(self, question: str | None) -> str:
        """Return the key to press; without a question all have been seen."""
        if self.is_sorry:
            self.is_sorry = False
            return "u"
        if question is None:
            return "q"
        key, rest = self._left[question][0], self._left[question][1:]
        self.is_sorry = rest.startswith("u")
        self._left[question] = rest.removeprefix("u")
        return key


#: What the screen says of the last key.
_SAID = {"a": "accepted: ", "r": "rejected: ", "s": "put off: ", "u": "taken back: "}


def walk_in_terminal(queue: Queue, *, dies_after: int | None = None, waits: bool = True) -> None:
    """Walk the queue on a pseudo-terminal.

    After ``dies_after`` keys the program is killed: before the next one, or just as it is pressed.
    """
    reviewer, pressed, said = Reviewer(queue.answers), 0, ""
    with Person(queue.vault, "review", lines=16) as person:
        person.sees("1 of ", "q stop")
        while True:
            rows = person.grid.rows
            question = None if rows[0].startswith("All ") else rows[1].strip().removesuffix("?")
            was_sorry = reviewer.is_sorry
            key = reviewer.key(question)
            is_due = dies_after is not None and pressed >= dies_after and not was_sorry
            if is_due and waits:
                return person.process.kill()
            person.press(key)
            if is_due and key == "a" and not reviewer.is_sorry:
                return person.process.kill()
            if key == "q":
                person.stops()
                return None
            pressed += 1
            said = said if key == "u" else question or ""
            told = "left as it is: " if said.startswith("Unsafe") else _SAID[key]
            person.sees(f"{told}{said}", "u undo")


def walk_in_node(
    queue: Queue, plan: Path, *, dies_after: int | None = None, at: str = ""
) -> list[str]:
    """Walk the queue with the shipped script; return what it told.

    After ``dies_after`` answers it kills itself, at a ``question`` or before a ``log`` line.
    """
    program = need(shutil.which("node"), "the Obsidian script (no Node)", "setup_node")
    folder = REPOSITORY / "tests" / "templater"
    engine = folder / "node_modules" / "@silentvoid13"
    need("" if engine.is_dir() else None, "the Obsidian script (no packages)", "setup_node")
    plan.write_text(json.dumps(queue.answers), "utf-8")
    ran = subprocess.run(
        [
            *(program, folder / "kit" / "walk_queue.mjs", queue.vault, plan),
            *([] if dies_after is None else [at, str(dies_after)]),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    expected = 0 if dies_after is None else -signal.SIGKILL
    assert (ran.returncode, ran.stderr) == (expected, ""), ran.stderr
    told: list[str] = json.loads(ran.stdout) if dies_after is None else []
    return told
