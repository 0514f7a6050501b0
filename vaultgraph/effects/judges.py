"""Builds the judge that the settings name."""

from __future__ import annotations

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
    concurrency: int | None,
    price: float | None,
) -> SystemOneJudge | OpenAIJudge:
    """Return the remote judge that ``settings`` name; nothing is sent yet.

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
        concurrency=concurrency,
        price=price,
    )
    endpoint = resolve_endpoint(settings.name, server, environment)
    if settings.name == SYSTEMONE:
        from vaultgraph.effects.systemone import SystemOneJudge

        return SystemOneJudge(endpoint, rules)
    from vaultgraph.effects.openai_judge import OpenAIJudge

    return OpenAIJudge(endpoint, rules)


def _key_variable(written: str) -> str | None:
    """Return ``None`` for the server's usual key, and empty for a server that takes none."""
    return "" if written == "none" else written or None


def _header(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon or not name.strip():
        raise InputError(
            "a header in judge.headers has no colon", hint='write "Name: value"'
        ) from None
    return name.strip(), value.strip()
