"""Which confidence a claim may keep. An automatic correction never raises one."""

from dataclasses import dataclass

from lyra.reports.derived import has_strong_fit, is_contradicted
from lyra.reports.knowledge import Knowledge
from lyra.reports.model import Claim, ClaimType, Structured
from lyra.reports.scale import HIGHEST, LOWEST, WITHOUT_INDUSTRY_FIT


@dataclass(frozen=True, slots=True)
class Resolution:
    """The value after each of the three confidence rules, in their order; `floor` only leads to a note."""

    given: int
    after_facts: int
    after_industry: int
    after_patterns: int
    cap: int | None
    floor: int | None

    @property
    def confidence(self) -> int:
        """Return the corrected confidence."""
        return self.after_patterns

    @property
    def below_floor(self) -> bool:
        """Return whether the corrected value lies below a floor that holds."""
        return self.floor is not None and self.confidence < self.floor


def breaks_fact_rule(structured: Structured, claim: Claim) -> bool:
    """Return whether a contradicted claim has another confidence than 10."""
    return is_contradicted(structured, claim) and claim.confidence != LOWEST


def breaks_industry_rule(claim: Claim) -> bool:
    """Return whether an advantage has 90 without a strong fit with the structure of its industry."""
    advantage = claim.claim_type is ClaimType.COMPETITIVE_ADVANTAGE
    return advantage and claim.confidence == HIGHEST and not has_strong_fit(claim)


def breaks_cap(structured: Structured, claim: Claim, knowledge: Knowledge) -> bool:
    """Return whether a claim that no fact contradicts is above the lowest cap of its rejection patterns."""
    cap = knowledge.cap(claim.verification.pattern_rejections)
    return cap is not None and claim.confidence > cap and not is_contradicted(structured, claim)


def resolve(structured: Structured, claim: Claim, knowledge: Knowledge) -> Resolution:
    """Return what the rules make of a claim's confidence."""
    given = claim.confidence
    contradicted = is_contradicted(structured, claim)
    cap = knowledge.cap(claim.verification.pattern_rejections)
    facts = LOWEST if contradicted else given
    industry = min(facts, WITHOUT_INDUSTRY_FIT) if breaks_industry_rule(claim) else facts
    patterns = min(industry, cap) if breaks_cap(structured, claim, knowledge) and cap is not None else industry
    floor = None if contradicted else knowledge.floor(claim.verification.pattern_matches, cap)
    return Resolution(given, facts, industry, patterns, cap, floor)
