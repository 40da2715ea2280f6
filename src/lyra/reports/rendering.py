"""The pieces of a report as Markdown, each made in one place, so that built and mended reports read alike."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from lyra.reports import phrases
from lyra.reports.comments import compose
from lyra.reports.derived import (
    RULE_STRUCTURAL,
    contradicting_facts,
    distribution,
    fact_counts,
    is_quarterly,
    judgement,
    layer_value,
    linked_connections,
    section_connections,
    shown_status,
    source_of,
)
from lyra.reports.knowledge import Knowledge, Pattern
from lyra.reports.markup import commented, escaped, paragraphs, shortened
from lyra.reports.model import Claim, Parameter, ReportType, RuleResult, Structured
from lyra.reports.resolution import resolve
from lyra.reports.scale import BASE_RATES, RANKS, is_anomalous, rank_of, share

_LONGEST_SUMMARY = 30


def row(cells: Iterable[str]) -> str:
    """Return a table row of cells that are Markdown already."""
    return "| " + " | ".join(cells) + " |"


def table(head: Sequence[str], rows: Iterable[str]) -> str:
    """Return a table."""
    return "\n".join([row(head), "|" + "|".join("---" for _ in head) + "|", *rows])


def counts_cell(structured: Structured) -> str:
    """Return the header's figures."""
    counts = len(structured.advantages), len(structured.connections), len(structured.facts)
    return "競争優位性 {}件 / CAGR接続 {}件 / 事実 {}件".format(*counts)


def counts_row(structured: Structured) -> str:
    """Return the header's row of figures."""
    return row([f"**{phrases.COUNTS}**", counts_cell(structured)])


def summary_text(claim: Claim) -> str:
    """Return a claim in at most 30 characters: as it is, else its label, else cut."""
    fitting = (text for text in (claim.claim, claim.descriptive_label) if text.strip() and len(text.strip()) <= _LONGEST_SUMMARY)
    return escaped(shortened(next(fitting, claim.claim), _LONGEST_SUMMARY))


def summary_row(structured: Structured, claim: Claim) -> str:
    """Return the row of an advantage in the summary table."""
    linked = linked_connections(structured, claim)
    return row([str(claim.id), summary_text(claim), f"{claim.confidence}%", links_cell(linked), link_values_cell(linked)])


def links_cell(linked: Sequence[Claim]) -> str:
    """Return the CAGR connections of an advantage, each with its id and what it contributes."""
    return escaped(links_text(linked))


def links_text(linked: Sequence[Claim]) -> str:
    """Return what a reader sees of `links_cell`."""
    return "、".join(f"{one.name} {_contribution(one)}" for one in linked) or phrases.NOTHING


def link_values_cell(linked: Sequence[Claim]) -> str:
    """Return the confidences of an advantage's CAGR connections, in the order of `links_cell`."""
    return "、".join(f"{one.confidence}%" for one in linked) or phrases.NOTHING


def _contribution(connection: Claim) -> str:
    labels = "・".join(shortened(parameter.label) for parameter in connection.parameters)
    return labels or shortened(connection.descriptive_label or connection.claim)


def section_4_row(structured: Structured, connection: Claim) -> str:
    """Return the row of a CAGR connection in section 4."""
    kind = phrases.CLASSES.get(judgement(connection, RULE_STRUCTURAL) or "", phrases.NOT_EVALUATED)
    contributions = "、".join(escaped(parameter.label) for parameter in connection.parameters) or phrases.NOTHING
    cells = [connection.name, escaped(connection.claim), kind, contributions, f"{connection.confidence}%"]
    return row([*cells, source_cell(structured, connection)])


def source_cell(structured: Structured, connection: Claim) -> str:
    """Return the advantage that a connection rests on."""
    source = source_of(structured, connection)
    return phrases.NOTHING if source is None else f"#{source}"


def percent(value: Fraction) -> str:
    """Return a share in per cent with at most one decimal."""
    rounded = f"{float(value):.1f}"
    return rounded.removesuffix(".0") + "%"


