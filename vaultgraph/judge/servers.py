"""Where a remote judge lives and how it is spoken to: presets, settings, the environment.

A key goes only to the host it belongs to. A preset's key variable is read for the preset's own
address, or for the one that the preset's address variable names; whoever names another address
names the variable of its key as well, so no key goes elsewhere by mistake.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import SplitResult, urlsplit

from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping


class Preset(NamedTuple):
    """A known host of a wire."""

    base_url: str
    path: str
    model: str = ""
    key_variable: str = ""
    base_variable: str = ""
    model_variable: str = ""
    #: US dollars for a million input tokens; ``None`` where it is not known.
    price: float | None = None


SYSTEMONE = "systemone"
OPENAI = "openai"

_SYSTEMONE_PATH = "/v1/systemone"
_CHAT_PATH = "/chat/completions"
#: By judge, the first one is what is meant where none is named.
PRESETS: dict[str, dict[str, Preset]] = {
    SYSTEMONE: {
        "typesafe": Preset(
            "https://api.typesafe.ai",
            _SYSTEMONE_PATH,
            model="jev-latest",
            key_variable="TYPESAFE_API_KEY",
            base_variable="TYPESAFE_BASE_URL",
            model_variable="TYPESAFE_DEFAULT_MODEL",
            price=0.042,
        ),
        "openrouter": Preset(
            "https://openrouter.ai/api",
            _SYSTEMONE_PATH,
            model="typesafe/jev-1.13",
            key_variable="OPENROUTER_API_KEY",
        ),
        "vercel": Preset(
            "https://ai-gateway.vercel.sh/typesafe",
            _SYSTEMONE_PATH,
            model="jev-latest",
            key_variable="AI_GATEWAY_API_KEY",
        ),
        "ollama": Preset("http://localhost:11434", _SYSTEMONE_PATH, price=0.0),
        # The server answers for the one model it has loaded, whatever is asked for.
        "llamacpp": Preset("http://localhost:8080", _SYSTEMONE_PATH, model="default", price=0.0),
    },
    OPENAI: {
        "openai": Preset(
            "https://api.openai.com/v1",
            _CHAT_PATH,
            key_variable="OPENAI_API_KEY",
            base_variable="OPENAI_BASE_URL",
        ),
        "ollama": Preset("http://localhost:11434/v1", _CHAT_PATH, price=0.0),
        "llamacpp": Preset("http://localhost:8080/v1", _CHAT_PATH, model="default", price=0.0),
    },
}


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What the owner may set about a remote judge; empty means the preset's own."""

    preset: str = ""
    base_url: str = ""
    path: str = ""
    model: str = ""
    #: The environment variable that holds the key; ``""`` where the server wants none.
    key_variable: str | None = None
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    #: Seconds to wait for an answer.
    timeout: float | None = None
    concurrency: int | None = None
    #: US dollars for a million input tokens.
    price: float | None = None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where requests go; everything is checked, and the key is never shown."""

    url: str
    #: Host and port, as shown to a person.
    host: str
    model: str
    is_local: bool
    timeout: float
    concurrency: int
    price: float | None
    key: str = field(default="", repr=False)
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)


#: By whether the host is this machine: a small model there answers slowly, one call at a time.
_TIMEOUT = {False: 30.0, True: 180.0}
_CONCURRENCY = {False: 8, True: 2}
_MOST = {"timeout": 3600, "concurrency": 64}
_HEADER_NAME = re.compile(r"[A-Za-z0-9-]+")


def resolve_endpoint(
    judge: str,
    settings: ServerSettings,
    environment: Mapping[str, str],
    *,
    needs_key: bool = True,
) -> Endpoint:
    """Return where ``judge`` (``systemone`` or ``openai``) sends its requests.

    Without ``needs_key`` a missing key is no fault, as long as nothing is sent.

    Raises:
        InputError: a setting is missing or makes no sense.
    """
    presets = PRESETS[judge]
    preset = presets.get(settings.preset or next(iter(presets)))
    if preset is None:
        raise InputError(
            f"the judge {judge} has no such preset", hint=f"there are: {', '.join(presets)}"
        )
    base_url = settings.base_url or environment.get(preset.base_variable) or preset.base_url
    address = _parse_address(base_url)
    model = settings.model or environment.get(preset.model_variable) or preset.model
    if not model:
        raise InputError(f"no model is named for {address.netloc}", hint="name it: --model NAME")
    headers = _checked_headers(settings.headers)
    key = _find_key(settings, preset, address, environment) if needs_key else ""
    has_secret = bool(key) or any(name.lower() == "authorization" for name, _ in headers)
    is_local = _is_loopback(address)
    if has_secret and address.scheme == "http" and not is_local:
        raise InputError(
            f"a key would go to {address.netloc} unencrypted", hint="use an https:// address"
        )
    price = preset.price if base_url == preset.base_url else (0.0 if is_local else None)
    return Endpoint(
        url=_join(base_url, settings.path or preset.path),
        host=address.netloc,
        model=model,
        is_local=is_local,
        timeout=_positive("timeout", settings.timeout, _TIMEOUT[is_local]),
        concurrency=int(_positive("concurrency", settings.concurrency, _CONCURRENCY[is_local])),
        price=price if settings.price is None else settings.price,
        key=key,
        headers=headers,
    )


def _parse_address(base_url: str) -> SplitResult:
    try:
        address = urlsplit(base_url)
        is_whole = address.scheme in {"http", "https"} and bool(address.hostname)
        port = address.port
    except ValueError:
        is_whole, port, address = False, None, urlsplit("")
    if not is_whole or port == 0 or not base_url.isascii() or not base_url.isprintable():
        raise InputError(
            "the judge's address is not one", hint="it looks like https://host or https://host/api"
        )
    if "@" in address.netloc or address.query or address.fragment:
        raise InputError(
            f"the judge's address on {address.hostname} holds more than host and path",
            hint="a key goes into an environment variable, named as judge.key-variable",
        )
    return address


def _is_loopback(address: SplitResult) -> bool:
    host = address.hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _join(base_url: str, path: str) -> str:
    base_url, path = base_url.rstrip("/"), f"/{path.lstrip('/')}"
    # Some give the address with the version, some without; no server has it twice.
    if base_url.endswith("/v1") and path.startswith("/v1/"):
        path = path.removeprefix("/v1")
    return base_url + path


def _find_key(
    settings: ServerSettings,
    preset: Preset,
    address: SplitResult,
    environment: Mapping[str, str],
) -> str:
    variable = settings.key_variable
    if variable is None:
        is_elsewhere = settings.base_url not in {"", preset.base_url}
        if is_elsewhere and not _is_loopback(address):
            raise InputError(
                f"which key is for {address.netloc}?",
                hint="name the variable that holds it: --key-variable NAME; none means no key",
            )
        variable = "" if is_elsewhere else preset.key_variable
    key = environment.get(variable, "") if variable else ""
    if key:
        return _checked_key(variable, key)
    if variable and not _is_loopback(address):
        raise InputError(f"{address.netloc} wants a key", hint=f"set {variable}")
    return ""


def _checked_key(variable: str, key: str) -> str:
    if not all("!" <= character <= "~" for character in key):
        raise InputError(
            f"the key in {variable} holds a space, a line end or a letter outside ASCII",
            hint="copy it again, without quotation marks around it",
        )
    return key


def _checked_headers(headers: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    for name, value in headers:
        if not _HEADER_NAME.fullmatch(name) or not all(" " <= c <= "~" for c in value):
            raise InputError(
                "a header for the judge holds characters that headers cannot",
                hint="names are letters, digits and hyphens; values are printable ASCII",
            )
    return headers


def _positive(name: str, value: float | None, default: float) -> float:
    if value is None:
        return default
    if not 0 < value <= _MOST[name]:
        raise InputError(f"{name} must lie between 0 and {_MOST[name]}")
    return value
