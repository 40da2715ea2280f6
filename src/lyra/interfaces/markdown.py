"""Materials as Markdown for a person: the numbers, the quotes behind them, and how to check both."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from lyra.core.dependence import OriginGroup
from lyra.core.materials import ClaimMaterial, Materials
from lyra.core.messages import render
from lyra.core.own_result import MARKDOWN_MARK
from lyra.core.records import Evidence, Relation
from lyra.core.verification import ReasonCode
from lyra.interfaces.gathering_presenter import gathering_lines, provider_line
from lyra.interfaces.markdown_text import escape, link, quotation
from lyra.interfaces.picture import draw
from lyra.interfaces.presenter import models_of, problem_lines
from lyra.interfaces.untrusted import on_one_line, shortened

_PICTURE_WIDTH = 41
_TITLE_CHARS = 120
_NEUTRAL_TITLES = 3


def materials_markdown(materials: Materials, lang: str) -> str:
    """Return the whole result as Markdown in `lang`. Nothing that a document says can become markup."""
    writer = _Writer(lang)
    intervals = [material.values.interval for material in materials.claims]
    lines = [
        MARKDOWN_MARK,
        "",
        f"# {writer.say('text.md_title')} {escape(materials.task.question)}",
        "",
        *writer.facts(materials),
        "",
        f"## {writer.say('label.summary')}",
        "",
        *writer.summary(materials.claims, intervals),
        "",
        writer.say("text.md_reading"),
    ]
    for number, material in enumerate(materials.claims, start=1):
        lines += ["", *writer.claim(number, material, intervals[number - 1])]
    lines += writer.unread(materials)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def status_words(material: ClaimMaterial, lang: str) -> str:
    """Return a claim's status in a few words, without a verdict."""
    reason = material.verification.reason_code
    if material.claim.claim_adoption_status == "not_adopted":
        return render("label.not_adopted", lang)
    if not material.has_evidence and material.verification.status != "rejected":
        return render("label.no_evidence", lang)
    if reason is ReasonCode.CONFLICTING_EVIDENCE and not material.values.supporting_count:
        return render("label.only_refuting", lang)
    return render(f"label.{reason.value}", lang)


def source_title(edge: Evidence) -> str:
    """Return how a source is called: its title, else its file name, else its address."""
    local = edge.locator.path or (unquote(edge.url) if edge.url.startswith("file:") else "")
    name = local.replace("\\", "/").rpartition("/")[2]
    return shortened(on_one_line(edge.title or name or edge.url), _TITLE_CHARS)


def place_words(edge: Evidence, lang: str) -> str:
    """Return where the quote stands: section, page, characters."""
    locator = edge.locator
    parts = []
    if locator.section:
        parts.append(render("text.place_section", lang, section=shortened(on_one_line(locator.section), _TITLE_CHARS)))
    if locator.page_number is not None:
        parts.append(render("text.place_page", lang, number=locator.page_number))
    parts.append(render("text.place_characters", lang, start=locator.start, end=locator.end))
    return render("text.place_separator", lang).join(parts)


def _dated_title(edge: Evidence) -> str:
    # Versions of one work share their title; the year tells them apart.
    return f"{source_title(edge)} ({edge.published_on})" if edge.published_on else source_title(edge)


