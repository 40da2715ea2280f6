"""robots.txt after RFC 9309: which paths of a host a robot may ask for. Pure and bounded."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote

MAX_BYTES = 512 * 1024
_MAX_RULES = 5_000
_LINE = re.compile(r"\s*(?P<key>[A-Za-z-]+)\s*:\s*(?P<value>[^#]*)")
_MAX_DELAY = 60.0


@dataclass(frozen=True, slots=True)
class Rule:
    """One allow or disallow line; the longest pattern that matches decides, and allow wins a draw."""

    pattern: str
    allow: bool

    def matches(self, path: str) -> bool:
        """Return whether the pattern, in which `*` is any run and a final `$` the end, matches from the start of `path`."""
        anchored = self.pattern.endswith("$")
        pieces = (self.pattern[:-1] if anchored else self.pattern).split("*")
        if not path.startswith(pieces[0]):
            return False
        position = len(pieces[0])
        for piece in pieces[1:-1]:
            found = path.find(piece, position)
            if found < 0:
                return False
            position = found + len(piece)
        last = pieces[-1] if len(pieces) > 1 else ""
        if anchored:
            return (len(pieces) > 1 and path.endswith(last) and len(path) - len(last) >= position) or (
                len(pieces) == 1 and position == len(path)
            )
        return not last or path.find(last, position) >= 0


@dataclass(frozen=True, slots=True)
class Robots:
    """What a host asks of one robot. `delay` is the pause between requests that it asks for, if any."""

    rules: tuple[Rule, ...] = ()
    delay: float | None = None

    def allows(self, target: str) -> bool:
        """Return whether `target` (path and query) may be asked for."""
        path = _normal(target)
        if path == "/robots.txt":
            return True
        matching = [(len(rule.pattern), rule.allow) for rule in self.rules if rule.matches(path)]
        return max(matching)[1] if matching else True


EVERYTHING = Robots()
NOTHING = Robots((Rule("/", allow=False),))


def read_robots(text: str, product: str) -> Robots:
    """Return the rules of the groups that name `product`, else those for `*`; what is unreadable is passed over."""
    own: list[tuple[str, str]] = []
    general: list[tuple[str, str]] = []
    named_own = False
    for agents, lines in _groups(text):
        if product.lower() in agents:
            named_own = True
            own += lines
        if "*" in agents:
            general += lines
    lines = own if named_own else general
    rules = tuple(Rule(_normal(value), key == "allow") for key, value in lines if key != "crawl-delay" and value)[:_MAX_RULES]
    delays = [float(value) for key, value in lines if key == "crawl-delay" and re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,3})?", value)]
    return Robots(rules, min(max(delays), _MAX_DELAY) if delays else None)


def _groups(text: str) -> Iterator[tuple[set[str], list[tuple[str, str]]]]:
    agents: set[str] = set()
    lines: list[tuple[str, str]] = []
    for raw in re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")):
        match = _LINE.match(raw)
        if match is None:
            continue
        key, value = match["key"].lower(), match["value"].strip()
        if key == "user-agent":
            if lines:
                yield agents, lines
                agents, lines = set(), []
            agents.add(re.split(r"[/\s]", value.lower(), maxsplit=1)[0])
        elif key in ("allow", "disallow", "crawl-delay") and agents:
            lines.append((key, value))
    if agents:
        yield agents, lines


def _normal(path: str) -> str:
    """Return a path in one spelling, so that escaped and plain forms of it meet."""
    return quote(unquote(path, errors="surrogateescape"), safe="/*$?&=:@!,;+~'()[]-._", errors="surrogateescape")
