"""The prose of sections 4 and 5 where none was given: what the layers say of all claims together, counted and named."""

from collections.abc import Callable, Iterable

from lyra.reports.derived import RULE_DIRECT, RULE_STRUCTURAL, is_contradicted, is_quarterly, judgement
from lyra.reports.model import Claim, Structured


def _names(claims: Iterable[Claim]) -> str:
    return "、".join(claim.name for claim in claims)


def _having(claims: Iterable[Claim], holds: Callable[[Claim], bool]) -> list[Claim]:
    return [claim for claim in claims if holds(claim)]


def cagr_assessment(structured: Structured) -> str:
    """Return one or two paragraphs on the CAGR connections: directness, class, figures, sources."""
    connections = structured.connections
    if not connections:
        return "CAGR接続は抽出されていません。"
    direct = _having(connections, lambda one: judgement(one, RULE_DIRECT) == "direct")
    indirect = _having(connections, lambda one: judgement(one, RULE_DIRECT) == "indirect")
    structural = _having(connections, lambda one: judgement(one, RULE_STRUCTURAL) == "structural")
    unquantified = _having(connections, lambda one: not any(parameter.contribution for parameter in one.parameters))
    quarterly = _having(connections, is_quarterly)
    causal = f"CAGR接続{len(connections)}件のうち、因果が直接的なものは{len(direct)}件、間接的なものは{len(indirect)}件です。"
    if indirect:
        causal += f"{_names(indirect)}は、TAM、シェア、利益率などの中間ステップを確かめる必要があります。"
    elif not direct:
        causal += "因果の直接性はまだ評価されていません。"
    causal += f"構造的な寄与は{len(structural)}件です。"
    figures = (
        f"{_names(unquantified)}には寄与の数値がありません。" if unquantified else "寄与の数値はすべての接続に示されています。"
    )
    sources = (
        f"{_names(quarterly)}は四半期レビュー（②）に由来します。"
        if quarterly
        else "四半期レビュー（②）に由来する接続はありません。"
    )
    return f"{causal}\n\n{figures}{sources}"


def warning_assessment(structured: Structured) -> str:
    """Return one or two paragraphs of warnings: quarterly sources, over-reading, contradicted and unexamined claims."""
    advantages = structured.advantages
    quarterly = _having(advantages, is_quarterly)
    risky = _having(advantages, lambda one: _risk(one) == "high")
    contradicted = _having(advantages, lambda one: is_contradicted(structured, one))
    unexamined = _having(advantages, lambda one: one.five_layer_evaluation is None)
    sources = (
        f"{_names(quarterly)}は②に由来します。①の前提が今も合理的かを確かめ、②の積み重ねを新しい優位性と読み替えないよう注意してください。"
        if quarterly
        else "②に由来する主張はありません。①の前提が今も合理的かは、次の四半期でも確かめてください。"
    )
    if risky:
        sources += f"{_names(risky)}は拡大解釈のリスクが高いと評価されています。"
    rest = [f"{_names(contradicted)}は事実と食い違うため、既存の判断に引きずられず見直してください。"] if contradicted else []
    rest += [f"{_names(unexamined)}は5層評価が記録されておらず、ほかの主張と同じ基準では比べられません。"] if unexamined else []
    rest += [] if rest else ["ほかの銘柄で同じ型の推論をした場合にも同じ評価になるかを、照合パターンで確かめてください。"]
    return f"{sources}\n\n{''.join(rest)}"


def _risk(claim: Claim) -> str | None:
    return claim.five_layer_evaluation.get("overinterpretation_risk") if claim.five_layer_evaluation else None
