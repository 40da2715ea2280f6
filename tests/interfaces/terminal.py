"""The command run in this process: real arguments, real store, fake models; what it wrote and how it ended."""

import io
import json
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lyra.app import Models
from lyra.config import Settings
from lyra.core.errors import ModelError
from lyra.core.ports import StanceModel
from lyra.interfaces.cli.main import run
from tests.fakes import HashEmbedder, KeywordStance


@dataclass(frozen=True, slots=True)
class Ran:
    """One finished command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value on stdout; fails when there is anything else."""
        return json.loads(self.out)


def fake_models(stance: StanceModel | None = None) -> Callable[[Settings], Models]:
    """A factory of fakes in the place of the shipped weights."""
    return lambda _: Models(HashEmbedder(), stance or KeywordStance(), lambda: None)


def no_models(_: Settings) -> Models:
    """Models whose weights are missing."""

    def missing() -> None:
        raise ModelError("weights_missing", file="manifest.json")

    return Models(HashEmbedder(), KeywordStance(), missing)


class Stream(io.TextIOWrapper):
    """A stream that keeps its bytes, and says whether it is a terminal."""

    def __init__(self, content: bytes = b"", terminal: bool = False, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(content), encoding=encoding, newline="")
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    def written(self) -> str:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode(self.encoding)


@dataclass(frozen=True)
class Terminal:
    """A shell with its own home and environment."""

    home: Path
    environ: Mapping[str, str] = field(default_factory=dict)
    models: Callable[[Settings], Models] = field(default_factory=fake_models)
    encoding: str = "utf-8"
    stdin: bytes = b""

    def run(self, *arguments: str | Path) -> Ran:
        """Run one command; whatever happens, no traceback may show."""
        out, err, kept = Stream(encoding=self.encoding), Stream(), sys.stdin
        environ = {"LYRA_HOME": str(self.home), "LYRA_CONFIG": str(self.config()), **self.environ}
        sys.stdin = Stream(self.stdin)
        try:
            with redirect_stdout(out), redirect_stderr(err):
                code = run([str(argument) for argument in arguments], self.models, environ)
        finally:
            sys.stdin = kept
        ran = Ran(code, out.written(), err.written())
        assert "Traceback" not in ran.out + ran.err
        return ran

    def config(self) -> Path:
        """An empty settings file, so that the machine's own is never read."""
        path = self.home.parent / "lyra.toml"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("", encoding="utf-8")
        return path
