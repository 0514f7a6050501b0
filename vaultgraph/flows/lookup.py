"""Finds the note a person means on the command line: by path, title or alias."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING
from unicodedata import normalize

from vaultgraph.domain.notes import NoteId
from vaultgraph.errors import InputError
from vaultgraph.text.prose import fold_name
from vaultgraph.vault.scope import title_of

if TYPE_CHECKING:
    from vaultgraph.domain.survey import Survey

#: So many notes are named where several are meant.
_SHOWN = 5


def find_note(survey: Survey, written: str) -> int:
    """Return the number of the note meant by a path, a title or an alias, in any letter case.

    Raises:
        InputError: no note, or more than one, is called so.
    """
    exact = survey.number_of(NoteId(normalize("NFC", written)))
    if exact is not None:
        # As it is: a name may hold what is a folder's sign elsewhere.
        return exact
    wanted = normalize("NFC", written).strip().strip("/").replace("\\", "/")
    folded = wanted.casefold()
    matches = [
        number
        for number, note in enumerate(survey.notes)
        if note.casefold() in {folded, f"{folded}.md"}
    ]
    if not matches:
        name = fold_name(wanted)
        matches = [n for n, note in enumerate(survey.notes) if fold_name(title_of(note)) == name]
        matches = matches or sorted({n for alias, n in survey.aliases if alias == name})
    if len(matches) == 1:
        return matches[0]
    public = [survey.notes[number] for number in matches if not survey.is_private(number)]
    if matches:
        listed = ", ".join(public[:_SHOWN]) + (", …" if len(public) > _SHOWN else "")
        raise InputError(
            f"{len(matches)} notes are called {written}" + (listed and f": {listed}"),
            hint="give the note's path",
        )
    raise InputError(f"no note is called {written}", hint=_suggestion(survey, wanted))


def _suggestion(survey: Survey, wanted: str) -> str:
    titles = {
        title_of(note): note
        for number, note in enumerate(survey.notes)
        if not survey.is_private(number)
    }
    close = get_close_matches(
        wanted.rpartition("/")[2].removesuffix(".md"), titles, n=3, cutoff=0.6
    )
    if close:
        return f"did you mean {', '.join(titles[title] for title in close)}?"
    return "give a path in the vault, a title or an alias; vaultgraph scan --json lists the notes"
