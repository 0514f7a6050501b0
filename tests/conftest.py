"""What holds for every test: its own caches, no network, and how hard properties are tried."""

from __future__ import annotations

import ipaddress
import os
import signal
import socket
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests.kit.vaults import SAMPLE_VAULT, copy_vault, write_vault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

# Whatever runs tests in the background may ignore interrupts, and then so would every program that
# a test starts and interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A run elsewhere must find what a run here finds, so CI draws the same examples every time.
settings.register_profile("ci", derandomize=True, deadline=None, max_examples=100)
settings.register_profile("dev", deadline=None, max_examples=100)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(autouse=True)
def _own_folders(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Give each test a home of its own, so that no cache or journal outlives it."""
    home = tmp_path_factory.mktemp("home")
    for variable, name in (
        ("HOME", "."),
        ("XDG_CACHE_HOME", "cache"),
        ("XDG_STATE_HOME", "state"),
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_DATA_HOME", "data"),
    ):
        monkeypatch.setenv(variable, os.fspath(home / name))
    for variable in ("VAULTGRAPH_VAULT", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TERM"):
        monkeypatch.delenv(variable, raising=False)


def _is_loopback(address: Any) -> bool:
    if not isinstance(address, tuple):
        return True  # a socket in the file system
    if address[0] == "localhost":
        return True
    try:
        return ipaddress.ip_address(address[0]).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test reach beyond this machine."""

    def guarded(name: str) -> Callable[..., Any]:
        real = getattr(socket.socket, name)

        def call(self: socket.socket, *arguments: Any) -> Any:
            assert _is_loopback(arguments[-1]), f"a test reaches for {arguments[-1]}"
            return real(self, *arguments)

        return call

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, guarded(name))


@pytest.fixture
def make_vault(tmp_path: Path) -> Callable[..., Path]:
    """Return what makes a vault of the given files in a folder of this test."""

    def make(files: Mapping[str, str | bytes], name: str = "vault") -> Path:
        return write_vault(tmp_path / name, files)

    return make


@pytest.fixture
def sample_vault(tmp_path: Path) -> Path:
    """Return a copy of the sample vault."""
    return copy_vault(SAMPLE_VAULT, tmp_path / "vault")
