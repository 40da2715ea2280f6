"""Identity: when two sightings are the same thing. Everything here is deterministic and pure."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from datetime import datetime
from random import Random
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from lyra.core.lexicon import CJK
from lyra.core.records import Identifier

# What ASCII text may hold that folding white space changes, its two ends aside.
_TO_FOLD = ("  ", *"\t\n\v\f\r\x1c\x1d\x1e\x1f")
_SHORT = 200
_ZERO_WIDTH = dict.fromkeys(map(ord, "\u00ad\u180e\u200b\u200c\u200d\u2060\ufeff"))
_TRACKING = re.compile(r"^(utm_.*|gclid|dclid|fbclid|msclkid|mc_cid|mc_eid|igshid|yclid|_ga|ref_src)$", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_DOI_PREFIX = re.compile(r"^(?:(?P<resolver>https?://(?:dx\.|www\.)?doi\.org/)|doi:\s*)", re.IGNORECASE)
_ARXIV = re.compile(
    r"^(?:arxiv:|https?://arxiv\.org/(?:abs|pdf)/)?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?$",
    re.IGNORECASE,
)
_PMID = re.compile(r"^(?:pmid:\s*|https?://pubmed\.ncbi\.nlm\.nih\.gov/)?(\d{1,9})/?$", re.IGNORECASE)
_MIN_TITLE_WORDS, _MIN_TITLE_CJK = 4, 8
_CJK_CHAR = re.compile(f"[{CJK}]")
_INITIALS = re.compile("[A-Z]{1,3}")
_RETRACTED = re.compile(r"^\s*(retracted|withdrawn)\s*[:：]\s*")
_WORD = re.compile(r"\w+")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}|.", re.DOTALL)
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PATH_SAFE = "/:@!$&'()*+,;=-._~"
_CATALOGUES = frozenset({"openalex.org"})
_LOW_62 = (1 << 62) - 1
_DOTS = str.maketrans("。．｡", "...")


def new_id(prefix: str, now: datetime, rng: Random) -> str:
    """Return an opaque id `prefix_…` with a time-ordered UUID (version 7 layout, RFC 9562) inside."""
    (found,) = new_ids(prefix, now, rng, 1)
    return found


def new_ids(prefix: str, now: datetime, rng: Random, count: int) -> list[str]:
    """Return ids of one moment, each as `new_id` gives it."""
    milliseconds = int(now.timestamp() * 1000) & ((1 << 48) - 1)
    front = f"{prefix}_{milliseconds:012x}"
    numbers = [rng.getrandbits(74) for _ in range(count)]
    return [f"{front}{0x7000 | drawn >> 62:04x}{0b10 << 62 | drawn & _LOW_62:016x}" for drawn in numbers]


def normalise_text(text: str) -> str:
    """Return the form in which texts are compared: NFKC, no zero-width characters, white space folded."""
    if text.isascii():  # nothing else to do there, and most text is
        return text if _is_folded(text) else " ".join(text.split())
    return " ".join(unicodedata.normalize("NFKC", text.translate(_ZERO_WIDTH)).split())


def _is_folded(text: str) -> bool:
    """Return False for every ASCII text that folding white space changes; rarely for another."""
    if text[:1] == " " or text[-1:] == " ":
        return False
    if len(text) < _SHORT:
        return text.isprintable() and "  " not in text
    return not any(map(text.__contains__, _TO_FOLD))  # in a long text quicker than looking at each character


def text_hash(text: str) -> str:
    """Return the SHA-256 of the normalised text, as hex."""
    return hash_of_normalised(normalise_text(text))


def hash_of_normalised(text: str) -> str:
    """Return the hash of a text that is normalised already."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def content_hash(text: str) -> str:
    """Return the SHA-256 of a page's extracted text exactly as stored."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def fragment_id(text: str) -> str:
    """Return the content address of a fragment: equal normalised text, equal id."""
    return fragment_id_of(text_hash(text))


def fragment_id_of(digest: str) -> str:
    """Return the content address of a fragment with this text hash."""
    return f"frag_{digest[:32]}"


def normalise_host(host: str) -> str:
    """Return a host in lower-case IDNA form without a trailing dot."""
    lowered = unicodedata.normalize("NFKC", host).translate(_DOTS).strip().rstrip(".").lower()
    try:
        return lowered.encode("idna").decode("ascii").rstrip(".")
    except UnicodeError:
        return lowered


def normalise_url(url: str) -> str:
    """Return the one spelling of a URL under which a page is known.

    Scheme and host lower-cased (IDNA), default port, fragment and tracking parameters dropped, the other
    parameters sorted, a trailing slash dropped. Idempotent.
    """
    parts = urlsplit(url.strip())
    scheme = parts.scheme.lower()
    host = normalise_host(parts.hostname or "")
    try:
        port = parts.port
    except ValueError:
        port = None
    netloc = f"[{host}]" if ":" in host else host
    if port is not None and port != _DEFAULT_PORTS.get(scheme):
        netloc = f"{netloc}:{port}"
    pairs = parse_qsl(parts.query, keep_blank_values=True, errors="surrogateescape")
    kept = sorted((key, value) for key, value in pairs if not _TRACKING.match(key))
    path = _ESCAPE.sub(_escape_once, parts.path).rstrip("/")
    return urlunsplit((scheme, netloc, path, urlencode(kept, errors="surrogateescape"), ""))


def _escape_once(match: re.Match[str]) -> str:
    """Return a character of a path in its one spelling: escaped only where it must be, in upper case (RFC 3986, 6.2.2)."""
    written = match.group()
    if len(written) == 1:
        return quote(written, safe=_PATH_SAFE, errors="surrogateescape")
    plain = chr(int(written[1:], 16))
    return plain if plain in _UNRESERVED else written.upper()


def host_of(url: str) -> str | None:
    """Return the normalised host of an http(s) URL; None for a local file or anything else."""
    parts = urlsplit(url)
    return normalise_host(parts.hostname) if parts.scheme in _DEFAULT_PORTS and parts.hostname else None


def normalise_doi(text: str) -> str | None:
    """Return a DOI lower-cased without resolver prefix, percent-decoded; None if `text` is none."""
    prefix = _DOI_PREFIX.match(text.strip())
    name = text.strip()[prefix.end() :] if prefix else text.strip()
    if prefix and prefix["resolver"]:
        name = re.split("[?#]", name, maxsplit=1)[0]
    stripped = unquote(name).strip().lower().rstrip(".,;")
    return stripped if _DOI.fullmatch(stripped) else None


def normalise_arxiv(text: str) -> str | None:
    """Return an arXiv id without version or prefix; None if `text` is none."""
    match = _ARXIV.match(text.strip())
    return match.group(1).lower() if match else None


def normalise_pmid(text: str) -> str | None:
    """Return a PubMed id as digits; None if `text` is none."""
    match = _PMID.match(text.strip())
    return match.group(1) if match else None


def identify_link(url: str) -> Identifier | None:
    """Return what a link names: a DOI, arXiv or PubMed id where the URL is that service's, else the normalised URL."""
    if not url.strip().lower().startswith(("http://", "https://")):
        return None
    if _DOI_PREFIX.match(url.strip()) and (doi := normalise_doi(url)):
        return Identifier("doi", doi)
    if "arxiv.org/" in url and (arxiv := normalise_arxiv(url)):
        return Identifier("arxiv", arxiv)
    if "pubmed.ncbi.nlm.nih.gov/" in url and (pmid := normalise_pmid(url)):
        return Identifier("pmid", pmid)
    try:
        return Identifier("url", normalise_url(url))
    except ValueError:
        return None


