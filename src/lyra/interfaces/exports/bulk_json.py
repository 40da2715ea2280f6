"""The JSON of a whole task as a stream of bytes, however large: the document that `materials_json` describes.

Most claims of a large task are plain: given by people, judged by a model, each quote on one page of its own. Their
JSON is put together from pieces that are made once for each fragment and page. Every other claim is told by the
presenter. The first plain claim is told both ways: should they differ, the presenter tells all of them.
"""

import gc
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations, groupby
from operator import itemgetter

import orjson

from lyra.core.confidence import INTERVAL_MASS, Confidence
from lyra.core.near_duplicates import near_duplicates
from lyra.core.records import ModelInfo
from lyra.core.verification import verify
from lyra.interfaces.exports.bulk_pieces import Page, Source, decisive_piece, edge_piece, groups_piece, page_piece, source_piece
from lyra.interfaces.presenter import claim_json, materials_json, models_json
from lyra.store.bulk_evidence import BulkEdge
from lyra.store.database import Row
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.materials import assess_all, without_claims

_CLAIMS_PER_CHUNK = 1_000
_INTERVALS_AT_ONCE = 20_000
# So much is kept of fragments and pages; a larger task looks them up again.
_KEPT = 50_000
_RULES = ("retraction",)
# With more quotes than these the presenter's way of comparing them is the faster one.
_MOST = 200
_CLAIM, _FRAGMENT, _MODEL = itemgetter(0), itemgetter(18), itemgetter(4, 5, 6)
# By what evidence is ordered: the strongest first, neutral ones last.
_RANK = itemgetter(20, 21, 1)
_TOUCHED, _PLAIN = itemgetter(19), itemgetter(5)

_VALUES = b'"confidence":%.3f,"uncertainty":%.3f,"controversy":%.3f,"alpha":%.6f,"beta":%.6f'
_NUMBERS = b"," + _VALUES + b',"interval":[%.3f,%.3f],"independent":{' + _VALUES + b',"sources":%d,"refuting_sources":%d'

Pieces = list[bytes]


def stream_materials(store: EvidenceStore, task_id: str, lang: str) -> Iterator[bytes]:
    """Yield the JSON of all that a task has come to, piece by piece: one state of the store, in bounded memory.

    Raises NotFound, before anything is yielded, for an unknown task.
    """
    with store.reading(), _without_collection():
        yield from BulkWriter(store, task_id, lang).write()


