"""``init``: a commented configuration from what stands in this vault."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, fields, replace
from textwrap import wrap
from typing import TYPE_CHECKING

from vaultgraph.candidates.pairs import find_pairs, name_shares
from vaultgraph.flows.context import masker_of
from vaultgraph.flows.survey import survey_vault
from vaultgraph.judge.embedded.weights import load_weights
from vaultgraph.judge.servers import PRESETS, SYSTEMONE
from vaultgraph.vault.closing import status_word
from vaultgraph.vault.scope import decide_scope

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultgraph.domain.notes import Skip
    from vaultgraph.domain.settings import Settings
    from vaultgraph.flows.context import Context

#: Properties in which people keep a note's state.
STATUS_KEYS = ("status", "state", "stage", "phase")
#: A name is called noisy from so many pairs on that nothing but the name makes.
_NOISY = 8
_MOST_VALUES = 12


@dataclass(frozen=True, slots=True)
class InitReport:
    """What a new configuration says, and what it was made from."""

    text: str
    #: (key, value, how many notes, whether it counts as closed), most frequent first.
    statuses: list[tuple[str, str, int, bool]]
    keys: tuple[str, ...]
    noisy: list[str]
    #: (reason, how many notes, their folders) of what is left out.
    skipped: list[tuple[str, int, list[str]]]
    archived: int
    records: int


def plan_config(context: Context) -> InitReport:
    """Return the configuration for a vault that has none; nothing is written."""
    settings = replace(context.settings, status=replace(context.settings.status, keys=STATUS_KEYS))
    survey = survey_vault(context.vault, context.notes, settings)
    listing = context.vault.list_files()
    app = context.vault.read_app_settings()
    scope = decide_scope(listing, settings, app)
    facts = context.notes.read(scope.notes, settings)
    closed = {status_word(value) for value in settings.status.closed}
    mask = masker_of(survey).mask
    counted: Counter[tuple[str, str]] = Counter()
    for number, fact in enumerate(facts):
        if not survey.is_private(number):
            counted.update((key.lower(), mask(value)) for key, value in fact.statuses)
    statuses = [
        (key, value, count, status_word(value) in closed)
        for (key, value), count in sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    ]
    used = {key for key, _, _, is_closed in statuses if is_closed}
    keys = tuple(key for key in STATUS_KEYS if key == "status" or key in used)
    noisy = [
        share.name for share in name_shares(survey, find_pairs(survey)) if share.alone >= _NOISY
    ]
    skipped = _left_out(scope.skipped)
    report = InitReport(
        "", statuses, keys, noisy, skipped, len(scope.archived), len(scope.records)
    )
    return replace(report, text=_render(report, settings))


def _render(report: InitReport, settings: Settings) -> str:
    """Return the file's text: every setting with its default, the differences switched on."""
    scope, status, names, keys = settings.scope, settings.status, settings.names, settings.keys
    lines = [
        "# vaultgraph's settings for this vault. A line that is commented out shows the default.",
        "schema = 1",
        "",
        "[scope]",
        "# Globs match a path, or a folder with all below it, in any letter case:",
        '# "Archive" is a folder at the top, "**/archive" one at any depth, "Notes/*.md" files.',
        "# include = []          # empty: every note",
        f"# exclude = []          # {_skipped(report)}",
        "# records = []          # notes that say what was true then: logs, meetings",
        f"# date-titles = true    # so is a title that begins with a date ({report.records} here)",
        f"# archives = {_list(scope.archives)}",
        f"#                       # notes there are closed ({report.archived} here)",
        "# private = []          # never leave this machine, like a note with `private: true`",
        "",
        "[status]",
        *_statuses(report),
        f"keys = {_list(report.keys)}",
        *_long_list("closed", status.closed),
        f"# superseded = {_list(status.superseded)}",
        "#                       # of the closed ones, those whose subject lives on",
        "",
        "[names]",
        f"# minimum-words = {names.minimum_words}     # shorter names drown everything",
        *_noisy(report),
        "",
        "[proposals]",
        f"# cutoff = {settings.proposals.cutoff}          # from here on a verdict is proposed",
        f"# middle = {settings.proposals.middle}          # from here on it is shown, not written",
        "",
        *_judge(settings),
        "",
        "[keys]",
        "# What our properties are called here.",
        *(
            f"# {field.replace('_', '-')} = {json.dumps(getattr(keys, field))}"
            for field in (f.name for f in fields(keys))
        ),
    ]
    return "\n".join(lines) + "\n"


