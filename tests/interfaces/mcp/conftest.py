"""A small library with two sides, and a server on it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.server.lowlevel import Server

from tests.interfaces.mcp.client import served

TEXTS = {
    "walking.txt": "Daily walking increases attention in children, as a study of 2019 says.",
    "doubt.txt": "Daily walking does not increase attention in children, a larger trial found.",
    "tea.txt": "Green tea increases attention in adults. Nobody measured it in children.",
    "noise.txt": "Street noise does not increase attention in children at all.",
}


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def server(home: Path, library: Path) -> Iterator[Server[Any]]:
    with served(home, library) as built:
        yield built
