"""What counts: sums, SQL views and shown evidence leave out the same edges, whatever is set aside, and when."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lyra.core.confidence import confidence
from lyra.core.identity import fragment_id
from lyra.core.records import ModelInfo, Relation, Span
from lyra.store.evidence_store import EvidenceStore, open_store
from tests.fakes import FakeClock, document, stance

MODEL = ModelInfo(kind="stance", name="keyword", version="1")
TEXTS = [f"Sentence number {number} says something." for number in range(6)]
PAGES = [f"https://site{number}.example.org/page" for number in range(4)]
STEPS = ("sight", "quarantine", "release", "point", "unpoint", "block", "unblock", "age", "sum_up")

steps = st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 3), st.integers(0, 5)), max_size=25)


def test_a_page_in_quarantine_leaves_every_sum_and_comes_back(tmp_path: Path) -> None:
    with open_store(tmp_path, FakeClock(), Random(1)) as store:
        claim_id, task_id = _judged(store)
        before = _values(store, task_id, claim_id)
        _step(store, "sight", 0, 0)
        _step(store, "quarantine", 0, 0)
        assert _values(store, task_id, claim_id) != pytest.approx(before)
        _step(store, "release", 0, 0)
        assert _values(store, task_id, claim_id) == pytest.approx(before)


@settings(max_examples=60, deadline=None)
@given(steps)
def test_all_ways_to_sum_agree_while_pages_are_set_aside_and_taken_back(moves: list[tuple[str, int, int]]) -> None:
    with TemporaryDirectory() as folder, open_store(Path(folder), FakeClock(), Random(1)) as store:
        claim_id, task_id = _judged(store)
        for kind, page, text in moves:
            if kind == "sum_up":
                store.edges.sum_up(task_id)
            else:
                _step(store, kind, page, text)
            shown = store.evidence.of_claims([claim_id])[claim_id]
            counted = [(str(one.relation), one.nli_confidence) for one in shown if not one.excluded_reason and not one.is_pointer]
            expected = pytest.approx(tuple(confidence(counted)), abs=1e-9)
            assert _values(store, task_id, claim_id) == expected
            assert tuple(store.edges.confidences(task_id, [claim_id])[claim_id]) == expected
            columns = ", ".join(confidence([])._fields)
            (row,) = store.database.rows(f"SELECT {columns} FROM claim_values WHERE claim_id = ?", (claim_id,))
            assert row == expected


def _judged(store: EvidenceStore) -> tuple[str, str]:
    """A claim with an edge from every text; the first three stand on pages of their own, the others nowhere yet but one."""
    for number, text in enumerate(TEXTS):
        _sight(store, PAGES[number % len(PAGES)], text)
    task = store.tasks.create("question", None, [])
    claim = store.tasks.add_claims(task.task_id, ["Sleep improves memory."])[0]
    relations = [relation for relation in Relation for _ in range(2)]
    judged = {
        fragment_id(text): stance(relation, 0.4 + number / 10)
        for number, (text, relation) in enumerate(zip(TEXTS, relations, strict=True))
    }
    store.edges.add(claim, judged, MODEL, "job_1")
    return claim.claim_id, task.task_id


def _values(store: EvidenceStore, task_id: str, claim_id: str) -> tuple[float, ...]:
    return tuple(store.edges.confidences(task_id)[claim_id])


def _sight(store: EvidenceStore, url: str, text: str) -> None:
    host = url.split("/")[2]
    store.domains.note(host, "unverified", None)
    store.pages.register(document(text), url, [Span(0, len(text))])


def _step(store: EvidenceStore, kind: str, page: int, text: int) -> None:
    """Do what a reader, a person or a scanner could do to a page."""
    url = PAGES[page]
    domain = url.split("/")[2]
    if kind == "sight":
        _sight(store, url, TEXTS[text])
    elif kind in ("quarantine", "release"):
        moment = "'2026-03-01T00:00:00Z'" if kind == "quarantine" else "NULL"
        store.database.run(f"UPDATE pages SET quarantined_at = {moment} WHERE url = ?", (url,))
    elif kind in ("point", "unpoint"):
        store.domains.note_pointers(domain, is_pointer=kind == "point")
    elif kind in ("block", "unblock"):
        store.domains.note(domain, "blocked" if kind == "block" else "unverified", None)
    elif kind == "age":
        store.database.run(
            "UPDATE extracted_from SET is_stale = 1 - is_stale WHERE fragment_id = ? AND page_id = (SELECT page_id FROM pages"
            " WHERE url = ?)",
            (fragment_id(TEXTS[text]), url),
        )
