"""The example that computes every number again: it imports nothing of ours, agrees, and notices what does not."""

import ast
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lyra.core.records import Claim, Evidence
from lyra.interfaces.cli.bundles import zipped
from lyra.interfaces.exports.rocrate import crate_files
from tests.docs.shell import ROOT
from tests.fakes import evidence
from tests.interfaces.terminal import Terminal
from tests.interfaces.test_presenter import material, materials

SCRIPT = ROOT / "examples" / "recompute.py"
WORDS = "coffee tea sleep adults trial night hours fell rose by a third in every group of them".split()


def run(bundle: Path) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "-I", str(SCRIPT), str(bundle)], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def in_process() -> dict[str, Any]:
    """The functions of the script, without a process for each example."""
    namespace: dict[str, Any] = {"__name__": "recompute"}
    exec(compile(SCRIPT.read_text(encoding="utf-8"), str(SCRIPT), "exec"), namespace)
    return namespace


def test_the_script_imports_nothing_but_the_standard_library() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= set(sys.stdlib_module_names)


@pytest.mark.parametrize("name", ["bundle.zip", "bundle"])
def test_a_bundle_that_the_command_wrote_agrees(terminal: Terminal, library: Path, tmp_path: Path, name: str) -> None:
    task = terminal.run("check", "Cats sleep most of the day.", "Dogs bark.", "--library", library, "--json").json["task_id"]
    assert terminal.run("materials", task, "--format", "rocrate", "--out", tmp_path / name).code == 0
    code, said = run(tmp_path / name)
    assert (code, said.splitlines()[-1]) == (0, "2 claims: every number agrees")


EDGES = st.builds(
    lambda number, relation, value, page, others, words, work, cited, model: replace(
        evidence(f"edge_{number}", relation, value, f"page_{page}"),
        other_page_ids=tuple(f"page_{other}" for other in sorted(others - {page})),
        quote=" ".join(words),
        work_keys=(f"work {work}",) if work < 2 else (),
        sole_citation=f"page_{cited}" if cited < 4 and cited != page else None,
        model="retraction" if model else "stance",
    ),
    st.integers(0, 10**6),
    st.sampled_from(["supports", "refutes", "neutral"]),
    st.floats(0, 1),
    st.integers(0, 5),
    st.sets(st.integers(0, 5), max_size=2),
    st.lists(st.sampled_from(WORDS), min_size=14, max_size=18).map(
        lambda words: [*WORDS[:13], *words[:3]] if len(words) % 2 else words
    ),
    st.integers(0, 4),
    st.integers(0, 8),
    st.booleans(),
)


@settings(max_examples=60)
@given(st.lists(EDGES, max_size=9, unique_by=lambda edge: edge.edge_id), st.integers(0, 6))
def test_whatever_the_evidence_every_number_agrees(edges: list[Evidence], origin: int) -> None:
    claim = Claim("claim_1", "task_1", "It does.", "en", origin_page_id=f"page_{origin}" if origin < 4 else None)
    content = json.loads(crate_files(materials(material(edges, claim)), ())["provenance.json"])
    script = in_process()
    (told,) = content["claims"]
    values, independent = script["recompute"](told, content["rules"])
    assert list(script["differences"]("values", told["values"], values)) == []
    assert list(script["differences"]("independent", told["independent"], independent)) == []


def changed(files: dict[str, bytes], change: Callable[[Any], None]) -> dict[str, bytes]:
    content = json.loads(files["provenance.json"])
    change(content)
    return files | {"provenance.json": json.dumps(content).encode()}


@pytest.mark.parametrize(
    ("where", "name"),
    [(where, name) for where in ("values", "independent") for name in "alpha beta confidence uncertainty controversy".split()]
    + [("values", name) for name in ("interval", "supporting_count", "evidence_count")]
    + [("independent", name) for name in ("sources", "refuting_sources")],
)
def test_every_number_that_was_changed_is_noticed(where: str, name: str) -> None:
    edges = [evidence("edge_1", "supports", 0.9, "page_1"), evidence("edge_2", "refutes", 0.4, "page_2")]
    files = crate_files(materials(material(edges)), ())

    def change(content: Any) -> None:
        told = content["claims"][0][where]
        told[name] = [0.1, 0.2] if name == "interval" else told[name] + 1e-4

    content = json.loads(changed(files, change)["provenance.json"])
    script = in_process()
    values, independent = script["recompute"](content["claims"][0], content["rules"])
    computed = values if where == "values" else independent
    assert any(name in line for line in script["differences"](where, content["claims"][0][where], computed))


def test_a_bundle_that_was_tampered_with_is_noticed(tmp_path: Path) -> None:
    files = dict(crate_files(materials(material([evidence("edge_1", "supports", 0.9)])), ()))
    files["sources.bib"] += b"% more"
    (tmp_path / "a.zip").write_bytes(zipped(files))
    code, said = run(tmp_path / "a.zip")
    assert code == 1
    assert "sources.bib: the content is not the one that was described" in said


def test_what_is_no_bundle_ends_in_two(tmp_path: Path) -> None:
    (tmp_path / "text.zip").write_text("no zip")
    empty = io.BytesIO()
    zipfile.ZipFile(empty, "w").close()
    (tmp_path / "empty.zip").write_bytes(empty.getvalue())
    assert [run(tmp_path / name)[0] for name in ("text.zip", "empty.zip", "none.zip", ".")] == [2, 2, 2, 2]
