"""Arguments no tool should take, by hand and at random."""

from random import Random
from typing import Any

NAN, INFINITY = float("nan"), float("inf")
LONG = "x" * 50_000
# Wrong for every argument of every tool.
NEVER = [NAN, INFINITY, LONG, {"a": [1]}, [[]], b"".decode(), "\x00", "a\ud800b", -(10**30)]
TASK = "task_00000000000000000000000000000000"
UNKNOWN = {"task_id": TASK}

MISUSE: dict[str, list[dict[str, Any]]] = {
    "create_task": [
        {},
        {"question": ""},
        {"question": "…?!"},
        {"question": 7},
        {"question": None},
        {"question": "x" * 2_001},
        {"question": ["a"]},
        {"question": "ok?", "hypothesis": ""},
        {"question": "ok?", "hypothesis": "!!!"},
        {"question": "ok?", "budgte": 3},
        {"question": "a\ud800b?"},
        {"question": {"text": "ok?"}},
        {"question": "ok?", "budget": {}, "hypothesis": "?"},
        {"question": "ok?", "budget": {"pages": -1}},
        {"question": "ok?", "budget": {"seconds": 0}},
        {"question": "ok?", "budget": {"dollars": 3}},
        {"question": "ok?", "budget": 10},
    ],
    "check_claims": [
        {},
        {"claims": []},
        {"claims": "Water boils."},
        {"claims": [""]},
        {"claims": ["!!!"]},
        {"claims": ["a" * 10_001]},
        {"claims": ["Water boils."] * 101},
        {"claims": [1]},
        {"claims": ["Water boils."], **UNKNOWN},
        {"claims": ["Water boils."], "wait_seconds": 51},
        {"claims": ["Water boils."], "wait_seconds": -1},
        {"claims": ["Water boils."], "wait_seconds": NAN},
        {"claims": ["Water boils."], "wait_seconds": "5"},
        {"claims": ["Water boils."], "library": ["/etc"]},
        {"claims": ["Water boils."], "question": "?"},
        {"claims": ["Water boils."], "providers": ["gogle"]},
        {"claims": ["Water boils."], "providers": "openalex"},
        {"claims": ["Water boils."], "providers": [""]},
    ],
    "search": [
        {},
        UNKNOWN,
        {"task_id": ""},
        {"task_id": 1},
        {"task_id": "x" * 300},
        {**UNKNOWN, "queries": "sleep"},
        {**UNKNOWN, "queries": [""]},
        {**UNKNOWN, "queries": ["sleep"] * 21},
        {**UNKNOWN, "queries": [None]},
        {**UNKNOWN, "wait_seconds": INFINITY},
        {**UNKNOWN, "urls": "http://127.0.0.1/"},
        {**UNKNOWN, "urls": [""]},
        {**UNKNOWN, "dois": ["10.1/x"] * 51},
        {**UNKNOWN, "budget": {"pages": 1.5}},
        {"task_id": "'; DROP TABLE tasks; --"},
    ],
    "get_status": [
        UNKNOWN,
        {"task_id": ""},
        {"task_id": []},
        {"wait_seconds": 50.1},
        {"wait_seconds": -0.1},
        {"wait_seconds": NAN},
        {"wait_seconds": True},
        {"wait_seconds": "1"},
        {"detail": "all"},
        {"detail": None},
        {"verbose": True},
        {"task_id": "x" * 201},
    ],
    "get_materials": [
        {},
        UNKNOWN,
        {**UNKNOWN, "limit": 0},
        {**UNKNOWN, "limit": 101},
        {**UNKNOWN, "limit": 1.5},
        {**UNKNOWN, "limit": "10"},
        {**UNKNOWN, "order": "best"},
        {**UNKNOWN, "cursor": "c1.AAAA"},
        {**UNKNOWN, "cursor": ""},
        {**UNKNOWN, "claim_ids": []},
        {**UNKNOWN, "claim_ids": ["claim_1"], "cursor": "c1.AAAA"},
        {**UNKNOWN, "adopted": True},
        {**UNKNOWN, "evidence_per_claim": -1},
        {**UNKNOWN, "lens": "truth"},
        {**UNKNOWN, "max_kb": 5},
        {**UNKNOWN, "max_kb": 10**6},
    ],
    "query_evidence": [
        {},
        {"text": "a", "view": "contradictions"},
        {"text": ""},
        {"text": "?!"},
        {"view": "contradictions; DROP TABLE claims"},
        {"view": "contradictions", "parameters": {"least": 7}},
        {"view": "contradictions", "parameters": {"most": 1}},
        {"view": "contradictions", **UNKNOWN},
        {"sql": "DELETE FROM claims"},
        {"sql": "PRAGMA journal_mode = DELETE"},
        {"sql": "ATTACH 'x.db' AS x"},
        {"sql": "SELECT 1; SELECT 2"},
        {"sql": "SELECT :a"},
        {"sql": "SELECT 1", "parameters": {"a b": 1}},
        {"sql": "SELECT 1", "parameters": {"a": NAN}},
        {"sql": "SELECT 1", "limit": 0},
        {"sql": "SELECT 1", "limit": 201},
        {"text": "sleep", "parameters": {"a": 1}},
        {"sql": "SELECT 1", "parameters": [1]},
    ],
    "stop_task": [
        {},
        UNKNOWN,
        {**UNKNOWN, "cleanup": "all"},
        {**UNKNOWN, "cleanup": None},
        {**UNKNOWN, "cleanup": "hard"},
        {**UNKNOWN, "cleanup": "hard", "confirm": True},
        {**UNKNOWN, "confirm": "yes"},
        {**UNKNOWN, "confirm": 1},
        {**UNKNOWN, "dry_run": "no"},
        {**UNKNOWN, "force": True},
        {"task_id": None},
        {"task_id": "x" * 300, "cleanup": "soft"},
    ],
    "calibration_metrics": [
        {},
        {"action": "fit"},
        {"action": None},
        {"action": "evaluate"},
        {"action": "get_stats", "source": "nobody"},
        {"action": "get_stats", "source": ""},
        {"action": "get_stats", "limit": 0},
        {"action": "get_stats", "limit": 1001},
        {"action": "get_stats", "limit": "5"},
        {"action": "evaluate", "predictions": [0.5]},
        {"action": "get_evaluations", "max_kb": 1},
        {"action": ["get_stats"]},
    ],
    "calibration_rollback": [
        {},
        {"version": ""},
        {"version": 1},
        {"version": "calibration_x"},
        {"version": "calibration_x", "confirm": True},
        {"version": "shipped"},
        {"version": "shipped", "confirm": "yes"},
        {"version": "shipped", "confirm": True, "source": "nobody"},
        {"version": "shipped", "confirm": True, "reason": "   "},
        {"version": "shipped", "confirm": True, "reason": "r" * 3_000},
        {"version": "shipped", "force": True},
        {"version": None, "confirm": True},
    ],
    "get_auth_queue": [
        UNKNOWN,
        {"task_id": ""},
        {"task_id": 5},
        {"task_id": ["a"]},
        {"task_id": "x" * 201},
        {"settled": "yes"},
        {"settled": 1},
        {"settled": None},
        {"status": "pending"},
        {"task_id": "' OR 1=1 --"},
        {"task_id": {"a": 1}},
    ],
    "resolve_auth": [
        {},
        {"name": "journal.example.org"},
        {"action": "retry"},
        {"name": "", "action": "retry"},
        {"name": "journal.example.org", "action": "retry"},
        {"name": "intervention_1", "action": "skip"},
        {"name": "intervention_1", "action": "open"},
        {"name": "intervention_1", "action": None},
        {"name": 3, "action": "skip"},
        {"name": "x" * 301, "action": "skip"},
        {"name": "intervention_1", "action": "retry", "page": "/etc/passwd"},
        {"name": ["a"], "action": "skip"},
    ],
    "feedback": [
        {},
        {"action": "domain_delete"},
        {"action": "domain_block"},
        {"action": "domain_block", "domain_pattern": "example.com"},
        {"action": "domain_block", "domain_pattern": "*", "reason": "r"},
        {"action": "domain_block", "domain_pattern": "*.com", "reason": "r"},
        {"action": "domain_block", "domain_pattern": "127.0.0.1", "reason": "r"},
        {"action": "domain_unblock", "domain_pattern": "*.co.jp", "reason": "r"},
        {"action": "claim_reject", "claim_id": "claim_1", "reason": "r"},
        {"action": "claim_reject", "claim_id": "claim_1", "reason": "  "},
        {"action": "claim_restore", "claim_id": "claim_1", "edge_id": "edge_1"},
        {"action": "edge_correct", "edge_id": "edge_1", "correct_relation": "maybe"},
        {"action": "edge_correct", "edge_id": "edge_1", "correct_relation": "supports"},
        {"action": "edge_correct", "edge_id": "edge_1", "correct_relation": "supports", "nli_confidence": 0.9},
        {"action": "claim_reject", "claim_id": "claim_1", "reason": "r" * 3_000},
        {"action": 3},
    ],
}


