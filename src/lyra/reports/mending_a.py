"""How findings of layer A are mended: the report is brought to the data, by edits of exactly the lines concerned."""

import re
from dataclasses import replace

from lyra.reports import phrases
from lyra.reports.builder import cagr_section, summary_table
from lyra.reports.comments import compose
from lyra.reports.derived import fact_counts, linked_connections
from lyra.reports.document import Edit
from lyra.reports.draft import Correction, Draft, Finding, mark
from lyra.reports.insertion import (
    after_claims_before,
    block_at,
    cell_edit,
    end_of,
    in_verification,
    into_rules,
    own_end,
    row_edit,
    section_edit,
)
from lyra.reports.layer_a import (
    COUNTS,
    DANGLING,
    FACT_COUNTS,
    SECTION,
    SECTION_LINK,
    SOURCE_LINK,
    SUMMARY_LINK,
    SUMMARY_ROW,
    comment_of,
    fact_counts_at,
    header_counts,
    labelled_item,
    missing_facts,
    shown_check,
    status_figure,
    unshown_results,
)
from lyra.reports.markup import commented, escaped, essence
from lyra.reports.model import Claim, FactCheck
from lyra.reports.places import mismatches
from lyra.reports.rendering import (
    claim_section,
    counts_cell,
    counts_row,
    fact_counts_line,
    fact_line,
    link_values_cell,
    links_cell,
    parameter_rows,
    pattern_text,
    rule_row,
    section_4_row,
    source_cell,
    summary_row,
    table,
)
from lyra.reports.sections import cell, numbered_rows
from lyra.reports.tone import analyse, contradicts
from lyra.reports.wording import Writer, worded


def _claim(draft: Draft, finding: Finding) -> Claim:
    claim = None if finding.claim_id is None else draft.structured.claim(finding.claim_id)
    if claim is None:
        raise ValueError(f"{finding.check} is about no claim")
    return claim


def mend_a1(draft: Draft, finding: Finding) -> Correction:
    """Add what is missing, rendered from the data, in the order of ids."""
    if finding.aspect == COUNTS:
        return _mend_counts(draft)
    claim = _claim(draft, finding)
    if finding.aspect == SECTION:
        fitting = with_fitting_comment(claim)
        text = claim_section(draft.structured, fitting, draft.knowledge)
        edit = section_edit(draft.report, claim.id, text)
        changed = (fitting,) if fitting != claim else ()
        return Correction(phrases.NONE, f"### {claim.name}", "データの主張がレポートになかった", (edit,), changed)
    if finding.aspect == SUMMARY_ROW:
        text, shown = summary_row(draft.structured, claim), draft.report.summary
        whole = f"## {phrases.SUMMARY}\n\n{summary_table(draft.structured)}"
    else:
        text, shown = section_4_row(draft.structured, claim), draft.report.section_4
        whole = cagr_section(draft.structured, draft.knowledge).rstrip("\n")
    if shown is not None:
        return Correction(phrases.NONE, text, "データの主張が表になかった", (row_edit(draft.report, shown, claim.id, text),))
    edit = _missing_table(draft, finding, whole)
    return Correction(phrases.NONE, text, "表がなかったため作成した", (edit,), alone=True)


def _missing_table(draft: Draft, finding: Finding, whole: str) -> Edit:
    body = whole.partition("\n\n")[2]
    title, first = (
        (phrases.SUMMARY, phrases.SUMMARY_HEAD)
        if finding.aspect == SUMMARY_ROW
        else (phrases.CAGR_SUMMARY, phrases.SECTION_4_HEAD)
    )
    part = draft.report.part(title)
    if part is None:
        return after_claims_before(draft.report, title, whole)
    if title == phrases.CAGR_SUMMARY:
        body = table(first, (section_4_row(draft.structured, one) for one in draft.structured.connections))
        part = draft.report.part(phrases.CAGR_CLASSES) or part
    return block_at(draft.report.document, part.heading.end, body)


def with_fitting_comment(claim: Claim) -> Claim:
    """Return a claim whose comment agrees in tone with its confidence: its own, else a composed one."""
    tone = analyse(claim.ai_comment)
    if tone.sure and contradicts(tone, claim.confidence):
        return replace(claim, ai_comment=compose(claim, claim.confidence))
    return claim


def _mend_counts(draft: Draft) -> Correction:
    header, report = draft.report.header, draft.report
    before, after = header_counts(draft), counts_cell(draft.structured)
    for row in header.rows[1:] if header else ():
        if len(row.cells) > 1 and essence(row.cells[0].text) == essence(phrases.COUNTS):
            return Correction(before or phrases.NONE, after, "主張数がデータと違った", (cell_edit(row.cells[1], after),))
    if header is not None and len(header.rows[0].cells) == len(phrases.HEADER):
        edit = report.document.insert_lines(header.end, counts_row(draft.structured))
    else:
        title = report.title
        edit = block_at(report.document, title.end if title else 0, table(phrases.HEADER, [counts_row(draft.structured)]))
    return Correction(phrases.NONE, after, "主張数の行がなかった", (edit,))


