"""Layer B: were the analyst's rules kept? Nine checks, each from a draft to its findings."""

from collections.abc import Callable, Iterator

from lyra.reports import phrases
from lyra.reports.derived import is_quarterly, layer_value
from lyra.reports.draft import Draft, Finding
from lyra.reports.layer_a import has_rule_row
from lyra.reports.model import Claim
from lyra.reports.rendering import adverse_result
from lyra.reports.resolution import breaks_fact_rule, breaks_industry_rule
from lyra.reports.scale import LOWEST, WITHOUT_INDUSTRY_FIT
from lyra.reports.sections import ClaimSection, numbered_rows

BLOCK, WARNING_ROW = "block", "warning_row"
# The rule that each of the six checks is about.
RULE_OF_CHECK = {"B-1": 1, "B-2": 2, "B-3": 3, "B-4": 4, "B-5": 7, "B-6": 8}


def unshown_judgement(check: str) -> Callable[[Draft], Iterator[Finding]]:
    """Return the check that an adverse judgement of the layers under a rule is shown, where no rule result says it."""
    rule = RULE_OF_CHECK[check]

    def find(draft: Draft) -> Iterator[Finding]:
        for claim in draft.structured.advantages:
            section = draft.report.section(claim.id)
            if section is None or claim.rule_evaluation.result_of(rule):
                continue
            adverse = adverse_result(claim, rule)
            if adverse and not has_rule_row(section, rule):
                yield Finding(
                    check, claim.id, f"主張{claim.name}のルール{rule}（{adverse.verdict}）がルール適用結果にない", str(rule)
                )

    return find


def not_evaluated(draft: Draft, check: str) -> str:
    """Return which claims one of the six checks passes only because the layers say nothing."""
    rule = RULE_OF_CHECK[check]
    silent = [claim.name for claim in draft.structured.advantages if layer_value(claim, rule) is None]
    return f"not evaluated: {'、'.join(silent)}" if silent else ""


def b7(draft: Draft) -> Iterator[Finding]:
    """A contradicted claim has 10."""
    for claim in _scored(draft):
        if breaks_fact_rule(draft.structured, claim):
            yield Finding(
                "B-7", claim.id, f"主張{claim.name}は反証されているが確信度が{claim.confidence}%（{LOWEST}%でなければならない）"
            )


def b8(draft: Draft) -> Iterator[Finding]:
    """Only a strong fit with the structure of the industry earns 90."""
    for claim in draft.structured.advantages:
        if breaks_industry_rule(claim):
            details = f"主張{claim.name}は業界構造との強い合致（ルール11）がないのに確信度が90%（上限{WITHOUT_INDUSTRY_FIT}%）"
            yield Finding("B-8", claim.id, details)


def _scored(draft: Draft) -> tuple[Claim, ...]:
    return (*draft.structured.advantages, *draft.structured.connections)


def has_quarterly_block(section: ClaimSection) -> bool:
    """Return whether a section warns that its claim comes from a quarterly review."""
    quotes = (block for block in section.whole.blocks if block.kind == "blockquote")
    return any("四半期" in block.text or "②" in block.text for block in quotes)


def b9(draft: Draft) -> Iterator[Finding]:
    """A claim from a quarterly review is flagged in its section and among the warnings."""
    rows = numbered_rows(draft.report.warnings)
    for claim in draft.structured.advantages:
        section = draft.report.section(claim.id)
        if section is None or not is_quarterly(claim):
            continue
        if not has_quarterly_block(section):
            yield Finding("B-9", claim.id, f"四半期レビュー由来の主張{claim.name}に⚠️の注意書きがない", BLOCK)
        if claim.id not in rows:
            yield Finding("B-9", claim.id, f"四半期レビュー由来の主張{claim.name}が{phrases.WARNINGS}にない", WARNING_ROW)
