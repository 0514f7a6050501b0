"""How notes say when they were written, changed, due or done, and what state they are in.

Patterns only; ``cleaning`` decides what becomes of a line. Repetitions are bounded or never give
back (``*+``), so that each search is linear in the line.
"""

from __future__ import annotations

import re

#: A colon, half or full width, and a dash of any length, inside a character class.
COLON = ":\uff1a"
DASH = "\u2013\u2014-"

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?[ \t]{1,3})?"
_CLOCK = r"(?:[T \t,]{1,3}(?:at )?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)"
_ZONE = r"(?:[ \t]?(?:Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2}|[ap]\.?m\.?)(?![\w]))"
_DAY = (
    r"(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4}"
    r"|[0-9]{1,2}/[0-9]{1,2}/[0-9]{2}"
    r"|[0-9]{4}年[0-9]{1,2}月[0-9]{1,2}日|(?:19|20)[0-9]{6}(?:[0-9]{4}(?:[0-9]{2})?)?"
    r"|[0-9]{4}-W[0-9]{1,2}"
    rf"|(?:[0-9]{{1,2}}(?:st|nd|rd|th)?[ \t]{{1,3}}(?:of )?)?{_MONTH}[ \t]{{1,3}}"
    r"(?:[0-9]{1,2}(?:st|nd|rd|th)?,?[ \t]{1,3})?[0-9]{4})(?![0-9])"
)
#: A date, alone or as a link to a daily note, with a time of day or without.
DATE = (
    rf"(?:\[\[|<|\[)?{_WEEKDAY}{_DAY}(?:[ \t]{{1,3}}\w{{3}}(?=[>\]]))?{_CLOCK}?{_ZONE}?"
    r"(?:\]\]|>|\])?"
)
#: A time told from today.
AGO = (
    r"(?:\b(?:(?:about|over|almost|some)[ \t])?"
    r"(?:[0-9]{1,4}|an?|one|two|three|four|five|six|few|a few|several)[ \t]"
    r"(?:second|minute|hour|day|week|month|year)s?[ \t](?:ago|old)"
    r"|today|yesterday|just now|(?:last|this)[ \t](?:week|month|year))"
)
WHEN = rf"(?:{DATE}|{AGO})(?!\w)"

_DONE_TO_IT = (
    r"created|written|added|started|updated|modified|edited|changed|revised|published|posted"
    r"|reviewed|checked|verified|completed|finished|closed|resolved|archived|cancell?ed|done|saved"
)
#: What stands before the colon where a line says its note's age. Never words that are also
#: headings of content, unless a date follows them.
AGE_LABEL = (
    rf"(?:(?:date|time)[ \t])?(?:(?:last|first|originally|recently)[ \t])?(?:{_DONE_TO_IT})"
    r"(?:[ \t](?:on|at|date|time))?"
    r"|(?:last|latest)[ \t](?:update|change|edit|modification|revision|review)"
    r"|(?:creation|modification|update|publication|review|due|start|end|completion|closing)"
    r"[ \t](?:date|time)|next review"
    r"|date|timestamp|due|deadline|scheduled|expires|updates?|edit|age"
)
#: Of these, the ones that say nothing but age: what follows need not be a date we can read.
PLAIN_AGE_LABEL = (
    r"(?:date[ \t])?created(?:[ \t](?:on|at))?"
    rf"|last[ \t](?:{_DONE_TO_IT}|update|change|edit|modification|revision|review)"
    r"(?:[ \t](?:on|at))?"
    r"|(?:creation|modification|due|completion|closing)[ \t]date|date|due"
    rf"|age(?=[*_~ \t]*[{COLON}][*_~ \t]*[0-9])"
)
STATUS_LABEL = r"(?:(?:current|note|document|project|plan)[ \t])?(?:status|state)|lifecycle"

#: Quotation marks, a bullet and a checkbox, as far as a line has them.
LEAD = (
    r"[ \t]*+(?:>[ \t]*+)*+(?:\[![\w-]{1,30}\][+-]?[ \t]*+)?+"
    r"(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]++)?+(?:\[.\][ \t]++)?+"
)

#: The names of inline fields, as :func:`field_name` spells them.
_FIELD = re.compile(
    r"(?:(?:date|time|last)-.*|.*-(?:date|time)|status|state|stage|lifecycle|progress|volatility"
    r"|(?:archived|closed|resolved|resolution|superseded|reviewed|review|next-review|created"
    r"|creation|ctime|updated|update|modified|modification|mtime|edited|changed|date|day|time"
    r"|timestamp|written|published|posted|age|due|deadline|scheduled|start|started|end|ended"
    r"|finish|finished|completion|complete|completed|done|cancell?ed|expires|expired|expiry)"
    r"(?:-(?:at|by|for|on|to))?)"
)
_EMPHASIS_OR_SPACE = re.compile(r"[\s_*~`\"']+")
_ONE_WORD = re.compile(r"[\w-]+")
_DATE_ONLY = re.compile(rf"[\s\"'(]*{DATE}[\s\"').]*", re.IGNORECASE)


def field_name(written: str) -> str:
    """Return the name of an inline field as it is compared: ``**Due Date**`` is ``due-date``."""
    return _EMPHASIS_OR_SPACE.sub("-", written.casefold()).strip("-")


def is_stamp_field(written: str, value: str, status_names: frozenset[str]) -> bool:
    """Whether an inline field tells a note's or a task's state or time.

    ``status_names`` are the names the owner gave to status, spelled by :func:`field_name`. Without
    a space after the colons, more than one word is code: ``Time::HiRes (…)``.
    """
    if value[:1].strip() and not _ONE_WORD.fullmatch(value) and not _DATE_ONLY.fullmatch(value):
        return False
    name = field_name(written)
    return (
        _FIELD.fullmatch(name) is not None
        or name in status_names
        or _DATE_ONLY.fullmatch(value) is not None
    )
