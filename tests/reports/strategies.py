"""Random structured reports: any data that can be read, and data that is consistent with every rule."""

from typing import Any

from hypothesis import strategies as st

from lyra.reports.model import LAYERS
from tests.reports.examples import Json

# Texts as they come: marks of Markdown and HTML, half-known characters, line breaks of all kinds, words that reports use.
_PIECES = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            "| a | b |",
            "# 見出し",
            "### #1: 偽の見出し",
            "```",
            "<details>",
            "</details>",
            "<u>要点</u>",
            "**太字**",
            "_下線_",
            "[x](y)",
            "C12",
            "（C11）",
            "却下: A",
            "50%",
            "---",
            "\u2028",
            "\r\n",
            "&amp;",
            "\\|",
            "\\",
            "1. 番号",
            "- 項目",
            "７０％",
            "😀",
            "[⚠️ T8修正] C-2",
            "却下優先",
            "\u202e逆",
        ]
    ),
)
texts = st.lists(_PIECES, max_size=4).map("".join)
claims_text = texts.filter(lambda text: any(not char.isspace() for char in text))
REJECTIONS = ("A", "B", "C", "D", "E", "F", "G")
MATCHES = ("I", "II", "III", "IV", "V")
CONFIDENCES = (10, 30, 50, 70, 90)


def subsets(names: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(names), unique=True, max_size=3)


@st.composite
def layers(draw: st.DrawFn) -> Json:
    """Some judgements of some layers."""
    block: Json = {}
    for layer, judgements in LAYERS.items():
        values = {name: draw(st.sampled_from([*values, None])) for name, values in judgements.items()}
        block[layer] = {name: value for name, value in values.items() if value}
    return block


@st.composite
def results(draw: st.DrawFn) -> list[Json]:
    """Results of some rules, each once."""
    rules = draw(st.lists(st.integers(1, 12), unique=True, max_size=4))
    verdicts = st.sampled_from(["pass", "fail", "direct", "strong_fit", "result", "a | b", "PARTIAL", "要検討"])
    return [{"rule": f"rule_{rule}", "verdict": draw(verdicts), "reasoning": draw(texts)} for rule in rules]


@st.composite
def advantage(draw: st.DrawFn, claim_id: int, facts: list[int]) -> Json:
    claim: Json = {"id": claim_id, "claim_type": "competitive_advantage", "claim": draw(claims_text)}
    claim["descriptive_label"], claim["evidence_from_report"] = draw(texts), draw(texts)
    claim["rule_evaluation"] = {"results": draw(results()), "confidence": draw(st.sampled_from(CONFIDENCES))}
    claim["verification"] = {
        "fact_check_status": draw(st.sampled_from(["verified", "contradicted", "unverifiable", "not_checked"])),
        "pattern_matches": draw(subsets(MATCHES)),
        "pattern_rejections": draw(subsets(REJECTIONS)),
        "details": draw(texts),
    }
    optional: Json = {
        "report_type_source": draw(st.sampled_from(["initial", "quarterly", None])),
        "five_layer_evaluation": draw(st.one_of(st.none(), layers())),
        "ai_comment": draw(st.one_of(st.none(), texts, st.sampled_from(["納得感がある。", "根拠が不足しており納得できない。"]))),
    }
    claim |= {name: value for name, value in optional.items() if value is not None}
    claim["supported_by_facts"] = draw(st.lists(st.sampled_from(facts), max_size=2)) if facts else []
    return claim


@st.composite
def parameter(draw: st.DrawFn) -> Json:
    return {
        "name": draw(claims_text),
        "contribution": draw(st.sampled_from(["+2%", "", "-1.5%"])),
        "confidence": draw(st.integers(10, 90)),
        "comment": draw(texts),
    }


@st.composite
def connection(draw: st.DrawFn, claim_id: int, advantages: list[int]) -> Json:
    return {
        "id": claim_id,
        "claim_type": "cagr_connection",
        "claim": draw(claims_text),
        "source_advantage": draw(st.sampled_from(advantages)),
        "parameters": draw(st.lists(parameter(), max_size=2)),
        "rule_evaluation": {"results": draw(results()), "confidence": draw(st.integers(10, 90))},
        "verification": {
            "pattern_matches": draw(subsets(MATCHES)),
            "pattern_rejections": draw(subsets(REJECTIONS)),
            "fact_check_status": draw(st.sampled_from(["verified", "contradicted"])),
        },
    }


@st.composite
def any_report(draw: st.DrawFn) -> Json:
    """A structured.json whose links lead somewhere; nothing else about it need agree."""
    numbers = draw(st.lists(st.integers(1, 99), unique=True, min_size=1, max_size=8))
    own = numbers[: draw(st.integers(1, min(4, len(numbers))))]
    facts = numbers[len(own) : len(own) + 2]
    links = numbers[len(own) + len(facts) :]
    claims: list[Any] = [draw(advantage(number, facts)) for number in own]
    for number in links:
        claims.append(draw(connection(number, own)))
        if draw(st.booleans()):
            owner = next(claim for claim in claims if claim["id"] == claims[-1]["source_advantage"])
            owner.setdefault("cagr_connections", []).append(number)
    statuses = st.sampled_from(["verified", "contradicted", "unverifiable", "not_checked"])
    claims += [
        {"id": number, "claim_type": "factual_claim", "claim": draw(claims_text), "verification_status": draw(statuses)}
        for number in facts
    ]
    ticker = draw(st.sampled_from(["NORTH", "BRK.B", "7203", "A|B", "東証", "x_y"]))
    return {"ticker": ticker, "company_name": draw(texts), "report_source": draw(texts), "claims": claims}
