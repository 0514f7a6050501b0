from __future__ import annotations

import pytest

from vaultgraph.errors import InputError
from vaultgraph.judge.servers import PRESETS, ServerSettings, resolve_endpoint

KEY = "sk-0123456789abcdef"
KEYS = dict.fromkeys(("TYPESAFE_API_KEY", "OPENROUTER_API_KEY", "AI_GATEWAY_API_KEY"), KEY)


def resolve(judge="systemone", environment=KEYS, **settings):
    return resolve_endpoint(judge, ServerSettings(**settings), environment)


@pytest.mark.parametrize(
    ("judge", "preset", "url"),
    [
        ("systemone", "", "https://api.typesafe.ai/v1/systemone"),
        ("systemone", "openrouter", "https://openrouter.ai/api/v1/systemone"),
        ("systemone", "vercel", "https://ai-gateway.vercel.sh/typesafe/v1/systemone"),
        ("systemone", "ollama", "http://localhost:11434/v1/systemone"),
        ("systemone", "llamacpp", "http://localhost:8080/v1/systemone"),
        ("openai", "", "https://api.openai.com/v1/chat/completions"),
        ("openai", "ollama", "http://localhost:11434/v1/chat/completions"),
    ],
)
def test_presets(judge, preset, url):
    found = resolve(judge, {**KEYS, "OPENAI_API_KEY": KEY}, preset=preset, model="m")
    assert found.url == url
    assert found.is_local is ("localhost" in url)
    assert found.key == ("" if found.is_local else KEY)
    assert found.concurrency == (2 if found.is_local else 8)


def test_what_the_default_preset_brings():
    found = resolve()
    assert (found.model, found.price, found.host) == ("jev-latest", 0.042, "api.typesafe.ai")


def test_the_environment_names_address_and_model():
    environment = {
        "TYPESAFE_API_KEY": KEY,
        "TYPESAFE_BASE_URL": "https://proxy.example/typesafe/",
        "TYPESAFE_DEFAULT_MODEL": "jev-1.13.0",
    }
    found = resolve(environment=environment)
    assert found.url == "https://proxy.example/typesafe/v1/systemone"
    assert (found.model, found.key, found.price) == ("jev-1.13.0", KEY, None)
    assert resolve(environment=environment, model="jev-2").model == "jev-2"


@pytest.mark.parametrize(
    ("base", "path", "url"),
    [
        ("http://localhost:1/", "", "http://localhost:1/v1/systemone"),
        ("http://localhost:1/v1", "", "http://localhost:1/v1/systemone"),
        ("http://localhost:1/v1/", "v1/decisions", "http://localhost:1/v1/decisions"),
        ("http://127.0.0.1:1/a", "/b", "http://127.0.0.1:1/a/b"),
        ("http://[::1]:1", "", "http://[::1]:1/v1/systemone"),
    ],
)
def test_addresses_are_joined_without_a_second_version(base, path, url):
    found = resolve(base_url=base, path=path)
    assert found.url == url
    assert found.is_local
    assert found.price == 0


def test_a_key_does_not_go_to_another_host():
    with pytest.raises(InputError, match="which key is for evil"):
        resolve(base_url="https://evil.example")
    assert resolve(base_url="http://localhost:9").key == ""
    assert resolve(base_url="https://other.example", key_variable="").key == ""
    environment = {"MINE": "k"}
    found = resolve(environment=environment, base_url="https://o.example", key_variable="MINE")
    assert found.key == "k"


def test_a_key_does_not_go_unencrypted():
    for settings in (
        {"key_variable": "TYPESAFE_API_KEY"},
        {"key_variable": "", "headers": (("authorization", "Basic x"),)},
    ):
        with pytest.raises(InputError, match="unencrypted"):
            resolve(base_url="http://192.168.1.5:11434", **settings)
    # On this machine it may, and without a key a neighbour's server may be asked.
    assert resolve(base_url="http://localhost:1", key_variable="TYPESAFE_API_KEY").key == KEY
    assert not resolve(base_url="http://192.168.1.5:11434", key_variable="").is_local


def test_a_missing_key_says_which():
    with pytest.raises(InputError) as caught:
        resolve(environment={})
    assert caught.value.hint == "set TYPESAFE_API_KEY"


@pytest.mark.parametrize(
    "key", ["hush hush", "hush\n", "\thush", "hüsh", "hush\x00", "hush\u200b"]
)
def test_a_malformed_key_is_refused_and_not_shown(key):
    with pytest.raises(InputError, match="TYPESAFE_API_KEY holds") as caught:
        resolve(environment={"TYPESAFE_API_KEY": key})
    assert "sh" not in f"{caught.value.message}{caught.value.hint}"


def test_no_representation_shows_a_key():
    found = resolve(headers=(("X-Api-Key", KEY),))
    assert KEY not in repr(found)
    assert KEY not in repr(ServerSettings(headers=(("X-Api-Key", KEY),)))


@pytest.mark.parametrize(
    "base",
    ["localhost:8080", "ftp://a", "https://", "https://a:x", "https://a\nb", "https://ü"],
)
def test_what_is_no_address(base):
    with pytest.raises(InputError, match="is not one"):
        resolve(base_url=base, key_variable="")


@pytest.mark.parametrize(
    "base", ["https://me:secret@a.example", "https://a/?key=secret", "https://a/#secret"]
)
def test_an_address_holds_no_secret(base):
    with pytest.raises(InputError) as caught:
        resolve(base_url=base, key_variable="")
    assert "secret" not in f"{caught.value.message}{caught.value.hint}"


@pytest.mark.parametrize(
    "settings",
    [
        {"preset": "nobody"},
        {"preset": "ollama"},  # which model?
        {"concurrency": 0},
        {"concurrency": 1000},
        {"timeout": -1},
        {"headers": (("Bad Name", "x"),)},
        {"headers": (("X", "a\r\nb"),)},
    ],
)
def test_settings_that_make_no_sense(settings):
    with pytest.raises(InputError):
        resolve(**settings)


def test_every_preset_is_encrypted_or_local():
    for presets in PRESETS.values():
        for preset in presets.values():
            assert preset.base_url.startswith(("https://", "http://localhost:"))
