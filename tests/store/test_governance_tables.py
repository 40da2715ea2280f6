"""What the schema itself guarantees about corrections and rejections, and what it brings to a store of an older version."""

from pathlib import Path

import apsw
import pytest

from lyra.core.fragments import cut_fragments
from lyra.core.records import ModelInfo, Relation
from lyra.store.database import Database
from lyra.store.evidence_store import EvidenceStore
from lyra.store.migrations import known_migrations, migrate
from tests.fakes import document, stance


@pytest.fixture
def edge(store: EvidenceStore) -> str:
    text = "A sentence that stands alone."
    store.pages.register(document(text), "file:///a.txt", cut_fragments(text, ()))
    task = store.tasks.create("question", None, [])
    (claim,) = store.tasks.add_claims(task.task_id, ["A claim."])
    fragment = str(store.database.value("SELECT fragment_id FROM fragments"))
    store.edges.add(claim, {fragment: stance("supports", 0.8)}, ModelInfo("stance", "m", "1"), "job_1")
    return str(store.database.value("SELECT edge_id FROM edges"))


def judgement(store: EvidenceStore) -> object:
    return store.database.row("SELECT relation, nli_confidence, edge_human_corrected FROM edges")


def test_only_a_correction_changes_a_corrected_edge(store: EvidenceStore, edge: str) -> None:
    store.database.run("UPDATE edges SET nli_confidence = 0.7 WHERE edge_id = ?", (edge,))
    assert judgement(store) == ("supports", 0.7, 0)
    with store.transaction():
        store.corrections.correct(store.corrections.edge(edge), Relation.NEUTRAL, None, "feedback_1")
    for change in ("relation = 'refutes'", "nli_confidence = 0.1", "edge_human_corrected = 0"):
        store.database.run(f"UPDATE edges SET {change}")
    assert judgement(store) == ("neutral", 1.0, 1)
    with store.transaction():
        store.corrections.correct(store.corrections.edge(edge), Relation.REFUTES, None, "feedback_2")
    assert judgement(store) == ("refutes", 1.0, 1)


def test_a_pattern_has_one_rule_in_force(store: EvidenceStore) -> None:
    for decision in ("block", "unblock", "block"):
        store.overrides.set("*.example.com", decision, "why", "feedback_1")
    (rule,) = store.overrides.in_force()
    assert (rule.decision, rule.sequence) == ("block", 3)
    store.overrides.clear(rule, "over", "feedback_2")
    assert store.overrides.in_force() == []
    store.overrides.set("*.example.com", "unblock", "again", "feedback_3")
    assert [one.rule_id == rule.rule_id for one in store.overrides.in_force()] == [False]
    assert store.database.count("SELECT count(*) FROM domain_override_events") == 5


def test_claims_extracted_before_governance_count_for_their_domains(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with apsw.Connection(str(path)) as old:
        old.execute("CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)")
        for number, name, sql in known_migrations()[:3]:
            old.execute(sql)
            old.execute("INSERT INTO schema_migrations VALUES (?, ?, 'then')", (number, name))
        old.execute("INSERT INTO tasks VALUES ('task_1', 'q', NULL, 'active', 'then', 'then')")
        old.execute("INSERT INTO domains VALUES ('a.example.net', 'unverified', 'then')")
        old.execute("INSERT INTO pages (page_id, url, domain, created_at) VALUES ('page_1', 'u', 'a.example.net', 'then')")
        old.execute(
            "INSERT INTO claims (claim_id, task_id, claim_position, claim_text, claim_text_hash, claim_language,"
            " claim_origin_page, created_at) VALUES ('claim_1', 'task_1', 1, 't', 'h', 'en', 'page_1', 'then')"
        )
    with Database(path) as database:
        migrate(database, "now")
        assert database.rows("SELECT * FROM domain_claims") == [("a.example.net", "claim_1", 0, 0)]
