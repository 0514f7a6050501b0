"""Question sets as they stand in files: one TOML per set and version, known by its hash.

    id = "depends"
    version = 1
    [first_on_second]
    instructions = "Does note `A` depend on note `B`?"
    yes = "…"
    no = "…"
    [second_on_first]
    …

``A`` is the first note of the pair and ``B`` the second; a judge sees them under these names.
"""

from __future__ import annotations

import re
import tomllib
from hashlib import sha256
from typing import TYPE_CHECKING

from vaultgraph.domain.judging import Question, QuestionSet
from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The set that is asked where no other is named.
DEFAULT_QUESTIONS = "depends.v1"

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\.v[1-9][0-9]{0,3}")
_KEYS = frozenset({"id", "version", "first_on_second", "second_on_first"})
_QUESTION_KEYS = frozenset({"instructions", "yes", "no"})
#: Each part goes out with every pair, so a slip here would be paid ten thousand times over.
_LONGEST = 2_000


def is_question_set_name(name: str) -> bool:
    """Whether ``name`` can be a set's name: ``depends.v1``. It becomes part of a path."""
    return _NAME.fullmatch(name) is not None


def parse_question_set(name: str, data: bytes) -> QuestionSet:
    """Return the question set in ``data``, the bytes of the file ``<name>.toml``.

    Raises:
        InputError: it is not such a set, or says that it is another.
    """
    try:
        table = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise _fault(name, "it is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise _fault(name, f"it is not TOML: {error}") from None
    _check_keys(name, "", table, _KEYS)
    named = f"{table['id']}.v{table['version']}"
    if named != name or not isinstance(table["version"], int):
        raise _fault(name, "its id and version do not agree with its name")
    return QuestionSet(
        id=name,
        first_on_second=_question(name, "first_on_second", table["first_on_second"]),
        second_on_first=_question(name, "second_on_first", table["second_on_first"]),
        hash=sha256(data).hexdigest(),
    )


def _question(name: str, part: str, table: object) -> Question:
    if not isinstance(table, dict):
        raise _fault(name, f"{part} is not a table")
    _check_keys(name, f"{part}.", table, _QUESTION_KEYS)
    for key, value in table.items():
        if not isinstance(value, str) or not value.strip():
            raise _fault(name, f"{part}.{key} is not a text")
        if len(value) > _LONGEST:
            raise _fault(name, f"{part}.{key} is longer than {_LONGEST} characters")
    if not all(note in table["instructions"] for note in ("`A`", "`B`")):
        raise _fault(name, f"{part}.instructions does not name both `A` and `B`")
    return Question(instructions=table["instructions"], yes=table["yes"], no=table["no"])


def _check_keys(name: str, prefix: str, table: Mapping[str, object], keys: frozenset[str]) -> None:
    for key in sorted(keys - table.keys()):
        raise _fault(name, f"{prefix}{key} is missing")
    for key in sorted(table.keys() - keys):
        raise _fault(name, f"{prefix}{key} is not known")


def _fault(name: str, reason: str) -> InputError:
    return InputError(
        f"the question set {name} cannot be used: {reason}",
        hint="see prompts/depends.v1.toml for the form; a new wording needs a new version",
    )
