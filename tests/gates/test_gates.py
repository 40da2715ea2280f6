"""Every gate is seen refusing what it is there to refuse, and letting a clean tree pass."""

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from scripts.gates import clean_text, doc_links, module_length, third_party

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
# Put together here so that this file passes the gate it tests.
MACHINE_DIRECTORY = "/" + "home/somebody/papers"
INDEX_ADDRESS = "https:" + "//pypi.example.org/simple/"


def write(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return path


def outcome(*command: str | Path, cwd: Path, **environment: str) -> tuple[int, str]:
    """Exit code and everything printed by a command."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "MAKE", "MFLAGS"))}
    ran = subprocess.run(command, cwd=cwd, env=kept | environment, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout + ran.stderr


# Module length


def test_a_module_of_the_permitted_length_passes(tmp_path: Path) -> None:
    write(tmp_path / "src/lyra/short.py", "x = 1\n" * 350)
    assert module_length.main(["--root", str(tmp_path)]) == 0


@pytest.mark.parametrize("directory", ["src/lyra/core", "training", "scripts/gates", "bench"])
def test_a_module_one_line_too_long_is_named(tmp_path: Path, directory: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / directory / "long.py", "x = 1\n" * 351)
    assert module_length.main(["--root", str(tmp_path)]) == 1
    assert f"{directory}/long.py: 351 lines" in capsys.readouterr().err


# Clean text


@pytest.mark.parametrize(
    "line",
    [
        "see ~/work/papers and example.org/home/page",
        "GET https://api.example.org/works/W123",
        "put it on the package index as pypi/lyra-evidence",
        "a simple/plain path",
    ],
)
def test_ordinary_paths_and_addresses_pass(tmp_path: Path, line: str) -> None:
    write(tmp_path / "docs/guide.md", line)
    assert clean_text.main(["--root", str(tmp_path)]) == 0


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("docs/guide.md", f"run it in {MACHINE_DIRECTORY}"),
        ("src/lyra/config.py", f'HOME = "{MACHINE_DIRECTORY}"'),
        ("tests/test_x.py", "C:" + r"\Users\somebody\papers"),
        ("Makefile", f"pip install --index-url {INDEX_ADDRESS} lyra"),
        ("requirements/run.txt", "--extra-" + "index-url ../elsewhere"),
        ("requirements/dev.txt", "--find-" + "links wheels"),
    ],
)
def test_a_machine_path_or_an_index_is_named_with_its_line(
    tmp_path: Path, name: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / name, f"first line\n{line}\n")
    assert clean_text.main(["--root", str(tmp_path)]) == 1
    assert f"{name}:2: " in capsys.readouterr().err


def test_ignored_and_binary_files_are_not_read_for_text(tmp_path: Path) -> None:
    write(tmp_path / ".gitignore", "out/\n*.log\n")
    write(tmp_path / "out/result.md", MACHINE_DIRECTORY)
    write(tmp_path / "run.log", MACHINE_DIRECTORY)
    (tmp_path / "weights.onnx").write_bytes(b"\0" + MACHINE_DIRECTORY.encode())
    assert clean_text.main(["--root", str(tmp_path)]) == 0


# Links between documents


def test_a_link_to_a_file_that_exists_passes(tmp_path: Path) -> None:
    write(tmp_path / "docs/a b.md")
    write(
        tmp_path / "README.md",
        """\
        [here](docs/a%20b.md#part), [web](https://example.org/), [below](#below)

        ```
        [not](a-link.md)
        ```
        """,
    )
    assert doc_links.main(["--root", str(tmp_path)]) == 0


def test_a_dead_link_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "docs/guide.md", "[gone](gone.md#part)")
    assert doc_links.main(["--root", str(tmp_path)]) == 1
    assert "docs/guide.md: no file gone.md" in capsys.readouterr().err


# Licences


def install(site: Path, licence: str) -> None:
    """A package `planted` 1.0 with a declared licence, as an installer would leave it."""
    metadata = f"Metadata-Version: 2.4\nName: planted\nVersion: 1.0\nLicense-Expression: {licence}\n"
    write(site / "planted-1.0.dist-info/METADATA", metadata)


def licence_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, licence: str, version: str = "1.0") -> list[str]:
    write(tmp_path / "tree/requirements/run.txt", f"planted=={version} \\\n    --hash=sha256:00\n    # via lyra-evidence\n")
    install(tmp_path / "site", licence)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return ["--root", str(tmp_path / "tree")]


def test_a_permissive_licence_is_written_down_and_then_found_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = licence_tree(tmp_path, monkeypatch, "MIT")
    assert third_party.main(arguments) == 0
    assert "| planted | 1.0 | MIT |" in (tmp_path / "tree/THIRD_PARTY.md").read_text("utf-8")
    assert third_party.main([*arguments, "--check"]) == 0


def test_a_table_out_of_date_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = licence_tree(tmp_path, monkeypatch, "MIT")
    write(tmp_path / "tree/THIRD_PARTY.md", "# Third-party packages\n")
    assert third_party.main([*arguments, "--check"]) == 1
    assert "out of date" in capsys.readouterr().err


@pytest.mark.parametrize("licence", ["GPL-3.0-only", "AGPL-3.0-or-later", "MIT AND GPL-2.0-only", "LicenseRef-Proprietary"])
def test_a_licence_nobody_agreed_to_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], licence: str
) -> None:
    arguments = licence_tree(tmp_path, monkeypatch, licence)
    assert third_party.main(arguments) == 1
    assert f"planted: licence '{licence}'" in capsys.readouterr().err
    assert not (tmp_path / "tree/THIRD_PARTY.md").exists()


def test_a_version_other_than_the_pinned_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert third_party.main(licence_tree(tmp_path, monkeypatch, "MIT", version="2.0")) == 1
    assert "2.0 is pinned, 1.0 installed" in capsys.readouterr().err


def test_of_several_licences_offered_the_acceptable_one_is_chosen() -> None:
    assert third_party.decide("tld", "GPL-2.0-only OR MPL-1.1 OR LGPL-2.1-or-later") == "MPL-1.1"


def test_a_review_is_void_once_the_declaration_changes() -> None:
    assert third_party.decide("apsw", "any-OSI") == "Zlib"
    with pytest.raises(third_party.LicenceProblem):
        third_party.decide("apsw", "proprietary")


# Import contracts, on a small package in the shape of the real one


@pytest.fixture
def package(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    lyra = tmp_path / "lyra"
    for layer in ("core", "store", "providers", "models", "workflows", "interfaces"):
        write(lyra / layer / "__init__.py")
    write(lyra / "__init__.py")
    write(lyra / "api.py", "import lyra.app\n")
    write(lyra / "app.py", "import lyra.config, lyra.models, lyra.providers.documents, lyra.store\n")
    write(lyra / "config.py", "import lyra.workflows\n")
    write(lyra / "core/ports.py")
    write(lyra / "store/database.py", "import apsw\nimport lyra.core.ports\n")
    write(lyra / "models/stance.py", "import onnxruntime, tokenizers\n")
    write(lyra / "providers/documents.py", "import lxml.html, markdown_it, pypdfium2, trafilatura, yaml\n")
    write(lyra / "workflows/judge.py", "import lyra.core.ports, lyra.store.database\n")
    write(lyra / "interfaces/cli/main.py", "import asyncio, rich.table, typer, lyra.app\n")
    write(lyra / "interfaces/cli/__init__.py")
    return tmp_path


def contracts(package: Path) -> tuple[int, str]:
    return outcome(BIN / "lint-imports", "--no-cache", cwd=package)


def test_a_package_that_keeps_the_contracts_passes(package: Path) -> None:
    code, printed = contracts(package)
    assert (code, "0 broken" in printed) == (0, True), printed


@pytest.mark.parametrize(
    ("module", "planted", "contract"),
    [
        ("core/planted.py", "import lyra.store.database", "Imports point down"),
        ("store/planted.py", "from lyra.models import stance", "Imports point down"),
        ("core/planted.py", "def late():\n    import lyra.app", "Imports point down"),
        ("helpers.py", "", "every module has a layer"),
        ("workflows/planted.py", "import lyra.models.stance", "Workflows reach"),
        ("workflows/planted.py", "import apsw", "Only the store"),
        ("interfaces/planted.py", "import onnxruntime", "Only models"),
        ("config.py", "import yaml", "Only providers"),
        ("app.py", "import typer", "Only interfaces"),
        ("store/planted.py", "import sqlite3", "Nothing uses"),
        ("core/planted.py", "import subprocess", "The core opens"),
        ("store/planted.py", "import httpx2", "Only the guarded exchange"),
        ("interfaces/planted.py", "import socket", "Only the guarded exchange"),
    ],
)
def test_an_import_against_a_contract_is_refused(package: Path, module: str, planted: str, contract: str) -> None:
    write(package / "lyra" / module, planted)
    code, printed = contracts(package)
    broken = [line for line in printed.splitlines() if " BROKEN" in line]
    assert (code, len(broken)) == (1, 1), printed
    assert contract in broken[0]


# Style, types and warnings, with the project's own settings

CLEAN = '"""A module."""\n\nANSWER: int = 42\n'


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        (CLEAN, None),
        ('"""A module."""\n\nimport os\n', "F401"),
        ("ANSWER = 42\n", "D100"),
        (CLEAN + "print(ANSWER)\n", "T201"),
        (CLEAN + "try:\n    ANSWER += 1\nexcept Exception:\n    ANSWER = 0\n", "BLE001"),
        (CLEAN + "\n\ndef f(a: int, b: int, c: int, d: int, e: int, f: int) -> None:\n    '''Too many.'''\n", "PLR0913"),
        (CLEAN + "\n\ndef f(n: int) -> None:\n    '''Too tangled.'''\n" + "    if n: n += 1\n" * 11, "C901"),
    ],
)
def test_ruff_refuses_what_the_rules_forbid(tmp_path: Path, source: str, rule: str | None) -> None:
    planted = write(tmp_path / "planted.py", source)
    code, printed = outcome(BIN / "ruff", "check", "--no-cache", "--config", ROOT / "pyproject.toml", planted, cwd=tmp_path)
    assert code == (1 if rule else 0), printed
    assert rule is None or rule in printed


def test_ruff_refuses_a_layout_of_ones_own(tmp_path: Path) -> None:
    planted = write(tmp_path / "planted.py", "ANSWER   =  {'a':1}\n")
    code, _ = outcome(BIN / "ruff", "format", "--check", "--no-cache", "--config", ROOT / "pyproject.toml", planted, cwd=tmp_path)
    assert code == 1


def test_mypy_refuses_an_untyped_function_and_passes_a_typed_one(tmp_path: Path) -> None:
    write(tmp_path / "typed.py", "def double(n: int) -> int:\n    return 2 * n\n")
    write(tmp_path / "untyped.py", "def double(n):\n    return 2 * n\n")
    settings = ("--config-file", ROOT / "pyproject.toml", "--cache-dir", tmp_path / "cache")
    code, printed = outcome(BIN / "mypy", *settings, "typed.py", cwd=tmp_path)
    assert code == 0, printed
    code, printed = outcome(BIN / "mypy", *settings, "untyped.py", cwd=tmp_path)
    assert (code, "untyped.py:1: error" in printed) == (1, True), printed


@pytest.mark.parametrize(("body", "expected"), [("pass", 0), ("warnings.warn('careful')", 1)])
def test_a_warning_fails_a_test(tmp_path: Path, body: str, expected: int) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    write(tmp_path / "tests/test_planted.py", f"import warnings\n\n\ndef test_planted():\n    {body}\n")
    code, printed = outcome(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", cwd=tmp_path)
    assert code == expected, printed


# Set-up


def test_make_refuses_an_old_python_in_one_sentence(tmp_path: Path) -> None:
    old = write(tmp_path / "python2", "#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    code, printed = outcome("make", "--no-print-directory", f"PYTHON={old}", f"VENV={tmp_path / 'venv'}", "run", cwd=ROOT)
    assert (code, "Lyra needs Python 3.11 or newer" in printed) == (2, True), printed
    assert not (tmp_path / "venv").exists()
