"""What is known before a file is put into a vault: settings, and our files as they stand."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from vaultgraph.domain.writing import NewEvent
from vaultgraph.flows.obsidian_settings import parse_settings, templater_state

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from vaultgraph.domain.settings import KeySettings
    from vaultgraph.domain.writing import LedgerEvent

SCRIPT, TEMPLATE, BASE = "vaultgraph_review.js", "vaultgraph review.md", "Review queue.base"
NAMES = (SCRIPT, TEMPLATE, BASE)
INSTALLED = "installed"

#: ``older``: ours and unedited, of another version. ``edited``: its owner changed it, or it never
#: was ours; such a file is never overwritten.
FileState = Literal["missing", "current", "older", "edited"]
#: Key names that stand in a base as they are; others would have to be escaped in ways that were
#: never tried in the app.
_PLAIN_KEY = re.compile(r"[^\W_](?:[\w .-]*\w)?")


class KeepsObsidianFiles(Protocol):
    """The files of a vault that are Obsidian's or for it, and the app itself."""

    def shipped(self) -> dict[str, bytes]:
        """Return our three files, by name."""
        ...

    def read_settings(self) -> dict[str, bytes]:
        """Return those of Obsidian's settings files that exist, by name."""
        ...

    def has_templater(self) -> bool:
        """Whether the plugin's folder is there."""
        ...

    def read(self, path: str) -> bytes | None:
        """Return a file of the vault, or ``None``."""
        ...

    def write(self, path: str, content: bytes, old: bytes | None) -> None:
        """Make a file, or replace one that holds ``old``, which is backed up first."""
        ...

    def write_settings(self, name: str, content: bytes, old: bytes | None) -> None:
        """Replace one of Obsidian's settings files, which is backed up first."""
        ...

    def is_obsidian_running(self) -> bool | None:
        """Whether the app runs on this machine; ``None`` where that cannot be told."""
        ...


class InstalledFile(NamedTuple):
    """One of our files, where it is or is to be, and how it stands."""

    name: str
    #: Vault-relative; ``None`` where its folder is not known.
    path: str | None
    state: FileState


class Folders(NamedTuple):
    """Where script and template belong, vault-relative; ``None`` where nobody said."""

    scripts: str | None
    templates: str | None


class Setup:
    """Everything that is known before a file is written."""

    def __init__(
        self,
        files: KeepsObsidianFiles,
        paths: Collection[str],
        events: Iterable[LedgerEvent],
        keys: KeySettings,
    ) -> None:
        self.files = files
        self._raw_settings = files.read_settings()
        self.settings = parse_settings(self._raw_settings)
        self.templater = templater_state(self.settings, is_installed=files.has_templater())
        self._paths = sorted(paths)
        self._shipped = files.shipped()
        base = fill_keys(self._shipped[BASE].decode(), keys)
        self._wanted: dict[str, bytes] = {
            **{name: self._shipped[name] for name in (SCRIPT, TEMPLATE)},
            **({BASE: base.encode()} if base is not None else {}),
        }
        self._ours = _installed_hashes(events)

    @property
    def has_base(self) -> bool:
        """Whether our key names can stand in the base."""
        return BASE in self._wanted

    def old_setting(self, name: str) -> bytes | None:
        """Return a settings file as it was read."""
        return self._raw_settings.get(name)

    def locate(self, folders: Folders) -> list[InstalledFile]:
        """Return each file where it is, or else where it belongs."""
        return [self._locate(name, folders) for name in self._wanted]

    def wanted(self, name: str) -> bytes:
        """Return what a file of ours is to hold in this vault."""
        return self._wanted[name]

    def _locate(self, name: str, folders: Folders) -> InstalledFile:
        folder = folders.scripts if name == SCRIPT else folders.templates
        if folder is None:
            return InstalledFile(name, None, "missing")
        prefix = f"{folder}/" if folder else ""
        # Templater looks into subfolders, too; a base may lie anywhere.
        start = "" if name == BASE else prefix
        usual = f"{prefix}{name}"
        found = [p for p in self._paths if p.startswith(start) and f"/{p}".endswith(f"/{name}")]
        path = usual if usual in found or not found else found[0]
        return InstalledFile(name, path, self._state(name, path))

    def _state(self, name: str, path: str) -> FileState:
        held = self.files.read(path)
        if held is None:
            return "missing"
        if held == self._wanted[name]:
            return "current"
        return "older" if _hash(held) in self._ours.get(name, ()) else "edited"


def fill_keys(base: str, keys: KeySettings) -> str | None:
    """Return the base with this vault's key names; ``None`` where they cannot stand in one."""
    names = {"depends-on-proposed": keys.proposed, "depends-on": keys.accepted}
    if not all(_PLAIN_KEY.fullmatch(name) for name in names.values()):
        return None
    return re.sub(
        r'(?<=note\.|ote\["|rty\(")depends-on(?:-proposed)?', lambda m: names[m.group()], base
    )


def installed_event(name: str, path: str, content: bytes) -> NewEvent:
    """Return that a file of ours is about to be put into the vault."""
    return NewEvent(INSTALLED, {"file": name, "path": path, "sha256": _hash(content)})


def _installed_hashes(events: Iterable[LedgerEvent]) -> Mapping[str, set[str]]:
    """Return the hashes of all that we ever put into this vault, by file."""
    found: dict[str, set[str]] = {}
    for event in events:
        if event.kind == INSTALLED:
            name, digest = event.payload.get("file"), event.payload.get("sha256")
            if isinstance(name, str) and isinstance(digest, str):
                found.setdefault(name, set()).add(digest)
    return found


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
