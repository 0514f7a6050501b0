from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from tests.unit.effects.writing_kit import Bench
from vaultgraph.effects.lock import VaultLockedError, vault_lock

HOLDER = """
import sys
from pathlib import Path
from vaultgraph.effects.lock import vault_lock
with vault_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "lock"


@pytest.fixture
def holder(path):
    """Another process that holds the lock until it is told to end."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout
    assert process.stdout.readline().strip() == b"held"
    yield process
    process.kill()
    process.communicate()


def test_held_by_another_process(path, holder):
    with pytest.raises(VaultLockedError) as caught, vault_lock(path):
        pass
    assert caught.value.holder == holder.pid
    assert str(caught.value) == f"vaultgraph process {holder.pid} is writing to this vault"
    assert caught.value.hint == f"wait until it has ended, or stop process {holder.pid}"
    assert caught.value.exit_code == 3


def test_free_again_when_the_other_ends(path, holder):
    holder.communicate()
    with vault_lock(path):
        assert int(path.read_bytes()) == os.getpid()


def test_free_again_when_the_other_is_killed(path, holder):
    holder.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
    holder.wait()
    with vault_lock(path):
        pass
    with vault_lock(path):
        assert int(path.read_bytes()) == os.getpid()


def test_not_twice_in_one_process(path):
    with vault_lock(path), pytest.raises(VaultLockedError), vault_lock(path):
        pass


def test_given_back_after_an_error(path):
    with pytest.raises(ZeroDivisionError), vault_lock(path):
        _ = 1 / 0
    with vault_lock(path):
        pass


def test_a_holder_that_left_no_name(path):
    with vault_lock(path):
        path.write_bytes(b"")
        with pytest.raises(VaultLockedError) as caught:
            vault_lock(path).__enter__()
    assert str(caught.value) == "another vaultgraph is writing to this vault"
    assert caught.value.hint == "wait until it has ended, or stop it"


def test_a_writer_does_not_touch_a_locked_vault(tmp_path):
    bench = Bench(tmp_path)
    note = bench.note("A.md", b"old")
    bench.folders.make_state()
    with vault_lock(bench.folders.lock), pytest.raises(VaultLockedError):
        bench.writer().write([bench.plan("A.md", b"new")], command="x")
    assert note.read_bytes() == b"old"
