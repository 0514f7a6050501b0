"""What a server answered, made plain: a JSON object, a probability, the words of a refusal.

Nothing here trusts the server: whatever the bytes, the result is a checked value or an
:class:`AnswerFault` that says what is wrong and repeats none of it.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, TypeGuard

from vaultgraph.domain.judging import PairError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_LONGEST_WORDS = 200
_LONGEST_MODEL = 100
#: As many characters in a row of a note make a server's message a quotation of it.
_QUOTATION = 16
_SHORTEST_SECRET = 4

#: What servers call a request with too many tokens.
_TOO_LONG = frozenset(
    {"max_tokens_exceeded", "exceed_context_size_error", "context_length_exceeded"}
)
_TOO_LONG_WORDS = ("maximum context length", "context size", "context length", "context window")


class AnswerFault(ValueError):  # noqa: N818 -- becomes a ProtocolError where the host is known
    """An answer breaks the wire; the text says how."""


class ProtocolError(PairError):
    """A server's answer breaks the wire; the text names host, status and request id."""


def parse_object(data: bytes) -> dict[str, object]:
    """Return the JSON object in ``data``.

    Raises:
        AnswerFault: it holds no such thing.
    """
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise AnswerFault("the answer is not JSON") from None
    if not isinstance(value, dict):
        raise AnswerFault("the answer is not a JSON object")
    return value


def as_object(value: object, what: str) -> Mapping[str, object]:
    """Return ``value``, which must be an object; raises ``AnswerFault``."""
    if not isinstance(value, dict):
        raise AnswerFault(f"{what} is missing or no object")
    return value


def as_number(value: object, what: str) -> float:
    """Return a finite number; ``true`` is none. Raises ``AnswerFault``."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise AnswerFault(f"{what} is not a number")
    try:
        number = float(value)
    except OverflowError:
        raise AnswerFault(f"{what} is not a finite number") from None
    if not math.isfinite(number):
        raise AnswerFault(f"{what} is not a finite number")
    return number


def as_probability(value: object, what: str) -> float:
    """Return a number from 0 to 1; raises ``AnswerFault``."""
    number = as_number(value, what)
    if not 0 <= number <= 1:
        raise AnswerFault(f"{what} is not between 0 and 1")
    return number


def read_count(answer: Mapping[str, object], *names: str) -> int:
    """Return the first of these counts under ``usage``; 0 where there is none to be believed."""
    usage = answer.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    for name in names:
        value = counts.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e9:
            return int(value)
    return 0


def read_cost(answer: Mapping[str, object]) -> float | None:
    """Return what the call cost in US dollars, where the server says so."""
    usage = answer.get("usage")
    value = usage.get("cost") if isinstance(usage, dict) else None
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e6:
        return float(value)
    return None


def read_model(answer: Mapping[str, object], asked: str) -> str:
    """Return the model that answered, or the one asked where the server does not say."""
    model = answer.get("model")
    return (_one_line(model)[:_LONGEST_MODEL] if isinstance(model, str) else "") or asked


def find_words(data: bytes, hidden: Iterable[str] = ()) -> str:
    """Return what a server says went wrong, on one line, at most 200 characters.

    ``hidden`` are texts that must not be repeated: the notes and the key. A server may quote them.
    """
    try:
        words = _error_text(json.loads(data))
    except (ValueError, RecursionError):
        words = None
    if words is None:
        words = data[: 4 * _LONGEST_WORDS].decode("utf-8", "replace")
    words = _one_line(words)[:_LONGEST_WORDS]
    forms = (form for text in hidden for form in (_one_line(text), json.dumps(text)[1:-1]))
    if any(_quotes(words, form) for form in forms):
        return "(the server's words repeat what was sent, so they are not shown)"
    return words


def is_too_long(data: bytes) -> bool:
    """Whether a refusal means that the request had too many tokens."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return False
    if not isinstance(value, dict):
        return False
    tables = [part for part in (value, value.get("detail"), value.get("error")) if _is_table(part)]
    codes = {str(table.get(key)) for table in tables for key in _CODE_KEYS}
    words = (_error_text(value) or "").lower()
    return not _TOO_LONG.isdisjoint(codes) or any(text in words for text in _TOO_LONG_WORDS)


_CODE_KEYS = ("error_type", "type", "code")


def _is_table(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _error_text(value: object) -> str | None:
    """Return the message of an error body, in the order in which servers are known to put it."""
    if not isinstance(value, dict):
        return None
    detail, error = value.get("detail"), value.get("error")
    first = detail[0] if isinstance(detail, list) and detail else None
    candidates = (
        detail.get("message") if isinstance(detail, dict) else None,
        detail,
        first.get("msg") if isinstance(first, dict) else None,
        error.get("message") if isinstance(error, dict) else None,
        error,
        value.get("message"),
    )
    return next((text for text in candidates if isinstance(text, str)), None)


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _quotes(words: str, text: str) -> bool:
    if len(text) < _QUOTATION:
        return len(text) >= _SHORTEST_SECRET and text in words
    return any(words[at : at + _QUOTATION] in text for at in range(len(words) - _QUOTATION + 1))