def distribution_cells(structured: Structured, value: int) -> tuple[str, str, str, str]:
    """Return the cells of one row of the distribution."""
    count, total = distribution(structured)[value], len(structured.advantages)
    verdict = phrases.ANOMALOUS if is_anomalous(value, count, total) else phrases.OK
    return f"{value}%（{RANKS[value]}）", f"{count}件 ({percent(share(count, total))})", f"{BASE_RATES[value]}%", verdict


def distribution_table(structured: Structured) -> str:
    """Return the distribution against the base rates."""
    return table(phrases.DISTRIBUTION_HEAD, (row(distribution_cells(structured, value)) for value in RANKS))


def fact_counts_line(structured: Structured) -> str:
    """Return how many facts have each status."""
    return "- " + " / ".join(f"{status.value}: {count}件" for status, count in fact_counts(structured).items())


def rating_heading(confidence: int) -> str:
    """Return the heading with rank name and value."""
    return f"#### {phrases.RATING}: {rank_of(confidence)}（{confidence}%）"


def parameters_of(connection: Claim) -> tuple[Parameter, ...]:
    """Return the parameters of a connection; where it has none, the connection itself as one."""
    return connection.parameters or (Parameter(name=connection.descriptive_label or connection.claim),)


def parameter_rows(connection: Claim) -> list[str]:
    """Return the rows of a connection in the CAGR table of a claim's section; its id stands with each."""
    return [
        row(
            [
                f"{escaped(one.label)}（{connection.name}）",
                f"{parameter_value(connection, one)}%",
                _parameter_comment(connection, one),
            ]
        )
        for one in parameters_of(connection)
    ]


def parameter_value(connection: Claim, parameter: Parameter) -> int:
    """Return the confidence that stands with a parameter: its own, else that of the connection."""
    return connection.confidence if parameter.confidence is None else parameter.confidence


def _parameter_comment(connection: Claim, parameter: Parameter) -> str:
    said = parameter.comment or connection.rule_evaluation.overall_reasoning
    return escaped(said) or phrases.NOTHING


def rule_cell(rule: int, knowledge: Knowledge) -> str:
    """Return a rule by number and name."""
    return f"ルール{rule}（{escaped(knowledge.rules[rule])}）"


def rule_row(result: RuleResult, knowledge: Knowledge, mark: str = "") -> str:
    """Return the row of a rule result, with the mark of a correction where it is one."""
    reasoning = escaped(result.reasoning) or phrases.NOTHING
    return row([rule_cell(result.rule, knowledge), escaped(result.verdict), f"{reasoning} {mark}".strip()])


def adverse_result(claim: Claim, rule: int) -> RuleResult | None:
    """Return what the five layers say against a claim under a rule, as a rule result; None where they do not."""
    value = layer_value(claim, rule)
    sentence = phrases.ADVERSE.get(rule, {}).get(value or "")
    if value is None or sentence is None:
        return None
    if rule == 2 and claim.descriptive_label.strip():  # noqa: PLR2004 - rule 2 is the noun test
        sentence += phrases.NOUN_FORM.format(label=claim.descriptive_label)
    return RuleResult(rule, value, sentence)


def shown_results(claim: Claim) -> list[RuleResult]:
    """Return the rules that a section shows: those applied, and those on which the layers speak against the claim."""
    applied = {result.rule for result in claim.rule_evaluation.results}
    adverse = (adverse_result(claim, rule) for rule in phrases.ADVERSE if rule not in applied)
    return [*claim.rule_evaluation.results, *(result for result in adverse if result)]


def pattern_text(label: str, claim: Claim, knowledge: Knowledge) -> str:
    """Return the line that names the patterns of one side, 高評価 or 却下, with name and summary."""
    high = label == phrases.HIGH
    ids = claim.verification.pattern_matches if high else claim.verification.pattern_rejections
    known = knowledge.highs if high else knowledge.rejections
    named = [f"{one}: {_pattern_words(known[one])}" if one in known else one for one in ids]
    return f"{label}: {' / '.join(named) or phrases.NONE}"


def _pattern_words(pattern: Pattern) -> str:
    return f"{pattern.name}（{pattern.summary}）"


def pattern_lines(claim: Claim, knowledge: Knowledge) -> list[str]:
    """Return the list items that name the patterns of both sides."""
    return [f"  - {escaped(pattern_text(label, claim, knowledge))}" for label in (phrases.HIGH, phrases.REJECTED)]


