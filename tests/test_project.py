"""What holds for the repository as a whole: sizes, words, rules, and a wheel that works."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.kit.vaults import REPOSITORY, SAMPLE_VAULT
from vaultgraph import domain, errors
from vaultgraph.errors import VaultgraphError

MODULES = sorted((REPOSITORY / "vaultgraph").rglob("*.py"))
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
by_module = pytest.mark.parametrize(
    "path", MODULES, ids=lambda path: path.relative_to(REPOSITORY).as_posix()
)


def kept_files() -> list[Path]:
    """Return the files of the repository: those that git has, or would take."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=REPOSITORY,
            capture_output=True,
            check=True,
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a checkout of git")
    paths = [REPOSITORY / os.fsdecode(name) for name in listed.split(b"\0") if name]
    return [path for path in paths if path.is_file()]


@by_module
def test_a_module_is_short(path: Path):
    assert len(path.read_text("utf-8").splitlines()) <= 400


def test_the_median_module_is_shorter():
    sizes = sorted(len(path.read_text("utf-8").splitlines()) for path in MODULES)
    assert sizes[len(sizes) // 2] <= 120


@by_module
def test_a_module_says_what_it_is(path: Path):
    module = ast.parse(path.read_text("utf-8"))
    docstring = ast.get_docstring(module)
    assert docstring
    assert docstring.split("\n")[0].strip()[-1] in ".?"


@by_module
def test_a_name_that_says_nothing_is_not_used(path: Path):
    assert not {"utils", "helpers", "common", "core", "manager", "io", "model", "misc"} & {
        part.removesuffix(".py") for part in path.relative_to(REPOSITORY).parts
    }


def all_errors(base: type[VaultgraphError] = VaultgraphError) -> set[type[VaultgraphError]]:
    found = set(base.__subclasses__())
    return found.union(*(all_errors(error) for error in found)) if found else found


def test_every_error_has_an_exit_code_of_its_own():
    direct = VaultgraphError.__subclasses__()
    codes = [error.exit_code for error in direct]
    assert sorted(codes) == [2, 3, 4, 5, 6]
    reserved = {0, errors.EXIT_FINDINGS, errors.EXIT_BUG, errors.EXIT_INTERRUPTED}
    assert not reserved & set(codes)
    for error in all_errors():
        assert error.__name__.endswith("Error")
        assert error.exit_code in codes
        assert "exit_code" in vars(error) or any(
            "exit_code" in vars(base) for base in error.__mro__[1:-3]
        )


def test_the_tree_of_errors_is_drawn():
    drawn = errors.__doc__ or ""
    for error in VaultgraphError.__subclasses__():
        if error.__module__ == errors.__name__:
            assert re.search(rf"{error.__name__} +{error.exit_code} ", drawn), error


GLOSSARY = (
    "note", "title", "alias", "name", "link", "mention", "evidence", "candidate pair",
    "dependent", "basis",
    "closed", "live", "superseded", "ended", "record", "private", "problem", "entry", "proposal",
    "rejection",
    "resolved", "first", "second",
)  # fmt: skip


@pytest.mark.parametrize("word", GLOSSARY)
def test_a_word_of_the_project_stands_in_the_glossary(word: str):
    assert re.search(rf"\b{word}\b", domain.__doc__ or "", re.IGNORECASE)


FORBIDDEN_CALLS = {"load", "loads", "parse", "dump", "dumps"}


@by_module
def test_the_library_that_rewrites_notes_is_used_for_its_interface_alone(path: Path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            assert not (node.value.id == "frontmatter" and node.attr in FORBIDDEN_CALLS)
        if isinstance(node, ast.ImportFrom) and node.module == "frontmatter":
            assert not FORBIDDEN_CALLS & {alias.name for alias in node.names}


def test_what_is_banned_is_configured():
    banned = PROJECT["tool"]["ruff"]["lint"]["flake8-tidy-imports"]["banned-api"]
    assert {
        "random", "datetime.datetime.now", "datetime.date.today", "time.time", "click",
        "frontmatter.load", "frontmatter.loads", "frontmatter.parse", "frontmatter.dump",
        "frontmatter.dumps",
    } <= set(banned)  # fmt: skip
    assert PROJECT["tool"]["ruff"]["lint"]["select"] == ["ALL"]
    assert PROJECT["tool"]["mypy"]["strict"] is True
    assert PROJECT["tool"]["pytest"]["ini_options"]["filterwarnings"] == ["error"]


@by_module
def test_no_clock_and_no_chance_outside_effects(path: Path):
    if path.is_relative_to(REPOSITORY / "vaultgraph" / "effects"):
        return
    if path.is_relative_to(REPOSITORY / "vaultgraph" / "cli") or path.name == "mcp_server.py":
        return
    imported: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            imported.add(node.module.partition(".")[0])
    allowed = {"random"} if "audit" in path.parts else set()
    assert (
        not imported
        & {"time", "os", "random", "secrets", "socket", "subprocess", "tempfile"} - allowed
    )


#: Built from parts, so that this file holds none of them.
MACHINE = re.compile(
    "|".join(f"/{part}/" for part in ("work", "root", "home/[a-z]", "Users/[a-z]", "tmp/[a-z]"))
)


def test_no_path_of_a_machine_stands_in_the_repository():
    found: list[str] = []
    for path in kept_files():
        relative = path.relative_to(REPOSITORY)
        # Notes of the fixtures are bytes of their own.
        if relative.parts[:2] in {("tests", "cases"), ("samples", "vault")}:
            continue
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{relative}: {match.group()}" for match in MACHINE.finditer(text)]
    assert found == []


def test_fixture_notes_are_stored_byte_by_byte():
    attributes = (REPOSITORY / ".gitattributes").read_text("utf-8")
    for folder in ("tests/cases/**", "samples/vault/**"):
        assert f"{folder} -text" in attributes


def test_dependencies_are_the_ones_imported():
    names = {"pyyaml": "yaml", "python-frontmatter": "frontmatter", "pyahocorasick": "ahocorasick"}
    declared = {
        names.get(name, name)
        for name in (
            re.split(r"[<>=!~ \[;]", line)[0] for line in PROJECT["project"]["dependencies"]
        )
    }
    extras = {
        names.get(name, name)
        for lines in PROJECT["project"].get("optional-dependencies", {}).values()
        for name in (re.split(r"[<>=!~ \[;]", line)[0] for line in lines)
    }
    imported: set[str] = set()
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                imported.add(node.module.partition(".")[0])
    outside = {
        name for name in imported if name not in sys.stdlib_module_names and name != "vaultgraph"
    }
    assert declared <= outside
    assert outside <= declared | extras


@pytest.mark.slow
def test_a_wheel_in_a_clean_environment(tmp_path: Path):
    """Build a wheel of the checkout, install it with what it needs, and scan the sample vault."""
    wheels = tmp_path / "wheels"
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "XDG_", "HOME"))
    } | {"HOME": os.path.expanduser("~"), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}  # noqa: PTH111 - as pip sees it

    def call(*command: str | Path) -> str:
        result = subprocess.run(
            [os.fspath(part) for part in command],
            capture_output=True,
            text=True,
            check=False,
            env=env,
            cwd=tmp_path,
            timeout=300,
        )
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    call(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
        wheels,
        REPOSITORY,
    )
    (wheel,) = wheels.glob("*.whl")
    call(sys.executable, "-m", "venv", tmp_path / "venv")
    bin_folder = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    call(bin_folder / "python", "-m", "pip", "install", "--quiet", wheel)
    assert "Usage: vaultgraph" in call(bin_folder / "vaultgraph", "--help")
    version = PROJECT["project"]["version"]
    assert call(bin_folder / "vaultgraph", "--version").strip() == f"vaultgraph {version}"
    shown = call(bin_folder / "vaultgraph", "--vault", SAMPLE_VAULT, "scan", "--no-cache")
    assert "47 found = 43 read" in shown
    place = call(bin_folder / "python", "-c", "import vaultgraph; print(vaultgraph.__file__)")
    assert Path(place.strip()).is_relative_to(tmp_path)
    frozen = call(bin_folder / "python", "-m", "pip", "freeze").splitlines()
    installed = {re.split(r"==| @ ", line)[0].lower() for line in frozen}
    assert "obsidian-vaultgraph" in installed
    assert not {"click", "pytest", "ruff", "networkx"} & installed - {
        re.split(r"[<>=!~ \[;]", line)[0].lower() for line in PROJECT["project"]["dependencies"]
    }


@pytest.mark.skipif(os.name == "nt", reason="there is no shebang there")
@pytest.mark.parametrize("program", ["bench_edits", "bench_scan"])
def test_a_benchmark_starts_with_a_python_that_has_none_of_its_libraries(program: str):
    """The system's own interpreter hands over to the project's; here ``-I -S`` has no library."""
    if not (REPOSITORY / ".venv" / "bin" / "python").exists():
        pytest.skip("the project runs in another environment here")
    python = Path(sys.executable).resolve()  # outside the environment
    ran = subprocess.run(
        [python, "-I", "-S", REPOSITORY / "scripts" / program, "--help"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith(f"usage: {program}")
