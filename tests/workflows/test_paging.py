"""Materials page by page: each claim exactly once, whatever happens between two pages."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lyra.core.errors import InvalidInput, NotFound
from lyra.core.identity import fragment_id
from lyra.core.paging import ORDERS
from lyra.core.records import Claim, ModelInfo, Span
from lyra.store.claim_orders import KEPT_HOURS
from lyra.store.evidence_store import EvidenceStore, open_store
from lyra.workflows.materials import MaterialsPage, PageRequest, collect, read_page
from tests.fakes import FakeClock, document, stance

MODEL = ModelInfo(kind="stance", name="keyword", version="1")
TEXTS = [f"Sentence number {number} says something." for number in range(12)]
FRAGMENTS = [fragment_id(text) for text in TEXTS]
RELATIONS = ("supports", "refutes", "neutral")


def fill(store: EvidenceStore, claims: int, rng: Random) -> tuple[str, list[Claim]]:
    for text in TEXTS:
        store.pages.register(document(text), f"file:///library/{text}", [Span(0, len(text))])
    task_id = store.tasks.create("question", None, []).task_id
    made = store.tasks.add_claims(task_id, [f"Claim number {number}." for number in range(claims)])
    for claim in made:
        judge(store, claim, rng)
    return task_id, made


def judge(store: EvidenceStore, claim: Claim, rng: Random) -> None:
    chosen = rng.sample(FRAGMENTS, rng.randint(0, 4))
    store.edges.add(claim, {one: stance(rng.choice(RELATIONS), rng.random()) for one in chosen}, MODEL, "job_1")


def shown(page: MaterialsPage) -> list[str]:
    return [one.claim.claim_id for one in page.materials.claims]


@pytest.fixture
def rng() -> Random:
    return Random(11)


@settings(max_examples=40)
@given(st.sampled_from(ORDERS), st.integers(1, 5), st.integers(0, 11), st.integers(0, 10_000))
def test_every_claim_comes_exactly_once_while_the_graph_grows(order: str, limit: int, claims: int, seed: int) -> None:
    rng = Random(seed)
    with TemporaryDirectory() as folder, open_store(Path(folder), FakeClock(), Random(1)) as store:
        task_id, made = fill(store, claims, rng)
        seen: list[str] = []
        page = read_page(store, task_id, PageRequest(limit, order=order))
        while True:
            seen += shown(page)
            if page.following is None:
                break
            for claim in rng.sample(made, min(3, len(made))):
                judge(store, claim, rng)
            if rng.random() < 0.3:
                made += store.tasks.add_claims(task_id, [f"A later claim, number {len(made)}."])
            page = read_page(store, task_id, PageRequest(rng.randint(1, 5), page.following))
        assert sorted(seen) == sorted(claim.claim_id for claim in store.tasks.claims(task_id))
        assert len(seen) == len(set(seen))


@pytest.mark.parametrize("order", ORDERS)
def test_a_reader_who_takes_part_of_a_page_goes_on_right_there(store: EvidenceStore, rng: Random, order: str) -> None:
    task_id, made = fill(store, 9, rng)
    whole = shown(read_page(store, task_id, PageRequest(9, order=order)))
    seen: list[str] = []
    request = PageRequest(4, order=order)
    while len(seen) < len(made):
        page = read_page(store, task_id, request)
        taken = shown(page)[:3]
        seen += taken
        request = PageRequest(4, page.cursors[len(taken) - 1])
    assert seen == whole
    rest = read_page(store, task_id, request)
    assert (shown(rest), rest.following) == ([], None)


def test_the_numbers_of_a_page_are_those_of_the_whole(store: EvidenceStore, rng: Random) -> None:
    task_id, _ = fill(store, 7, rng)
    page = read_page(store, task_id, PageRequest(3, order="controversy"))
    whole = {one.claim.claim_id: one for one in collect(store, task_id).claims}
    assert [whole[one.claim.claim_id] for one in page.materials.claims] == list(page.materials.claims)
    assert (page.total, page.order) == (7, "controversy")


def test_an_order_by_value_is_by_that_value(store: EvidenceStore, rng: Random) -> None:
    task_id, _ = fill(store, 12, rng)

    def values(order: str, field: str) -> list[float]:
        claims = read_page(store, task_id, PageRequest(12, order=order)).materials.claims
        return [getattr(one.values, field) for one in claims]

    for order in ("confidence", "uncertainty", "controversy"):
        assert values(order, order) == sorted(values(order, order), reverse=True)
    assert values("lowest_confidence", "confidence") == sorted(values("confidence", "confidence"))


def test_less_evidence_is_listed_and_all_of_it_counted(store: EvidenceStore, rng: Random) -> None:
    task_id, (claim,) = fill(store, 1, rng)
    judged = {one: stance("supports", 0.5 + number / 100) for number, one in enumerate(FRAGMENTS)}
    store.edges.add(claim, judged, MODEL, "job_1")
    (whole,) = collect(store, task_id).claims
    (short,) = read_page(store, task_id, PageRequest(1, evidence_per_claim=2)).materials.claims
    assert len(short.evidence) == 2
    assert short.evidence_omitted == len(whole.evidence) - 2
    assert (short.values, short.independent, short.verification) == (whole.values, whole.independent, whole.verification)


def test_only_adopted_claims_or_the_others_can_be_asked_for(store: EvidenceStore, rng: Random) -> None:
    task_id, made = fill(store, 6, rng)
    for claim in made[::2]:
        store.database.run("UPDATE claims SET claim_adoption_status = 'not_adopted' WHERE claim_id = ?", (claim.claim_id,))
    for order in ORDERS:
        first = read_page(store, task_id, PageRequest(2, order=order, adopted=False))
        second = read_page(store, task_id, PageRequest(2, first.following))
        assert sorted(shown(first) + shown(second)) == sorted(claim.claim_id for claim in made[::2])
        assert (first.total, second.following) == (3, None)


def test_reading_a_page_writes_nothing_but_an_order_that_is_read_on(store: EvidenceStore, rng: Random) -> None:
    task_id, _ = fill(store, 6, rng)
    for request in (PageRequest(3), PageRequest(6, order="confidence")):
        read_page(store, task_id, request)
        assert store.database.count("SELECT count(*) FROM claim_orders") == 0
    read_page(store, task_id, PageRequest(3, order="confidence"))
    assert store.database.count("SELECT count(*) FROM claim_orders") == 1


def test_an_order_is_forgotten_after_its_time_and_its_cursor_says_so(store: EvidenceStore, clock: FakeClock, rng: Random) -> None:
    task_id, _ = fill(store, 6, rng)
    first = read_page(store, task_id, PageRequest(2, order="confidence"))
    clock.advance(KEPT_HOURS * 3600 + 60)
    read_page(store, task_id, PageRequest(2, order="uncertainty"))
    with pytest.raises(InvalidInput) as refusal:
        read_page(store, task_id, PageRequest(2, first.following))
    assert refusal.value.code == "cursor_expired"


def test_a_deleted_task_takes_its_orders_with_it(store: EvidenceStore, rng: Random) -> None:
    task_id, _ = fill(store, 6, rng)
    first = read_page(store, task_id, PageRequest(2, order="confidence"))
    store.cleanup.delete_task(task_id, hard=False)
    assert store.database.count("SELECT count(*) FROM claim_orders") == 0
    with pytest.raises(NotFound):
        read_page(store, task_id, PageRequest(2, first.following))


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (PageRequest(0), "bad_limit"),
        (PageRequest(1_001), "bad_limit"),
        (PageRequest(5, evidence_per_claim=-1), "bad_limit"),
        (PageRequest(5, order="size"), "unknown_order"),
        (PageRequest(5, "c1.nonsense"), "bad_cursor"),
    ],
)
def test_a_request_that_makes_no_sense_is_refused(store: EvidenceStore, rng: Random, request_: PageRequest, code: str) -> None:
    task_id, _ = fill(store, 1, rng)
    with pytest.raises(InvalidInput) as refusal:
        read_page(store, task_id, request_)
    assert refusal.value.code == code


def test_an_empty_task_has_one_empty_page(store: EvidenceStore) -> None:
    task_id = store.tasks.create("question", None, []).task_id
    for order in ORDERS:
        page = read_page(store, task_id, PageRequest(5, order=order))
        assert (shown(page), page.cursors, page.following, page.total) == ([], (), None, 0)
