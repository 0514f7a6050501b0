"""The names of a vault's notes, and which of them are specific enough to count as mentions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.domain.notes import Name
from vaultgraph.text.prose import fold_name, has_cjk

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from vaultgraph.domain.settings import NameSettings

#: A name without spaces counts from so many characters on, if it holds CJK letters.
MINIMUM_CJK = 4
#: A name that more notes share gives no evidence: it means none of them.
MAXIMUM_OWNERS = 3


class Names(NamedTuple):
    """All names that count as names, sorted by their folded text."""

    names: tuple[Name, ...]

    def ambiguous(self) -> tuple[Name, ...]:
        """Return the names more than one note has."""
        return tuple(name for name in self.names if len(name.owners) > 1)

    def own(self, numbers: Sequence[int]) -> list[tuple[int, ...]]:
        """Return for each of these notes the numbers of the names that it has itself."""
        own: dict[int, tuple[int, ...]] = dict.fromkeys(numbers, ())
        for name, (_, _, owners, _) in enumerate(self.names):
            for owner in owners:
                if owner in own:
                    own[owner] = (*own[owner], name)
        return [own[number] for number in numbers]


def is_specific(folded: str, minimum_words: int) -> bool:
    """Whether a folded name is specific enough: so many words, or four characters of CJK.

    One-word names drown everything: in a vault with a note called "Pipeline", a third of all
    notes mention it.
    """
    if folded.count(" ") + 1 >= minimum_words:
        return True
    return len(folded) >= MINIMUM_CJK and has_cjk(folded)


def collect_names(
    titles: Sequence[str], aliases: Mapping[int, Iterable[str]], settings: NameSettings
) -> Names:
    """Return the names of notes numbered as in ``titles``."""
    owners: dict[str, list[int]] = {}
    written: dict[str, str] = {}
    minimum = settings.minimum_words
    for number, title in enumerate(titles):
        for name in (title, *aliases.get(number, ())):
            folded = fold_name(name)
            if not folded or not is_specific(folded, minimum):
                continue
            having = owners.setdefault(folded, [])
            written.setdefault(folded, name)
            if not having or having[-1] != number:
                having.append(number)
    ignored = {fold_name(name) for name in settings.ignore}
    return Names(
        tuple(
            Name(
                folded,
                written[folded],
                tuple(owners[folded]),
                len(owners[folded]) <= MAXIMUM_OWNERS and folded not in ignored,
            )
            for folded in sorted(owners)
        )
    )
