"""Makes the pictures of docs/pictures/, each from what the program does with the sample vault.

A picture is one function that returns the files it is made of, by name; ``PICTURES`` lists them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.picture_support.page_pictures import export
from scripts.picture_support.terminal_pictures import THEMES, picture_of
from tests.kit.terminal import Person

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

REPOSITORY = Path(__file__).resolve().parents[2]
TARGET = REPOSITORY / "docs" / "pictures"
_AGE = 3600  # seconds: nobody is typing in a note


def review(vault: Path) -> dict[str, bytes]:
    """Return the first question of a sitting, narrow and wide, in light and dark."""
    pictures: dict[str, bytes] = {}
    for columns, lines in ((80, 24), (140, 24)):
        with Person(vault, "review", columns=columns, lines=lines) as person:
            person.sees("1 of ", "? help")
            for theme in THEMES:
                title = "vaultgraph review"
                pictures[f"review-{columns}-{theme}.svg"] = picture_of(person.grid, title, theme)
            person.press("q").stops()
    return pictures


PICTURES: dict[str, Callable[[Path], dict[str, bytes]]] = {"review": review, "export": export}


def make(name: str) -> dict[str, bytes]:
    """Return a picture's files, by name, from a vault of its own in which proposals wait."""
    with (
        tempfile.TemporaryDirectory() as folder,
        # The program, which is run as one of its own, leaves its user's folders alone.
        _set(XDG_STATE_HOME=folder, XDG_CACHE_HOME=folder),
    ):
        return PICTURES[name](_prepared(Path(folder) / "vault"))


@contextmanager
def _set(**variables: str) -> Iterator[None]:
    kept = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(kept)


def _prepared(vault: Path) -> Path:
    shutil.copytree(REPOSITORY / "samples" / "vault", vault)
    then = time.time() - _AGE
    for note in vault.rglob("*.md"):
        os.utime(note, (then, then))
    for command in (["judge"], ["propose", "--yes"]):
        line = [sys.executable, "-m", "vaultgraph", "--vault", str(vault), *command]
        subprocess.run(line, check=True, capture_output=True)
    return vault


def main() -> None:
    parser = argparse.ArgumentParser(prog="make_pictures", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PICTURES)}")
    for name in parser.parse_args().names or PICTURES:
        for file, content in make(name).items():
            (TARGET / file).write_bytes(content)
            print(f"docs/pictures/{file}  {len(content):,} bytes")
