"""The documentation says what the program does, no more and no less, and its examples run."""

import ast
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import lyra.api
from lyra.cases.agreement import MOST_REPLICATES, REPLICATES
from lyra.config import read_settings, variable_of
from lyra.core import errors
from lyra.core.claim_input import MAX_CLAIM_CHARS, MAX_RECORD_LINES
from lyra.core.confidence import INTERVAL_MASS
from lyra.core.fragments import MAX_TOKENS
from lyra.core.messages import codes, render
from lyra.core.ranking import BM25_WEIGHT, EMBEDDING_WEIGHT
from lyra.core.terms import MAX_TERMS
from lyra.core.units import MEBIBYTE
from lyra.interfaces.cli.main import build
from lyra.interfaces.presenter import SCHEMA_VERSION
from lyra.models.stance import CLAIM_TOKENS
from lyra.providers import notes
from lyra.providers.library import ReaderLimits
from lyra.store.evidence_store import EvidenceStore
from lyra.store.jobs import LEASE_SECONDS
from lyra.workflows.check import MAX_QUESTION_CHARS
from tests.docs.answers import objects, outputs
from tests.docs.model_answers import model_folders
from tests.docs.shell import ROOT, Shell, blocks
from tests.interfaces.terminal import fake_models

DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", ROOT / "README.ja.md", *DOCS.rglob("*.md")])
FOLLOWED = [
    ROOT / "README.md",
    ROOT / "README.ja.md",
    DOCS / "tutorial.md",
    DOCS / "tutorial.ja.md",
    DOCS / "cases.md",
    *sorted((DOCS / "how-to").glob("*.md")),
]
COMMON = ("--home", "--json", "--lang")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@cache
def page(name: str) -> str:
    """A page, or a reference page with its parts: `reference/cli.md` goes on in `reference/cli-*.md`."""
    path = DOCS / name
    parts = sorted(path.parent.glob(f"{path.stem}-*.md")) if path.parent.name == "reference" else []
    return "\n".join(part.read_text(encoding="utf-8") for part in [path, *parts])


def sections(text: str) -> dict[str, str]:
    """Each heading with the text up to the next one; what stands under the same heading in two parts is taken together."""
    pieces = _HEADING.split(_FENCED.sub("", text))
    found: dict[str, str] = {}
    for heading, body in zip(pieces[1::2], pieces[2::2], strict=True):
        found[heading] = found.get(heading, "") + body
    return found


def first_column(text: str) -> set[str]:
    """The names in the first column of the tables."""
    return {name for row in re.findall(r"^\| (`[^|]*`) +\|", text, re.MULTILINE) for name in re.findall(r"`([^`]+)`", row)}


# Commands


def commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    yield name, command
    for inner_name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, f"{name} {inner_name}")


def cli_findings(text: str) -> list[str]:
    """What the page on commands leaves out or makes up."""
    parts, tree = sections(text), dict(commands(build(), "lyra"))
    found = [f"no command {name}" for name in parts if name.startswith("`lyra") and name.strip("`") not in tree]
    for name, command in tree.items():
        if f"`{name}`" not in parts:
            found.append(f"{name} is missing")
            continue
        own = {item.opts[0] if item.param_type_name == "option" else item.metavar.rstrip("…") for item in command.params}
        rows = re.findall(r"^\| `(-{0,2}[\w-]+)", parts[f"`{name}`"], re.MULTILINE)
        found += [f"{name}: {word} is missing" for word in own - {*rows, *COMMON}]
        found += [f"{name} has no {word}" for word in set(rows) - own]
    common = parts["Options of every command"]
    return found + [f"{option} is missing" for option in COMMON if f"| `{option}" not in common]


def test_every_command_and_option_is_documented_and_no_other() -> None:
    assert cli_findings(page("reference/cli.md")) == []


@pytest.mark.parametrize(
    ("said", "instead", "finding"),
    [
        ("## `lyra work`", "## Work", "lyra work is missing"),
        ("## `lyra work`", "## `lyra wrok`", "no command `lyra wrok`"),
        ("| `--reread` |", "| reread |", "lyra check: --reread is missing"),
        ("| `--problems` |", "| `--trouble` |", "lyra library list has no --trouble"),
        ("| `--json` |", "| json |", "--json is missing"),
    ],
)
def test_a_page_on_commands_that_is_wrong_is_noticed(said: str, instead: str, finding: str) -> None:
    assert finding in cli_findings(page("reference/cli.md").replace(said, instead))


