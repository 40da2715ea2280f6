"""Layer A: does the report say what the data says? Seven checks, each from a draft to its findings."""

import re
from collections.abc import Iterator

from lyra.reports import phrases
from lyra.reports.derived import (
    contradicting_facts,
    dangling_ids,
    fact_counts,
    is_contradicted,
    linked_connections,
    section_connections,
)
from lyra.reports.document import Item
from lyra.reports.draft import Draft, Finding
from lyra.reports.markup import contains, essence, one_line
from lyra.reports.model import Claim, FactCheck, RuleResult
from lyra.reports.places import mismatches, rows_of_connection, shows_links
from lyra.reports.rendering import counts_cell, links_text, pattern_text, source_cell
from lyra.reports.scale import rank_of
from lyra.reports.sections import ClaimSection, cell, numbered_rows
from lyra.reports.tone import HIGH, LOW, analyse, contradicts

SECTION, SUMMARY_ROW, SECTION_4_ROW, COUNTS = "section", "summary_row", "section_4_row", "counts"
STATUS, FACT_COUNTS = "status", "fact_counts"
SECTION_LINK, SUMMARY_LINK, SOURCE_LINK, DANGLING = "section_link", "summary_link", "source_link", "dangling"
_FIGURE = re.compile(r"[0-9０-９]+")
_RULE = re.compile(r"ルール\s*([0-9０-９]{1,2})")
_LETTERS = re.compile(r"^[A-Z]+$")
_LISTED = re.compile(r"(?:^|[\s/、,・：:]|パターン)([A-Z]+)(?=$|[\s/、,:：（(])")


def a1(draft: Draft) -> Iterator[Finding]:
    """Every claim of the data stands in the report, and the header counts them rightly."""
    structured, report = draft.structured, draft.report
    shown = numbered_rows(report.summary)
    for claim in structured.advantages:
        if report.section(claim.id) is None:
            yield Finding("A-1", claim.id, f"主張{claim.name}の個別セクションがない", SECTION)
        if claim.id not in shown:
            yield Finding("A-1", claim.id, f"主張{claim.name}が評価サマリーにない", SUMMARY_ROW)
    listed = numbered_rows(report.section_4)
    for claim in structured.connections:
        if claim.id not in listed:
            yield Finding("A-1", claim.id, f"CAGR接続{claim.name}がCAGR接続サマリーにない", SECTION_4_ROW)
    said = header_counts(draft)
    if said is None or [int(one) for one in _FIGURE.findall(said)] != [
        int(one) for one in _FIGURE.findall(counts_cell(structured))
    ]:
        yield Finding("A-1", None, f"ヘッダーの主張数が「{said or phrases.NONE}」、データは「{counts_cell(structured)}」", COUNTS)


def header_counts(draft: Draft) -> str | None:
    """Return the figures in the header of the report."""
    header = draft.report.header
    for row in header.rows[1:] if header else ():
        if len(row.cells) > 1 and essence(row.cells[0].text) == essence(phrases.COUNTS):
            return row.cells[1].text
    return None


def a2(draft: Draft) -> Iterator[Finding]:
    """Every confidence and rank name in the report is that of the data."""
    found = mismatches(draft.report, draft.structured)
    for claim_id in dict.fromkeys(one.claim_id for one in found):
        places = "、".join(f"{one.where}「{one.before}」→「{one.after}」" for one in found if one.claim_id == claim_id)
        yield Finding("A-2", claim_id, f"{_name(draft, claim_id)}の転記がデータと違う: {places}")


def _name(draft: Draft, claim_id: int | None) -> str:
    claim = None if claim_id is None else draft.structured.claim(claim_id)
    return "レポート" if claim is None else f"主張{claim.name}"


def comment_of(section: ClaimSection) -> str:
    """Return the comment in a claim's section, as a reader sees it."""
    part = section.sub(phrases.RATING)
    return "\n".join(block.text for block in part.blocks if block.kind == "paragraph") if part else ""


def a3(draft: Draft) -> Iterator[Finding]:
    """A comment agrees with its confidence: not positive at 30 or below, not negative at 70 or above.

    Only a sure reading is a finding; the others are noted for a person.
    """
    for claim in draft.structured.advantages:
        section = draft.report.section(claim.id)
        if section is None:
            continue
        tone = analyse(comment_of(section))
        value = claim.confidence
        if tone.sure and contradicts(tone, value):
            said = "肯定的" if tone.polarity == "positive" else "否定的"
            words = "、".join(tone.matched)
            details = (
                f"主張{claim.name}（confidence {value}%）のコメントが{said}トーン（{rank_of(value)}と不一致。根拠語: {words}）"
            )
            yield Finding("A-3", claim.id, details)


