"""The configuration file in the vault: read by every command, written by two.

``init`` makes it; ``calibrate`` sets one number in it.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import TYPE_CHECKING

from vaultgraph.domain.settings import CONFIG_FILE, Settings
from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def read_settings(root: Path) -> Settings:
    """Return the vault's settings; the defaults where it has no file.

    Raises:
        InputError: the file cannot be read or makes no sense.
    """
    try:
        text = (root / CONFIG_FILE).read_bytes().decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return Settings()
    except UnicodeDecodeError:
        raise InputError(f"{CONFIG_FILE} is not UTF-8", hint="save it as UTF-8") from None
    except OSError as error:
        raise InputError(
            f"{CONFIG_FILE} cannot be read: {error.strerror}", hint="check its permissions"
        ) from None
    from vaultgraph.vault.config import parse_config

    return parse_config(text)


def write_new_settings(root: Path, text: str) -> Path:
    """Write the configuration of a vault that has none, and return where.

    Raises:
        InputError: there is one already, or it cannot be written.
    """
    path = root / CONFIG_FILE
    try:
        path.parent.mkdir(exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except FileExistsError:
        raise InputError(
            f"{CONFIG_FILE} exists already, and was left as it is",
            hint="edit it, or move it away and run init again",
        ) from None
    except OSError as error:
        raise InputError(
            f"{CONFIG_FILE} cannot be written: {error.strerror}",
            hint="check the vault's permissions, or use --print and save it yourself",
        ) from None
    return path


def set_number(root: Path, section: str, key: str, value: float, why: str) -> Path:
    """Set one number, with where it comes from beside it, and return the file.

    All else in the file stays as it is, comments too.

    Raises:
        InputError: the file makes no sense, or would make none then, or cannot be written.
    """
    from vaultgraph.vault.config import parse_config

    path = root / CONFIG_FILE
    read_settings(root)
    try:
        before = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        before = b""
    text = _with_number(before.decode("utf-8-sig"), section, key, value, why)
    parse_config(text)
    bom = BOM_UTF8 if before.startswith(BOM_UTF8) else b""
    try:
        path.parent.mkdir(exist_ok=True)
        _replace(path.resolve(), bom + text.encode())
    except OSError as error:
        raise InputError(
            f"{CONFIG_FILE} cannot be written: {error.strerror}",
            hint=f"set {key} = {value:g} in [{section}] yourself",
        ) from None
    return path


def _with_number(text: str, section: str, key: str, value: float, why: str) -> str:
    import tomlkit
    from tomlkit.items import InlineTable

    document = tomlkit.parse(text)
    table = document.setdefault(section, tomlkit.table())
    number = tomlkit.item(value)
    if not isinstance(table, InlineTable):
        # A comment in an inline table would hide what stands behind it.
        number.comment(why)
    table[key] = number
    return tomlkit.dumps(document)


def _replace(path: Path, content: bytes) -> None:
    from vaultgraph.effects.durable import replace_file

    mode = path.stat().st_mode if path.exists() else None
    replace_file(path, content)
    if mode is not None:
        path.chmod(mode)
