"""The result of a run for a person at a terminal: a table of the claims, then the strongest quotes on each side.

On lines too narrow for the table, the numbers of each claim stand above its quotes.
"""

import sys
from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from lyra.core.dependence import speaks
from lyra.core.materials import ClaimMaterial, Materials
from lyra.core.records import Evidence, Relation
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.tables import indented, new_table, table_fits, write_shown
from lyra.interfaces.gathering_presenter import gathering_lines, provider_line
from lyra.interfaces.markdown import place_words, source_title, status_words
from lyra.interfaces.picture import LINES, PLAIN, draw
from lyra.interfaces.presenter import problem_lines
from lyra.interfaces.untrusted import on_one_line, shortened

_BAR_CELLS = 10
_CLAIM_CHARS = 300
_QUOTE_CHARS = 220
_SHOWN_PROBLEMS = 20
_STYLES = {Relation.SUPPORTS: "green", Relation.REFUTES: "red"}


def show_result(call: Invocation, materials: Materials) -> None:
    """Write the claims with their numbers, the strongest evidence for and against, and what could not be read."""
    write_shown(call.environ, _parts(call, materials))


def _parts(call: Invocation, materials: Materials) -> Iterator[RenderableType]:
    tabular = table_fits(call.environ)
    if tabular:
        yield _table(call, materials)
        yield Text(call.say("text.legend"), style="dim")
        yield ""
    for number, material in enumerate(materials.claims, start=1):
        yield from _claim(call, number, material, with_numbers=not tabular)
    for report in materials.providers:
        yield Text(on_one_line(provider_line(report, call.lang)))
        lines = problem_lines(report.problems, call.lang)
        yield from (indented(Text(on_one_line(line))) for line in lines[:_SHOWN_PROBLEMS])
        if len(lines) > _SHOWN_PROBLEMS:
            yield indented(Text(call.say("text.more_problems", count=len(lines) - _SHOWN_PROBLEMS)))
    yield from (Text(on_one_line(line)) for line in gathering_lines(materials, call.lang))


def _table(call: Invocation, materials: Materials) -> Table:
    table = new_table()
    table.add_column("#", justify="right")
    table.add_column(call.say("label.claim"), ratio=1, min_width=20, overflow="fold")
    table.add_column(call.say("label.confidence_short"), min_width=_BAR_CELLS + 8)
    table.add_column(call.say("label.counts_short"), no_wrap=True)
    table.add_column(call.say("label.status"), min_width=12, max_width=18)
    for number, material in enumerate(materials.claims, start=1):
        table.add_row(
            str(number),
            Text(_claim_text(material)),
            Text(f"{_confidence(material)}\n{_interval(material)}"),
            f"{_counts(material)}\n{_sources(material)}",
            Text(status_words(material, call.lang)),
        )
    return table


def _numbers(call: Invocation, material: ClaimMaterial) -> Iterator[RenderableType]:
    """The row of the table, one line for each cell."""
    cells = [
        ("label.confidence", _confidence(material)),
        ("label.interval", _interval(material)),
        ("label.counts", _counts(material).replace(" ", "")),
        ("label.sources", _sources(material).replace(" ", "")),
        ("label.status", status_words(material, call.lang)),
    ]
    for label, cell in cells:
        yield indented(Text(f"{call.say(label)}: {cell}"))


def _confidence(material: ClaimMaterial) -> str:
    values = material.values
    picture = draw(values.confidence, values.interval, _BAR_CELLS, LINES if _can_draw() else PLAIN)
    return f"{values.confidence:.3f} {picture}"


def _interval(material: ClaimMaterial) -> str:
    low, high = material.values.interval
    return f"{low:.3f}–{high:.3f}"


def _counts(material: ClaimMaterial) -> str:
    values = material.values
    return f"{values.supporting_count} / {values.refuting_count} / {values.neutral_count}"


def _sources(material: ClaimMaterial) -> str:
    return f"{material.independent.sources} / {material.independent.refuting_sources}"


def _claim_text(material: ClaimMaterial) -> str:
    return shortened(on_one_line(material.claim.text), _CLAIM_CHARS)


def _can_draw() -> bool:
    try:
        "├─━●┤".encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _claim(call: Invocation, number: int, material: ClaimMaterial, *, with_numbers: bool) -> Iterator[RenderableType]:
    yield Text(f"{number}. {_claim_text(material)}", style="bold")
    if with_numbers:
        yield from _numbers(call, material)
    if not material.has_evidence:
        yield indented(Text(call.say("text.no_evidence")))
    for relation, style in _STYLES.items():
        edge = next((edge for edge in filter(speaks, material.evidence) if edge.relation is relation), None)
        if edge is not None:
            yield indented(_quoted(call, edge, style))
    if material.has_evidence:
        yield from (indented(Text(line, style="dim")) for line in _origins(call, material))
    yield ""


def _origins(call: Invocation, material: ClaimMaterial) -> Iterator[str]:
    """How many origins the evidence has, what confidence they give, and which sources count as one."""
    independent = material.independent
    shown = f"{independent.values.confidence:.3f}"
    yield call.say("text.origins_line", count=len(independent.groups), confidence=shown)
    titles = {edge.page_id: source_title(edge) for edge in material.evidence}
    for group in independent.groups:
        if group.links:
            named = [titles.get(page_id, page_id) for page_id in group.page_ids]
            reasons = list(dict.fromkeys(call.say(f"text.link_{link.reason}") for link in group.links))
            told = shortened(call.say("text.title_separator").join(named), _QUOTE_CHARS)
            yield call.say("text.origin_joined", titles=told, reasons=call.say("text.list_separator").join(reasons))


def _quoted(call: Invocation, edge: Evidence, style: str) -> Text:
    decisive = edge.quote[slice(*edge.decisive)] if edge.decisive else edge.quote
    text = Text()
    text.append(f"{call.say(f'label.{edge.relation.value}')} {edge.nli_confidence:.3f}  ", style=style)
    text.append(call.say("text.quoted", quote=shortened(on_one_line(decisive), _QUOTE_CHARS)))
    year = f" ({edge.year})" if edge.year else ""
    text.append(f" {source_title(edge)}{year} · {place_words(edge, call.lang)}", style="dim")
    if edge.retracted:
        text.append(f" · {call.say('text.flag_retracted')}", style="bold red")
    return text
