"""A reader who follows a page to the letter: runs its commands with fake models and its Python, and says what did not work."""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from tests.interfaces.terminal import Ran, Terminal

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_VARIABLE = re.compile(r"([A-Z_]+)=(.*)")
_TARGET = re.compile(r"^([a-z-]+):", re.MULTILINE)
# Done by the machine that installs, or by nobody who only reads.
_NOT_OURS = ("pip", ".")
_BY_THE_SHELL = ("cp", "mkdir", "printf")


def blocks(text: str) -> list[tuple[str, str]]:
    """The code blocks of a page as (language, content), in order."""
    return _BLOCK.findall(text)


def console_lines(content: str) -> Iterator[tuple[str, str | None]]:
    """The lines typed in a console block, each with the exit code that the page shows after it, if it does."""
    lines = content.splitlines()
    typed = [position for position, line in enumerate(lines) if line.startswith("$ ")]
    for position in typed:
        if lines[position] != "$ echo $?":
            asked = next((later for later in typed if later > position), None)
            shows_code = asked is not None and lines[asked] == "$ echo $?"
            yield lines[position][2:], lines[asked + 1] if asked is not None and shows_code else None


@dataclass
class Shell:
    """A folder to work in, with a home of its own. The working directory must be that folder."""

    folder: Path
    names: dict[str, object] = field(default_factory=dict)
    environ: dict[str, str] = field(default_factory=dict)

    def play(self, text: str) -> list[str]:
        """Follow a whole page; returns what did not go as the page says."""
        found: list[str] = []
        parts = blocks(text)
        for (language, content), (next_language, shown) in zip(parts, [*parts[1:], ("", "")], strict=True):
            if language == "console":
                for line, code in console_lines(content):
                    found += self.type(line, int(code or 0))
            elif language == "python":
                found += self.run_python(content, shown if next_language == "text" else None)
        return found

    def run_python(self, source: str, shown: str | None) -> list[str]:
        """Run a snippet after those before it; what it prints must be what the page shows."""
        out = StringIO()
        try:
            with redirect_stdout(out):
                exec(compile(source, "<page>", "exec"), self.names)
        except Exception as error:  # noqa: BLE001 - whatever a snippet raises is the finding
            return [f"{source.splitlines()[0]} …: {error!r}"]
        return [] if shown is None or out.getvalue() == shown else [f"shown {shown!r}, printed {out.getvalue()!r}"]

    def type(self, line: str, expected: int) -> list[str]:
        """Type one line; returns what is wrong with it."""
        words = shlex.split(line)
        environ = {}
        while match := _VARIABLE.fullmatch(words[0]):
            environ[match[1]] = match[2]
            words.pop(0)
        program = words[0]
        if program == "make":
            known = set(_TARGET.findall((ROOT / "Makefile").read_text(encoding="utf-8")))
            return [f"{line}: no such target" for target in words[1:] if target not in known]
        if program in _BY_THE_SHELL:
            ran = subprocess.run(line, shell=True, cwd=self.folder, check=False)
            return [f"{line}: {ran.returncode}"] if ran.returncode else []
        if program in _NOT_OURS:
            return []
        if program == "export":
            self.environ |= dict(word.split("=", 1) for word in words[1:])
            return []
        if program == "uvx":
            words = words[words.index("lyra") :]
        if words[0] != "lyra":
            return [f"{line}: unknown program"]
        result = self._lyra(words[1:], environ)
        return [] if result.code == expected else [f"{line}: ended in {result.code}: {result.err}"]

    def _lyra(self, words: Sequence[str], environ: dict[str, str]) -> Ran:
        places = self._places(words)
        put_in = [self._put_in(word, places) for word in words]
        filled = [os.path.expanduser(word) for word in put_in]  # noqa: PTH111 - as a shell does it
        given = b""
        target: Path | None = None
        if "<" in filled:
            given = (self.folder / filled.pop(filled.index("<") + 1)).read_bytes()
            filled.remove("<")
        if ">" in filled:
            target = self.folder / filled.pop(filled.index(">") + 1)
            filled.remove(">")
        ran = Terminal(self._home(), {"LYRA_LANG": "en", **self.environ, **environ}, stdin=given).run(*filled)
        if target is not None:
            target.write_bytes(ran.out.encode())
        return ran

    @staticmethod
    def _put_in(word: str, places: dict[str, str]) -> str:
        """The word, or what it stands for; also behind `=`, as in `page=PAGE_ID`."""
        name, equals, value = word.rpartition("=")
        return f"{name}{equals}{places.get(value, value)}"

    def _home(self) -> Path:
        return self.folder / "state" / "home"

    def _places(self, words: Sequence[str]) -> dict[str, str]:
        """What stands for TASK, CLAIM_ID, EDGE_ID, PAGE_ID and VERSION_ID: the newest task and its first evidence."""
        if not {"TASK", "CLAIM_ID", "EDGE_ID", "PAGE_ID", "VERSION_ID"}.intersection(word.rpartition("=")[2] for word in words):
            return {}
        terminal = Terminal(self._home())
        if not terminal.run("task", "list", "--json").json["tasks"]:
            terminal.run("check", "Evening coffee shortens sleep.", "--library", "papers")
        task = terminal.run("task", "list", "--json").json["tasks"][0]["task_id"]
        claim = terminal.run("materials", task, "--json").json["claims"][0]
        item = claim["evidence"][0]
        ids = {"TASK": task, "CLAIM_ID": claim["claim_id"], "EDGE_ID": item["edge_id"], "PAGE_ID": item["page_id"]}
        return {**ids, "VERSION_ID": item["locator"]["page_version_id"]}
