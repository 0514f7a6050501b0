"""Decision rules: ``share(stale, dead) > 0.5``, ``recall >= 0.8``, ``agreement >= 0.9``."""

from __future__ import annotations

import operator
import re
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_RULE = re.compile(
    r"\s*(?:share\(\s*(?P<labels>[^()]+?)\s*\)|(?P<what>recall|agreement|kappa))"
    r"\s*(?P<sign>>=|<=|>|<)\s*(?P<bound>\d*\.?\d+)\s*"
)
_SIGNS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}


class Rule(NamedTuple):
    """What was to be decided."""

    #: ``share``, ``recall``, ``agreement`` or ``kappa``.
    what: str
    labels: tuple[str, ...]
    sign: str
    bound: float

    def holds(self, value: float) -> bool:
        """Whether the rule holds for a number."""
        return _SIGNS[self.sign](value, self.bound)


def parse_rule(text: str, labels: Sequence[str]) -> Rule:
    """Return a rule; raises ``InputError`` where it cannot be read or names other labels."""
    found = _RULE.fullmatch(text)
    if found is None:
        raise _fault(text, "it cannot be read")
    named = tuple(re.split(r"\s*,\s*", found["labels"])) if found["labels"] else ()
    for label in named:
        if label not in labels:
            raise _fault(text, f"{label} is no label of this audit")
    bound = float(found["bound"])
    if bound > 1:
        raise _fault(text, "a share is from 0 to 1")
    return Rule(found["what"] or "share", named, found["sign"], bound)


def _fault(text: str, reason: str) -> InputError:
    return InputError(
        f"rule {text!r}: {reason}", hint="write it like share(stale, dead) > 0.5 or recall >= 0.8"
    )
