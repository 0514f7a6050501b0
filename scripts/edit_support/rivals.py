"""The same entry added with python-frontmatter and with ruamel.yaml, as their users would."""

from __future__ import annotations

import importlib
import io
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import frontmatter

from scripts.edit_support.ours import block_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scripts.edit_support.ours import Attempt

_FENCE = re.compile("\ufeff?---\r?\n")


class Rival:
    """One way of adding an entry: how many blocks it keeps, changes, or cannot read."""

    def __init__(self, name: str, add: Callable[[Attempt, str], str]) -> None:
        self.name = name
        self._add = add
        self.seen: Counter[str] = Counter()

    def try_all(self, attempts: Iterable[Attempt], key: str) -> Rival:
        """Try every note that has frontmatter, and that we could edit."""
        for attempt in attempts:
            block = block_of(attempt.before.encode())
            if block is None:
                continue
            self.seen["blocks"] += 1
            try:
                after = self._add(attempt, key)
            except Exception:  # noqa: BLE001 - whatever it raises, it cannot edit this note
                self.seen["fails"] += 1
                continue
            new = block_of(after.encode("utf-8", "replace"))
            is_same = new is not None and _others(new, key) == _others(block, key)
            self.seen["keeps"] += is_same
            self.seen["keeps the body"] += _body(after) == _body(attempt.before)
        return self


def share(counts: Counter[str], what: str) -> str:
    """Return a count as a share of the blocks."""
    blocks = counts["blocks"]
    return f"{100 * counts[what] / blocks:.1f} %" if blocks else "-"


def _others(block: str, key: str) -> list[str]:
    """Return the lines that are not those of the property ``key``."""
    kept: list[str] = []
    is_ours = False
    for line in block.splitlines(keepends=True):
        found = re.match(r"""["']?([^\s"'#-][^"':]*?)["']? *:(?:\s|$)""", line)
        if found:
            is_ours = found[1].lower() == key
        is_part = found is not None or line[:1] in {" ", "-", "]"}
        if not (is_ours and is_part):
            kept.append(line)
    return kept


def _body(text: str) -> str:
    block = block_of(text.encode("utf-8", "replace"))
    opening = _FENCE.match(text)
    if block is None or opening is None:
        return text
    return text[opening.end() + len(block) :].partition("\n")[2]


def with_ours(attempt: Attempt, _key: str) -> str:
    """Return what our editor made of it."""
    return attempt.after


def with_frontmatter(attempt: Attempt, key: str) -> str:
    """Load and dump with python-frontmatter as its readme shows it."""
    post = frontmatter.loads(attempt.before)
    post[key] = attempt.expected
    return str(frontmatter.dumps(post))


def with_frontmatter_tuned(attempt: Attempt, key: str) -> str:
    """Load and dump with python-frontmatter, with every option that keeps more."""
    post = frontmatter.loads(attempt.before)
    post[key] = attempt.expected
    options: dict[str, Any] = {"sort_keys": False, "allow_unicode": True, "width": 1 << 30}
    return str(frontmatter.dumps(post, **options))


def with_ruamel(attempt: Attempt, key: str, *, is_tuned: bool = False) -> str:
    """Round-trip the block with ruamel.yaml, the rest of the note kept as it is."""
    text = attempt.before
    ruamel = importlib.import_module("ruamel.yaml")
    loader = ruamel.YAML(typ="rt")
    if is_tuned:
        loader.preserve_quotes = True
        loader.width = 1 << 30
        loader.indent(mapping=2, sequence=4, offset=2)
    block = block_of(text.encode())
    opening = _FENCE.match(text)
    if block is None or opening is None:
        raise ValueError("no frontmatter")
    data = loader.load(block)
    if data is None:
        data = {}
    data[key] = attempt.expected
    out = io.StringIO()
    loader.dump(data, out)
    start = opening.end()
    return text[:start] + out.getvalue() + text[start + len(block) :]


def with_ruamel_tuned(attempt: Attempt, key: str) -> str:
    """Round-trip with quotes, width and list indentation as most vaults have them."""
    return with_ruamel(attempt, key, is_tuned=True)


def ways() -> list[Rival]:
    """Return every way, new."""
    return [
        Rival("vaultgraph", with_ours),
        Rival("python-frontmatter", with_frontmatter),
        Rival("python-frontmatter, tuned", with_frontmatter_tuned),
        Rival("ruamel.yaml", with_ruamel),
        Rival("ruamel.yaml, tuned", with_ruamel_tuned),
    ]