def precedence_text(structured: Structured, claim: Claim, knowledge: Knowledge) -> str:
    """Return the note on a claim that has patterns of both sides: rejections go first, and the value that follows."""
    rejected, high = (" / ".join(map(escaped, ids)) for ids in _both_sides(claim))
    value = resolve(structured, claim, knowledge).confidence
    sides = f"{phrases.REJECTED} {rejected} と{phrases.HIGH} {high} が同時に該当"
    return f"{phrases.PRECEDENCE}: {phrases.REJECTION_FIRST}（{sides}）、確信度は{value}%"


def _both_sides(claim: Claim) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return claim.verification.pattern_rejections, claim.verification.pattern_matches


def needs_precedence(claim: Claim) -> bool:
    """Return whether patterns of both sides are named."""
    return all(_both_sides(claim))


def floor_text(structured: Structured, claim: Claim, knowledge: Knowledge) -> str:
    """Return the note on a claim whose confidence lies below the floor of its high patterns."""
    floor = resolve(structured, claim, knowledge).floor
    names = " / ".join(escaped(one) for one in claim.verification.pattern_matches if one in knowledge.highs)
    return f"下限との差: {phrases.HIGH} {names} の下限{floor}%に対し、確信度は{claim.confidence}%（値は変更しない）"


def fact_line(fact: Claim) -> str:
    """Return the list item that names a contradicted fact."""
    return f"  - 反証された事実（#{fact.id}）: {escaped(fact.claim)}"


def warning_row(claim: Claim) -> str:
    """Return the row of a quarterly claim among the warnings."""
    return row([str(claim.id), escaped(claim.claim), phrases.QUARTERLY_SOURCE, phrases.WARNING_LEVEL])


def comment_text(claim: Claim) -> str:
    """Return the comment on a claim as Markdown: the given one, else a composed one."""
    return commented(claim.ai_comment) or commented(compose(claim, claim.confidence))


def verification_lines(structured: Structured, claim: Claim, knowledge: Knowledge) -> list[str]:
    """Return the list of a section's verification."""
    status = shown_status(structured, claim)
    details = escaped(claim.verification.details) or phrases.STATUS_SENTENCES[status]
    lines = [f"- **{phrases.FACT_CHECK}**: {status.value}", f"  - {details}"]
    lines += map(fact_line, contradicting_facts(structured, claim))
    lines += [f"- **{phrases.PATTERNS}**:", *pattern_lines(claim, knowledge)]
    if needs_precedence(claim):
        lines.append(f"  - {precedence_text(structured, claim, knowledge)}")
    return lines


def claim_section(structured: Structured, claim: Claim, knowledge: Knowledge) -> str:
    """Return the section of an advantage, from its heading to the rule that ends it."""
    source = claim.report_type_source or (ReportType.QUARTERLY if is_quarterly(claim) else None)
    results = [rule_row(result, knowledge) for result in shown_results(claim)]
    connections = section_connections(structured, claim)
    rows = [line for connection in connections for line in parameter_rows(connection)]
    parts = [
        f"### #{claim.id}: {escaped(claim.claim)}",
        "\n".join(
            [
                f"**分類**: {escaped(claim.descriptive_label) or phrases.NOT_SAID}  ",
                f"**レポート種別**: {phrases.REPORT_TYPES[source] if source else phrases.NOT_SAID}",
                *(phrases.QUARTERLY_BLOCK if is_quarterly(claim) else ()),
            ]
        ),
        rating_heading(claim.confidence),
        comment_text(claim),
        f"#### {phrases.CAGR}",
        table(phrases.CAGR_HEAD, rows) if rows else phrases.NO_CONNECTIONS,
        f"#### {phrases.EVIDENCE}",
        paragraphs(claim.evidence_from_report) or phrases.NOT_SAID,
        f"#### {phrases.RULES}",
        table(phrases.RULES_HEAD, results) if results else phrases.NO_RULES,
        phrases.ONLY_THESE_RULES,
        f"#### {phrases.VERIFICATION}",
        "\n".join(verification_lines(structured, claim, knowledge)),
        phrases.CONVICTION_FORM,
    ]
    return "\n\n".join(parts)
