"""A note's text without what tells its state or its age: law 5 of the design.

What goes: inline status fields, dates of tasks and of Dataview fields, lines such as "Last
updated: …", lines that are nothing but a date, and a block at the top that only looks like
frontmatter. A date inside a sentence is content and stays. Where a line could be either, it goes.
"""

from __future__ import annotations

import re
from functools import lru_cache

from vaultgraph.judge import stamps
from vaultgraph.judge.stamps import (
    AGE_LABEL,
    COLON,
    DASH,
    DATE,
    LEAD,
    WHEN,
    field_name,
    is_stamp_field,
)

#: A line at least this long may go on in the next one.
_WRAPPED = 60
_FEWEST_WORDS_OF_A_SENTENCE = 4
_MOST_WORDS_OF_A_STATUS = 4
_MOST_WORDS_OF_AN_AGE = 3

_I = re.IGNORECASE
_HEADING = r"(?:#{1,6}[ \t]++)?+"
_DATED_MARK = re.compile(
    # Tasks: https://publish.obsidian.md/tasks/Reference/Task+Formats/Tasks+Emoji+Format
    rf"[📅📆🗓✅\u2795⏳⌛🛫❌⏰]\ufe0f?[ \t]*{DATE}"
    # The Kanban and Reminder plugins, TaskPaper, Org, todo.txt.
    rf"|@{{1,2}}\{{[ \t]*(?:{DATE}|[0-9]{{1,2}}:)[^{{}}\n]*\}}|\(@{DATE}[^()\n]*\)|@\[\[{DATE}"
    rf"|@[\w-]{{1,30}}\([ \t]*{DATE}[^()\n]*\)"
    r"|\b(?:SCHEDULED|DEADLINE|CLOSED|CREATED):[ \t]*[<\[][^<>\[\]\n]*[>\]]"
    rf"|(?<![\w-])(?:due|done|created|updated|completed|scheduled|start|completion):{DATE}"
    # A status written as a tag.
    r"|(?<!\w)#(?:status|state)/[\w/-]+",
    _I,
)
# Dataview: https://blacksmithgu.github.io/obsidian-dataview/annotation/add-metadata/
_BRACKETED = re.compile(
    r"\[[ \t]{0,4}([^\[\]()|:\n]{1,60})::((?:[^\[\]\n]|\[\[?[^\[\]\n]*+\]\]?)*+)\]"
    r"|\([ \t]{0,4}([^\[\]()|:\n]{1,60})::((?:[^()\n]|\([^()\n]*+\))*+)\)"
)
_LINE_FIELD = re.compile(
    rf"(?P<lead>{LEAD})(?P<name>[^\s:\[\]()|][^:\[\]()|\n]{{0,60}})::(?P<value>.*)"
)
_LOOSE_FIELD = re.compile(
    rf"(?<![\w-])([A-Za-z][\w-]{{0,30}})::(?:[ \t]*{DATE}|[ \t]+(?:\[\[[^\[\]\n]*\]\]|\S+))", _I
)
_AGE_LINE = re.compile(
    rf"(?P<lead>{LEAD}{_HEADING})\|?[ \t(]*+[*_~]*+(?P<label>{AGE_LABEL})[*_~]*+[ \t]*+"
    rf"(?:by [^\d\n]{{1,40}}?[ \t])?(?P<sign>[{COLON}|={DASH}]|\b(?:on|at)\b)?[*_~ \t(]*+"
    rf"(?:on |at )?{WHEN}(?P<rest>.*)",
    _I,
)
_PLAIN_LINE = re.compile(
    rf"{LEAD}(?P<row>\|?)[ \t(]*+[*_~]*+"
    rf"(?:(?:{stamps.PLAIN_AGE_LABEL})|(?P<status>{stamps.STATUS_LABEL}))"
    rf"[*_~]*+[ \t]*+(?P<sign>[{COLON}|])(?!:)[*_~ \t]*+(?P<value>.*)",
    _I,
)
_ASIDE = re.compile(rf"\([ \t]*(?:{AGE_LABEL})[: \t]+(?:on |at )?{WHEN}[^()\n]*\)", _I)
_ABOUT_ITSELF = re.compile(
    r"\bthis (?:note|page|document|doc|file)(?: itself)? (?:was|is|has been)"
    r"(?: last| first| originally| recently)? [a-z]{3,12}(?: by [^\d\n]{1,40}?)?"
    rf" (?:on |at |in )?{WHEN}\.?",
    _I,
)
_ONLY_DATE = re.compile(rf"{LEAD}{_HEADING}[*_~(\- \t{DASH}]*+{DATE}[*_~) \t:.,{DASH}]*+", _I)
_DATE = re.compile(DATE, _I)
_AGO = re.compile(stamps.AGO, _I)
#: No other line can hold a stamp; most lines end here.
_SUSPECT = re.compile(
    r"[0-9:\uff1a|@📅📆🗓✅\u2795⏳⌛🛫❌⏰]|#stat"
    r"|\b(?:ago|old|today|yesterday|just now|week|month|year)\b",
    _I,
)
_BEGINS_ANEW = re.compile(r"[ \t]*(?:[-*+>#|]|[0-9]{1,9}[.)][ \t])")
_WORD = re.compile(r"[^\W_]+")
_SPACES = re.compile(r"(?<=\S)[ \t]{2,}")
_EMPTY_ITEM = re.compile(rf"{LEAD}(?:#{{1,6}}|[0-9]{{1,9}}[.)]|\[.\])?[\s|*_~()\[\].,;:{DASH}]*+")
_SEPARATORS = re.compile(rf"[ \t|.,;)*_~{COLON}{DASH}]+")
_SET_OFF = re.compile(rf"[ \t]*[{COLON}|]")
_FENCE = re.compile(r"(?:-{3,}|\+{3})[ \t]*")
_SETTING = re.compile(r"(?:#.*|- .*|-|[\w\"'][^:=]{0,80}(?::(?:[ \t].*)?|=.*)|[ \t]+\S.*)?")
_TITLE_DATE = re.compile(rf"{DATE}[ \t_:.,{DASH}]*", _I)
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u2028\u2029\ufeff]")


