"""The result of a run on a narrow terminal."""

from dataclasses import replace
from pathlib import Path

import pytest

from lyra.interfaces.cli.layout import width_of
from tests.interfaces.terminal import Terminal

CLAIM = "Cats sleep most of the day."
UNKNOWN = "Chess lowers cholesterol in adults."


@pytest.mark.parametrize("columns", ["40", "60", "75"])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_lines_too_narrow_for_a_table_get_a_list(terminal: Terminal, library: Path, columns: str, lang: str) -> None:
    narrow = replace(terminal, environ={"COLUMNS": columns, "LYRA_LANG": lang})
    shown = narrow.run("check", CLAIM, UNKNOWN, "--library", library).out
    task = narrow.run("task", "list", "--json").json["tasks"][0]["task_id"]
    claims = shown[: shown.index("documents:" if lang == "en" else "文書:")]
    listed = narrow.run("task", "show", task).out
    listed = listed[listed.index(f"\n{CLAIM}\n") :]
    assert max(width_of(line) for line in (claims + listed).splitlines()) <= int(columns)
    (values, *_) = narrow.run("materials", task, "--json").json["claims"]
    for part in (f"1. {CLAIM}", f"2. {UNKNOWN}"[:30], f"{values['confidence']:.3f} ├", f"{values['interval'][0]:.3f}–"):
        assert part in claims, part
    assert f"{values['confidence']:.3f}" in listed
    assert "…" not in claims + listed
