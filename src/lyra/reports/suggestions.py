"""What to improve, said from the deviations: sentences in Japanese, as the report is."""

from collections.abc import Iterator

from lyra.reports.accuracy import FAR, Bias, Block, Comparison
from lyra.reports.derived import judgement
from lyra.reports.leakage import HeldOut
from lyra.reports.matching import Matching

_BLOCKS = {"advantage": "優位性", "connection": "CAGR接続"}
_BIASES = {
    Bias.OVERESTIMATE: "{kind}の確信度がAIで平均{points:.1f}ポイント高い。却下パターンと上限の適用を見直す。",
    Bias.UNDERESTIMATE: "{kind}の確信度がAIで平均{points:.1f}ポイント低い。高評価パターンの見落としを見直す。",
}
_CHECKED = (
    (7, "absent", "純粋競合との比較（ルール7）"),
    (4, "absent", "定量的な裏付け（ルール4）"),
    (1, "result", "能力と結果の区別（ルール1）"),
    (8, "strategy", "戦略と優位性の区別（ルール8）"),
    (3, "fail", "相対的な優位（ルール3）"),
    (5, "indirect", "CAGRへの直接性（ルール5）"),
)
_SHORT = 30


def deviation_analysis(comparison: Comparison) -> str:
    """Return a deviation in words."""
    deviation = comparison.deviation
    if not deviation:
        return "一致"
    return f"AIが{abs(deviation)}ポイント{'高い' if deviation > 0 else '低い'}"


def suggestions(advantages: Matching, connections: Matching, held_out: HeldOut) -> tuple[str, ...]:
    """Return what the comparison suggests, the largest deviations first."""
    found = [
        *_biases("advantage", Block(advantages.comparisons)),
        *_biases("connection", Block(connections.comparisons)),
        *_far(advantages.comparisons),
        *_far(connections.comparisons),
        *(
            f"評価者の主張「{_short(one.text)}」に当たるAIの主張がない。抽出の網羅性を確認する。"
            for one in advantages.missing_in_ai
        ),
        *_unmatched(advantages),
        *(f"{one.claim.name}と「{_short(one.human.text)}」の対応は僅差。上書きファイルで確定する。" for one in advantages.review),
    ]
    if held_out.ai_knowledge == "contains_ticker":
        found.append(
            f"AIが使った知識に{held_out.ticker}自身の評価が含まれる。除外して評価し直すまで、この結果は精度の証拠にならない。"
        )
    return tuple(found)


def _unmatched(advantages: Matching) -> Iterator[str]:
    if names := "、".join(one.name for one in advantages.unmatched_ai):
        yield f"AIの主張{names}に当たる評価者の採点がない。採点漏れか、業界共通の説明を主張としていないかを確認する。"


def _biases(kind: str, block: Block) -> Iterator[str]:
    if block.bias in _BIASES and block.signed_mean is not None:
        yield _BIASES[block.bias].format(kind=_BLOCKS[kind], points=float(abs(block.signed_mean)))


def _far(comparisons: tuple[Comparison, ...]) -> Iterator[str]:
    for one in sorted(comparisons, key=lambda one: -abs(one.deviation)):
        if abs(one.deviation) <= FAR:
            continue
        values = f"{one.claim.name}: AI {one.claim.confidence}% / 評価者 {one.human.score}%。"
        yield values + (_too_high(one) if one.deviation > 0 else _too_low(one))


def _too_high(one: Comparison) -> str:
    weak = [name for rule, value, name in _CHECKED if judgement(one.claim, rule) == value]
    return f"{'、'.join(weak)}をより厳しく反映する。" if weak else "判定が甘い層がないか、評価者のコメントと突き合わせる。"


def _too_low(one: Comparison) -> str:
    rejections = "、".join(one.claim.verification.pattern_rejections)
    return (
        f"却下パターン{rejections}の適用が妥当か確認する。" if rejections else "評価者が重視した根拠が抽出されているか確認する。"
    )


def _short(text: str) -> str:
    return text if len(text) <= _SHORT else text[: _SHORT - 1] + "…"
