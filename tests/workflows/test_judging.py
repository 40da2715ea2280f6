"""Finding and judging: the best fragments of the library, each pair judged once."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from lyra.core.records import Claim, Job
from lyra.workflows.bench import Bench, Holding
from lyra.workflows.ingest import read_library
from lyra.workflows.judging import Finder, embed_missing, judge_claims, vector_version
from tests.contents import contents
from tests.fakes import LIBRARY, HashEmbedder, KeywordStance, MemoryReader

WALKING = "Daily walking lowers blood pressure in adults."
JAPANESE = "毎日の歩行は成人の血圧を下げる。"
COFFEE = "Coffee prices rose sharply in March of this year."
CLAIM = "Daily walking lowers blood pressure."


class CountingEmbedder(HashEmbedder):
    """Remembers which texts it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts.extend(texts)
        return super().embed(texts)


@pytest.fixture
def opened(bench: Bench, reader: MemoryReader) -> Bench:
    """A bench with a library that was read and chosen as scope."""
    for name, text in (("a.txt", WALKING), ("b.txt", JAPANESE), ("c.txt", COFFEE)):
        reader.put(name, text)
    bench.store.library.add_root(LIBRARY)
    read_library(bench, [LIBRARY], lambda: None)
    bench.store.searching.open_scope([LIBRARY])
    return bench


@pytest.fixture
def claim(opened: Bench) -> Claim:
    task = opened.store.tasks.create("question", None, [LIBRARY])
    return opened.store.tasks.add_claims(task.task_id, [CLAIM])[0]


@pytest.fixture
def holding(opened: Bench, claim: Claim) -> Holding:
    job = opened.store.jobs.acquire(opened.store.jobs.add("check", claim.task_id).job_id, "worker")
    assert isinstance(job, Job)
    return Holding(opened.store, job)


def test_every_fragment_is_embedded_once(opened: Bench, holding: Holding) -> None:
    embedder = CountingEmbedder()
    counting = replace(opened, embedder=embedder)
    assert embed_missing(counting, holding) == 3
    assert sorted(embedder.texts) == sorted([WALKING, JAPANESE, COFFEE])
    assert embed_missing(counting, holding) == 0
    assert len(embedder.texts) == 3


def test_another_embedder_makes_its_own_vectors(opened: Bench, holding: Holding) -> None:
    embed_missing(opened, holding)
    other = replace(opened, embedder=HashEmbedder(version="2"))
    assert vector_version(other) == "hash/2"
    assert embed_missing(other, holding) == 3


@pytest.mark.parametrize(("query", "best"), [(CLAIM, WALKING), ("血圧と歩行", JAPANESE), ("price of coffee", COFFEE)])
def test_the_best_fragment_comes_first(opened: Bench, holding: Holding, query: str, best: str) -> None:
    embed_missing(opened, holding)
    ranked = Finder(opened).best(query, 2)
    assert ranked[0].text == best
    assert len(ranked) == 2
    assert ranked[0].score >= ranked[1].score


def test_a_query_without_words_is_answered_by_vectors_alone(opened: Bench, holding: Holding) -> None:
    embed_missing(opened, holding)
    assert len(Finder(opened).best("?!", 10)) == 3


def test_a_pair_is_judged_once(opened: Bench, holding: Holding, claim: Claim) -> None:
    embed_missing(opened, holding)
    model = KeywordStance()
    judging = replace(opened, stance=model)
    assert judge_claims(judging, [claim], Finder(judging), holding) == 3
    before = contents(opened.store)
    assert judge_claims(judging, [claim], Finder(judging), holding) == 0
    assert contents(opened.store) == before
    assert sorted(model.judged) == sorted((text, CLAIM) for text in (WALKING, JAPANESE, COFFEE))


def test_an_origin_is_left_out_and_the_others_are_judged(opened: Bench, holding: Holding) -> None:
    embed_missing(opened, holding)
    origin = Finder(opened).best(CLAIM, 1)[0].fragment_id
    task = opened.store.tasks.create("question", None, [LIBRARY])
    page = opened.store.pages.first_page(origin)
    (extracted,) = opened.store.tasks.add_claims(task.task_id, [CLAIM], [(origin, page)])
    assert judge_claims(opened, [extracted], Finder(opened), holding) == 2
    assert origin not in opened.store.edges.judged(extracted.claim_id)


def test_the_job_notes_how_far_it_came(opened: Bench, holding: Holding, claim: Claim) -> None:
    (other,) = opened.store.tasks.add_claims(claim.task_id, ["Coffee is bitter."])
    judge_claims(opened, [claim, other], Finder(opened), holding)
    job = opened.store.jobs.get(holding.job.job_id)
    assert (job.done, job.total) == (2, 2)
