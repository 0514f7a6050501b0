"""What the owner may set, as frozen values with their defaults."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultgraph.domain.notes import EntryList

#: Where they stand in a vault.
CONFIG_FILE = ".vaultgraph/config.toml"

#: Status values that mean "this has ended", in any letter case and with ``-``, ``_`` or a space.
CLOSED_VALUES: tuple[str, ...] = (
    "abandoned",
    "archived",
    "cancelled",
    "canceled",
    "closed",
    "complete",
    "completed",
    "dead",
    "deprecated",
    "discontinued",
    "done",
    "dropped",
    "ended",
    "expired",
    "failed",
    "finished",
    "inactive",
    "killed",
    "no longer",
    "not a bug",
    "not doing",
    "not planned",
    "obsolete",
    "outdated",
    "rejected",
    "replaced",
    "resolved",
    "retired",
    "scrapped",
    "shelved",
    "stopped",
    "superseded",
    "withdrawn",
    "won't do",
    "won't fix",
)
#: Of these, the ones that say the subject lives on in another form.
SUPERSEDED_VALUES: tuple[str, ...] = ("superseded", "replaced", "deprecated", "obsolete")

#: Folders whose notes are closed, as globs.
ARCHIVES: tuple[str, ...] = (
    "**/archive",
    "**/archives",
    "**/archived",
    "**/_archive",
    "**/[0-9]*archive",
    "**/[0-9]*archives",
)


@dataclass(frozen=True, slots=True)
class ScopeSettings:
    """Which notes take part. Globs match a path or any folder above it, in any letter case."""

    #: Empty means every note.
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    records: tuple[str, ...] = ()
    #: Whether a title that begins with a date makes a note a record.
    date_titles: bool = True
    archives: tuple[str, ...] = ARCHIVES
    private: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StatusSettings:
    """How a note says that it has ended."""

    keys: tuple[str, ...] = ("status",)
    closed: tuple[str, ...] = CLOSED_VALUES
    superseded: tuple[str, ...] = SUPERSEDED_VALUES


@dataclass(frozen=True, slots=True)
class NameSettings:
    """Which names count as mentions."""

    minimum_words: int = 2
    #: Names that make no evidence, compared without regard to case.
    ignore: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeySettings:
    """What our properties are called in this vault."""

    proposed: str = "depends-on-proposed"
    accepted: str = "depends-on"
    rejected: str = "depends-on-rejected"
    resolved_to: str = "resolved-to"
    resolved_on: str = "resolved-on"
    superseded_by: str = "superseded-by"
    reviewed: str = "reviewed"

    def of_list(self, entries: EntryList) -> str:
        """Return the property that holds a list of entries."""
        match entries:
            case "proposed":
                return self.proposed
            case "accepted":
                return self.accepted
            case "rejected":
                return self.rejected


@dataclass(frozen=True, slots=True)
class ProposalSettings:
    """From where on a judge's probability counts."""

    #: At or above it an entry is proposed.
    cutoff: float = 0.7
    #: From here up to the cutoff a person is shown the pair, and nothing is written.
    middle: float = 0.4


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """Who judges, and how. Keys never stand here: they come from the environment."""

    #: ``embedded`` (on this machine, no key), ``systemone`` or ``openai``.
    name: str = "embedded"
    #: A known server of a remote judge; empty means the first (docs/remote-judges.md).
    preset: str = ""
    base_url: str = ""
    path: str = ""
    model: str = ""
    #: The environment variable that holds the key; ``none`` where the server takes none.
    key_variable: str = ""
    #: ``Name: value`` each.
    headers: tuple[str, ...] = ()
    #: ``name: JSON value`` each: what ``openai`` puts into every request besides its own.
    extra: tuple[str, ...] = ()
    #: Seconds to wait for an answer, and calls at a time; 0 means the default for the server.
    timeout: int = 0
    concurrency: int = 0
    questions: str = "depends.v1"
    #: How much of each note a remote judge is shown at most.
    tokens_per_note: int = 800
    #: Proposals of the embedded judge per hundred notes, at most; 0 means its own measured cap.
    cap: int = 0
    #: The lowest score that the embedded judge proposes; 0 means its own.
    floor: float = 0.0
    #: The share of candidate directions that are dependencies; 0 means as in its training.
    prior: float = 0.0


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything in ``.vaultgraph/config.toml``."""

    scope: ScopeSettings = field(default_factory=ScopeSettings)
    status: StatusSettings = field(default_factory=StatusSettings)
    names: NameSettings = field(default_factory=NameSettings)
    keys: KeySettings = field(default_factory=KeySettings)
    proposals: ProposalSettings = field(default_factory=ProposalSettings)
    judge: JudgeSettings = field(default_factory=JudgeSettings)


@dataclass(frozen=True, slots=True)
class AppSettings:
    """What Obsidian's own settings say that matters here."""

    #: ``userIgnoreFilters``: "Excluded files".
    ignore_filters: tuple[str, ...] = ()
    #: Folders of the core templates plugin and of Templater.
    template_folders: tuple[str, ...] = ()
    #: Folder and moment.js format of the core daily notes plugin; ``None`` where it is not set up.
    daily_folder: str | None = None
    daily_format: str = "YYYY-MM-DD"
    #: Settings files that could not be read: (name, why).
    unreadable: tuple[tuple[str, str], ...] = ()
