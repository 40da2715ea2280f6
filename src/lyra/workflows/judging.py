"""Ranking and judging: each claim against its best fragments, committed claim by claim."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lyra.core.calibration import CalibratedStance
from lyra.core.language import detect_language
from lyra.core.ports import StanceModel
from lyra.core.ranking import BM25_WEIGHT, bm25_weight, rank
from lyra.core.records import Candidate, Claim, ModelInfo, Ranked, Stance
from lyra.store.edges import cache_version
from lyra.store.rejudging import StoredEdge
from lyra.workflows.bench import Bench, Holding

if TYPE_CHECKING:  # the module behind it imports numpy, which is slow
    from lyra.store.vectors import VectorIndex

_EMBED_BATCH = 64

# What one model said, by fragment id.
Judged = tuple[ModelInfo, dict[str, Stance]]


def embed_missing(bench: Bench, holding: Holding) -> int:
    """Give every fragment of the open scope a vector; each batch is committed, so the work resumes."""
    version = vector_version(bench)
    total = bench.store.searching.count_without_vector(version)
    if not total:
        return 0
    with bench.progress.track("progress.embedding", total) as step:
        while batch := bench.store.searching.without_vector(version, _EMBED_BATCH):
            vectors = bench.embedder.embed([text for _, text in batch])
            with bench.store.transaction():
                holding.guard()
                bench.store.searching.add_vectors(version, [seq for seq, _ in batch], vectors)
            step.advance(len(batch))
    return total


def vector_version(bench: Bench) -> str:
    """Return the name under which this embedder's vectors are stored."""
    info = bench.embedder.info
    return f"{info.name}/{info.version}"


class Finder:
    """Finds the fragments of the open scope that speak about a text, best first."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._vectors: VectorIndex | None = None

    def asked(self, query: str, limit: int) -> list[Ranked]:
        """Return at most `limit` fragments for what somebody looks up: as `best`, words weighed as the language needs."""
        return self.best(query, limit, bm25_weight(detect_language(query)))

    def best(self, query: str, limit: int, words: float = BM25_WEIGHT) -> list[Ranked]:
        """Return at most `limit` fragments: BM25 (of weight `words`) and embedding candidates, ranked as one list."""
        bench, limits = self._bench, self._bench.limits
        if self._vectors is None:
            self._vectors = bench.store.searching.load_vectors(vector_version(bench))
        lexical = bench.store.searching.lexical(query, limits.lexical_candidates)
        semantic: dict[int, float] = {}
        if len(self._vectors):  # without vectors the model need not be loaded
            vector = bench.embedder.embed([query])[0]
            semantic = self._vectors.nearest(vector, limits.vector_candidates, lexical)
        scores = {seq: (lexical.get(seq, 0.0), semantic.get(seq, 0.0)) for seq in {*lexical, *semantic}}
        candidates = bench.store.searching.candidates(scores)
        candidates = self._weighed(candidates)
        reranked = None
        if bench.reranker is not None and candidates:
            reranked = bench.reranker.score(query, [candidate.text for candidate in candidates])
        return rank(candidates, reranked, words)[:limit]

    def _weighed(self, candidates: list[Candidate]) -> list[Candidate]:
        """Weigh what comes from the network by its host, by the best where it has several.

        What stands in a file of the library was chosen by a person and weighs 1, whatever host it names.
        """
        hosts = self._bench.store.searching.hosts([item.fragment_id for item in candidates], outside_library=True)
        weights = {identity: max(self._bench.gate.decide(host).weight for host in found) for identity, found in hosts.items()}
        return [replace(item, category_weight=weights.get(item.fragment_id, 1.0)) for item in candidates]


def judge_claims(bench: Bench, claims: Sequence[Claim], finder: Finder, holding: Holding) -> int:
    """Judge each claim against its best fragments and store the edges; returns how many are new.

    Pairs that have an edge are skipped, judgements made before for the same texts are reused, and an
    extracted claim is never judged against the fragment it came from. A claim that was judged in the same way against
    the same fragments before is left alone. One transaction per claim.
    """
    added, mark = 0, _mark(bench)
    with bench.progress.track("progress.judging", len(claims)) as step:
        for number, claim in enumerate(claims, start=1):
            if bench.store.searching.marked(claim.claim_id) == mark:
                holding.guard(number, len(claims))
                step.advance()
                continue
            judged = _judge_claim(bench, claim, finder)
            with bench.store.transaction():
                holding.guard(number, len(claims))
                # Asked again: a domain may have been blocked, or a page quarantined, while the model was at work.
                usable = _usable(bench, [identity for _, stances in judged for identity in stances])
                if all(identity in usable for _, stances in judged for identity in stances):
                    bench.store.searching.leave_mark(claim.claim_id, mark)
                for model, stances in judged:
                    kept = {identity: stance for identity, stance in stances.items() if identity in usable}
                    added += bench.store.edges.add(claim, kept, model, holding.job.job_id)
            step.advance()
    return added


def _mark(bench: Bench) -> str:
    """Return what the judging of a claim depends on, but for the order of the fragments."""
    models = " ".join(map(cache_version, bench.models()))
    return f"{bench.store.searching.mark()} {bench.limits.top_k} {models}"


def _judge_claim(bench: Bench, claim: Claim, finder: Finder) -> list[Judged]:
    """Return the stance of each fragment that has no edge to the claim yet, model by model."""
    excluded = bench.store.edges.judged(claim.claim_id) | {claim.origin_fragment_id}
    best = finder.best(claim.text, bench.limits.top_k)
    usable = _usable(bench, [item.fragment_id for item in best])
    return judge_pairs(bench, claim, [item for item in best if item.fragment_id in usable - excluded])


def judge_pairs(bench: Bench, claim: Claim, fragments: Sequence[Ranked | StoredEdge]) -> list[Judged]:
    """Return the stance of each fragment to a claim, each by the model that reads both languages, model by model.

    What a model said before about the same texts is not asked again. Writes nothing.
    """
    groups: dict[ModelInfo, tuple[StanceModel, dict[str, str]]] = {}
    for fragment in fragments:
        judge = bench.judge_of(claim.language, fragment.language)
        groups.setdefault(judge.info, (judge, {}))[1][fragment.fragment_id] = fragment.text
    found: list[Judged] = []
    for model, (judge, texts) in groups.items():
        stances = _said_before(bench, claim, texts, judge)
        fresh = [fragment_id for fragment_id in texts if fragment_id not in stances]
        judged = judge.judge([(texts[fragment_id], claim.text) for fragment_id in fresh])
        stances.update(zip(fresh, judged, strict=True))
        found.append((model, stances))
    return found


def _said_before(bench: Bench, claim: Claim, texts: Mapping[str, str], judge: StanceModel) -> dict[str, Stance]:
    """Return what a model said before; what it said without the present calibrator is calibrated, not asked again."""
    stances = bench.store.edges.cached(claim, texts, judge.info)
    if isinstance(judge, CalibratedStance):
        missing = [fragment_id for fragment_id in texts if fragment_id not in stances]
        by_itself = bench.store.edges.cached(claim, missing, judge.model.info)
        stances |= {fragment_id: judge.calibration.judged(stance) for fragment_id, stance in by_itself.items()}
    return stances


def _usable(bench: Bench, fragment_ids: list[str]) -> set[str]:
    """Return the fragments that stand on a page that may be used now: not in quarantine, of no blocked domain."""
    hosts = bench.store.searching.hosts(fragment_ids)
    return {identity for identity, found in hosts.items() if any(bench.gate.decide(host).allowed for host in found)}
