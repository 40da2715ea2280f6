"""The contradiction lens: what kind of disagreement a pair of opposing sources looks like."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations_with_replacement
from typing import Any

import pytest

from lyra.core.confidence import confidence
from lyra.core.domain_policy import Policy, Terms
from lyra.core.domain_ruling import rule_on
from lyra.core.domains import CATEGORIES
from lyra.core.lens_view import LensView
from lyra.core.materials import Materials, assess
from lyra.core.records import Claim, Evidence, Task, TaskStatus
from lyra.lenses.contradictions import Side, classify, look
from tests.fakes import evidence

BLOCKED, UNVERIFIED, LOW, TRUSTED, ACADEMIC, GOVERNMENT, PRIMARY = CATEGORIES
HIGH = (TRUSTED, ACADEMIC, GOVERNMENT, PRIMARY)
DEBATE, MISINFORMATION, METHODOLOGY, SUPERSEDED = "scientific_debate", "misinformation", "methodology", "superseded"
BOTH = ("contested", "contested")
MOMENT = datetime(2026, 3, 1, tzinfo=UTC)

# Every pair of categories, the lower one first, as the document's own code decides it: both high, else a gap of two.
PAIRS = {
    (BLOCKED, BLOCKED): METHODOLOGY,
    (BLOCKED, UNVERIFIED): METHODOLOGY,
    (BLOCKED, LOW): MISINFORMATION,
    (BLOCKED, TRUSTED): MISINFORMATION,
    (BLOCKED, ACADEMIC): MISINFORMATION,
    (BLOCKED, GOVERNMENT): MISINFORMATION,
    (BLOCKED, PRIMARY): MISINFORMATION,
    (UNVERIFIED, UNVERIFIED): METHODOLOGY,
    (UNVERIFIED, LOW): METHODOLOGY,
    (UNVERIFIED, TRUSTED): MISINFORMATION,
    (UNVERIFIED, ACADEMIC): MISINFORMATION,
    (UNVERIFIED, GOVERNMENT): MISINFORMATION,
    (UNVERIFIED, PRIMARY): MISINFORMATION,
    (LOW, LOW): METHODOLOGY,
    (LOW, TRUSTED): METHODOLOGY,
    (LOW, ACADEMIC): MISINFORMATION,
    (LOW, GOVERNMENT): MISINFORMATION,
    (LOW, PRIMARY): MISINFORMATION,
    (TRUSTED, TRUSTED): DEBATE,
    (TRUSTED, ACADEMIC): DEBATE,
    (TRUSTED, GOVERNMENT): DEBATE,
    (TRUSTED, PRIMARY): DEBATE,
    (ACADEMIC, ACADEMIC): DEBATE,
    (ACADEMIC, GOVERNMENT): DEBATE,
    (ACADEMIC, PRIMARY): DEBATE,
    (GOVERNMENT, GOVERNMENT): DEBATE,
    (GOVERNMENT, PRIMARY): DEBATE,
    (PRIMARY, PRIMARY): DEBATE,
}
# (first date, second date, days of the first domain, days of the second, kind, the statuses of two academic sources)
DATES = [
    ("2020-01-01", "2021-01-01", 365, 365, SUPERSEDED, ("superseded", "verified")),
    ("2021-01-01", "2020-01-01", 365, 365, SUPERSEDED, ("verified", "superseded")),
    ("2020-01-01", "2020-12-31", 365, 365, DEBATE, BOTH),
    ("2021-01-01", "2022-01-01", 365, 365, DEBATE, BOTH),
    ("2021-01-01", "2022-01-02", 365, 365, SUPERSEDED, ("superseded", "verified")),
    ("2020-01-01", "2020-01-01", 365, 365, DEBATE, BOTH),
    ("2020-01-01", "2021-06-01", 730, 365, DEBATE, BOTH),
    ("2020-01-01", "2021-06-01", 365, 730, DEBATE, BOTH),
    ("2020-01-01", "2021-06-01", 180, 365, SUPERSEDED, ("superseded", "verified")),
    ("2020-01-01", "2020-08-01", 180, 180, SUPERSEDED, ("superseded", "verified")),
    ("2020-01-01", "2020-08-01", 180, 365, DEBATE, BOTH),
    ("2018-01-01", "2020-01-02", 730, 180, SUPERSEDED, ("superseded", "verified")),
    ("2018-01-01", "2020-01-01", 730, 180, DEBATE, BOTH),
    ("2020", "2021", 365, 365, DEBATE, BOTH),
    ("2020", "2022", 365, 365, SUPERSEDED, ("superseded", "verified")),
    ("2021", "2023", 365, 365, SUPERSEDED, ("superseded", "verified")),
    ("2022", "2020", 365, 365, SUPERSEDED, ("verified", "superseded")),
    ("2020", "2020", 1, 1, DEBATE, BOTH),
    ("2020", "2021-01-01", 1, 1, DEBATE, BOTH),
    ("2020", "2021-01-02", 1, 1, SUPERSEDED, ("superseded", "verified")),
    ("2020-06", "2021-07", 365, 365, SUPERSEDED, ("superseded", "verified")),
    ("2020-06", "2021-06", 365, 365, DEBATE, BOTH),
    ("2020-02", "2020-03", 1, 1, DEBATE, BOTH),
    ("2020-02", "2020-03-02", 1, 1, SUPERSEDED, ("superseded", "verified")),
    ("2020", "2020-06-01", 1, 1, DEBATE, BOTH),
    (None, "2010-01-01", 1, 1, DEBATE, BOTH),
    ("2010-01-01", None, 1, 1, DEBATE, BOTH),
    (None, None, 1, 1, DEBATE, BOTH),
]


def side(category: str, published_on: str | None = None, days: int = 365) -> Side:
    return Side(category, published_on, days)


def named(value: str | tuple[str, str]) -> str:
    return value if isinstance(value, str) else "-".join(value)


def test_the_table_has_every_pair() -> None:
    assert set(PAIRS) == set(combinations_with_replacement(CATEGORIES, 2))


@pytest.mark.parametrize(("pair", "kind"), PAIRS.items(), ids=named)
def test_categories_decide_without_dates_and_with_equal_ones(pair: tuple[str, str], kind: str) -> None:
    statuses = ("rejected", "verified") if kind == MISINFORMATION else BOTH
    for date in (None, "2020-05-05"):
        found = classify(side(pair[0], date), side(pair[1], date))
        turned = classify(side(pair[1], date), side(pair[0], date))
        assert (found.kind, found.statuses) == (kind, statuses)
        assert (turned.kind, turned.statuses) == (kind, statuses[::-1])


@pytest.mark.parametrize(("pair", "kind"), PAIRS.items(), ids=named)
def test_only_two_high_sources_supersede_one_another(pair: tuple[str, str], kind: str) -> None:
    found = classify(side(pair[0], "1990-01-01"), side(pair[1], "2020-01-01"))
    assert found.kind == (SUPERSEDED if set(pair) <= set(HIGH) else kind)


@pytest.mark.parametrize(("first", "second", "days", "other_days", "kind", "statuses"), DATES)
def test_the_smallest_possible_gap_must_exceed_the_larger_threshold(  # noqa: PLR0913, PLR0917 - a table
    first: str | None, second: str | None, days: int, other_days: int, kind: str, statuses: tuple[str, str]
) -> None:
    found = classify(side(ACADEMIC, first, days), side(ACADEMIC, second, other_days))
    assert (found.kind, found.statuses) == (kind, statuses)
    assert (found.days_apart is None) is (first is None or second is None)


def test_no_side_is_ever_left_pending() -> None:
    for pair in combinations_with_replacement(CATEGORIES, 2):
        for dates in ((None, None), ("2000", "2020"), ("2020", "2020")):
            found = classify(side(pair[0], dates[0]), side(pair[1], dates[1]))
            assert "pending" not in found.statuses


def edges() -> Iterator[Evidence]:
    nih, blog, silent = "https://www.nih.gov/a", "https://blog.example.com/b", "https://www.nih.gov/c"
    for edge_id, relation, url, date in (
        ("edge_1", "supports", nih, "2015-01-01"),
        ("edge_2", "refutes", blog, "2024-01-01"),
        ("edge_3", "refutes", silent, "2016-06-01"),
        ("edge_4", "neutral", blog, None),
    ):
        yield replace(evidence(edge_id, relation, 0.9, f"page_{edge_id}"), url=url, published_on=date)


def view(found: list[Evidence], policy: Policy) -> LensView:
    claim = Claim("claim_1", "task_1", "It does.", "en")
    values = confidence([(edge.relation, edge.nli_confidence) for edge in found])
    task = Task("task_1", "Does it?", None, TaskStatus.ACTIVE, MOMENT, MOMENT)
    hosts = ("www.nih.gov", "blog.example.com")
    return LensView(
        Materials(task, (assess(claim, values, found),), (), ()),
        {host: rule_on(host, policy, [], [], promoted=False) for host in hosts},
        {host: policy.superseded_days(host) for host in hosts},
    )


def test_every_pair_of_opposing_evidence_is_classified_with_both_sides() -> None:
    policy = Policy(allowlist={"nih.gov": Terms(domain_category=GOVERNMENT)}, superseded_thresholds={"nih.gov": 730})
    items: Any = look(view(list(edges()), policy)).items
    shown = {(one["sides"][0]["edge_id"], one["sides"][1]["edge_id"]): one for one in items}
    assert set(shown) == {("edge_1", "edge_2"), ("edge_1", "edge_3")}
    blog, nih = shown["edge_1", "edge_2"], shown["edge_1", "edge_3"]
    assert (blog["contradiction_type"], nih["contradiction_type"]) == (MISINFORMATION, DEBATE)
    assert nih["threshold_days"] == 730
    first, second = blog["sides"]
    assert (first["status"], first["contradicts"]) == ("verified", ["edge_2", "edge_3"])
    assert (second["status"], second["contradicts"]) == ("rejected", ["edge_1"])
    assert (second["domain"], second["domain_category"]) == ("blog.example.com", UNVERIFIED)


def test_evidence_that_does_not_count_opposes_nothing() -> None:
    found = [replace(edge, excluded_reason="quarantined") if edge.relation == "refutes" else edge for edge in edges()]
    assert look(view(found, Policy())).items == ()


def test_a_source_without_a_host_stands_as_an_unverified_one() -> None:
    found = [replace(edge, url=f"file:///papers/{edge.edge_id}.txt") for edge in edges()]
    assert {one["contradiction_type"] for one in look(view(found, Policy())).items} == {METHODOLOGY}