def clean_title(title: str) -> str:
    """Return a title without the date it begins with; one that is all date says only that."""
    title = " ".join(_CONTROLS.sub(" ", title).split())
    rest = title
    while dated := _TITLE_DATE.match(rest):
        rest = rest[dated.end() :]
    return rest if rest == title or _WORD.search(rest) else "(a dated note)"


@lru_cache(maxsize=32)
def clean_body(body: str, status_names: tuple[str, ...] = ()) -> str:
    """Return a body without what tells its state or age; lines keep their numbers.

    The body comes without frontmatter. ``status_names`` are further names of status fields.
    Cleaning twice is cleaning once. Kept for a while, since a note stands in many pairs.
    """
    names = frozenset(map(field_name, status_names))
    lines: list[str] = []
    before = ""
    for written in body.split("\n"):
        line = _CONTROLS.sub("", written).rstrip()
        if line and _SUSPECT.search(line):
            line = _clean_line(line, names, goes_on=_goes_on(before, line))
        lines.append(line)
        before = line
    start = _end_of_seeming_frontmatter(lines)
    return "\n".join([""] * start + lines[start:])


def _goes_on(before: str, line: str) -> bool:
    """Whether ``line`` seems to go on with a sentence that was broken at the margin."""
    return (
        len(before) >= _WRAPPED
        and before[-1] not in ".!?:|"
        and not before.startswith("#")
        and not _BEGINS_ANEW.match(line)
        # Who breaks a list item's lines also indents them.
        and (line[0].isspace() or not _BEGINS_ANEW.match(before))
    )


def _end_of_seeming_frontmatter(lines: list[str]) -> int:
    """Return how many lines at the top look like frontmatter that Obsidian does not see."""
    end = 0
    while True:
        at = end
        while at < len(lines) and not lines[at].strip():
            at += 1
        if at == len(lines) or not _FENCE.fullmatch(lines[at].strip()):
            return end
        closing = at + 1
        while closing < len(lines) and not _FENCE.fullmatch(lines[closing]):
            if not _SETTING.fullmatch(lines[closing]):
                return end
            closing += 1
        if closing == len(lines):
            return end
        end = closing + 1


def _clean_line(line: str, names: frozenset[str], *, goes_on: bool) -> str:
    # What one step takes away may join two halves of another stamp, so until nothing goes.
    while (cleaned := _clean_once(line, names, goes_on=goes_on)) != line:
        line = cleaned
    return line


def _clean_once(line: str, names: frozenset[str], *, goes_on: bool) -> str:
    kept = _without_fields(line, names) if "::" in line else line
    kept = _DATED_MARK.sub("", kept)
    kept = _ABOUT_ITSELF.sub("", _ASIDE.sub("", kept))
    kept = _without_age(kept, goes_on=goes_on)
    if kept == line:
        return line
    kept = _SPACES.sub(" ", kept).rstrip()
    if not line[0].isspace():
        kept = kept.lstrip()
    return "" if _EMPTY_ITEM.fullmatch(kept) else kept


def _without_fields(line: str, names: frozenset[str]) -> str:
    def bracketed(found: re.Match[str]) -> str:
        name, value = found[1] or found[3], found[2] or found[4] or ""
        return "" if is_stamp_field(name, value, names) else found[0]

    def loose(found: re.Match[str]) -> str:
        value = found[0].partition("::")[2]
        # Dataview sees no field here, so it must be one beyond doubt.
        is_sure = field_name(found[1]) in names | {"status"} or _DATE.fullmatch(value.strip())
        return "" if is_sure else found[0]

    line = _BRACKETED.sub(bracketed, line)
    whole = _LINE_FIELD.fullmatch(line)
    if whole and is_stamp_field(whole["name"], whole["value"], names):
        return ""
    return _LOOSE_FIELD.sub(loose, line)


def _without_age(line: str, *, goes_on: bool) -> str:
    if not goes_on and _ONLY_DATE.fullmatch(line):
        return ""
    aged = _AGE_LINE.fullmatch(line)
    # "… was\ncompleted on 2025-03-01" is a sentence; a stamp has a colon or begins with a capital.
    if aged and (not goes_on or _SET_OFF.match(aged["sign"] or "") or aged["label"][0].isupper()):
        return _without_stamp(line, aged)
    plain = _PLAIN_LINE.fullmatch(line)
    if plain and bool(plain["row"]) == (plain["sign"] == "|") and "[[" not in plain["value"]:
        most = _MOST_WORDS_OF_A_STATUS if plain["status"] else _MOST_WORDS_OF_AN_AGE
        if len(_WORD.findall(plain["value"])) <= most:
            return ""
    return line


def _without_stamp(line: str, aged: re.Match[str]) -> str:
    """Return what stands after a stamp, if that is a sentence; the line, if it is all one."""
    rest = aged["rest"]
    if len(_WORD.findall(rest)) < _FEWEST_WORDS_OF_A_SENTENCE or _AGO.search(rest):
        return ""
    if not _SET_OFF.match(aged["sign"] or "") and not _SET_OFF.match(rest):
        return "" if aged["label"].casefold().startswith("last") else line
    separator = _SEPARATORS.match(rest)
    return aged["lead"] + rest[separator.end() if separator else 0 :]
