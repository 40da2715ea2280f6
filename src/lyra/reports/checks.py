"""The twenty checks as a table: layer, name, severity, how a defect is found and how it is mended."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from lyra.reports import layer_a, layer_b, layer_c, mending_a, mending_bc
from lyra.reports.draft import Correction, Draft, Finding


class Severity(StrEnum):
    """How much a defect matters."""

    CRITICAL = "critical"
    WARNING = "warning"
    INFO = "info"


class Layer(StrEnum):
    """The layer that a check belongs to, as the results name it."""

    CONSISTENCY = "layer_a_json_report_consistency"
    RULES = "layer_b_ky_rule_compliance"
    PATTERNS = "layer_c_pattern_consistency"


class Kind(StrEnum):
    """What a correction is, as the results name it."""

    CLAIM_ADDITION = "claim_addition"
    CONFIDENCE = "confidence_adjustment"
    COMMENT = "comment_rewrite"
    ANNOTATION = "annotation"


def _left(_draft: Draft, _finding: Finding) -> Correction | None:
    """Mend nothing: the defect is recorded only."""
    return None


@dataclass(frozen=True, slots=True)
class Check:
    """One check. `note` says what there is to say when it passes."""

    id: str
    name: str
    severity: Severity
    kind: Kind | None
    find: Callable[[Draft], Iterable[Finding]]
    mend: Callable[[Draft, Finding], Correction | None] = _left
    note: Callable[[Draft], str] = lambda _: ""

    @property
    def layer(self) -> Layer:
        """Return the layer, which the id begins with."""
        return {"A": Layer.CONSISTENCY, "B": Layer.RULES, "C": Layer.PATTERNS}[self.id[0]]


def _rule_check(check_id: str, name: str, severity: Severity = Severity.WARNING) -> Check:
    kind = Kind.ANNOTATION if severity is Severity.WARNING else None
    mend = mending_bc.mend_rule_row if severity is Severity.WARNING else _left
    find = layer_b.unshown_judgement(check_id)
    return Check(check_id, name, severity, kind, find, mend, lambda draft: layer_b.not_evaluated(draft, check_id))


_CRITICAL, _WARNING, _INFO = Severity.CRITICAL, Severity.WARNING, Severity.INFO

CHECKS = (
    Check("A-1", "主張の網羅性（JSON全件がMDに記載）", _CRITICAL, Kind.CLAIM_ADDITION, layer_a.a1, mending_a.mend_a1),
    Check("A-2", "confidence転記の正確性", _CRITICAL, Kind.CONFIDENCE, layer_a.a2, mending_a.mend_a2),
    Check("A-3", "confidenceとトーンの一致", _CRITICAL, Kind.COMMENT, layer_a.a3, mending_a.mend_a3, layer_a.tone_note),
    Check("A-4", "ルール適用結果の反映", _WARNING, Kind.ANNOTATION, layer_a.a4, mending_a.mend_a4),
    Check("A-5", "contradicted事実の明示", _CRITICAL, Kind.ANNOTATION, layer_a.a5, mending_a.mend_a5),
    Check("A-6", "パターン照合結果の反映", _WARNING, Kind.ANNOTATION, layer_a.a6, mending_a.mend_a6),
    Check("A-7", "CAGR接続の対応関係", _WARNING, Kind.ANNOTATION, layer_a.a7, mending_a.mend_a7),
    _rule_check("B-1", "ルール1（能力vs結果）の適用"),
    _rule_check("B-2", "ルール2（名詞テスト）の適用"),
    _rule_check("B-3", "ルール3（相対性）の適用"),
    _rule_check("B-4", "ルール4（定量的裏付け）の反映", _INFO),
    _rule_check("B-5", "ルール7（純粋競合比較）の反映"),
    _rule_check("B-6", "ルール8（戦略vs優位性）の適用"),
    Check("B-7", "ルール9（事実誤認 → 10%）の適用", _CRITICAL, Kind.CONFIDENCE, layer_b.b7, mending_bc.mend_b7),
    Check("B-8", "ルール11なしの90%排除", _CRITICAL, Kind.CONFIDENCE, layer_b.b8, mending_bc.mend_b8),
    Check("B-9", "ルール12（①/②区別）フラグ", _WARNING, Kind.ANNOTATION, layer_b.b9, mending_bc.mend_b9),
    Check("C-1", "却下パターン検出時のconfidence上限", _CRITICAL, Kind.CONFIDENCE, layer_c.c1, mending_bc.mend_c1),
    Check("C-2", "高評価パターン検出時のconfidence下限", _WARNING, Kind.ANNOTATION, layer_c.c2, mending_bc.mend_c2),
    Check("C-3", "複数パターン該当時の調整", _WARNING, Kind.ANNOTATION, layer_c.c3, mending_bc.mend_c3),
    Check("C-4", "銘柄間一貫性", _INFO, None, layer_c.c4, note=layer_c.compared),
)
BY_ID = {check.id: check for check in CHECKS}
# The order in which corrections are written: values, comments, claims, rules, annotations. The first four judge the input.
INPUT_ORDER = ("A-2", "B-7", "B-8", "C-1")
COMMENT_CHECK = "A-3"
THEN = ("A-1", "A-4", "B-1", "B-2", "B-3", "B-4", "B-5", "B-6", "A-5", "A-6", "A-7", "B-9", "C-2", "C-3", "C-4")


def all_findings(draft: Draft) -> dict[str, tuple[Finding, ...]]:
    """Return what every check finds in a draft as it is."""
    return {check.id: tuple(check.find(draft)) for check in CHECKS}