# Settings


def settings_findings(text: str, empty_file: Path) -> list[str]:
    """What the page on settings gets wrong: name, variable, default or range."""
    environ = {"LYRA_CONFIG": str(empty_file)}
    rows = {match[1]: match[0] for match in re.finditer(r"^\| `([a-z0-9_.]+)` \|.*$", text, re.MULTILINE)}
    found = []
    known = read_settings({}, environ).values
    for setting in known:
        with pytest.raises(errors.ConfigError) as refusal:
            read_settings({setting.key: ""}, environ)
        facts = [variable_of(setting.key), str(refusal.value.params["takes"])]
        if not isinstance(setting.value, str):
            facts.append(f"| {setting.value:g} |")
        row = rows.pop(setting.key, "").replace("\\|", "|")
        found += [f"{setting.key}: {fact} is missing" for fact in facts if fact not in row]
    return found + [f"no setting {key}" for key in rows]


def test_every_setting_is_documented_with_variable_default_and_range(tmp_path: Path) -> None:
    (tmp_path / "lyra.toml").touch()
    text = page("reference/settings.md")
    assert settings_findings(text, tmp_path / "lyra.toml") == []
    assert settings_findings(text.replace("TOP_K` | 20 |", "TOP_K` | 21 |"), tmp_path / "lyra.toml") == [
        "judge.top_k: | 20 | is missing"
    ]
    assert "no setting judge.tpo_k" in settings_findings(text.replace("judge.top_k", "judge.tpo_k"), tmp_path / "lyra.toml")


# Errors


@cache
def raised() -> dict[str, tuple[set[int], bool]]:
    """Each code that the program raises, with the exit codes it ends in and whether it skips a document."""
    classes = {name: kind for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, errors.LyraError)}
    del classes["WebProblem"]  # ends no command: the work goes on without one request
    found: dict[str, tuple[set[int], bool]] = {}
    for path in (ROOT / "src").rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in classes and call.args:
                skips = any(keyword.arg == "status" for keyword in call.keywords)
                for part in ast.walk(call.args[0]):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        ends, skipped = found.get(part.value, (set(), False))
                        found[part.value] = ends | {classes[call.func.id].exit_code}, skipped or skips
    return found


def error_lines() -> Iterator[str]:
    """The row that each error and document code must have."""
    for name in sorted(codes()):
        kind, _, code = name.partition(".")
        sentence = render(name)
        if kind == "error":
            ends = {130} if code == "interrupted" else raised()[code][0]
            yield f"| `{code}` | {', '.join(map(str, sorted(ends)))} | {sentence} |"
        elif kind == "document":
            yield f"| `{code}` | {'skipped' if raised().get(code, (set(), False))[1] else 'failed'} | {sentence} |"
        elif kind == "web":
            yield f"| `{code}` | {sentence} |"


def error_findings(text: str) -> list[str]:
    """The rows that are missing, ready to be pasted, and those of codes that do not exist."""
    lines, expected = text.splitlines(), list(error_lines())
    extra = [line for line in lines if line.startswith("| `") and line not in expected]
    return [line for line in expected if line not in lines] + [f"not so: {line}" for line in extra]


def test_every_error_and_document_code_is_documented_with_its_sentence() -> None:
    assert error_findings(page("reference/errors.md")) == []


def test_a_reworded_or_unknown_error_is_noticed() -> None:
    text = page("reference/errors.md")
    assert len(error_findings(text.replace("does not exist: check the path", "is not there"))) > 1
    assert error_findings(text + "| `gone` | 2 | It is gone. |\n") == ["not so: | `gone` | 2 | It is gone. |"]


def test_every_note_on_a_document_is_documented() -> None:
    made = {str(value) for name, value in vars(notes).items() if name.isupper()}
    said = first_column(sections(page("how-to/build-a-library.md"))["Notes on a document"])
    assert {note.partition(":")[0] for note in said} == made


# JSON


