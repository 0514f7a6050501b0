"""Builds the judge that the settings name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from vaultgraph.errors import InputError
from vaultgraph.judge.servers import OPENAI, SYSTEMONE, ServerSettings, resolve_endpoint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultgraph.domain.settings import JudgeSettings
    from vaultgraph.effects.openai_judge import OpenAIJudge
    from vaultgraph.effects.systemone import SystemOneJudge
    from vaultgraph.judge.pair_text import TextRules

EMBEDDED = "embedded"
JUDGES = (EMBEDDED, SYSTEMONE, OPENAI)


def check_judge_name(name: str) -> None:
    """Raise ``InputError`` where no judge has this name."""
    if name not in JUDGES:
        raise InputError(f"no judge is called {name}", hint=f"there are: {', '.join(JUDGES)}")


def open_remote_judge(
    settings: JudgeSettings,
    rules: TextRules,
    environment: Mapping[str, str],
    *,
    price: float | None = None,
    needs_key: bool = True,
) -> SystemOneJudge | OpenAIJudge:
    """Return the remote judge that ``settings`` name; nothing is sent yet.

    One that ``needs_key`` not is only good for showing what it would send.

    Raises:
        InputError: a setting, or the key it needs, is missing or makes no sense.
    """
    headers = tuple(_header(line) for line in settings.headers)
    server = ServerSettings(
        preset=settings.preset,
        base_url=settings.base_url,
        path=settings.path,
        model=settings.model,
        key_variable=_key_variable(settings.key_variable),
        headers=headers,
        timeout=settings.timeout or None,
        concurrency=settings.concurrency or None,
        price=price,
    )
    endpoint = resolve_endpoint(settings.name, server, environment, needs_key=needs_key)
    if settings.name == SYSTEMONE:
        if settings.extra:
            raise InputError(
                "judge.extra is for the judge openai alone", hint="take it out, or name that judge"
            )
        from vaultgraph.effects.systemone import SystemOneJudge

        return SystemOneJudge(endpoint, rules)
    from vaultgraph.effects.openai_judge import OpenAIJudge

    return OpenAIJudge(endpoint, rules, extra=dict(map(_extra, settings.extra)))


def _key_variable(written: str) -> str | None:
    """Return ``None`` for the server's usual key, and empty for a server that takes none."""
    return "" if written == "none" else written or None


def _header(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon or not name.strip():
        # The line may hold a secret, and is not repeated.
        raise InputError("a header in judge.headers has no colon", hint='write "Name: value"')
    return name.strip(), value.strip()


def _extra(line: str) -> tuple[str, object]:
    name, _, value = line.partition(":")
    try:
        return name.strip(), json.loads(value if name.strip() else "")
    except ValueError:
        raise InputError(
            f"judge.extra holds {line!r}, which is no name and JSON value",
            hint="write 'reasoning_effort: \"none\"'",
        ) from None
