"""The judge's settings with what the command line says instead."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.errors import UsageError

if TYPE_CHECKING:
    from vaultgraph.domain.settings import JudgeSettings


class Given(NamedTuple):
    """What the command line says about the judge; ``None`` where it says nothing."""

    name: str | None = None
    preset: str | None = None
    base_url: str | None = None
    model: str | None = None
    key_variable: str | None = None
    concurrency: int | None = None
    prior: float | None = None


def settings_with(settings: JudgeSettings, given: Given) -> JudgeSettings:
    """Return ``settings`` with what is ``given`` instead.

    Where another server is named, nothing that the file says about its own holds: least of all
    its key.
    """
    said = {key: value for key, value in given._asdict().items() if value is not None}
    is_elsewhere = any(
        value is not None and value != getattr(settings, key)
        for key, value in given._asdict().items()
        if key in {"name", "preset", "base_url"}
    )
    if is_elsewhere:
        settings = replace(
            settings,
            preset="",
            base_url="",
            path="",
            model="",
            key_variable="",
            headers=(),
            extra=(),
        )
    return replace(settings, **said)


def check_options(given: Given, *, is_embedded: bool, **options: object) -> None:
    """Refuse what the judge would pass over; ``None`` and ``False`` mean "not given".

    Raises:
        UsageError: one is for the embedded judge only, or for the others.
    """
    here = ("prior", "recut")
    for name, value in {**given._replace(name=None)._asdict(), **options}.items():
        if value is None or value is False or (name in here) == is_embedded:
            continue
        option = f"--{name.replace('_', '-')}"
        if is_embedded:
            raise UsageError(
                f"the embedded judge has no use for {option}: it asks nobody",
                hint="add --judge systemone or --judge openai",
            )
        raise UsageError(
            f"{option} is for the embedded judge alone", hint="add --judge embedded, or leave it"
        )