def _judge(settings: Settings) -> list[str]:
    """Return the section about who judges: the defaults that it comes to without it."""
    judge, weights = settings.judge, load_weights()
    server, preset = next(iter(PRESETS[SYSTEMONE].items()))
    others = ", ".join(list(PRESETS[SYSTEMONE])[1:])
    return [
        "[judge]",
        f'# name = "{judge.name}"     # on this machine; "systemone" and "openai" ask a server',
        f"# cap = {weights.cap:.0f}              # its proposals for a hundred notes, at most",
        f"# floor = {weights.floor}          # the lowest score that it proposes",
        f"# prior = {weights.base_rate:.2f}          # the share of dependencies that it expects",
        "# What a server is asked, and where it is (docs/remote-judges.md):",
        f'# questions = "{judge.questions}"',
        f"# tokens-per-note = {judge.tokens_per_note} # how much of a note it is shown, at most",
        f'# preset = "{server}"   # or {others}',
        f'# base-url = "{preset.base_url}"',
        f'# path = "{preset.path}"',
        f'# model = "{preset.model}"',
        f'# key-variable = "{preset.key_variable}"  # in the environment; "none": it takes none',
        "# timeout = 30          # seconds",
        "# concurrency = 8       # calls at a time",
        '# headers = []          # "Name: value" each',
        '# extra = []            # "name: JSON value" each, into every request of openai',
    ]


def _list(values: tuple[str, ...] | list[str]) -> str:
    return json.dumps(list(values), ensure_ascii=False)


def _long_list(key: str, values: tuple[str, ...]) -> list[str]:
    """Return a list over several commented lines."""
    inside = ", ".join(json.dumps(value, ensure_ascii=False) for value in values)
    return [f"# {key} = [", *(f"#   {line}" for line in wrap(inside, 90)), "# ]"]


def _left_out(skips: Iterable[Skip]) -> list[tuple[str, int, list[str]]]:
    """Return what is left out by reason, with the folders; a masked path has none."""
    folders: dict[str, set[str]] = {}
    counted: Counter[str] = Counter()
    for skip in skips:
        counted[skip.reason] += 1
        folders.setdefault(skip.reason, set()).add(skip.path.rpartition("/")[0])
    return [
        (reason, count, sorted(folder for folder in folders[reason] if folder))
        for reason, count in sorted(counted.items())
    ]


def _skipped(report: InitReport) -> str:
    counted = ", ".join(f"{count} {reason}" for reason, count, _ in report.skipped)
    return f"left out already: {counted}" if counted else "nothing is left out"


def _statuses(report: InitReport) -> list[str]:
    if not report.statuses:
        return ["# No note here has a status. These are the properties looked at:"]
    lines = ["# Found in this vault, and what each value is taken for:"]
    for key, value, count, is_closed in report.statuses[:_MOST_VALUES]:
        shown = json.dumps(value, ensure_ascii=False)
        lines.append(f"#   {count:>6}  {key}: {shown}  {'closed' if is_closed else 'live'}")
    more = len(report.statuses) - _MOST_VALUES
    return [*lines, f"#   and {more} more values"] if more > 0 else lines


def _noisy(report: InitReport) -> list[str]:
    if not report.noisy:
        return ["# ignore = []           # names that make no evidence"]
    return [
        "# Names that make the most pairs with nothing else behind them; ignore the ones that",
        "# are phrases here, not notes:",
        f"# ignore = {_list(report.noisy[:_MOST_VALUES])}",
    ]
