"""Pieces of JSON that are made once and used for many evidence items."""

import json
from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from operator import itemgetter
from typing import NamedTuple

import orjson

from lyra.store.database import Row

# The confidence is from 0 to 1 and so always of one width: it can be taken out of the line again.
NUMBERS = (
    b'"nli_confidence":%.6f,"nli_confidence_raw":%.6f,"probabilities":{"supports":%.6f,"refutes":%.6f,"neutral":%.6f},"decisive":'
)
_CONFIDENCE = slice(len('"nli_confidence":'), len('"nli_confidence":0.000000'))
_PAGES, _EDGES = b'{"page_ids":["', b'"],"links":[],"edge_ids":["'
_SUPPORTS, _REFUTES, _END = b'"],"is_claim_origin":false,"supports":', b',"refutes":', b"},"
_SUPPORTS_NOT, _REFUTES_NOT = _SUPPORTS + b"null" + _REFUTES, _REFUTES + b"null" + _END

_RULE = "retraction"
_FIRST, _NEXT, _LAST = b'},"evidence":[{"edge_id":"', b'},{"edge_id":"', b"}]}"
_NO_EVIDENCE = b'},"evidence":[]}'
# Of so many pieces an evidence item is made.
PER_ITEM = 8

Pieces = list[bytes]


class Page(NamedTuple):
    """A page's part of an evidence item. `plain` says that it retells no other page, and that nothing sets it aside."""

    page_id: bytes
    json: bytes
    year: int | None
    work_keys: tuple[str, ...]
    plain: bool


class Kind(NamedTuple):
    """What an edge has in common with most others; `touched` says that a person or a rule had a hand in it."""

    labels: bytes
    others: bytes
    supports: bool
    touched: bool
    model: tuple[str, str, str | None]


# An edge that speaks for or against a claim: its page's id, its own, whether it supports, how surely, its line of numbers.
Voice = tuple[bytes, bytes, bool, float, bytes]
# The items of all edges of a claim, its voices, and their pages. All in the order in which evidence is shown.
Evidence = tuple[Pieces, list[Voice], list[Page]]
SUPPORTS = itemgetter(2)
PAGE_ID, JSON, _KEYS = itemgetter(0), itemgetter(1), itemgetter(3)
_PAGE = itemgetter(0)


def page_piece(row: Row) -> Page:
    """Return the piece of a page; the brace that closes the item is left to the next one."""
    page_id, url, title, authors, published_on, doi, venue, retracted, work_key, cites_nothing = row
    year = int(str(published_on)[:4]) if published_on else None
    own = {
        "page_id": page_id,
        "url": url,
        "title": title,
        "authors": json.loads(str(authors)),
        "year": year,
        "published_on": published_on,
        "doi": doi,
        "venue": venue,
        "retracted": bool(retracted),
    }
    keys = () if work_key is None else tuple(str(work_key).split("\n"))
    return Page(str(page_id).encode(), orjson.dumps(own)[1:-1], year, keys, bool(cites_nothing))


def source_piece(row: Row) -> bytes:
    """Return the piece of a fragment."""
    fragment_id, _, quote, version, digest, start, end, section, number, stale, path, _, _ = row
    own: dict[str, object] = {
        "quote": quote,
        "locator": {
            "page_version_id": version,
            "content_hash": digest,
            "start": start,
            "end": end,
            "section": section,
            "page_number": number,
            "path": path,
            "stale": bool(stale),
        },
        "fragment_id": fragment_id,
        "other_page_ids": [],
    }
    return orjson.dumps(own)[1:-1] + b","


def kind_piece(common: str) -> Kind:
    """Return the pieces of what edges have in common: before their numbers, and behind the place where they are decided."""
    (
        relation,
        label,
        model,
        version,
        calibration,
        source_category,
        target_category,
        claim_language,
        fragment_language,
        corrected,
    ) = json.loads(common)
    own = {
        "model": model,
        "model_version": version,
        "calibration_version": calibration,
        "source_domain_category": source_category,
        "target_domain_category": target_category,
        "claim_language": claim_language,
        "fragment_language": fragment_language,
        "is_pointer": False,
        "excluded_reason": None,
        "edge_human_corrected": False,
        "edge_correction_reason": None,
        "edge_corrected_at": None,
    }
    labels = b'",' + orjson.dumps({"relation": relation, "nli_label": label})[1:-1] + b","
    others = b"," + orjson.dumps(own)[1:-1] + b","
    return Kind(labels, others, relation == "supports", bool(corrected) or model == _RULE, (model, version, calibration))


def items(ids: Iterable[bytes], kinds: Sequence[Kind], *rest: Iterable[bytes]) -> Pieces:
    """Return evidence items one behind the other: of each the id, what is common, its line, where decided, quote and page.

    Nothing here is done item by item in Python.
    """
    lines, decisive, quotes, pages = rest
    labels, others = map(itemgetter(0), kinds), map(itemgetter(1), kinds)
    openings = repeat(_NEXT, len(kinds))
    return list(chain.from_iterable(zip(openings, ids, labels, lines, decisive, others, quotes, pages, strict=True)))


def evidence_piece(shown: Pieces) -> Pieces:
    """Return the evidence of a claim from its items, and the end of the claim."""
    return [_FIRST, *shown[1:], _LAST] if shown else [_NO_EVIDENCE]


def are_joined(pages: Sequence[Page]) -> bool:
    """Return whether two of the pages are of one work."""
    keys = list(chain.from_iterable(map(_KEYS, pages)))
    if len(set(keys)) == len(keys):
        return False
    works: dict[str, bytes] = {}
    return any(works.setdefault(key, page.page_id) != page.page_id for page in pages for key in page.work_keys)


def groups_piece(voices: list[Voice], pros: list[float], cons: list[float]) -> tuple[Pieces, int]:
    """Return the groups of plain evidence, one for each page, and how many they are.

    The strongest of each direction of a group is added to those of the claim.
    """
    pages = set(map(_PAGE, voices))
    shown: Pieces = [b',"groups":[']
    if len(pages) == len(voices):
        for voice in sorted(voices):
            shown += _small_group(voice, pros, cons)
    else:
        for page_id in sorted(pages):
            own = [voice for voice in voices if voice[0] == page_id]
            shown += _large_group(page_id, own, pros, cons) if len(own) > 1 else _small_group(own[0], pros, cons)
    shown.append(shown.pop().rstrip(b",") + b"]" if voices else b"]")
    return shown, len(pages)


def _small_group(voice: Voice, pros: list[float], cons: list[float]) -> tuple[bytes, ...]:
    page_id, edge_id, supports, confidence, line = voice
    if supports:
        pros.append(confidence)
        return _PAGES, page_id, _EDGES, edge_id, _SUPPORTS, line[_CONFIDENCE], _REFUTES_NOT
    cons.append(confidence)
    return _PAGES, page_id, _EDGES, edge_id, _SUPPORTS_NOT, line[_CONFIDENCE], _END


def _large_group(page_id: bytes, voices: list[Voice], pros: list[float], cons: list[float]) -> Pieces:
    strongest = []
    for direction, found in ((True, pros), (False, cons)):
        weights = [confidence for _, _, supports, confidence, _ in voices if supports is direction]
        found.extend([max(weights)] if weights else [])
        strongest.append(b"%.6f" % max(weights) if weights else b"null")
    ids = b'","'.join(sorted(voice[1] for voice in voices))
    return [_PAGES, page_id, _EDGES, ids, _SUPPORTS, strongest[0], _REFUTES, strongest[1], _END]
