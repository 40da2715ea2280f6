"""A small library on disk and a terminal with its own home."""

from pathlib import Path

import pytest

from tests.interfaces.terminal import Terminal

CATS = """# Sleep of cats

Cats sleep most of the day in winter. They wake at dusk to hunt mice.

## Results

In our study of farms, cats sleep most of the day and never hunt before noon.
"""
DOGS = "Dogs bark at strangers. Some dogs do not bark at strangers at all.\n"
JAPANESE = "犬は知らない人に吠える。\n猫は昼間に寝る。\n"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "cats.md").write_text(CATS, encoding="utf-8")
    (folder / "dogs.txt").write_text(DOGS, encoding="utf-8")
    (folder / "inu.txt").write_bytes(JAPANESE.encode("cp932"))
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<<")
    (folder / "table.csv").write_text("a,b\n", encoding="utf-8")
    return folder


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path / "home")


@pytest.fixture
def japanese(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path / "home", {"LYRA_LANG": "ja"})
