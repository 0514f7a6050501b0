"""The settings file and the command line together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vaultgraph.cli.judge_settings import Given, check_options, settings_with
from vaultgraph.domain.settings import JudgeSettings
from vaultgraph.errors import UsageError

FILE = JudgeSettings(
    name="systemone",
    base_url="https://judge.example",
    path="/p",
    model="m",
    key_variable="EXAMPLE_KEY",
    headers=("X-Secret: 1",),
    timeout=9,
    concurrency=4,
    tokens_per_note=300,
)
#: Without what is about one server.
NEUTRAL = JudgeSettings(name="systemone", timeout=9, concurrency=4, tokens_per_note=300)


def test_nothing_given_nothing_changed():
    assert settings_with(FILE, Given()) == FILE


def test_what_is_said_again_changes_nothing():
    assert settings_with(FILE, Given(name="systemone", base_url=FILE.base_url)) == FILE


def test_what_is_given_counts_instead():
    given = Given(model="other", key_variable="MINE", concurrency=2, prior=0.1)
    wanted = replace(FILE, model="other", key_variable="MINE", concurrency=2, prior=0.1)
    assert settings_with(FILE, given) == wanted


@pytest.mark.parametrize(
    "given",
    [
        Given(name="openai"),
        Given(name="embedded"),
        Given(preset="ollama"),
        Given(base_url="https://elsewhere.example"),
        Given(base_url="https://elsewhere.example", model="n", key_variable="NEW_KEY"),
    ],
)
def test_no_key_header_or_path_of_the_files_server_goes_to_another(given):
    said = {key: value for key, value in given._asdict().items() if value is not None}
    assert settings_with(FILE, given) == replace(NEUTRAL, **said)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("preset", "ollama"),
        ("base_url", "http://localhost"),
        ("model", "m"),
        ("key_variable", "K"),
        ("concurrency", 3),
    ],
)
def test_what_the_embedded_judge_would_pass_over(option, value):
    given = Given(**{option: value})
    with pytest.raises(UsageError, match=f"no use for --{option.replace('_', '-')}"):
        check_options(given, is_embedded=True)
    check_options(given, is_embedded=False)


def test_price_and_what_only_the_embedded_judge_takes():
    with pytest.raises(UsageError, match="no use for --price"):
        check_options(Given(), is_embedded=True, price=0.0)
    for given, options in ((Given(prior=0.1), {}), (Given(), {"recut": True})):
        check_options(given, is_embedded=True, **options)
        with pytest.raises(UsageError, match="for the embedded judge alone"):
            check_options(given, is_embedded=False, **options)
    check_options(Given(name="openai"), is_embedded=False, recut=False, price=None)