def documented_objects(text: str) -> dict[str, set[str]]:
    """Every object that the page on JSON describes, with the fields it names."""
    found: dict[str, set[str]] = {}
    for heading, body in sections(text).items():
        for name in re.findall(r"`([^`]+)`", heading) or [heading]:
            if fields := first_column(body) or "The fields of a task" in body:
                found[name] = set() if fields is True else set(fields)
                if "The fields of a task" in body:
                    found[name] |= found["task"] | {"schema_version"}
    return found


def json_findings(text: str, emitted: Mapping[str, set[str]]) -> list[str]:
    """The fields that the page leaves out, and those that no command writes."""
    known = documented_objects(text)
    missing = [f"{name}: {field} is missing" for name, fields in emitted.items() for field in fields - known.get(name, set())]
    extra = [f"{name} has no {field}" for name, fields in known.items() for field in fields - emitted.get(name, set())]
    return sorted(missing + extra)


def test_every_json_field_is_documented_and_no_other(tmp_path: Path) -> None:
    emitted: dict[str, set[str]] = {}
    for command, value in outputs(tmp_path):
        for name, fields in objects(value, command):
            emitted.setdefault(name, set()).update(fields)
    text = page("reference/json.md")
    assert json_findings(text, emitted) == []
    assert json_findings(text.replace("| `stale` |", "| stale |"), emitted) == ["claims[].evidence[].locator: stale is missing"]
    assert json_findings(text.replace("| `quote` |", "| `quote`, `cite` |"), emitted) == ["claims[].evidence[] has no cite"]


# Store, glossary, links


