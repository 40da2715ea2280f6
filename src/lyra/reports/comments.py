"""Comments on a claim, composed from its five layers: conclusion, reason, improvement, one sentence each.

What a comment says of a claim is read from the judgements alone; where none was made it says so. Its conclusion is that
of the confidence, so that tone and value agree at all five values.
"""

from lyra.reports.derived import RULE_FACTS, judgement
from lyra.reports.model import LAYER_VALUES, Claim, ClaimType, FactCheck
from lyra.reports.scale import CONFIDENCES

_FACT_ERROR = "主張の前提に事実誤認がある"
# What speaks for a claim, and what against it, in the order in which a reader wants to hear it.
_FOR = (
    (11, "strong_fit", "業界構造との適合が強い"),
    (4, "present", "定量的な裏付けがある"),
    (7, "present", "純粋競合との比較で差が示されている"),
    (1, "capability", "結果ではなく能力を捉えている"),
    (3, "pass", "競合に対する相対的な優位が示されている"),
    (10, "present", "反対の事例との対照が示されている"),
    (8, "advantage", "戦略と優位性が区別されている"),
    (5, "direct", "成長率への接続が直接的である"),
    (2, "pass", "名詞で言い表せる優位性になっている"),
    (6, "structural", "成長への寄与が構造的である"),
)
_AGAINST = (
    (9, "fail", _FACT_ERROR, "事実関係を一次資料で確かめて書き直せば、改めて評価できる"),
    (3, "fail", "競合に対する相対的な優位が示されていない", "競合との差を同じ物差しで示せば、評価が上がる"),
    (1, "result", "能力ではなく結果を述べるにとどまる", "結果を生んだ能力として言い直せば、評価が上がる"),
    (8, "strategy", "戦略を優位性と混同している", "戦略を支える能力を切り出せば、評価が上がる"),
    (4, "absent", "定量的な裏付けが不足している", "数値による裏付けを加えれば、評価が上がる"),
    (7, "absent", "純粋競合との比較が不足している", "純粋競合との比較を加えれば、評価が上がる"),
    (11, "absent", "業界構造の分析が不足している", "業界構造との関係を分析すれば、評価が上がる"),
    (11, "weak_fit", "業界構造との適合が弱い", "業界構造のどこに根ざすかを示せば、評価が上がる"),
    (2, "fail", "優位性を名詞で言い表せておらず、輪郭が曖昧である", "優位性を名詞の形に言い換えれば、評価が上がる"),
    (5, "indirect", "成長率への接続が間接的である", "成長率へ至る中間の段階を数値でつなげば、評価が上がる"),
    (10, "absent", "反対の事例との対照が不足している", "同じ条件で失敗した事例と比べれば、評価が上がる"),
    (6, "complementary", "成長への寄与が補完的なものにとどまる", "構造的な寄与との関係を示せば、評価が上がる"),
    (12, "quarterly", "四半期レポートに由来し、拡大解釈の懸念がある", "期初レポートでの妥当性を確かめれば、評価が固まる"),
)
_CONCLUSIONS = {
    90: "{kind}としてかなり納得できる。",
    70: "{kind}としておおむね納得できる。",
    50: "{kind}としてまあ納得できる水準である。",
    30: "{kind}としてはあまり納得しない。",
    10: "{kind}としては却下する。",
}
_UNSAID = "各層の判定が記録されていないため、理由は示せない。"
_NOTHING_TO_ADD = "前提となる事実に変化があれば、見直すことが望ましい。"
_FILL_IN = "各層の判定を記録すれば、理由を示せる。"
_LOW, _HIGH = 30, 70


def compose(claim: Claim, confidence: int) -> str:
    """Return a comment of three sentences on `claim` that fits `confidence`, one of the five values.

    Deterministic; the point that matters most is underlined.
    """
    favour, against = _favour(claim), _against(claim)
    conclusion = _CONCLUSIONS[_nearest(confidence)].format(kind=_kind(claim))
    improvement = f"{against[0][1]}。" if against else _NOTHING_TO_ADD if favour else _FILL_IN
    return conclusion + _reason(favour, [said for said, _ in against], confidence) + improvement


def _kind(claim: Claim) -> str:
    return "CAGR接続" if claim.claim_type is ClaimType.CAGR_CONNECTION else "優位性"


def _nearest(confidence: int) -> int:
    """The value of the scale that a CAGR connection's figure lies closest to; halves go down."""
    return min(CONFIDENCES, key=lambda value: (abs(value - confidence), value))


def _favour(claim: Claim) -> list[str]:
    return [said for rule, value, said in _FOR if judgement(claim, rule) == value]


def _against(claim: Claim) -> list[tuple[str, str]]:
    found = [(said, mend) for rule, value, said, mend in _AGAINST if judgement(claim, rule) == value]
    contradicted = claim.verification.fact_check_status is FactCheck.CONTRADICTED
    if contradicted and judgement(claim, RULE_FACTS) != LAYER_VALUES["rule_9_factual_accuracy"][-1]:
        found.insert(0, (_AGAINST[0][2], _AGAINST[0][3]))
    return found


def _reason(favour: list[str], against: list[str], confidence: int) -> str:
    """The strongest judgement that carries the conclusion, with one on the other side where that is fair to say."""
    if not favour and not against:
        return _UNSAID
    if confidence >= _HIGH:
        return _carried(favour, against)
    if confidence > _LOW:
        return _balanced(favour, against)
    if not against:
        return f"{favour[0]}ものの、それだけでは<u>確信を持つ材料が不足している</u>。"
    if favour and against[0] != _FACT_ERROR:
        return f"{favour[0]}ものの、<u>{against[0]}</u>。"
    return f"<u>{against[0]}</u>。"


def _carried(favour: list[str], against: list[str]) -> str:
    if not favour:
        return f"{against[0]}ものの、<u>主張の方向性は認められる</u>。"
    if not against:
        return f"<u>{favour[0]}</u>。"
    return f"{against[0]}ものの、<u>{favour[0]}</u>。"


def _balanced(favour: list[str], against: list[str]) -> str:
    if not favour:
        return f"方向性は認められるが、<u>{against[0]}</u>。"
    if not against:
        return f"<u>{favour[0]}</u>が、それだけでは決め手として足りない。"
    return f"{favour[0]}一方で、<u>{against[0]}</u>。"
