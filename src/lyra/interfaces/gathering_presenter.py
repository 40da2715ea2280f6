"""What gathering shows: interventions, and how providers answered, as JSON-ready values and in words."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lyra.core.materials import Materials
from lyra.core.messages import codes, render
from lyra.core.records import ProviderReport
from lyra.interfaces.presenter import Json, endpoints_of, provider_sentence
from lyra.interfaces.untrusted import on_one_line

if TYPE_CHECKING:
    from lyra.core.gathering import Intervention

_LIBRARY = "library"
_SHOWN_SUMMARIES = 10


def intervention_json(one: "Intervention") -> Json:
    """Return one page that waits, or waited, for a person."""
    return {
        "intervention_id": one.intervention_id,
        "task_id": one.task_id,
        "url": one.url,
        "host": one.host,
        "wall": one.wall,
        "sign": one.sign,
        "status": one.status,
        "created_at": one.created_at,
        "resolved_at": one.resolved_at,
    }


def provider_line(report: ProviderReport, lang: str) -> str:
    """Return one provider in words: its documents for the library, else its name, its status and what it brought."""
    detail = provider_sentence(report, lang)
    if report.name == _LIBRARY:
        return f"{render('label.documents', lang)}: {detail}"
    known = f"label.provider_{report.name}"
    name = render(known, lang) if known in codes() else report.name
    status = render(f"label.provider_{report.status.value}", lang)
    code = "text.provider_line" if detail else "text.provider_bare"
    return render(code, lang, name=name, status=status, detail=detail.rstrip(".。"))


def gathering_lines(materials: Materials, lang: str) -> Iterator[str]:
    """Yield whom a run asked, and by which way it understood texts; nothing for a run on the library alone."""
    separator = render("text.list_separator", lang)
    endpoints = endpoints_of(materials)
    if endpoints:
        yield render("text.endpoints_called", lang, endpoints=separator.join(endpoints))
    said = [
        render("text.path_of", lang, use=render(f"label.use_{use}", lang), path=render(f"label.path_{path}", lang))
        for use, path in sorted(materials.paths.items())
    ]
    if said:
        yield render("text.paths_taken", lang, paths=separator.join(said))
    for one in materials.summaries[:_SHOWN_SUMMARIES]:
        yield render("text.page_summary", lang, page=on_one_line(one.title or one.url), summary=on_one_line(one.summary))
    if len(materials.summaries) > _SHOWN_SUMMARIES:
        yield render("text.page_summaries_more", lang, count=len(materials.summaries) - _SHOWN_SUMMARIES)
