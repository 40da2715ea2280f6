"""The JSON of a whole task as a stream of bytes, however large: the document that `materials_json` describes.

Most claims of a large task are plain: given by people, judged by a model, each quote on one page of its own. Their
JSON is put together from pieces that are made once for each fragment and page. Every other claim is told by the
presenter. The first plain claim is told both ways: should they differ, the presenter tells all of them.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING

import orjson

from lyra.core.collection import without_collection
from lyra.core.confidence import INTERVAL_MASS, Confidence, posterior
from lyra.core.near_duplicates import near_duplicates
from lyra.core.records import ModelInfo
from lyra.core.verification import verify
from lyra.interfaces.exports.bulk_pieces import (
    JSON,
    NUMBERS,
    PAGE_ID,
    PER_ITEM,
    SUPPORTS,
    Evidence,
    Kind,
    Pieces,
    are_joined,
    evidence_piece,
    groups_piece,
    items,
    kind_piece,
)
from lyra.interfaces.presenter import claim_json, materials_json, models_json
from lyra.store.bulk_evidence import BulkEdge
from lyra.store.database import Row
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.materials import assess_all, without_claims

if TYPE_CHECKING:
    from lyra.interfaces.exports.bulk_sources import Sources

_CLAIMS_PER_CHUNK = 1_000
_INTERVALS_AT_ONCE = 20_000
# So much is kept of fragments and pages; a larger task looks them up again.
_KEPT = 50_000
# So many claims are put together at once: a few that the processor's cache holds.
_TOGETHER = 50
_RULES = ("retraction",)
_CLAIM, _ID, _NEUTRAL, _KIND, _CONFIDENCE = map(itemgetter, range(5))
_FRAGMENT = itemgetter(11)
_NO_EVIDENCE: Evidence = ([], [], [])

_VALUES = b'"confidence":%.3f,"uncertainty":%.3f,"controversy":%.3f,"alpha":%.6f,"beta":%.6f'
_NUMBERS = b"," + _VALUES + b',"interval":[%.3f,%.3f],"independent":{' + _VALUES + b',"sources":%d,"refuting_sources":%d'


def stream_materials(store: EvidenceStore, task_id: str, lang: str) -> Iterator[bytes]:
    """Yield the JSON of all that a task has come to, piece by piece: one state of the store, in bounded memory.

    Raises NotFound, before anything is yielded, for an unknown task.
    """
    with store.reading(), without_collection():
        yield from BulkWriter(store, task_id, lang).write()


class BulkWriter:
    """Writes one task. For use inside `reading`; `plain` and `told` count the claims that went each way."""

    def __init__(self, store: EvidenceStore, task_id: str, lang: str) -> None:
        self._store, self._task_id, self._lang = store, task_id, lang
        self._sources: Sources | None = None
        self._kinds: dict[str, Kind] = {}
        self._models: Counter[tuple[str, str, str | None]] = Counter()
        self._trusted: bool | None = None
        self.plain = self.told = 0

    def write(self) -> Iterator[bytes]:
        """Yield the document piece by piece."""
        shell = materials_json(without_claims(self._store, self._task_id), self._lang)
        del shell["claims"], shell["models"]
        yield orjson.dumps(shell)[:-1] + b',"claims":['
        before = 1  # a comma stands before every claim but the first
        for claims in self._chunks():
            for start in range(0, len(claims), _TOGETHER):
                yield b"".join(islice(chain.from_iterable(claims[start : start + _TOGETHER]), before, None))
                before = 0
        models = [name for name in self._models if name[0] not in _RULES]
        ranked = sorted(models, key=lambda name: (-self._models[name], name[0], name[1]))
        shown = models_json(ModelInfo("stance", *name) for name in ranked)
        yield b'],"models":' + orjson.dumps(shown) + b"}\n"

    def _chunks(self) -> Iterator[list[Pieces]]:
        values = self._store.edges.confidences(self._task_id)
        intervals = _intervals(values)
        position = 0
        while claims := self._store.bulk_evidence.claims(self._task_id, position, _CLAIMS_PER_CHUNK):
            first, position = int(claims[0][1] or 0), int(claims[-1][1] or 0)
            edges = self._store.bulk_evidence.edges(self._task_id, first, position)
            for common, count in Counter(map(_KIND, edges)).items():
                kind = self._kinds[common] = self._kinds.get(common) or kind_piece(common)
                self._models[kind.model] += count
            yield self._claims(claims, self._evidence(edges), values, intervals)

    def _claims(
        self,
        claims: list[Row],
        evidence: dict[int, Evidence | None],
        values: dict[str, Confidence],
        intervals: dict[str, Sequence[float]],
    ) -> list[Pieces]:
        found: list[Pieces | None] = []
        left: list[str] = []
        for claim in claims:
            claim_id = str(claim[0])
            own = evidence.get(int(claim[1] or 0), _NO_EVIDENCE)
            made = None if own is None else _plain(claim, own, values[claim_id], intervals[claim_id])
            if made is not None and self._trusted is None:
                (told,) = self._told([claim_id])
                self._trusted = orjson.loads(b"".join(made[1:])) == orjson.loads(told)
            if made is None or not self._trusted:
                left.append(claim_id)
                found.append(None)
            else:
                found.append(made)
        told_ones = iter(self._told(left))
        self.plain += len(claims) - len(left)
        self.told += len(left)
        return [[b",", next(told_ones)] if one is None else one for one in found]

    def _told(self, claim_ids: list[str]) -> list[bytes]:
        """Return claims as the presenter tells them."""
        if not claim_ids:
            return []
        claims = self._store.tasks.claims(self._task_id, claim_ids)
        values, evidence = self._store.edges.confidences(self._task_id, claim_ids), self._store.evidence.of_claims(claim_ids)
        return [orjson.dumps(claim_json(material)) for material in assess_all(self._store, claims, values, evidence)]

    def _known(self, fragment_ids: set[str]) -> "Sources":
        """Return what is known of sources, these among them."""
        from lyra.interfaces.exports.bulk_sources import Sources  # noqa: PLC0415 - imports numpy

        if self._sources is None or len(self._sources.places) > _KEPT:
            self._sources = Sources(self._store.bulk_evidence)
        self._sources.learn(fragment_ids)
        return self._sources

    def _evidence(self, edges: list[BulkEdge]) -> dict[int, Evidence | None]:
        """Return the evidence of each claim that has some, None where it is not plain; the edges come claim by claim."""
        if not edges:
            return {}
        sources = self._known(set(map(_FRAGMENT, edges)))
        ordered: list[BulkEdge] = []
        bounds: list[tuple[int, int, int]] = []
        for claim, group in groupby(edges, _CLAIM):
            own = list(group)
            # The strongest first, those of one strength by id, neutral ones last: each sort leaves ties as they were.
            own.sort(key=_ID)
            own.sort(key=_CONFIDENCE, reverse=True)
            own.sort(key=_NEUTRAL)
            bounds.append((claim, len(ordered), len(ordered) + len(own)))
            ordered += own
        owners, names, neutral, common, *numbers, starts, ends, fragments = zip(*ordered, strict=True)
        ids = [name.encode() for name in names]
        kinds = list(map(self._kinds.__getitem__, common))
        places = list(map(sources.places.__getitem__, fragments))
        pages = list(map(sources.pages.__getitem__, places))
        lines, decisive = _lines(numbers), sources.decisive(places, starts, ends)
        shown = items(ids, kinds, lines, decisive, map(sources.json.__getitem__, places), map(JSON, pages))
        voices = list(zip(map(PAGE_ID, pages), ids, map(SUPPORTS, kinds), numbers[0], lines, strict=True))
        apart, doubtful = sources.questionable(places, owners, neutral)
        if any(kind.touched for kind in self._kinds.values()):
            apart |= {owner for owner, kind in zip(owners, kinds, strict=True) if kind.touched}
        found: dict[int, Evidence | None] = {}
        for claim, start, end in bounds:
            speaking = end - sum(neutral[start:end])
            own_pages = pages[start:speaking]
            plain = claim not in apart and len(own_pages) <= sources.most and not are_joined(own_pages)
            if plain and claim in doubtful:
                plain = not near_duplicates([sources.quotes[place] for place in places[start:speaking]])
            found[claim] = (shown[start * PER_ITEM : end * PER_ITEM], voices[start:speaking], own_pages) if plain else None
        return found


def _plain(claim: Row, evidence: Evidence, values: Confidence, interval: Sequence[float]) -> Pieces | None:
    """Return a claim's JSON if it is plain, else None."""
    claim_id, _, text, language, adoption, given = claim
    if not given or adoption != "adopted":
        return None
    shown, voices, pages = evidence
    pros: list[float] = []
    cons: list[float] = []
    groups, count = groups_piece(voices, pros, cons)
    independent = posterior(math.fsum(pros), math.fsum(cons), len(pros), len(cons), 0)
    years = [page[2] for page in pages if page[2] is not None]
    verification = verify(len(pros), len(cons), count)
    head = {
        "claim_id": claim_id,
        "text": text,
        "language": language,
        "origin": None,
        "finding": "evidence" if voices else "no_evidence",
        "evidence_count": values.evidence_count,
        "supporting_count": values.supporting_count,
        "refuting_count": values.refuting_count,
        "neutral_count": values.neutral_count,
        "independent_sources": len(pros),
        "refuting_sources": len(cons),
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
    numbers = _NUMBERS % (*values[:5], *interval, *independent[:5], len(pros), len(cons))
    return [b",", orjson.dumps(head)[:-1], numbers, *groups, *evidence_piece(shown)]


def _lines(numbers: list[tuple[float, ...]]) -> list[bytes]:
    """Return the piece of each edge's numbers, from their columns."""
    import numpy as np  # noqa: PLC0415 - slow to import

    from lyra.core.decimals import written  # noqa: PLC0415 - imports numpy

    values = np.stack([np.fromiter(column, np.float64, len(column)) for column in numbers], axis=1)
    return written(NUMBERS, values + 0.0)  # which takes the sign off a zero


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
