"""Ways to break a report, one for each check: in the data, in the text of the built report, or by earlier reports."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lyra.reports.builder import build_report
from lyra.reports.draft import EarlierClaim
from lyra.reports.knowledge import shipped_knowledge
from lyra.reports.reading import Reading, structured_from
from lyra.reports.verifying import Request, Verified, verify_report
from lyra.reports.writing import structured_json
from tests.reports.examples import Json, advantage, connection, document, fact, merged, structured

TIME = "2026-02-17T10:35:00Z"
KNOWLEDGE = shipped_knowledge()
POSITIVE = "納得感があり、優位性として妥当である。"
NEGATIVE = "根拠が不足しており、優位性としては納得できない。"


def sound(count: int = 3) -> Json:
    """Advantages at 50, each with its own connection and fact, that break nothing."""
    tens, numbers = (10 if count < 10 else 100), range(1, count + 1)
    rules = {"results": list[Json]()}
    claims = [
        advantage(n, 50, cagr_connections=[tens + n], supported_by_facts=[2 * tens + n], rule_evaluation=rules) for n in numbers
    ]
    claims += [connection(tens + n, 60, n) for n in numbers]
    claims += [fact(2 * tens + n) for n in numbers]
    return document(*claims)


def _nothing(_: Json) -> None:
    """Leave a claim as it is."""


def _unchanged(text: str, _: int) -> str:
    return text


@dataclass(frozen=True)
class Break:
    """How to break one check on one claim; `fact` changes the claim's fact."""

    check: str
    data: Callable[[Json], None] = _nothing
    text: Callable[[str, int], str] = _unchanged
    fact: Json | None = None
    earlier: tuple[EarlierClaim, ...] = ()


def put(**changes: object) -> Callable[[Json], None]:
    """A change of a claim."""

    def change(claim: Json) -> None:
        changed = merged(claim, changes)
        claim.clear()
        claim.update(changed)

    return change


def confident(value: int, **verification: object) -> Callable[[Json], None]:
    """A change of a claim's confidence, and of what its verification says."""
    return put(rule_evaluation={"confidence": value}, verification={"final_confidence": value, **verification})


def both(*changes: Callable[[Json], None]) -> Callable[[Json], None]:
    """Several changes of a claim."""

    def change(claim: Json) -> None:
        for one in changes:
            one(claim)

    return change


def layer(**values: str) -> Callable[[Json], None]:
    """A change of judgements."""

    def change(claim: Json) -> None:
        for block in claim["five_layer_evaluation"].values():
            block.update({name: value for name, value in values.items() if name in block})

    return change


def in_section(change: Callable[[str], str]) -> Callable[[str, int], str]:
    """A change of the text inside a claim's section."""

    def changed(text: str, claim_id: int) -> str:
        start = text.index(f"### #{claim_id}:")
        end = min(at for at in (text.find("\n### #", start + 1), text.find("\n## ", start)) if at > 0)
        after = change(text[start:end])
        assert after != text[start:end], f"nothing to break in #{claim_id}"
        return text[:start] + after + text[end:]

    return changed


def without_line(pattern: str) -> Callable[[str], str]:
    """A change that takes the first matching line out."""
    return lambda part: re.sub(rf"(?m)^.*{pattern}.*\n", "", part, count=1)


def replaced(pattern: str, by: str) -> Callable[[str], str]:
    """A change of the first match."""
    return lambda part: re.sub(pattern, by, part, count=1)


def _without_section(text: str, claim_id: int) -> str:
    start = text.index(f"### #{claim_id}:")
    end = min(at + 1 for at in (text.find("\n### #", start), text.find("\n## ", start)) if at > 0)
    return text[:start] + text[end:]


def rule_break(check: str, rule: int, **judgement: str) -> Break:
    """A judgement against the claim whose row is missing."""
    return Break(check, layer(**judgement), in_section(without_line(f"ルール{rule}（")))


BREAKS = (
    Break("A-1", text=_without_section),
    Break("A-2", text=in_section(replaced(r"まあ納得（50%）|[^ ]*（\d+%）(?=\n)", "かなり納得（90%）"))),
    Break("A-3", both(confident(30), put(ai_comment=POSITIVE))),
    Break(
        "A-4",
        put(rule_evaluation={"results": [{"rule": "rule_5", "verdict": "direct", "reasoning": "2段階"}]}),
        in_section(without_line("ルール5（")),
    ),
    Break(
        "A-5",
        confident(10, fact_check_status="contradicted"),
        in_section(without_line("反証された事実")),
        fact={"verification_status": "contradicted"},
    ),
    Break("A-6", put(verification={"pattern_matches": ["I"]}), in_section(replaced("高評価: I: .*", "高評価: なし"))),
    Break("A-7", text=in_section(without_line(r"（C1\d）"))),
    rule_break("B-1", 1, rule_1_capability_vs_result="result"),
    rule_break("B-2", 2, rule_2_noun_test="fail"),
    rule_break("B-3", 3, rule_3_relative_advantage="fail"),
    rule_break("B-4", 4, rule_4_quantitative="absent"),
    rule_break("B-5", 7, rule_7_pure_competitor="absent"),
    rule_break("B-6", 8, rule_8_strategy_vs_advantage="strategy"),
    Break("B-7", confident(50, fact_check_status="contradicted")),
    Break("B-8", both(confident(90), layer(rule_11_industry_structure="weak_fit"))),
    Break(
        "B-9",
        put(report_type_source="quarterly"),
        in_section(lambda part: re.sub(r"(?m)^> .*\n", "", part)),
    ),
    Break("C-1", put(verification={"pattern_rejections": ["B"]})),
    Break("C-2", put(verification={"pattern_matches": ["IV"]})),
    Break(
        "C-3",
        put(verification={"pattern_rejections": ["A"], "pattern_matches": ["I"]}),
        in_section(without_line("却下優先")),
    ),
    Break(
        "C-4",
        put(verification={"pattern_matches": ["V"]}),
        earlier=(EarlierClaim("SOUTH", "r-0", "他社の主張", 90, frozenset({"V"}), frozenset()),),
    ),
)
BY_CHECK = {one.check: one for one in BREAKS}


@dataclass(frozen=True)
class Broken:
    """A report that is broken, with its data."""

    reading: Reading
    text: str
    earlier: tuple[EarlierClaim, ...]

    def verified(self, *, rewrite: bool = True) -> Verified:
        """What verification makes of it."""
        return verify_report(self.reading, self.text, Request(KNOWLEDGE, TIME, self.earlier, rewrite))


def broken(*breaks: tuple[Break, int]) -> Broken:
    """A report with each break on the claim of that id: first all the data, then all the text."""
    value = sound()
    claims = {claim["id"]: claim for claim in value["claims"]}
    for one, claim_id in breaks:
        one.data(claims[claim_id])
        if one.fact:
            claims[20 + claim_id].update(one.fact)
    text = build_report(structured(value), KNOWLEDGE)
    for one, claim_id in sorted(breaks, key=lambda pair: pair[0].check == "A-1"):  # a section is broken before it is removed
        text = one.text(text, claim_id)
    return Broken(structured_from(value), text, tuple(earlier for one, _ in breaks for earlier in one.earlier))


def again(first: Verified, earlier: Sequence[EarlierClaim] = ()) -> Verified:
    """Verification of what verification wrote."""
    reading = structured_from(structured_json(first.structured))
    return verify_report(reading, first.report, Request(KNOWLEDGE, TIME, tuple(earlier)))


def detected(verified: Verified) -> set[str]:
    """The checks that found something."""
    return {check for check, findings in verified.corrected.findings.items() if findings}
