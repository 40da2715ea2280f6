"""What is wrong with a model's answer: instructions in it, our own prompt, or addresses that nobody gave the model.

An answer is bound to a schema and its claims must quote their source; this looks at what still fits into the form.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from urllib.parse import urlsplit

from lyra.core.dangerous.disguises import fold, payloads
from lyra.core.dangerous.scanning import find_patterns
from lyra.core.identity import normalise_text, normalise_url
from lyra.core.invisible import smuggled
from lyra.core.lexicon import CJK
from lyra.core.page_safety import INVISIBLE, Finding, Unseen

OUTPUT = "output"
INSTRUCTION, PROMPT_LEAK, FOREIGN_URL = "instruction", "prompt_leak", "foreign_url"
# A run of this many words, or of this many Japanese characters, that stands in the prompt too is no accident.
_WORDS, _CHARACTERS = 8, 16
_TOKEN = re.compile(rf"[{CJK}]|[^\W_]+")
_CJK_TOKEN = re.compile(f"[{CJK}]")
_EXCERPT = 240
_SCHEME = r"(?:https?|hxxps?|ftp|wss?|file|data|javascript|mailto)"
_URL = re.compile(
    rf"\b{_SCHEME}:[^\s<>\"'()\[\]{{}}、。」』）]{{3,2000}}|(?<![:\w/])//[\w-]+(?:\.[\w-]+)+[^\s<>\"')\]]*|\bwww\.[\w-]+\.[^\s<>\"')\]]+",
    re.IGNORECASE,
)
_TRAILING = ".,;:!?"


def check_output(prompt: str, answer: str, allowed_urls: Collection[str]) -> list[Finding]:
    """Return what makes an answer unusable; empty for one that may be used. Pure and deterministic.

    `prompt` is what we wrote ourselves, without the text that the model was given to work on, which an answer may quote.
    `allowed_urls` are the addresses that text holds: any other one in the answer is foreign.
    """
    hidden = [Unseen(INVISIBLE, message) for message in smuggled(answer)]
    found = [Finding(INSTRUCTION, OUTPUT, one.excerpt) for one in find_patterns(answer, hidden)]
    found += [Finding(PROMPT_LEAK, OUTPUT, run) for run in _leaks(prompt, [answer, *payloads(answer)])]
    found += [Finding(FOREIGN_URL, OUTPUT, url[:_EXCERPT]) for url in _foreign(answer, allowed_urls)]
    return list(dict.fromkeys(found))


def check_form(prompt: str, answer: object, given: Sequence[str]) -> list[Finding]:
    """Return what makes a filled-in form unusable: `check_output` on every text in it that does not stand in `given`.

    `given` are the texts that the model worked on; what it quotes from them word for word is theirs, not its own.
    """
    whole = "\n".join(map(normalise_text, given))
    own = [text for text in _texts(answer) if normalise_text(text) not in whole]
    return check_output(prompt, "\n\n".join(own), [match[0] for match in _URL.finditer("\n".join(given))]) if own else []


def _texts(value: object) -> Iterator[str]:
    """Yield the texts of a JSON value, depth first, without recursion."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting += reversed(list(one.values()))
        elif isinstance(one, list):
            waiting += reversed(one)


def _leaks(prompt: str, answers: Sequence[str]) -> Iterator[str]:
    """Yield the first run of words that an answer, as it is or decoded, shares with the prompt."""
    ours = _runs(_tokens(prompt))
    for answer in answers:
        shared = next((run for run in _runs(_tokens(answer)) if run in ours), None)
        if shared is not None:
            joint = "" if _CJK_TOKEN.match(shared[0]) else " "
            yield joint.join(shared)[:_EXCERPT]


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(fold(text))


def _runs(tokens: Sequence[str]) -> dict[tuple[str, ...], None]:
    """Return the runs of a text that are long enough to tell, in order."""
    runs: dict[tuple[str, ...], None] = {}
    for start in range(len(tokens)):
        length = _CHARACTERS if _CJK_TOKEN.match(tokens[start]) else _WORDS
        if start + length <= len(tokens):
            runs[tuple(tokens[start : start + length])] = None
    return runs


def _foreign(answer: str, allowed_urls: Collection[str]) -> Iterator[str]:
    allowed = set(map(_address, allowed_urls))
    for match in _URL.finditer(answer):
        url = match[0].rstrip(_TRAILING)
        if _address(url) not in allowed:
            yield url


def _address(url: str) -> str:
    """Return an address in the form in which two are compared; the scheme http counts as https."""
    text = url.strip().rstrip(_TRAILING)
    if text.lower().startswith("www."):
        text = f"https://{text}"
    elif text.startswith("//"):
        text = f"https:{text}"
    try:
        parts = urlsplit(normalise_url(text))
    except ValueError:
        return text
    scheme = "https" if parts.scheme == "http" else parts.scheme
    return f"{scheme}://{parts.netloc}{parts.path.rstrip('/')}?{parts.query}"
