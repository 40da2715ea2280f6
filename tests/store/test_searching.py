"""Finding fragments: Japanese and English, by words and by vector, within the chosen roots only."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lyra.core.records import FileStamp, Span
from lyra.store.evidence_store import EvidenceStore
from lyra.store.library import FileState
from lyra.store.vectors import VectorIndex, pack
from tests.fakes import HashEmbedder, document

ENGLISH = "Sleeping longer improves memory in older adults."
JAPANESE = "十分な睡眠は高齢者の記憶力を改善する。"
OTHER = "Coffee prices rose sharply in March."
VERSION = "hash/1"


def put(store: EvidenceStore, root: str, name: str, text: str) -> None:
    store.library.add_root(root)
    path = f"{root}/{name}"
    sighting = store.pages.register(document(text), f"file://{path}", [Span(0, len(text))])
    state = FileState(status="read", page_id=sighting.page_id, page_version_id=sighting.page_version_id)
    store.library.record(root, FileStamp(path, len(text), 1), state)


@pytest.fixture(autouse=True)
def library(store: EvidenceStore) -> None:
    put(store, "/one", "en.txt", ENGLISH)
    put(store, "/one", "ja.txt", JAPANESE)
    put(store, "/two", "other.txt", OTHER)


def found(store: EvidenceStore, query: str) -> list[str]:
    scores = store.searching.lexical(query, 10)
    texts = {c.text: c.bm25 for c in store.searching.candidates({seq: (score, 0.0) for seq, score in scores.items()})}
    return sorted(texts, key=lambda text: -texts[text])


# Words


@pytest.mark.parametrize(
    ("query", "text"),
    [
        pytest.param("Does sleep improve memory?", ENGLISH, id="other forms of the words"),
        pytest.param("MEMORY", ENGLISH, id="upper case"),
        pytest.param("ｍｅｍｏｒｙ", ENGLISH, id="full width"),
        pytest.param("睡眠と記憶力", JAPANESE, id="Japanese words inside a sentence"),
        pytest.param("高齢者", JAPANESE, id="one Japanese word"),
        pytest.param("coffee", OTHER, id="another root"),
    ],
)
def test_a_text_is_found_by_its_words(store: EvidenceStore, query: str, text: str) -> None:
    store.searching.open_scope(["/one", "/two"])
    assert found(store, query)[0] == text


@pytest.mark.parametrize("query", ["", "???", "\u200b", 'NEAR("memory")*^ OR -:{', "memory\x00sleep", "AND OR NOT"])
def test_no_query_is_read_as_syntax(store: EvidenceStore, query: str) -> None:
    store.searching.open_scope(["/one", "/two"])
    assert set(found(store, query)) <= {ENGLISH, JAPANESE, OTHER}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # the examples only read
@given(text=st.text(max_size=60))
def test_any_text_can_be_searched_for(store: EvidenceStore, text: str) -> None:
    scope = store.searching.open_scope(["/one", "/two"])
    assert len(store.searching.lexical(text, 5)) <= scope


def test_what_shares_no_word_is_not_found(store: EvidenceStore) -> None:
    store.searching.open_scope(["/one", "/two"])
    assert found(store, "volcano") == []


def test_the_best_match_comes_first_and_scores_are_positive(store: EvidenceStore) -> None:
    put(store, "/one", "weak.txt", "Memory of a computer, and prices of chips.")
    store.searching.open_scope(["/one"])
    scores = store.searching.lexical("sleeping improves memory", 10)
    assert found(store, "sleeping improves memory")[0] == ENGLISH
    assert len(scores) == 2
    assert min(scores.values()) > 0.0


def test_at_most_as_many_as_asked_for_are_found(store: EvidenceStore) -> None:
    for number in range(5):
        put(store, "/one", f"more{number}.txt", f"Memory number {number} improves.")
    store.searching.open_scope(["/one"])
    assert len(store.searching.lexical("memory", 3)) == 3


# Scope


def test_only_the_chosen_roots_are_searched(store: EvidenceStore) -> None:
    assert store.searching.open_scope(["/one"]) == 2
    assert found(store, "coffee prices") == []
    assert store.searching.open_scope(["/two"]) == 1
    assert found(store, "coffee prices") == [OTHER]
    assert store.searching.open_scope([]) == 0


def test_text_that_is_no_longer_in_a_file_is_not_searched(store: EvidenceStore) -> None:
    put(store, "/one", "en.txt", "Sleeping less harms attention.")
    store.searching.open_scope(["/one"])
    assert found(store, "memory in older adults") == []
    assert found(store, "harms attention") == ["Sleeping less harms attention."]


# Vectors


def embedded(store: EvidenceStore) -> VectorIndex:
    while batch := store.searching.without_vector(VERSION, 2):
        store.searching.add_vectors(VERSION, [seq for seq, _ in batch], HashEmbedder().embed([text for _, text in batch]))
    return store.searching.load_vectors(VERSION)


def test_vectors_are_added_until_none_is_missing(store: EvidenceStore) -> None:
    store.searching.open_scope(["/one", "/two"])
    assert store.searching.count_without_vector(VERSION) == 3
    embedded(store)
    assert store.searching.count_without_vector(VERSION) == 0
    assert store.searching.count_without_vector("hash/2") == 3


def test_a_stored_vector_gives_nearly_the_same_similarity(store: EvidenceStore) -> None:
    store.searching.open_scope(["/one", "/two"])
    texts = dict(store.searching.without_vector(VERSION, 9))
    query = HashEmbedder().embed(["memory of older adults"])[0]
    found = embedded(store).nearest(query, 9, [])
    exact = {seq: float(HashEmbedder().embed([text])[0] @ query) for seq, text in texts.items()}
    assert found == pytest.approx(exact, abs=0.01)


def test_the_nearest_come_first_and_named_ones_come_too(store: EvidenceStore) -> None:
    store.searching.open_scope(["/one", "/two"])
    texts = {text: seq for seq, text in store.searching.without_vector(VERSION, 9)}
    index = embedded(store)
    query = HashEmbedder().embed([ENGLISH])[0]
    assert list(index.nearest(query, 1, [])) == [texts[ENGLISH]]
    assert set(index.nearest(query, 1, [texts[OTHER], 999])) == {texts[ENGLISH], texts[OTHER]}


def test_adding_a_vector_twice_keeps_the_first(store: EvidenceStore) -> None:
    store.searching.open_scope(["/two"])
    ((seq, _),) = store.searching.without_vector(VERSION, 1)
    store.searching.add_vectors(VERSION, [seq], np.eye(1, 8, 0, dtype=np.float32))
    store.searching.add_vectors(VERSION, [seq], np.eye(1, 8, 1, dtype=np.float32))
    assert store.searching.load_vectors(VERSION).nearest(np.eye(1, 8, 0, dtype=np.float32)[0], 1, []) == pytest.approx({seq: 1.0})


def test_an_empty_scope_has_no_neighbours(store: EvidenceStore) -> None:
    store.searching.open_scope([])
    assert store.searching.load_vectors(VERSION).nearest(np.zeros(8, dtype=np.float32), 5, []) == {}


@given(st.lists(st.lists(st.floats(-1, 1, width=32), min_size=4, max_size=4), min_size=1, max_size=5))
def test_packing_changes_no_component_by_more_than_half_a_step(rows: list[list[float]]) -> None:
    vectors = np.array(rows, dtype=np.float32)
    for vector, (scale, packed) in zip(vectors, pack(vectors), strict=True):
        unpacked = np.frombuffer(packed, dtype=np.int8).astype(np.float32) * np.float32(scale)
        assert np.abs(unpacked - vector).max() <= scale * 0.51