def work_key(title: str | None, authors: tuple[str, ...]) -> str | None:
    """Return a key under which versions of one work meet: title and first author; None without both.

    Punctuation and case do not matter; titles of fewer than four words (or eight CJK characters) are too common.
    """
    if not title or not authors:
        return None
    plain = normalise_text(title).casefold()
    if mark := _RETRACTED.match(plain):
        plain = plain[mark.end() :]
    words = _WORD.findall(plain)
    surname = _surname(normalise_text(authors[0]))
    too_common = len(words) < _MIN_TITLE_WORDS and len(_CJK_CHAR.findall(plain)) < _MIN_TITLE_CJK
    return None if too_common or not surname else f"{' '.join(words)}|{surname}"


def work_keys(title: str | None, authors: tuple[str, ...], names: Iterable[Identifier]) -> tuple[str, ...]:
    """Return every key under which versions of a work meet: title and first author, and the arXiv ids among its names.

    `names` are the document's own and those of its other versions, so that a journal article that names its preprint
    meets it, whichever is seen first and however their titles differ.
    """
    key = work_key(title, authors)
    arxiv = [f"arxiv:{name.value}" for name in names if name.kind == "arxiv"]
    return (*([key] if key else []), *sorted(set(arxiv)))


def is_catalogue(url: str) -> bool:
    """Return whether an address is an entry of a catalogue of works: a name of the work, not the place it stands at."""
    # Most addresses do not have the name of a catalogue anywhere, and need not be taken apart.
    named = not (url.isascii() and url.isprintable()) or any(catalogue in url.lower() for catalogue in _CATALOGUES)
    return named and host_of(url) in _CATALOGUES


def _surname(author: str) -> str:
    """Return the surname from `Ann Smith`, `A. Smith`, `Smith, Ann` or `Smith A`; a CJK name as a whole; "" if there is none."""
    if not author.isascii() and _CJK_CHAR.search(author):
        return "".join(_WORD.findall(author))
    before_comma = author.partition(",")[0]
    words = _WORD.findall(before_comma)
    while len(words) > 1 and _INITIALS.fullmatch(words[-1]) and not before_comma.isupper():
        words.pop()
    return words[-1].casefold() if words else ""
