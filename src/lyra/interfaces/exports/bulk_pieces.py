"""Pieces of JSON that are made once and used for many evidence items."""

import json
import math
from typing import TYPE_CHECKING, NamedTuple

import orjson

from lyra.core.confidence import Confidence, posterior
from lyra.store.bulk_evidence import BulkEdge
from lyra.store.database import Row
from lyra.store.evidence import locate

if TYPE_CHECKING:
    from lyra.core.outlines import Outline

_GROUP = b'{"page_ids":["%b"],"links":[],"edge_ids":["%b"],"is_claim_origin":false,"supports":%b,"refutes":%b}'
_SUPPORTING = b'{"page_ids":["%b"],"links":[],"edge_ids":["%b"],"is_claim_origin":false,"supports":%.6f,"refutes":null}'
_REFUTING = b'{"page_ids":["%b"],"links":[],"edge_ids":["%b"],"is_claim_origin":false,"supports":null,"refutes":%.6f}'
_EDGE = (
    b'{"edge_id":"%%b",%b,"nli_confidence":%%.6f,"nli_confidence_raw":%%.6f,'
    b'"probabilities":{"supports":%%.6f,"refutes":%%.6f,"neutral":%%.6f},"decisive":%%b,'
)


class Page(NamedTuple):
    """A page's part of an evidence item. `plain` says that it retells no other page, and that nothing sets it aside."""

    page_id: bytes
    json: bytes
    year: int | None
    work_keys: tuple[str, ...]
    plain: bool


class Source(NamedTuple):
    """A fragment's part of an evidence item, with the page's. `plain` says that it stands on one page alone, a plain one."""

    json: bytes
    text: str
    quote: str
    page: Page
    outline: "Outline"
    plain: bool
    decisive: dict[tuple[int, int], bytes]


def page_piece(row: Row) -> Page:
    """Return the piece of a page."""
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
    return Page(str(page_id).encode(), orjson.dumps(own)[1:] + b",", year, keys, bool(cites_nothing))


def source_piece(row: Row, page: Page, outline: "Outline") -> Source:
    """Return the piece of a fragment; it ends with the comma before the next item."""
    fragment_id, text, quote, version, digest, start, end, section, number, stale, path, _, alone = row
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
    piece = orjson.dumps(own)[1:-1] + b"," + page.json
    return Source(piece, str(text), str(quote), page, outline, bool(alone) and page.plain, {})


def edge_piece(named: tuple[str | None, ...]) -> bytes:
    """Return an edge's own part of an evidence item, with places for its id, its five numbers, and where it is decided.

    Most edges have the rest in common: relation and label, model, version, calibration, both categories, both languages.
    """
    relation, label, model, version, calibration, source_category, target_category, claim_language, fragment_language = named
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
    labels = orjson.dumps({"relation": relation, "nli_label": label})[1:-1]
    return _EDGE % labels + orjson.dumps(own)[1:-1].replace(b"%", b"%%") + b","


def decisive_piece(source: Source, start: int, end: int) -> bytes:
    """Return where the decisive sentence stands in the quote."""
    known = source.decisive.get((start, end))
    if known is None:
        found = locate(source.quote, source.text, start, end)
        known = b"null" if found is None else b'{"start":%d,"end":%d}' % found
        source.decisive[start, end] = known
    return known


def groups_piece(speaking: list[tuple[BulkEdge, Source]]) -> tuple[bytes, Confidence, int]:
    """Return the groups of plain evidence, one for each page, the values that they give, and how many they are."""
    members: dict[bytes, list[BulkEdge]] = {}
    for edge, source in speaking:
        page_id = source.page.page_id
        if page_id in members:
            members[page_id].append(edge)
        else:
            members[page_id] = [edge]
    shown: list[bytes] = []
    pros: list[float] = []
    cons: list[float] = []
    for page_id, edges in sorted(members.items()):
        edge = edges[0]
        if len(edges) > 1:
            shown.append(_large_group(page_id, edges, pros, cons))
        elif edge[2] == "supports":
            pros.append(edge[11])
            shown.append(_SUPPORTING % (page_id, edge[1], edge[11]))
        else:
            cons.append(edge[11])
            shown.append(_REFUTING % (page_id, edge[1], edge[11]))
    values = posterior(math.fsum(pros), math.fsum(cons), len(pros), len(cons), 0)
    return b',"groups":[' + b",".join(shown) + b"]", values, len(shown)


def _large_group(page_id: bytes, edges: list[BulkEdge], pros: list[float], cons: list[float]) -> bytes:
    """Return a group of several edges; the strongest of each direction is added to those of the claim."""
    strongest = []
    for direction, found in (("supports", pros), ("refutes", cons)):
        weights = [edge[11] for edge in edges if edge[2] == direction]
        found.extend([max(weights)] if weights else [])
        strongest.append(b"%.6f" % max(weights) if weights else b"null")
    ids = b'","'.join(sorted(edge[1] for edge in edges))
    return _GROUP % (page_id, ids, *strongest)