def mend_a2(draft: Draft, finding: Finding) -> Correction:
    """Bring the report to the value of the data; the data stays."""
    found = [one for one in mismatches(draft.report, draft.structured) if one.claim_id == finding.claim_id]
    before, after = ("、".join(dict.fromkeys(words)) for words in ((one.before for one in found), (one.after for one in found)))
    return Correction(before, after, "レポートの確信度がデータと違った", tuple(one.edit for one in found))


def mend_a3(draft: Draft, finding: Finding, writer: Writer | None = None) -> Correction | None:
    """Put another comment in the place of one whose tone contradicts the confidence: composed, or worded by `writer`."""
    claim = _claim(draft, finding)
    after, by_writer = worded(claim, compose(claim, claim.confidence), writer)
    reason = f"confidence {claim.confidence}% に対してトーンが合っていなかった{'（文案は言語モデル）' if by_writer else ''}"
    return rewritten(draft, claim, after, reason)


def rewritten(draft: Draft, claim: Claim, after: str, reason: str) -> Correction | None:
    """Return the correction that replaces a claim's comment, in the report and in the data."""
    section = draft.report.section(claim.id)
    part = section.sub(phrases.RATING) if section else None
    blocks = [block for block in part.blocks if block.kind == "paragraph"] if part else []
    if not section or not blocks:
        return None
    document = draft.report.document
    edits = [document.replace_lines(blocks[0].line, blocks[0].end, commented(after))]
    edits += [document.remove_lines(block.line, _with_blank(draft, block.end)) for block in blocks[1:]]
    return Correction(comment_of(section), after, reason, tuple(edits), (replace(claim, ai_comment=after),))


def _with_blank(draft: Draft, line: int) -> int:
    """Return the line after a blank one that follows, so that taking a paragraph out leaves no gap."""
    document = draft.report.document
    return line + 1 if line < document.lines and not document.source(line).strip() else line


def mend_a4(draft: Draft, finding: Finding) -> Correction | None:
    """Add the row of a rule, or mend its verdict."""
    claim = _claim(draft, finding)
    section = draft.report.section(claim.id)
    unshown = unshown_results(section, claim) if section else []
    for result, line in unshown:
        if str(result.rule) != finding.aspect or section is None:
            continue
        text = rule_row(result, draft.knowledge, mark("A-4"))
        if line is None:
            edits, alone = into_rules(draft.report, section, text)
            return Correction(phrases.NONE, text, "適用されたルールの行がなかった", (edits,), alone=alone)
        shown = draft.report.document.source(line)
        edit = draft.report.document.replace_lines(line, line + 1, text)
        return Correction(shown, text, "ルールの判定がデータと違った", (edit,))
    return None


def mend_a5(draft: Draft, finding: Finding) -> Correction | None:
    """Name the contradiction and the facts, or count the facts rightly."""
    if finding.aspect == FACT_COUNTS:
        return _mend_fact_counts(draft)
    claim = _claim(draft, finding)
    section = draft.report.section(claim.id)
    if section is None:
        return None
    document, item = draft.report.document, labelled_item(section, phrases.FACT_CHECK)
    facts = [fact_line(fact) for fact in missing_facts(draft, section, claim)]
    before = shown_check(section) or phrases.NONE
    after = "\n".join([FactCheck.CONTRADICTED, *(line.strip(" -") for line in facts)])
    if item is None:
        status = f"- **{phrases.FACT_CHECK}**: {FactCheck.CONTRADICTED}"
        edit = in_verification(draft.report, section, "\n".join([status, *facts]), first=True)
        return Correction(before, after, "反証が検証結果に示されていなかった", (edit,), alone=True)
    edits = []
    if before != FactCheck.CONTRADICTED:
        edits.append(_status_edit(draft, item.line, before))
    if facts:
        edits.append(document.insert_lines(document.last_written(item.line + 1, item.end), "\n".join(facts)))
    return Correction(before, after, "反証が検証結果に示されていなかった", tuple(edits))


def _status_edit(draft: Draft, line: int, shown: str) -> Edit:
    start, end = draft.report.document.line_span(line)
    found = re.compile(re.escape(shown).replace("_", r"\\?_")).search(draft.report.document.text, start, end)
    return Edit(found.start(), found.end(), FactCheck.CONTRADICTED) if found else Edit(end, end, f" {FactCheck.CONTRADICTED}")


