"""The records of `structured.json`: claims with their rules, layers and verification, and what they add up to.

A field that the file does not have is None, or empty where it is a list or a text. Fields that this program does not know are
kept in `extra` and written back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

Extra = Mapping[str, object]


class ClaimType(StrEnum):
    """What kind of statement a claim is."""

    COMPETITIVE_ADVANTAGE = "competitive_advantage"
    CAGR_CONNECTION = "cagr_connection"
    FACTUAL_CLAIM = "factual_claim"


class FactCheck(StrEnum):
    """What checking a claim against its sources came to."""

    VERIFIED = "verified"
    CONTRADICTED = "contradicted"
    UNVERIFIABLE = "unverifiable"
    NOT_CHECKED = "not_checked"


class ReportType(StrEnum):
    """Which report a claim was taken from: the one at the start (①) or a quarterly review (②)."""

    INITIAL = "initial"
    QUARTERLY = "quarterly"


# Every judgement of the five layers, with the values it can take, the adverse one last.
LAYERS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "layer_1_prerequisite": {
        "rule_9_factual_accuracy": ("pass", "fail"),
        "rule_3_relative_advantage": ("pass", "fail"),
    },
    "layer_2_nature": {
        "rule_1_capability_vs_result": ("capability", "result"),
        "rule_2_noun_test": ("pass", "fail"),
        "rule_8_strategy_vs_advantage": ("advantage", "strategy"),
    },
    "layer_3_evidence": {
        "rule_4_quantitative": ("present", "absent"),
        "rule_7_pure_competitor": ("present", "absent"),
        "rule_10_negative_case": ("present", "absent"),
        "rule_11_industry_structure": ("strong_fit", "weak_fit", "absent"),
    },
    "layer_4_cagr": {
        "rule_5_directness": ("direct", "indirect"),
        "rule_6_structural_vs_complementary": ("structural", "complementary"),
        "verifiability": ("high", "medium", "low"),
    },
    "layer_5_source": {
        "rule_12_source_type": ("initial", "quarterly"),
        "overinterpretation_risk": ("low", "medium", "high"),
    },
}
LAYER_VALUES = {name: values for layer in LAYERS.values() for name, values in layer.items()}
# The judgement that belongs to a rule: 1 → rule_1_capability_vs_result.
JUDGEMENT_OF_RULE = {int(name.split("_")[1]): name for name in LAYER_VALUES if name.startswith("rule_")}
RULES = tuple(sorted(JUDGEMENT_OF_RULE))


@dataclass(frozen=True, slots=True)
class FiveLayers:
    """The five-layer evaluation; a judgement that was not made is absent from `values`, never guessed."""

    values: Mapping[str, str]
    extra: Extra = field(default_factory=dict)

    def get(self, judgement: str) -> str | None:
        """Return the value of a judgement such as `rule_2_noun_test`, if it was made."""
        return self.values.get(judgement)


@dataclass(frozen=True, slots=True)
class RuleResult:
    """What one of the twelve rules says of a claim."""

    rule: int
    verdict: str
    reasoning: str = ""
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RuleEvaluation:
    """The rules as they were applied, and the confidence that followed."""

    applied_rules: tuple[int, ...] = ()
    results: tuple[RuleResult, ...] = ()
    confidence: int | None = None
    confidence_adjustments: tuple[object, ...] = ()
    overall_reasoning: str = ""
    extra: Extra = field(default_factory=dict)

    def result_of(self, rule: int) -> RuleResult | None:
        """Return the first result of a rule."""
        return next((result for result in self.results if result.rule == rule), None)


@dataclass(frozen=True, slots=True)
class Verification:
    """What became of a claim when facts and patterns were looked at."""

    fact_check_status: FactCheck | None = None
    pattern_matches: tuple[str, ...] = ()
    pattern_rejections: tuple[str, ...] = ()
    final_confidence: int | None = None
    confidence_delta: int | None = None
    details: str = ""
    evidence: tuple[str, ...] = ()
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One figure through which a CAGR connection acts."""

    name: str
    contribution: str = ""
    confidence: int | None = None
    comment: str = ""
    extra: Extra = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Return name and contribution as they stand in a table."""
        return f"{self.name} {self.contribution}".strip()


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of any type; which fields are filled depends on the type."""

    id: int
    claim_type: ClaimType
    claim: str
    descriptive_label: str = ""
    evidence_from_report: str = ""
    report_type_source: ReportType | None = None
    supported_by_facts: tuple[int, ...] = ()
    cagr_connections: tuple[int, ...] = ()
    source_advantage: int | None = None
    parameters: tuple[Parameter, ...] = ()
    rule_evaluation: RuleEvaluation = RuleEvaluation()
    verification: Verification = Verification()
    five_layer_evaluation: FiveLayers | None = None
    ai_comment: str = ""
    verification_status: FactCheck | None = None
    verification_attempted: tuple[str, ...] = ()
    affected_claims: tuple[int, ...] = ()
    extra: Extra = field(default_factory=dict)

    @property
    def confidence(self) -> int:
        """Return the confidence that stands: the final one, else that of the rules. A factual claim has none."""
        final = self.verification.final_confidence
        chosen = self.rule_evaluation.confidence if final is None else final
        if chosen is None:
            raise ValueError(f"claim {self.id} has no confidence")
        return chosen

    @property
    def name(self) -> str:
        """Return how the report calls the claim: `#3`, or `C3` for a CAGR connection."""
        return f"C{self.id}" if self.claim_type is ClaimType.CAGR_CONNECTION else f"#{self.id}"


@dataclass(frozen=True, slots=True)
class WarningFlags:
    """What a reader is warned of."""

    quarterly_derived_claims: int = 0
    overinterpretation_risks: int = 0
    confidence_distribution_anomaly: bool = False
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Summary:
    """What the claims add up to. Always computed from them; a file's own figures are only compared."""

    total_claims: int
    competitive_advantages: int
    cagr_connections: int
    factual_claims: int
    average_ca_confidence: float | None
    confidence_distribution: Mapping[int, int]
    fact_check_summary: Mapping[FactCheck, int]
    warning_flags: WarningFlags
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Structured:
    """A whole `structured.json`."""

    ticker: str
    company_name: str
    research_id: str
    report_source: str
    kb_version: str
    generated_at: str
    claims: tuple[Claim, ...]
    extraction_metadata: Extra = field(default_factory=dict)
    cagr_assessment: str = ""
    warning_assessment: str = ""
    summary_extra: Extra = field(default_factory=dict)
    warning_flags_extra: Extra = field(default_factory=dict)
    extra: Extra = field(default_factory=dict)

    def of_type(self, claim_type: ClaimType) -> tuple[Claim, ...]:
        """Return the claims of one type, by id."""
        return tuple(sorted((claim for claim in self.claims if claim.claim_type is claim_type), key=lambda claim: claim.id))

    @property
    def advantages(self) -> tuple[Claim, ...]:
        """Return the competitive advantages, by id."""
        return self.of_type(ClaimType.COMPETITIVE_ADVANTAGE)

    @property
    def connections(self) -> tuple[Claim, ...]:
        """Return the CAGR connections, by id."""
        return self.of_type(ClaimType.CAGR_CONNECTION)

    @property
    def facts(self) -> tuple[Claim, ...]:
        """Return the factual claims, by id."""
        return self.of_type(ClaimType.FACTUAL_CLAIM)

    def claim(self, claim_id: int) -> Claim | None:
        """Return a claim by its id."""
        return next((claim for claim in self.claims if claim.id == claim_id), None)
