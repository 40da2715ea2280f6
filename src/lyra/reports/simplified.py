"""The eight checks that need no person's scores: is the distribution plausible, are the rules kept?"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from lyra.reports.derived import is_contradicted
from lyra.reports.knowledge import Knowledge
from lyra.reports.model import Claim, Structured
from lyra.reports.resolution import breaks_cap, breaks_fact_rule, breaks_industry_rule
from lyra.reports.scale import HIGHEST, LOWEST

Severity = Literal["critical", "warning", "info"]
Status = Literal["pass", "warning", "fail"]

MOST_EXTREME = Fraction(15, 100)
LEAST_MIDDLE = Fraction(30, 100)
MIDDLE = (40, 60)
FEWEST, MOST = 5, 15


@dataclass(frozen=True, slots=True)
class Check:
    """One check with what it saw and what it wanted; `claims` are the ids that broke it, where claims did."""

    check_id: str
    name: str
    severity: Severity
    kept: bool
    value: str
    threshold: str
    claims: tuple[int, ...] = ()

    @property
    def status(self) -> Status:
        """Return fail for a critical check that was broken, warning for any other."""
        if self.kept:
            return "pass"
        return "fail" if self.severity == "critical" else "warning"


@dataclass(frozen=True, slots=True)
class Simplified:
    """All eight checks. Info checks count neither as warnings nor in the overall status."""

    checks: tuple[Check, ...]

    @property
    def warning_count(self) -> int:
        """Return how many Warning checks were broken."""
        return sum(not check.kept and check.severity == "warning" for check in self.checks)

    @property
    def critical_count(self) -> int:
        """Return how many Critical checks were broken."""
        return sum(not check.kept and check.severity == "critical" for check in self.checks)

    @property
    def overall_status(self) -> str:
        """Return pass, pass_with_warnings or fail."""
        if self.critical_count:
            return "fail"
        return "pass_with_warnings" if self.warning_count else "pass"


def simplified_checks(structured: Structured, knowledge: Knowledge) -> Simplified:
    """Return S-1 to S-8 on the records as they stand (run it on corrected ones)."""
    advantages = structured.advantages
    scored = (*advantages, *structured.connections)
    unrefuted = [claim for claim in advantages if not is_contradicted(structured, claim)]
    return Simplified(
        (
            _at_most("S-1", "confidence分布の妥当性（90%の出現率）", "warning", _valued(advantages, HIGHEST), len(advantages)),
            _middle(advantages),
            _at_most("S-3", "confidence分布の妥当性（10%の希少性）", "info", _valued(unrefuted, LOWEST), len(unrefuted)),
            _connections_at_least(structured),
            _none("S-5", "却下パターンのconfidence上限", "warning", [c for c in scored if breaks_cap(structured, c, knowledge)]),
            _none("S-6", "ルール11なしの90%排除", "critical", [claim for claim in advantages if breaks_industry_rule(claim)]),
            _count(len(advantages)),
            _none(
                "S-8",
                "ルール9の自動適用（contradicted → 10%）",
                "critical",
                [c for c in scored if breaks_fact_rule(structured, c)],
            ),
        )
    )


def percent(share: Fraction) -> str:
    """Return a share as a percentage with one decimal."""
    return f"{float(share * 100):.1f}%"


def _valued(claims: Sequence[Claim], value: int) -> int:
    return sum(claim.confidence == value for claim in claims)


def _share(count: int, total: int) -> Fraction:
    return Fraction(count, total) if total else Fraction(0)


def _counted(count: int, total: int) -> str:
    return f"{count}件 ({percent(_share(count, total))})" if total else "対象なし"


def _at_most(check_id: str, name: str, severity: Severity, count: int, total: int) -> Check:
    limit = f"{float(MOST_EXTREME * 100):g}%以下"
    return Check(check_id, name, severity, _share(count, total) <= MOST_EXTREME, _counted(count, total), limit)


def _middle(advantages: Sequence[Claim]) -> Check:
    count = sum(MIDDLE[0] <= claim.confidence <= MIDDLE[1] for claim in advantages)
    kept = not advantages or _share(count, len(advantages)) >= LEAST_MIDDLE
    limit = f"{float(LEAST_MIDDLE * 100):g}%以上"
    return Check("S-2", "confidence分布の妥当性（50%の最頻値）", "info", kept, _counted(count, len(advantages)), limit)


def _connections_at_least(structured: Structured) -> Check:
    name, limit = "CAGR接続とCAの平均スコア", "平均CAGR確信度 >= 平均CA確信度"
    advantages, connections = (
        [claim.confidence for claim in claims] for claims in (structured.advantages, structured.connections)
    )
    if not advantages or not connections:
        return Check("S-4", name, "info", True, "対象なし", limit)
    own, other = Fraction(sum(advantages), len(advantages)), Fraction(sum(connections), len(connections))
    return Check("S-4", name, "info", other >= own, f"CAGR {float(other):.1f}% / CA {float(own):.1f}%", limit)


def _none(check_id: str, name: str, severity: Severity, broken: Sequence[Claim]) -> Check:
    names = "、".join(claim.name for claim in broken)
    value = f"{len(broken)}件 ({names})" if broken else "0件"
    return Check(check_id, name, severity, not broken, value, "0件", tuple(claim.id for claim in broken))


def _count(advantages: int) -> Check:
    return Check("S-7", "主張数の妥当性", "warning", FEWEST <= advantages <= MOST, f"{advantages}件", f"{FEWEST}-{MOST}件")