class BulkWriter:
    """Writes one task. For use inside `reading`; `plain` and `told` count the claims that went each way."""

    def __init__(self, store: EvidenceStore, task_id: str, lang: str) -> None:
        self._store, self._task_id, self._lang = store, task_id, lang
        self._sources: dict[str, Source] = {}
        self._pages: dict[str, Page] = {}
        self._models: Counter[tuple[str, str, str | None]] = Counter()
        self._edges: dict[tuple[str | None, ...], bytes] = {}
        self._trusted: bool | None = None
        self.plain = self.told = 0

    def write(self) -> Iterator[bytes]:
        """Yield the document piece by piece."""
        shell = materials_json(without_claims(self._store, self._task_id), self._lang)
        del shell["claims"], shell["models"]
        yield orjson.dumps(shell)[:-1] + b',"claims":['
        separator = b""
        for pieces in self._chunks():
            yield separator
            yield b"".join(pieces)
            separator = b","
        models = [name for name in self._models if name[0] not in _RULES]
        ranked = sorted(models, key=lambda name: (-self._models[name], name[0], name[1]))
        shown = models_json(ModelInfo("stance", *name) for name in ranked)
        yield b'],"models":' + orjson.dumps(shown) + b"}\n"

    def _chunks(self) -> Iterator[Pieces]:
        values = self._store.edges.confidences(self._task_id)
        intervals = _intervals(values)
        position = 0
        while claims := self._store.bulk_evidence.claims(self._task_id, position, _CLAIMS_PER_CHUNK):
            first, position = int(claims[0][1] or 0), int(claims[-1][1] or 0)
            edges = self._store.bulk_evidence.edges(self._task_id, first, position)
            self._models.update(map(_MODEL, edges))
            self._learn(set(map(_FRAGMENT, edges)))
            by_claim = {claim: sorted(group, key=_RANK) for claim, group in groupby(edges, _CLAIM)}
            yield self._claims(claims, by_claim, values, intervals)

    def _claims(
        self,
        claims: list[Row],
        by_claim: dict[int, list[BulkEdge]],
        values: dict[str, Confidence],
        intervals: dict[str, Sequence[float]],
    ) -> Pieces:
        found: list[Pieces | None] = []
        left: list[str] = []
        for claim in claims:
            claim_id = str(claim[0])
            made = self._plain(claim, by_claim.get(int(claim[1] or 0), []), values[claim_id], intervals[claim_id])
            if made is not None and self._trusted is None:
                (told,) = self._told([claim_id])
                self._trusted = orjson.loads(b"".join(made)) == orjson.loads(told)
            if made is None or not self._trusted:
                left.append(claim_id)
                found.append(None)
            else:
                found.append(made)
        told_ones = iter(self._told(left))
        self.plain += len(claims) - len(left)
        self.told += len(left)
        pieces: Pieces = []
        for one in found:
            pieces.extend([next(told_ones)] if one is None else one)
            pieces.append(b",")
        return pieces[:-1]

    def _told(self, claim_ids: list[str]) -> list[bytes]:
        """Return claims as the presenter tells them."""
        if not claim_ids:
            return []
        claims = self._store.tasks.claims(self._task_id, claim_ids)
        values, evidence = self._store.edges.confidences(self._task_id, claim_ids), self._store.evidence.of_claims(claim_ids)
        return [orjson.dumps(claim_json(material)) for material in assess_all(self._store, claims, values, evidence)]

    def _learn(self, fragment_ids: set[str]) -> None:
        """Read the sources of fragments that are not known yet."""
        from lyra.core.outlines import outlines  # noqa: PLC0415 - imports numpy

        if len(self._sources) > _KEPT:
            self._sources.clear()
            self._pages.clear()
        rows = list(self._store.bulk_evidence.fragments(fragment_ids - self._sources.keys()))
        for page in self._store.bulk_evidence.pages({str(row[11]) for row in rows} - self._pages.keys()):
            self._pages[str(page[0])] = page_piece(page)
        for row, outline in zip(rows, outlines([str(row[1]) for row in rows]), strict=True):
            self._sources[str(row[0])] = source_piece(row, self._pages[str(row[11])], outline)

    def _plain(self, claim: Row, edges: list[BulkEdge], values: Confidence, interval: Sequence[float]) -> Pieces | None:
        """Return a claim's JSON if it is plain, else None."""
        claim_id, _, text, language, adoption, given = claim
        sources = [self._sources[edge[18]] for edge in edges]
        speaking = [pair for pair in zip(edges, sources, strict=True) if pair[0][2] != "neutral"]
        if not given or adoption != "adopted" or not _are_plain(edges, sources, speaking):
            return None
        groups, independent, count = groups_piece(speaking)
        years = [source.page.year for _, source in speaking if source.page.year is not None]
        pros, cons = independent.supporting_count, independent.refuting_count
        verification = verify(pros, cons, count)
        head = {
            "claim_id": claim_id,
            "text": text,
            "language": language,
            "origin": None,
            "finding": "evidence" if speaking else "no_evidence",
            "evidence_count": values.evidence_count,
            "supporting_count": values.supporting_count,
            "refuting_count": values.refuting_count,
            "neutral_count": values.neutral_count,
            "independent_sources": pros,
            "refuting_sources": cons,
            "verification_status": verification.status,
            "reason_code": verification.reason_code.value,
            "claim_adoption_status": adoption,
            "claim_rejection_reason": None,
            "claim_rejected_at": None,
            "pointer_count": 0,
            "excluded_count": 0,
            "evidence_years": {"oldest": min(years, default=None), "newest": max(years, default=None)},
            "evidence_omitted": 0,
        }
        numbers = _NUMBERS % (*values[:5], *interval, *independent[:5], pros, cons)
        pieces = [orjson.dumps(head)[:-1], numbers, groups, b'},"evidence":[']
        known = self._edges
        for edge, source in zip(edges, sources, strict=True):
            own = known.get(edge[2:11]) or self._edge(edge[2:11])
            start, end = edge[16], edge[17]
            if start is None or end is None:
                decisive = b"null"
            else:
                decisive = source.decisive.get((start, end)) or decisive_piece(source, start, end)
            pieces += (own % (edge[1], *edge[11:16], decisive), source.json)
        pieces[-1] = pieces[-1].rstrip(b",") + b"]}" if edges else b'},"evidence":[]}'
        return pieces

    def _edge(self, named: tuple[str | None, ...]) -> bytes:
        found = self._edges[named] = edge_piece(named)
        return found


@contextmanager
def _without_collection() -> Iterator[None]:
    """Keep Python from looking for cycles among millions of new tuples: there are none, and it takes a fifth of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _are_plain(edges: list[BulkEdge], sources: list[Source], speaking: list[tuple[BulkEdge, Source]]) -> bool:
    """Return whether nothing joins two pages of the claim, and no person and no rule had a hand in its edges."""
    if len(speaking) > _MOST or any(map(_TOUCHED, edges)) or not all(map(_PLAIN, sources)):
        return False
    works: dict[str, bytes] = {}
    seen, doubtful = 0, False
    for _, (_, _, _, page, outline, _, _) in speaking:
        for key in page.work_keys:
            if works.setdefault(key, page.page_id) != page.page_id:
                return False
        doubtful = doubtful or outline.shares(seen)
        seen |= outline.bits
    # What stands in several texts together need not stand in one of them.
    doubtful = doubtful and any(two.outline.shares(one.outline.bits) for (_, one), (_, two) in combinations(speaking, 2))
    return not doubtful or not near_duplicates([source.quote for _, source in speaking])


def _intervals(values: dict[str, Confidence]) -> dict[str, Sequence[float]]:
    import numpy as np  # noqa: PLC0415 - slow to import

    from lyra.core.beta_many import central_intervals  # noqa: PLC0415 - imports numpy

    names = list(values)
    found: dict[str, Sequence[float]] = {}
    for start in range(0, len(names), _INTERVALS_AT_ONCE):
        part = names[start : start + _INTERVALS_AT_ONCE]
        shapes = np.array([values[name][3:5] for name in part])
        found.update(zip(part, central_intervals(shapes[:, 0], shapes[:, 1], INTERVAL_MASS).tolist(), strict=True))
    return found
