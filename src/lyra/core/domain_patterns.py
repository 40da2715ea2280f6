"""Patterns of override rules: `example.com` or `*.example.com`, nothing wider. Pure."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from lyra.core.errors import InvalidInput
from lyra.core.identity import normalise_host

MAX_HOST_CHARS = 253
_WILDCARD = "*."
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_ADDRESS = re.compile(r"\[?[0-9a-f]*:[0-9a-f:.%]*\]?")
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
_ACE = "xn--"
# Scripts that are written together; every other label keeps to one.
_TOGETHER = (
    frozenset({"LATIN", "CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
)


@dataclass(frozen=True, slots=True)
class OverrideRule:
    """A person's decision, `block` or `unblock`, about a pattern. `sequence` orders rules by when they were made."""

    rule_id: str
    domain_pattern: str
    decision: str
    reason: str
    created_at: str
    updated_at: str
    sequence: int


def check_pattern(pattern: str, is_public_suffix: Callable[[str], bool]) -> str:
    """Return a pattern in its one spelling (lower-case IDNA, no dot at the end), or raise InvalidInput with the reason.

    A public suffix, alone or behind a wildcard, would take in the sites of strangers and is refused, and so is whatever
    could mean more than it seems to: a wildcard elsewhere, an address, a name in mixed alphabets.
    """
    written = pattern.strip()
    if not written:
        raise InvalidInput("pattern_empty")
    if len(written) > MAX_HOST_CHARS + len(_WILDCARD):
        raise InvalidInput("pattern_too_long", length=len(written), limit=MAX_HOST_CHARS)
    wild = written.startswith(_WILDCARD)
    name = written.removeprefix(_WILDCARD)
    if "*" in name:
        raise InvalidInput("pattern_wildcard", pattern=written)
    host = normalise_host(name)
    labels = host.split(".")
    if _ADDRESS.fullmatch(host) or _NUMBER.fullmatch(labels[-1]):
        raise InvalidInput("pattern_address", pattern=written)
    if len(host) > MAX_HOST_CHARS or name.endswith("..") or not all(map(_LABEL.fullmatch, labels)):
        raise InvalidInput("pattern_malformed", pattern=written)
    for label in labels:
        if _is_mixed(_shown(label, written)):
            raise InvalidInput("pattern_mixed", pattern=written)
    if is_public_suffix(host):
        raise InvalidInput("pattern_public_suffix", pattern=written)
    return f"{_WILDCARD}{host}" if wild else host


def matches(pattern: str, host: str) -> bool:
    """Return whether a checked pattern covers a normalised host: `*.example.com` also covers `example.com` itself."""
    if not pattern.startswith(_WILDCARD):
        return host == pattern
    suffix = pattern.removeprefix(_WILDCARD)
    return host == suffix or host.endswith(f".{suffix}")


def ruling(rules: Iterable[OverrideRule], host: str) -> OverrideRule | None:
    """Return the rule that holds for a host: an exact one, else the longest suffix, else the one made last."""
    fitting = [rule for rule in rules if matches(rule.domain_pattern, host)]
    return max(fitting, key=lambda rule: (rule.domain_pattern == host, len(rule.domain_pattern), rule.sequence), default=None)


def _shown(label: str, pattern: str) -> str:
    if not label.startswith(_ACE):
        return label
    try:
        return label.encode("ascii").decode("idna")
    except UnicodeError:
        raise InvalidInput("pattern_malformed", pattern=pattern) from None


def _is_mixed(label: str) -> bool:
    scripts = {unicodedata.name(c, "UNKNOWN").split()[0].split("-")[0] for c in label if c.isalpha()}
    return len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER)