def store_findings(text: str, store: EvidenceStore) -> list[str]:
    """The tables that the page on the store leaves out or makes up; the index keeps its own behind it."""
    names = {str(name) for (name,) in store.database.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
    real = {name for name in names if not name.startswith(("sqlite_", "fragment_index_"))}
    return sorted(real ^ first_column(text))


def test_every_table_is_documented_and_no_other(store: EvidenceStore) -> None:
    text = page("reference/store.md")
    assert store_findings(text, store) == []
    assert store_findings(text.replace("| `cites` |", "| citations |"), store) == ["cites"]
    assert store_findings(text.replace("| `cites` |", "| `cites`, `trust` |"), store) == ["trust"]


def anchors(text: str) -> set[str]:
    """The names under which the headings of a page can be linked to."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in sections(text)}


def link_findings(text: str, where: Path) -> list[str]:
    """Links into a page, or into another one, that lead to no heading there."""
    found = []
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", _FENCED.sub("", text)):
        other = (where.parent / target).read_text(encoding="utf-8") if target else text
        found += [f"{target}#{anchor}"] if anchor not in anchors(other) else []
    return found


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_link_leads_to_a_heading(path: Path) -> None:
    assert link_findings(path.read_text(encoding="utf-8"), path) == []


def test_a_link_to_no_heading_is_noticed() -> None:
    assert link_findings("[x](tutorial.md#nowhere) [y](#here)\n# Here", DOCS / "index.md") == ["tutorial.md#nowhere"]


def test_every_word_of_the_glossary_has_its_japanese_word_and_a_meaning() -> None:
    for word, meaning in sections(page("glossary.md")).items():
        if word not in ("Glossary", "Work", "Documents", "Evidence", "Numbers"):
            assert re.match(r"\n[^\x00-\x7f]+\. \S", meaning), word


def test_every_page_is_reached_from_the_index() -> None:
    linked = {(DOCS / target).resolve() for target in re.findall(r"\]\(([^)#]+)\)", page("index.md"))}
    assert [path for path in PAGES if path not in linked and path != DOCS / "index.md"] == []


# Numbers


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("reference/cli.md", f"At most {MAX_CLAIM_CHARS:,} characters"),
        ("reference/cli.md", f"the first claim. At most {MAX_QUESTION_CHARS:,} characters"),
        ("reference/cli.md", f"what you want to know. At most {MAX_QUESTION_CHARS:,} characters"),
        ("how-to/check-claims-from-a-file.md", f"span {MAX_RECORD_LINES:,} lines"),
        ("how-to/check-claims-from-a-file.md", f"a claim at most {MAX_CLAIM_CHARS:,} characters"),
        ("how-to/check-claims-from-a-file.md", f"its first {CLAIM_TOKENS} tokens"),
        ("how-to/build-a-library.md", f"| {ReaderLimits().max_text_chars // 1_000_000} million characters |"),
        ("how-to/build-a-library.md", f"| {ReaderLimits().max_file_bytes // MEBIBYTE} MB |"),
        ("how-to/build-a-library.md", f"| {ReaderLimits().pdf_seconds:g} seconds |"),
        ("how-to/build-a-library.md", f"| {ReaderLimits().pdf_memory_bytes // MEBIBYTE} MB |"),
        ("how-to/build-a-library.md", f"| {ReaderLimits().max_record_bytes // MEBIBYTE} MB | fixed |"),
        ("how-to/resume-interrupted-work.md", f"the lease ({ {120: 'two'}[LEASE_SECONDS] } minutes)"),
        ("glossary.md", f"The time, { {120: 'two'}[LEASE_SECONDS] } minutes"),
        ("glossary.md", f"at most about {MAX_TOKENS} tokens"),
        ("glossary.md", f"The central {INTERVAL_MASS:.0%}".replace("%", " %")),
        ("how-to/measure-agreement.md", f"{REPLICATES:,} bootstrap replicates"),
        ("reference/cli.md", f"{REPLICATES:,} if not given, at most {MOST_REPLICATES:,}"),
        ("reference/json.md", f'It is `"{SCHEMA_VERSION}"`'),
        ("adr/0004-library-documents-are-ranked-by-content.md", f"{BM25_WEIGHT} × BM25 + {EMBEDDING_WEIGHT} × embedding"),
        ("adr/0006-japanese-in-fts5.md", f"at most {MAX_TERMS} terms"),
    ],
)
def test_a_number_in_a_page_is_that_of_the_program(name: str, words: str) -> None:
    assert words in page(name)


# Examples


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A fresh folder with the sample and some papers; `lyra.open` and `lyra.judge` get fakes in the place of the weights."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    shutil.copytree(ROOT / "sample", tmp_path / "sample")
    for folder in (tmp_path / "papers", tmp_path / "user" / "papers"):
        folder.mkdir(parents=True)
        for path in (ROOT / "sample" / "library").glob("coffee-*.md"):
            shutil.copy(path, folder)
    (tmp_path / "claims.txt").write_text("Evening coffee shortens sleep.\n", encoding="utf-8")
    (tmp_path / "lyra-test.toml").touch()
    environ = {"LYRA_CONFIG": str(tmp_path / "lyra-test.toml")}
    monkeypatch.setattr(lyra.api, "open", lambda home: lyra.api.Lyra(read_settings({"home": home}, environ), fake_models()))
    monkeypatch.setattr(lyra.api, "chosen_models", fake_models())
    return Shell(tmp_path)


@pytest.mark.parametrize("path", FOLLOWED, ids=lambda path: path.name)
def test_a_page_can_be_followed_to_the_letter(path: Path, shell: Shell) -> None:
    if path.name in ("tutorial.md", "tutorial.ja.md"):
        shutil.rmtree("papers")
    with model_folders(shell) if path.name == "use-larger-models.md" else nullcontext():
        assert shell.play(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("example", "finding"),
    [
        ("```console\n$ lyra chek\n```", "ended in 2"),
        ("```console\n$ lyra check --libary papers\n```", "ended in 2"),
        ("```console\n$ lyra status\n$ echo $?\n3\n```", "ended in 0"),
        ("```console\n$ make coffee\n```", "no such target"),
        ("```console\n$ rm -r papers\n```", "unknown program"),
        ("```python\nprint(1 + 1)\n```\n\n```text\n3\n```", "printed '2"),
        ("```python\nimport lyra\nlyra.nothing\n```", "AttributeError"),
    ],
)
def test_an_example_that_does_not_work_is_noticed(example: str, finding: str, shell: Shell) -> None:
    (found,) = shell.play(example)
    assert finding in found


def test_the_first_screen_of_both_readmes_shows_the_two_commands() -> None:
    for name in ("README.md", "README.ja.md"):
        assert blocks((ROOT / name).read_text(encoding="utf-8"))[0] == ("console", "$ make run\n$ make test\n")


def test_python_in_other_pages_compiles() -> None:
    for path in set(PAGES) - set(FOLLOWED):
        for language, source in blocks(path.read_text(encoding="utf-8")):
            if language == "python":
                assert compile(source, path.name, "exec").co_filename == path.name
