"""The report, built from structured claims: seven sections, the same bytes for the same input."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lyra.reports import phrases
from lyra.reports.assessments import cagr_assessment, warning_assessment
from lyra.reports.derived import fact_status, is_quarterly
from lyra.reports.knowledge import Knowledge
from lyra.reports.markup import escaped, paragraphs
from lyra.reports.model import FactCheck, ReportType, Structured
from lyra.reports.rendering import (
    claim_section,
    counts_row,
    distribution_table,
    fact_counts_line,
    needs_precedence,
    precedence_text,
    row,
    section_4_row,
    summary_row,
    table,
    warning_row,
)

_DATE_CHARS = len("2026-01-01")
# What the extraction may have noted, with its name in the report.
_METADATA = {
    "kb_version": "KBバージョン",
    "loaded": "ロード数",
    "kb1_rules_loaded": "ロード数（ルール）",
    "kb2_patterns_loaded": "ロード数（パターン）",
    "kb3_fewshot_loaded": "ロード数（評価例）",
    "dogma_loaded": "判断軸の読み込み",
    "sec_data_available": "データ利用可否（SEC EDGAR）",
    "industry_context_available": "データ利用可否（業界分析）",
    "data_availability": "データ利用可否",
    "execution_time": "実行時間",
}


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a report carries and no claim says: when it was made and under which id."""

    generated_at: str
    research_id: str


def stamped(structured: Structured, stamp: Stamp, knowledge: Knowledge) -> Structured:
    """Return the records with what was missing of time, id and knowledge version; what the file says stays."""
    return replace(
        structured,
        generated_at=structured.generated_at or stamp.generated_at,
        research_id=structured.research_id or stamp.research_id,
        kb_version=structured.kb_version or knowledge.version,
    )


def build_report(structured: Structured, knowledge: Knowledge) -> str:
    """Return `report.md`. Text of claims is shown as text, whatever marks it holds."""
    claims = [f"{claim_section(structured, claim, knowledge)}\n" for claim in structured.advantages]
    parts = [
        header_section(structured),
        summary_section(structured),
        "---\n\n" + "\n".join(claims) if claims else "",
        cagr_section(structured, knowledge),
        warnings_section(structured),
        phrases.OVERALL_FORM,
        metadata_section(structured),
    ]
    return "\n".join(part for part in parts if part)


def header_section(structured: Structured) -> str:
    """Return section 1."""
    sources = structured.extraction_metadata.get("data_sources")
    named = ", ".join(map(str, sources)) if isinstance(sources, list) else sources
    rows = {
        phrases.TARGET: f"{escaped(structured.ticker)}（{escaped(structured.company_name) or phrases.NOT_SAID}）",
        "入力レポート": f"{escaped(structured.report_source) or phrases.NOT_SAID}（{_report_type(structured)}）",
        "生成日": escaped(structured.generated_at[:_DATE_CHARS]) or phrases.NOT_SAID,
        "リサーチID": escaped(structured.research_id) or phrases.NOT_SAID,
        "データソース": escaped(named) if isinstance(named, str) and named.strip() else phrases.DATA_SOURCES,
        "KBバージョン": escaped(structured.kb_version) or phrases.NOT_SAID,
    }
    lines = [*(row([f"**{name}**", value]) for name, value in rows.items()), counts_row(structured)]
    title = f"# {escaped(structured.ticker)} {phrases.REPORT_TITLE}"
    return "\n\n".join([title, table(phrases.HEADER, lines), "\n".join(phrases.READING_HELP)]) + "\n"


def _report_type(structured: Structured) -> str:
    quarterly = {is_quarterly(claim) for claim in (*structured.advantages, *structured.connections)}
    kind = "mixed" if len(quarterly) > 1 else ReportType.QUARTERLY if True in quarterly else ReportType.INITIAL
    return phrases.REPORT_TYPES_SHORT[kind]


def summary_section(structured: Structured) -> str:
    """Return section 2."""
    contradicted = [fact for fact in structured.facts if fact_status(fact) is FactCheck.CONTRADICTED]
    facts = [fact_counts_line(structured), *(f"  - 反証された事実（#{fact.id}）: {escaped(fact.claim)}" for fact in contradicted)]
    parts = [
        f"## {phrases.SUMMARY}",
        summary_table(structured),
        f"### {phrases.DISTRIBUTION}",
        distribution_table(structured),
        f"### {phrases.FACT_CHECKS}",
        "\n".join(facts),
    ]
    return "\n\n".join(parts) + "\n"


def summary_table(structured: Structured) -> str:
    """Return the table of advantages."""
    return table(phrases.SUMMARY_HEAD, (summary_row(structured, claim) for claim in structured.advantages))


def cagr_section(structured: Structured, knowledge: Knowledge) -> str:
    """Return section 4."""
    notes = [
        f"- {claim.name}: {precedence_text(structured, claim, knowledge)}"
        for claim in structured.connections
        if needs_precedence(claim)
    ]
    parts = [
        f"## {phrases.CAGR_SUMMARY}",
        f"### {phrases.CAGR_CLASSES}",
        table(phrases.SECTION_4_HEAD, (section_4_row(structured, one) for one in structured.connections)),
        *(["\n".join(notes)] if notes else []),
        f"### {phrases.CAGR_ASSESSMENT}",
        paragraphs(structured.cagr_assessment) or cagr_assessment(structured),
    ]
    return "\n\n".join(parts) + "\n"


def warnings_section(structured: Structured) -> str:
    """Return section 5."""
    parts = [
        f"## {phrases.WARNINGS}",
        f"### {phrases.SOURCES_CHECKED}",
        warnings_table(structured) or phrases.NO_QUARTERLY,
        f"### {phrases.WARNING_ASSESSMENT}",
        paragraphs(structured.warning_assessment) or warning_assessment(structured),
    ]
    return "\n\n".join(parts) + "\n"


def warnings_table(structured: Structured) -> str:
    """Return the table of quarterly advantages; nothing where there are none."""
    rows = [warning_row(claim) for claim in structured.advantages if is_quarterly(claim)]
    return table(phrases.WARNINGS_HEAD, rows) if rows else ""


def metadata_section(structured: Structured) -> str:
    """Return section 7, folded."""
    noted = {"kb_version": structured.kb_version, **structured.extraction_metadata}
    rows = [row([escaped(_METADATA.get(name, name)), _metadata_value(value)]) for name, value in noted.items()]
    known = {"ロード数": "loaded", "データ利用可否": "available", "実行時間": "execution_time"}
    rows += [row([title, phrases.NOT_SAID]) for title, key in known.items() if not any(key in name for name in noted)]
    folded = ["<details>", f"<summary>{phrases.METADATA}</summary>", "", table(phrases.HEADER, rows), "", "</details>"]
    return "\n".join(folded) + "\n"


def _metadata_value(value: object) -> str:
    if isinstance(value, bool):
        return "可" if value else "不可"
    if isinstance(value, Mapping):
        return escaped("、".join(f"{key}: {one}" for key, one in value.items())) or phrases.NOT_SAID
    if isinstance(value, list):
        return escaped("、".join(map(str, value))) or phrases.NOT_SAID
    return escaped("" if value is None else str(value)) or phrases.NOT_SAID