def _mend_fact_counts(draft: Draft) -> Correction:
    line, document = fact_counts_at(draft), draft.report.document
    after, reason = fact_counts_line(draft.structured).removeprefix("- "), "ファクトチェック件数がデータと違った"
    if line is None:
        part = draft.report.part(phrases.FACT_CHECKS)
        text = fact_counts_line(draft.structured)
        if part is not None:
            return Correction(phrases.NONE, after, reason, (block_at(document, part.heading.end, text),))
        whole = f"### {phrases.FACT_CHECKS}\n\n{text}"
        shown = draft.report.distribution or draft.report.summary
        edit = block_at(document, shown.end, whole) if shown else after_claims_before(draft.report, phrases.SUMMARY, whole)
        return Correction(phrases.NONE, after, reason, (edit,))
    edits = []
    start, end = document.line_span(line)
    for status, count in fact_counts(draft.structured).items():
        found = status_figure(status).search(document.text, start, end)
        if found and int(found[1]) != count:
            edits.append(Edit(found.start(1), found.end(1), str(count)))
    return Correction(document.source(line).strip(" -"), after, reason, tuple(edits))


def mend_a6(draft: Draft, finding: Finding) -> Correction | None:
    """Rewrite the line that names the patterns of one side."""
    claim = _claim(draft, finding)
    section = draft.report.section(claim.id)
    if section is None:
        return None
    document, item = draft.report.document, labelled_item(section, finding.aspect)
    text = f"{escaped(pattern_text(finding.aspect, claim, draft.knowledge))} {mark('A-6')}"
    reason = f"{finding.aspect}パターンがデータと違った"
    if item is not None:
        shown = document.source(item.line)
        lead = shown[: len(shown) - len(shown.lstrip(" \t-*+"))]
        edit = document.replace_lines(item.line, own_end(document, section, item), f"{lead}{text}")
        return Correction(shown.strip(" -"), text, reason, (edit,))
    patterns = labelled_item(section, phrases.PATTERNS)
    if patterns is not None:
        first = finding.aspect == phrases.HIGH
        line = patterns.line + 1 if first else end_of(document, patterns)
        return Correction(phrases.NONE, text, reason, (document.insert_lines(line, f"  - {text}"),), alone=True)
    edit = in_verification(draft.report, section, f"- **{phrases.PATTERNS}**:\n  - {text}")
    return Correction(phrases.NONE, text, reason, (edit,), alone=True)


def mend_a7(draft: Draft, finding: Finding) -> Correction | None:
    """Mend a link. An id that leads nowhere is left to a person."""
    claim, report = _claim(draft, finding), draft.report
    aspect, _, target = finding.aspect.partition(":")
    if aspect == DANGLING:
        return None
    if aspect == SECTION_LINK:
        connection = draft.structured.claim(int(target))
        section = report.section(claim.id)
        return _section_link(draft, claim, connection) if connection and section else None
    if aspect == SUMMARY_LINK and report.summary:
        row = numbered_rows(report.summary)[claim.id]
        linked = linked_connections(draft.structured, claim)
        links, values = (cell(report.summary, row, column) for column in phrases.SUMMARY_HEAD[3:])
        edits = [cell_edit(links, f"{links_cell(linked)} {mark('A-7')}")] if links else []
        edits += [cell_edit(values, link_values_cell(linked))] if values else []
        before = links.text if links else phrases.NONE
        return Correction(before, links_cell(linked), "評価サマリーのCAGR接続がデータと違った", tuple(edits))
    if aspect == SOURCE_LINK and report.section_4:
        row = numbered_rows(report.section_4)[claim.id]
        source, after = cell(report.section_4, row, phrases.SECTION_4_HEAD[5]), source_cell(draft.structured, claim)
        if source:
            edit = cell_edit(source, f"{after} {mark('A-7')}")
            return Correction(source.text, after, "ソース優位性がデータと違った", (edit,))
    return None


def _section_link(draft: Draft, claim: Claim, connection: Claim) -> Correction | None:
    section = draft.report.section(claim.id)
    if section is None:
        return None
    rows = [f"{line.removesuffix(' |')} {mark('A-7')} |" for line in parameter_rows(connection)]
    shown, text = section.table(phrases.CAGR_HEAD[0]), "\n".join(rows)
    reason = f"CAGR接続{connection.name}の行がなかった"
    document = draft.report.document
    if shown is not None:
        return Correction(phrases.NONE, text, reason, (document.insert_lines(shown.end, text),))
    part, made = section.sub(phrases.CAGR), table(phrases.CAGR_HEAD, rows)
    if part is not None:
        return Correction(phrases.NONE, text, reason, (block_at(document, part.heading.end, made),), alone=True)
    rating = section.sub(phrases.RATING)
    line = rating.end if rating else section.form
    return Correction(phrases.NONE, text, reason, (block_at(document, line, f"#### {phrases.CAGR}\n\n{made}"),), alone=True)
