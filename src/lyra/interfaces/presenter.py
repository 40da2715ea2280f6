"""Records as JSON-ready values: the one place that decides what a result looks like to a program.

Values and codes do not depend on the language; only `detail` and `message` sentences do.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from lyra.core.confidence import Confidence
from lyra.core.dependence import Independent, OriginGroup
from lyra.core.errors import LyraError
from lyra.core.materials import ClaimMaterial, Materials
from lyra.core.messages import render
from lyra.core.records import Evidence, LedgerEntry, Locator, ModelInfo, ProviderReport
from lyra.core.times import to_text

SCHEMA_VERSION = "1"
_SHOWN_DECIMALS = 3
_EXACT_DECIMALS = 6
# Edges that a rule made, not a model.
_RULES = ("retraction",)
UNREAD_KIND = "unsupported_type"
_SHOWN_KINDS = 8
_PAGES = "pages"

Json = dict[str, object]


def document(**fields: object) -> Json:
    """Return a JSON output: the fields after its `schema_version`."""
    return {"schema_version": SCHEMA_VERSION, **fields}


def run_json(materials: Materials, status: str, problems: Sequence[LyraError], lang: str) -> Json:
    """Return the answer of `check` and `search`. `problems` are the inputs that could not be used."""
    return document(
        task_id=materials.task.task_id,
        status=status,
        claims=[claim_json(material) for material in materials.claims],
        providers=[provider_json(report, lang) for report in materials.providers],
        models=models_json(models_of(materials)),
        endpoints=endpoints_of(materials),
        paths=dict(sorted(materials.paths.items())),
        page_summaries=summaries_json(materials),
        problems=[problem_json(problem, lang) for problem in problems],
    )


def materials_json(materials: Materials, lang: str = "en", **more: object) -> Json:
    """Return the materials of a task: the same claims as `check` answers, with the task they belong to, and `more` fields."""
    task = materials.task
    return document(
        task_id=task.task_id,
        question=task.question,
        hypothesis=task.hypothesis,
        task_status=task.status.value,
        created_at=to_text(task.created_at),
        updated_at=to_text(task.updated_at),
        claims=[claim_json(material) for material in materials.claims],
        providers=[provider_json(report, lang) for report in materials.providers],
        models=models_json(models_of(materials)),
        endpoints=endpoints_of(materials),
        paths=dict(sorted(materials.paths.items())),
        page_summaries=summaries_json(materials),
        **more,
    )


def summaries_json(materials: Materials) -> list[Json]:
    """Return what a language model said of the pages that were fetched."""
    return [
        {"page_id": one.page_id, "url": one.url, "title": one.title, "summary": one.summary, "model": one.model}
        for one in materials.summaries
    ]


def claim_json(material: ClaimMaterial) -> Json:
    """Return one claim with its numbers and its evidence."""
    claim, values = material.claim, material.values
    origin = {"fragment_id": claim.origin_fragment_id, "page_id": claim.origin_page_id}
    return {
        "claim_id": claim.claim_id,
        "text": claim.text,
        "language": claim.language,
        "origin": origin if claim.origin_fragment_id else None,
        "finding": "evidence" if material.has_evidence else "no_evidence",
        **_values_json(values),
        "interval": [round(bound, _SHOWN_DECIMALS) for bound in values.interval],
        "evidence_count": values.evidence_count,
        "supporting_count": values.supporting_count,
        "refuting_count": values.refuting_count,
        "neutral_count": values.neutral_count,
        "pointer_count": material.pointer_count,
        "excluded_count": material.excluded_count,
        "independent_sources": material.independent_sources,
        "refuting_sources": material.refuting_sources,
        "independent": _independent_json(material.independent),
        "verification_status": material.verification.status,
        "reason_code": material.verification.reason_code.value,
        "claim_adoption_status": claim.claim_adoption_status,
        "claim_rejection_reason": claim.claim_rejection_reason,
        "claim_rejected_at": claim.claim_rejected_at,
        "evidence_years": {"oldest": material.oldest_year, "newest": material.newest_year},
        "evidence": [evidence_json(edge) for edge in material.evidence],
        "evidence_omitted": material.evidence_omitted,
    }


def _values_json(values: Confidence) -> Json:
    return {
        "confidence": round(values.confidence, _SHOWN_DECIMALS),
        "uncertainty": round(values.uncertainty, _SHOWN_DECIMALS),
        "controversy": round(values.controversy, _SHOWN_DECIMALS),
        "alpha": round(values.alpha, _EXACT_DECIMALS),
        "beta": round(values.beta, _EXACT_DECIMALS),
    }


def _independent_json(independent: Independent) -> Json:
    return {
        **_values_json(independent.values),
        "sources": independent.sources,
        "refuting_sources": independent.refuting_sources,
        "groups": [group_json(group) for group in independent.groups],
    }


def group_json(group: OriginGroup) -> Json:
    """Return one origin group with why its pages belong together."""
    return {
        "page_ids": list(group.page_ids),
        "links": [
            {"first_page_id": link.first_page_id, "second_page_id": link.second_page_id, "reason": link.reason}
            for link in group.links
        ],
        "edge_ids": list(group.edge_ids),
        "is_claim_origin": group.is_claim_origin,
        "supports": _exact(group.supports),
        "refutes": _exact(group.refutes),
    }


def _exact(value: float | None) -> float | None:
    return None if value is None else round(value, _EXACT_DECIMALS)


def evidence_json(edge: Evidence) -> Json:
    """Return one evidence item. `decisive` counts characters from the start of the quote."""
    supports, refutes, neutral = edge.probabilities
    return {
        "edge_id": edge.edge_id,
        "relation": edge.relation.value,
        "nli_label": edge.nli_label.value,
        "nli_confidence": _exact(edge.nli_confidence),
        "nli_confidence_raw": _exact(edge.nli_confidence_raw),
        "probabilities": {"supports": _exact(supports), "refutes": _exact(refutes), "neutral": _exact(neutral)},
        "model": edge.model,
        "model_version": edge.model_version,
        "calibration_version": edge.calibration_version,
        "claim_language": edge.claim_language,
        "fragment_language": edge.fragment_language,
        "quote": edge.quote,
        "decisive": None if edge.decisive is None else {"start": edge.decisive[0], "end": edge.decisive[1]},
        "locator": locator_json(edge.locator),
        "fragment_id": edge.fragment_id,
        "page_id": edge.page_id,
        "url": edge.url,
        "title": edge.title,
        "authors": list(edge.authors),
        "year": edge.year,
        "published_on": edge.published_on,
        "doi": edge.doi,
        "venue": edge.venue,
        "source_domain_category": edge.source_domain_category,
        "target_domain_category": edge.target_domain_category,
        "is_pointer": edge.is_pointer,
        "excluded_reason": edge.excluded_reason,
        "retracted": edge.retracted,
        "edge_human_corrected": edge.edge_human_corrected,
        "edge_correction_reason": edge.edge_correction_reason,
        "edge_corrected_at": edge.edge_corrected_at,
        "other_page_ids": list(edge.other_page_ids),
    }


def locator_json(locator: Locator) -> Json:
    """Return where a quote stands."""
    return {
        "page_version_id": locator.page_version_id,
        "content_hash": locator.content_hash,
        "start": locator.start,
        "end": locator.end,
        "section": locator.section,
        "page_number": locator.page_number,
        "path": locator.path,
        "stale": locator.stale,
    }


def provider_json(report: ProviderReport, lang: str) -> Json:
    """Return what one source of documents did."""
    return {
        "name": report.name,
        "status": report.status.value,
        "detail": provider_sentence(report, lang),
        "endpoint": report.endpoint,
        "hosts": list(report.hosts),
        "counts": dict(sorted(report.counts.items())),
        "problems": [
            {
                "path": entry.path,
                "status": entry.status,
                "code": entry.code,
                "detail": entry_sentence(entry, lang),
                "record": entry.record,
                "line": entry.line,
            }
            for entry in report.problems
        ],
    }


def provider_sentence(report: ProviderReport, lang: str) -> str:
    """Return in words what a source of documents brought and, for a service that failed, what went wrong first."""
    said = counts_sentence(report.counts, lang) if report.counts else report.detail
    # Each page that could not be had is named by itself.
    failed = next((entry for entry in report.problems if entry.area == "web"), None) if report.name != _PAGES else None
    if failed is None:
        return said
    return render("text.provider_problem", lang, counts=said or render("label.none", lang), problem=entry_sentence(failed, lang))


def counts_sentence(counts: Mapping[str, int], lang: str) -> str:
    """Return file counts by status in words, in a fixed order."""
    order = (
        *("read", "unchanged", "skipped", "found", "completed", "citations", "fetched", "calls"),
        *("blocked", "needs_person", "failed", "removed", "records", "records_failed", "records_removed", "quarantined"),
    )
    shown = [(status, counts[status]) for status in order if counts.get(status)]
    return render("text.list_separator", lang).join(render(f"label.count_{status}", lang, count=count) for status, count in shown)


def entry_sentence(entry: LedgerEntry, lang: str) -> str:
    """Return why a file was not read; empty for one that was.

    A ledger may hold a code of another version of the program: it is then shown as it is.
    """
    if entry.code is None:
        return ""
    try:
        return render(f"{entry.area}.{entry.code}", lang, **entry.params)
    except KeyError:
        return f"{entry.path}: {entry.code}"


def problem_lines(entries: Sequence[LedgerEntry], lang: str) -> list[str]:
    """Return a line for each file that was not read, failures first; kinds that are never read share one line."""
    kinds = Counter(str(entry.params.get("suffix", "")) for entry in entries if entry.code == UNREAD_KIND)
    named = sorted((entry for entry in entries if entry.code != UNREAD_KIND), key=lambda entry: entry.status != "failed")
    lines = [f"{render(f'label.{entry.status}', lang)}: {entry_sentence(entry, lang)}" for entry in named]
    if kinds:
        shown = [f"{kind} ({count})" for kind, count in kinds.most_common(_SHOWN_KINDS)]
        if len(kinds) > _SHOWN_KINDS:
            shown.append("…")
        separator = render("text.list_separator", lang)
        lines.append(render("text.unread_kinds", lang, count=kinds.total(), kinds=separator.join(shown)))
    return lines


def models_of(materials: Materials) -> tuple[ModelInfo, ...]:
    """Return the models of a run; for stored materials, those that made the edges, most used first."""
    if materials.models:
        return materials.models
    uses: dict[ModelInfo, int] = {}
    for material in materials.claims:
        for edge in material.evidence:
            if edge.model not in _RULES:
                info = ModelInfo("stance", edge.model, edge.model_version, edge.calibration_version)
                uses[info] = uses.get(info, 0) + 1
    return tuple(sorted(uses, key=lambda info: (-uses[info], info.name, info.version)))


def models_json(models: Iterable[ModelInfo]) -> Json:
    """Return models by what they do; of several of a kind the first."""
    shown: Json = {}
    for info in models:
        shown.setdefault(info.kind, {"name": info.name, "version": info.version, "calibration_version": info.calibration_version})
    return shown


def endpoints_of(materials: Materials) -> list[str]:
    """Return the network addresses a run used; a library has none."""
    called = {report.endpoint for report in materials.providers if report.endpoint}
    return sorted(called.union(*(report.hosts for report in materials.providers)))


def problem_json(problem: LyraError, lang: str) -> Json:
    """Return an input that could not be used, while the others were."""
    return {"code": problem.code, "detail": problem.sentence(lang)}


def error_json(code: str, message: str) -> Json:
    """Return the one value that a failed command answers."""
    return document(error={"code": code, "message": message})