def tone_note(draft: Draft) -> str:
    """Return what A-3 has to say of comments that do not fail: those at 50, without a tone, or read without being sure."""
    middle, neutral, unsure = [], [], []
    for claim in draft.structured.advantages:
        section = draft.report.section(claim.id)
        if section is None:
            continue
        tone = analyse(comment_of(section))
        if LOW < claim.confidence < HIGH and tone.polarity in ("positive", "negative"):
            middle.append(f"{claim.name}={tone.polarity}")
        elif tone.polarity == "neutral":
            neutral.append(claim.name)
        elif contradicts(tone, claim.confidence) and not tone.sure:
            unsure.append(f"{claim.name}={tone.polarity}（{'、'.join(tone.matched)}）")
    notes = (
        ("50%で偏りのあるコメント", middle),
        ("中立と読んだコメント", neutral),
        ("確信度と合わない可能性があり、人の確認を要するコメント", unsure),
    )
    return " / ".join(f"{title}: {'、'.join(names)}" for title, names in notes if names)


def rule_rows(section: ClaimSection) -> list[tuple[int, int, str]]:
    """Return (rule, line, verdict) for every row of a section's table of rules."""
    table = section.table(phrases.RULES_HEAD[0])
    found = []
    for row in table.rows[1:] if table else ():
        number = _RULE.search(row.cells[0].text) if row.cells else None
        if number:
            found.append((int(number[1]), row.line, row.cells[1].text if len(row.cells) > 1 else ""))
    return found


def has_rule_row(section: ClaimSection, rule: int) -> bool:
    """Return whether a section shows a rule."""
    return any(shown == rule for shown, _, _ in rule_rows(section))


def unshown_results(section: ClaimSection, claim: Claim) -> list[tuple[RuleResult, int | None]]:
    """Return the rule results that a section does not show, each with the line of a row that says otherwise."""
    rows = rule_rows(section)
    missing = []
    for result in claim.rule_evaluation.results:
        verdict = essence(one_line(result.verdict))
        right = next((row for row in rows if row[0] == result.rule and essence(row[2]) == verdict), None)
        if right:
            rows.remove(right)
        else:
            missing.append(result)
    found: list[tuple[RuleResult, int | None]] = []
    for result in missing:
        wrong = next((row for row in rows if row[0] == result.rule), None)
        if wrong:
            rows.remove(wrong)
        found.append((result, wrong[1] if wrong else None))
    return found


def a4(draft: Draft) -> Iterator[Finding]:
    """Every rule that was applied has its row, with its verdict."""
    for claim in draft.structured.advantages:
        section = draft.report.section(claim.id)
        for result, line in unshown_results(section, claim) if section else ():
            what = "行がない" if line is None else "判定が違う"
            yield Finding(
                "A-4", claim.id, f"主張{claim.name}のルール{result.rule}の{what}（{one_line(result.verdict)}）", str(result.rule)
            )


def verification_text(section: ClaimSection) -> str:
    """Return all that the verification of a section says."""
    part = section.sub(phrases.VERIFICATION)
    return "\n".join(block.text for block in part.blocks) if part else ""


def labelled_item(section: ClaimSection, label: str) -> Item | None:
    """Return the list item of the verification that begins with a label and a colon: the outermost, then the first.

    高評価 and 却下 are looked for below パターン照合, where there is one.
    """
    part = section.sub(phrases.VERIFICATION)
    above = labelled_item(section, phrases.PATTERNS) if label in (phrases.HIGH, phrases.REJECTED) else None
    wanted = re.compile(rf"^\s*{re.escape(label)}\s*[:：]")
    items = (item for item in part.items() if above is None or above.line < item.line < above.end) if part else ()
    return min((item for item in items if wanted.match(item.text)), key=lambda item: (item.depth, item.line), default=None)


def shown_check(section: ClaimSection) -> str | None:
    """Return the status of the fact check that a section shows."""
    item = labelled_item(section, phrases.FACT_CHECK)
    words = re.findall("|".join(FactCheck), item.text) if item else []
    return words[0] if words else None


def missing_facts(draft: Draft, section: ClaimSection, claim: Claim) -> list[Claim]:
    """Return the contradicted facts behind a claim that its section does not name."""
    text = verification_text(section)
    return [fact for fact in contradicting_facts(draft.structured, claim) if not contains(text, one_line(fact.claim))]


def a5(draft: Draft) -> Iterator[Finding]:
    """A contradiction is told where it belongs, and the facts are counted rightly."""
    for claim in draft.structured.advantages:
        section = draft.report.section(claim.id)
        if section is None or not is_contradicted(draft.structured, claim):
            continue
        facts = missing_facts(draft, section, claim)
        if facts or shown_check(section) != FactCheck.CONTRADICTED:
            names = "、".join(f"#{fact.id}" for fact in facts) or phrases.NONE
            yield Finding("A-5", claim.id, f"主張{claim.name}の検証結果に反証が示されていない（未記載の事実: {names}）", STATUS)
    said = fact_figures(draft)
    right = {status.value: count for status, count in fact_counts(draft.structured).items()}
    if said != right:
        yield Finding("A-5", None, f"ファクトチェック件数が違う（データ: {_figures(right)}）", FACT_COUNTS)


