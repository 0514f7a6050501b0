"""``obsidian install`` and ``obsidian status``: our script, its template and base in a vault."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vaultgraph.errors import ConflictError, InputError
from vaultgraph.flows.obsidian_settings import (
    TEMPLATER,
    TemplaterState,
    bind,
    bound_keys,
    parse_settings,
    templater_state,
)
from vaultgraph.flows.obsidian_setup import (
    BASE,
    TEMPLATE,
    Folders,
    InstalledFile,
    Setup,
    installed_event,
)

if TYPE_CHECKING:
    from vaultgraph.domain.writing import KeepsEvents


@dataclass(frozen=True, slots=True)
class ObsidianReport:
    """How our files and their hotkey stand."""

    templater: TemplaterState
    files: list[InstalledFile]
    hotkeys: list[str]
    #: What the owner still has to do, in order.
    left: list[str]
    #: The files that this run made or changed; settings files by their name in ``.obsidian``.
    written: list[str]


def obsidian_status(setup: Setup) -> ObsidianReport:
    """Return how everything stands; nothing is written."""
    return _report(setup, Folders(setup.templater.scripts, setup.templater.templates), [], [])


def install(
    setup: Setup, ledger: KeepsEvents, scripts: str, templates: str, *, is_binding: bool
) -> ObsidianReport:
    """Copy what is missing or older into the vault; with ``is_binding`` bind the hotkey, too.

    Raises:
        ConflictError: Obsidian runs, or may run, and would write its settings over ours.
        InputError: a file cannot be written, or there is no Templater to bind in.
    """
    if is_binding:
        _check_binding(setup)
    folders = Folders(clean_folder(scripts), clean_folder(templates))
    located = setup.locate(folders)
    written: list[str] = []
    for file in located:
        if file.path is not None and file.state in ("missing", "older"):
            content = setup.wanted(file.name)
            # Before the file: a crash must not leave one that is not known as ours.
            ledger.append([installed_event(file.name, file.path, content)])
            setup.files.write(file.path, content, setup.files.read(file.path))
            written.append(file.path)
    left: list[str] = []
    if is_binding:
        template = next(file.path for file in located if file.name == TEMPLATE)
        binding = bind(setup.settings, str(template), *map(str, folders))
        for name, content in binding.files.items():
            setup.files.write_settings(name, content, setup.old_setting(name))
            written.append(name)
        left = binding.left
    return _report(setup, folders, written, left)


def _check_binding(setup: Setup) -> None:
    if setup.files.is_obsidian_running() is not False:
        raise ConflictError(
            "Obsidian is running, or may be, and would overwrite its settings",
            hint="close it on this machine and run this again, or leave out --bind",
        )
    if not setup.templater.is_installed or TEMPLATER not in setup.settings:
        raise InputError(
            "Templater is not set up in this vault",
            hint="install and enable it in Obsidian, change any of its settings once, close"
            " Obsidian and run this again",
        )


def clean_folder(written: str) -> str:
    """Return a folder of the vault, relative to it; ``""`` is the vault itself.

    Raises:
        InputError: it lies outside, or is hidden, so that Templater cannot see it.
    """
    parts = [part for part in written.strip().replace("\\", "/").split("/") if part]
    if any(part.startswith(".") for part in parts) or ":" in written:
        raise InputError(
            f"not a folder that Templater can use: {written}",
            hint="name an ordinary folder by its path inside the vault",
        )
    return "/".join(parts)


def _report(setup: Setup, folders: Folders, written: list[str], left: list[str]) -> ObsidianReport:
    settings = parse_settings(setup.files.read_settings())
    templater = templater_state(settings, is_installed=setup.files.has_templater())
    files = setup.locate(folders)
    template = next(file for file in files if file.name == TEMPLATE)
    hotkeys = bound_keys(settings, template.path) if template.path is not None else []
    return ObsidianReport(
        templater,
        files,
        hotkeys,
        [*_steps(setup, templater, folders, files, hotkeys), *left],
        written,
    )


def _steps(
    setup: Setup,
    templater: TemplaterState,
    folders: Folders,
    files: list[InstalledFile],
    hotkeys: list[str],
) -> list[str]:
    """Return what is left to be done by hand."""
    template = next(file for file in files if file.name == TEMPLATE)
    steps = [
        f"{file.path} was edited and is left as it is; move it away to get the present one"
        for file in files
        if file.state == "edited"
    ]
    if any(file.state in ("missing", "older") for file in files):
        steps.append("vaultgraph obsidian install copies what is missing or older")
    if not setup.has_base:
        steps.append(f"{BASE} is left out: the key names of this vault cannot stand in a base")
    if not templater.is_installed or not templater.is_enabled:
        steps.append("Settings → Community plugins: install and enable Templater")
    for where, is_set, wanted in (
        ("Template folder location", templater.templates, folders.templates),
        ("Script files folder location", templater.scripts, folders.scripts),
    ):
        if is_set is None or is_set != wanted:
            to = "a folder of the vault" if wanted is None else wanted or "/"
            steps.append(f"Settings → Templater → {where}: {to}")
    if template.path is not None and template.path not in templater.listed:
        steps.append(f"Settings → Templater → Template hotkeys: add {template.path}, insert only")
    if template.path is not None and not hotkeys:
        steps.append(
            f"Settings → Hotkeys: give keys to Templater: Insert {template.path}, say,"
            " Ctrl/Cmd+Shift+D"
        )
    return steps


def obsidian_document(report: ObsidianReport) -> dict[str, Any]:
    """Return the report as ``obsidian status --json`` documents it."""
    templater = report.templater
    return {
        "templater": {
            "installed": templater.is_installed,
            "enabled": templater.is_enabled,
            "scripts_folder": templater.scripts,
            "templates_folder": templater.templates,
        },
        "files": [file._asdict() for file in report.files],
        "listed": any(
            file.path in templater.listed for file in report.files if file.name == TEMPLATE
        ),
        "hotkeys": report.hotkeys,
        "left": report.left,
        "written": report.written,
    }
