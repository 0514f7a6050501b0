"""Question sets as files: the vault's own, else the package's, else the checkout's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from vaultgraph.errors import InputError
from vaultgraph.judge.questions import is_question_set_name, parse_question_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultgraph.domain.judging import QuestionSet

_PACKAGE = Path(__file__).resolve().parents[1]


def read_question_set(name: str, vault: Path | None = None) -> QuestionSet:
    """Return the question set called ``name``; a vault's own hides ours of the same name.

    Raises:
        InputError: there is none, or it cannot be used.
    """
    if not is_question_set_name(name):
        raise InputError(
            f"not the name of a question set: {name}", hint="names look like depends.v1"
        )
    for folder in _folders(vault):
        try:
            data = (folder / f"{name}.toml").read_bytes()
        except FileNotFoundError:
            continue
        except OSError as error:
            reason = error.strerror or "unreadable"
            raise InputError(f"the question set {name} cannot be read: {reason}") from None
        return parse_question_set(name, data)
    raise InputError(
        f"no question set is called {name}", hint=f"there are: {', '.join(_names(vault))}"
    )


def _folders(vault: Path | None) -> Iterator[Path]:
    if vault is not None:
        yield vault / ".vaultgraph" / "prompts"
    # A wheel carries them inside the package; in a checkout they lie beside it.
    yield _PACKAGE / "_prompts"
    yield _PACKAGE.parent / "prompts"


def _names(vault: Path | None) -> list[str]:
    found = {path.stem for folder in _folders(vault) for path in folder.glob("*.toml")}
    return sorted(filter(is_question_set_name, found))