def _figures(figures: dict[str, int]) -> str:
    return " / ".join(f"{status} {count}" for status, count in figures.items())


def fact_figures(draft: Draft) -> dict[str, int] | None:
    """Return the fact-check counts that section 2 shows."""
    line = fact_counts_at(draft)
    if line is None:
        return None
    text = draft.report.document.source(line)
    found = {status.value: status_figure(status).search(text) for status in FactCheck}
    return {status: int(match[1]) for status, match in found.items() if match}


def status_figure(status: FactCheck) -> re.Pattern[str]:
    """Return what finds the count of a status in a line."""
    word = status.value.replace("_", r"\\?_")
    return re.compile(rf"(?<![A-Za-z_]){word}\**\s*[:：]\s*\**\s*([0-9０-９]{{1,6}})")


def fact_counts_at(draft: Draft) -> int | None:
    """Return the line of the fact-check counts in section 2."""
    part = draft.report.part(phrases.FACT_CHECKS)
    for block in part.blocks if part else ():
        for line in range(block.line, block.end):
            if all(status_figure(status).search(draft.report.document.source(line)) for status in FactCheck):
                return line
    return None


def listed_patterns(text: str, known: set[str]) -> set[str]:
    """Return the patterns that a line names: letters standing alone, or other names as they are."""
    listed = set(_LISTED.findall(one_line(text)))
    letters = {one for one in known if _LETTERS.match(one)}
    return (listed & letters) | {one for one in known - letters if contains(text, one)}


def patterns_shown(draft: Draft, section: ClaimSection, claim: Claim, label: str) -> bool:
    """Return whether a section names exactly the patterns that the data has on one side."""
    item = labelled_item(section, label)
    if item is None:
        return False
    own = phrases.unmarked(item.text)
    if essence(own) == essence(pattern_text(label, claim, draft.knowledge)):
        return True
    high = label == phrases.HIGH
    ids = set(claim.verification.pattern_matches if high else claim.verification.pattern_rejections)
    known = set(draft.knowledge.highs if high else draft.knowledge.rejections)
    return listed_patterns(re.sub(r"^[^:：]*[:：]", "", own, count=1), known | ids) == ids


def a6(draft: Draft) -> Iterator[Finding]:
    """The patterns in the report are those of the data."""
    for claim in draft.structured.advantages:
        section = draft.report.section(claim.id)
        for label in (phrases.HIGH, phrases.REJECTED) if section else ():
            if section and not patterns_shown(draft, section, claim, label):
                yield Finding("A-6", claim.id, f"主張{claim.name}の{label}パターンがデータと違う", label)


def a7(draft: Draft) -> Iterator[Finding]:
    """CAGR connections are linked as in the data; an id that leads nowhere is told, and left to a person."""
    structured, report = draft.structured, draft.report
    summary, listed = report.summary, report.section_4
    rows = numbered_rows(summary)
    for claim in structured.advantages:
        section = report.section(claim.id)
        for one in unshown_connections(draft, section, claim) if section else ():
            yield Finding("A-7", claim.id, f"主張{claim.name}のCAGR接続に{one.name}がない", f"{SECTION_LINK}:{one.id}")
        links = cell(summary, rows[claim.id], phrases.SUMMARY_HEAD[3]) if summary and claim.id in rows else None
        linked = linked_connections(structured, claim)
        if links and not shows_links(phrases.unmarked(links.text), linked):
            details = f"評価サマリーの主張{claim.name}のCAGR接続が「{one_line(links.text)}」、データは「{links_text(linked)}」"
            yield Finding("A-7", claim.id, details, SUMMARY_LINK)
    sources = numbered_rows(listed)
    for claim in structured.connections:
        source = cell(listed, sources[claim.id], phrases.SECTION_4_HEAD[5]) if listed and claim.id in sources else None
        if source and _FIGURE.findall(phrases.unmarked(source.text)) != _FIGURE.findall(source_cell(structured, claim)):
            details = f"CAGR接続{claim.name}のソース優位性が「{source.text}」、データは「{source_cell(structured, claim)}」"
            yield Finding("A-7", claim.id, details, SOURCE_LINK)
    for claim in structured.claims:
        for missing in dangling_ids(structured, claim):
            yield Finding(
                "A-7", claim.id, f"主張{claim.name}が存在しないid {missing} を参照している（人による修正が必要）", DANGLING
            )


def unshown_connections(draft: Draft, section: ClaimSection, claim: Claim) -> list[Claim]:
    """Return the CAGR connections of an advantage that its section does not show."""
    table = section.table(phrases.CAGR_HEAD[0])
    listed = [one for one in section_connections(draft.structured, claim) if one.id in claim.cagr_connections]
    return [one for one in listed if table is None or not rows_of_connection(table, one)]