# Values that tools take under these names; others are made from the schema.
TAKEN: dict[str, list[Any]] = {
    "question": ["Does tea help?", "眠り?", "…"],
    "text": ["attention", "tea in children"],
    "sql": ["SELECT 1", "SELECT * FROM claims", "SELECT count(*) FROM edges", "DROP TABLE claims", "WITH", "SELECT 1;"],
    "wait_seconds": [0, 0.0, 0.05, -1, 1e9],
    "claims": [["Daily walking increases attention."], ["Tea helps.", "Noise helps."], []],
    "queries": [["attention"], ["tea", "noise"], [""], []],
    "parameters": [{}, {"least": 0.2}, {"a": 1}],
    "domain_pattern": ["example.org", "*.example.org", "*.org", "10.0.0.1"],
    "reason": ["seen by hand", ""],
    "limit": [1, 5, 20, 500],
    "max_kb": [20, 60, 200, 5],
    "evidence_per_claim": [0, 1, 50, 1000],
}
JUNK: list[Any] = [
    *(None, True, 0, -1, 1.5, NAN, INFINITY, "", " ", "\x00", "%s%n{0}", "../../etc/passwd"),
    *("😀" * 300, LONG, [], [[]], {}, {"a": {}}),
]


def random_arguments(rng: Random, schema: dict[str, Any], ids: list[str]) -> dict[str, Any]:
    """Some of a tool's arguments, and sometimes others, with values that are often what it takes."""
    needed = schema.get("required", [])
    chosen = [name for name in schema["properties"] if rng.random() < (0.9 if name in needed else 0.3)]
    arguments = {name: _value(rng, name, schema["properties"][name], ids) for name in chosen}
    if rng.random() < 0.05:
        arguments[rng.choice(["confirm", "force", "__proto__", "", "task-id", "x" * 200])] = rng.choice(JUNK)
    return arguments


def _value(rng: Random, name: str, schema: dict[str, Any], ids: list[str]) -> Any:
    if rng.random() < 0.1:
        return rng.choice(JUNK)
    if name.endswith("_id"):
        kind = name.removesuffix("_id")
        return rng.choice([one for one in ids if one.startswith(kind)] if rng.random() < 0.8 else ids)
    if name.endswith("_ids"):
        return rng.sample(ids, rng.randint(0, min(2, len(ids))))
    variants = [schema, *schema.get("anyOf", [])]
    choices = [value for one in variants for value in one.get("enum", [])]
    if any(one.get("type") == "boolean" for one in variants):
        choices = [True, False]
    return rng.choice(TAKEN.get(name) or choices or JUNK)