@dataclass(frozen=True, slots=True)
class _Writer:
    lang: str

    def say(self, code: str, **params: object) -> str:
        return render(code, self.lang, **params)

    def heading(self, name: str) -> str:
        words = self.say(f"label.{name}")
        return words[:1].upper() + words[1:]

    def facts(self, materials: Materials) -> list[str]:
        task = materials.task
        lines = [
            f"- {self.say('label.task')}: `{task.task_id}`",
            f"- {self.say('label.started')}: {task.created_at:%Y-%m-%d %H:%M} UTC",
        ]
        if task.hypothesis:
            lines.append(f"- {self.say('label.hypothesis')}: {escape(task.hypothesis)}")
        for info in models_of(materials):
            calibration = self.say("text.calibration", version=info.calibration_version) if info.calibration_version else ""
            lines.append(f"- {self.say(f'label.model_{info.kind}')}: {escape(f'{info.name} {info.version}')}{calibration}")
        lines += [f"- {escape(provider_line(report, self.lang))}" for report in materials.providers]
        lines += [f"- {escape(line)}" for line in gathering_lines(materials, self.lang)]
        return lines

    def summary(self, claims: Sequence[ClaimMaterial], intervals: Sequence[tuple[float, float]]) -> list[str]:
        names = ("claim", "confidence", "interval", "counts", "sources", "status")
        header = ["#", *(self.say(f"label.{name}") for name in names)]
        lines = [f"| {' | '.join(header)} |", "|" + "---|" * len(header)]
        for number, material in enumerate(claims, start=1):
            low, high = intervals[number - 1]
            cells = [
                str(number),
                escape(material.claim.text),
                f"{material.values.confidence:.3f}",
                f"{low:.3f}–{high:.3f}",
                f"{material.values.supporting_count} / {material.values.refuting_count} / {material.values.neutral_count}",
                f"{material.independent.sources} / {material.independent.refuting_sources}",
                status_words(material, self.lang),
            ]
            lines.append(f"| {' | '.join(cells)} |")
        return lines

    def claim(self, number: int, material: ClaimMaterial, interval: tuple[float, float]) -> list[str]:
        values = material.values
        low, high = interval
        lines = [
            f"## {number}. {escape(material.claim.text)}",
            "",
            f"`0 {draw(values.confidence, interval, _PICTURE_WIDTH)} 1`",
            "",
            self.say(
                "text.md_numbers",
                confidence=f"{values.confidence:.3f}",
                low=f"{low:.3f}",
                high=f"{high:.3f}",
                status=status_words(material, self.lang),
            ),
        ]
        if not material.has_evidence:
            lines += ["", self.say("text.no_evidence")]
        if material.claim.origin_fragment_id:
            lines += ["", self.say("text.md_origin", page=material.claim.origin_page_id)]
        for relation in (Relation.SUPPORTS, Relation.REFUTES):
            lines += self._side(material, relation)
        lines += self._neutral(material)
        if material.has_evidence:
            lines += self._origins(material)
            lines += ["", self._arithmetic(material)]
        return lines

    def _side(self, material: ClaimMaterial, relation: Relation) -> list[str]:
        edges = [edge for edge in material.evidence if edge.relation is relation]
        if not edges:
            return []
        lines = ["", f"### {self.heading(relation.value)} ({len(edges)})"]
        for edge in edges:
            lines += ["", *self._evidence(edge)]
        return lines

    def _evidence(self, edge: Evidence) -> list[str]:
        facts = [link(source_title(edge), edge.url)]
        dated = [edge.published_on or self.say("text.no_year"), *([edge.venue] if edge.venue else [])]
        facts.append(escape(", ".join(dated)))
        facts.append(escape(place_words(edge, self.lang)))
        facts.append(self.say("text.probability", value=f"{edge.nli_confidence:.3f}"))
        lines = [quotation(edge.quote, edge.decisive), "", "- " + " · ".join(facts)]
        if edge.locator.path:
            lines.append(f"- {self.say('label.file')}: {escape(edge.locator.path)}")
        lines.append(f"- {self.say('label.ids')}: `{edge.edge_id}` `{edge.page_id}`")
        lines += [f"- **{flag}**" for flag in self.flags(edge)]
        return lines

    def flags(self, edge: Evidence) -> list[str]:
        """Return what a reader must know before trusting an edge."""
        found = []
        if edge.retracted:
            found.append(self.say("text.flag_retracted"))
        if edge.locator.stale:
            found.append(self.say("text.flag_stale"))
        if edge.other_page_ids:
            found.append(self.say("text.flag_copies", count=len(edge.other_page_ids)))
        if edge.is_pointer:
            found.append(self.say("text.flag_pointer"))
        if edge.excluded_reason:
            found.append(self.say("text.flag_excluded", reason=escape(edge.excluded_reason)))
        if edge.edge_human_corrected:
            found.append(self.say("text.flag_corrected"))
        return found

    def _neutral(self, material: ClaimMaterial) -> list[str]:
        edges = [edge for edge in material.evidence if edge.relation is Relation.NEUTRAL]
        if not edges:
            return []
        titles = list(dict.fromkeys(source_title(edge) for edge in edges))[:_NEUTRAL_TITLES]
        shown = self.say("text.title_separator").join(escape(title) for title in titles)
        return ["", f"### {self.heading('neutral')} ({len(edges)})", "", self.say("text.md_neutral", titles=shown)]

    def _origins(self, material: ClaimMaterial) -> list[str]:
        independent = material.independent
        titles = {edge.page_id: escape(_dated_title(edge)) for edge in material.evidence}
        lines = [
            "",
            f"### {self.say('label.origins')}",
            "",
            self.say(
                "text.md_independent",
                supporting=independent.sources,
                refuting=independent.refuting_sources,
                confidence=f"{independent.values.confidence:.3f}",
            ),
            "",
        ]
        lines += [self._group(number, group, titles) for number, group in enumerate(independent.groups, start=1)]
        return lines

    def _group(self, number: int, group: OriginGroup, titles: dict[str, str]) -> str:
        def named(page_id: str) -> str:
            return titles.get(page_id, f"`{page_id}`")

        strengths = [
            f"{self.say(f'label.{side}')} {value:.3f}"
            for side, value in (("supports", group.supports), ("refutes", group.refutes))
            if value is not None
        ]
        reasons = list(dict.fromkeys(self.say(f"text.link_{one.reason}") for one in group.links))
        joint = self.say("text.title_separator")
        why = f" ({joint.join(reasons)})" if reasons else ""
        listed = self.say("text.list_separator").join(strengths)
        return f"{number}. {joint.join(named(page) for page in group.page_ids)}{why}: {listed}"

    def _arithmetic(self, material: ClaimMaterial) -> str:
        values = material.values
        formula = (
            f"α = 1 + {values.alpha - 1:.6f} = {values.alpha:.6f}; β = 1 + {values.beta - 1:.6f} = {values.beta:.6f}; "
            f"α / (α + β) = {values.confidence:.3f}"
        )
        return f"{self.say('text.md_recompute')} `{formula}`"

    def unread(self, materials: Materials) -> list[str]:
        """Return the files that were skipped or failed, with the reason."""
        entries = [entry for report in materials.providers for entry in report.problems]
        if not entries:
            return []
        return ["", f"## {self.say('label.not_read')}", "", *(f"- {escape(line)}" for line in problem_lines(entries, self.lang))]
