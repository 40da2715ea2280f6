"""Reports as JSON-ready values: what `lyra report build` and `lyra report verify` answer."""

from collections.abc import Iterable
from pathlib import Path

from lyra.core.messages import render
from lyra.interfaces.presenter import Json, document
from lyra.reports.assumptions import Assumption
from lyra.reports.derived import summarise
from lyra.reports.writing import summary_json
from lyra.workflows.report_files import Built, VerifiedFiles


def assumptions_json(assumptions: Iterable[Assumption]) -> list[Json]:
    """Return what was assumed while reading."""
    return [{"code": one.code, "path": one.path, "found": one.found, "taken": one.taken} for one in assumptions]


def assumption_sentence(assumption: Assumption, lang: str) -> str:
    """Return one assumption as a sentence."""
    places = {"path": assumption.path, "found": assumption.found, "taken": assumption.taken}
    return render(f"assumption.{assumption.code}", lang, **places)


def built_json(built: Built) -> Json:
    """Return the answer of `lyra report build`."""
    structured = built.structured
    return document(
        ticker=structured.ticker,
        research_id=structured.research_id,
        generated_at=structured.generated_at,
        written={"report": str(built.report), "structured": str(built.data)},
        summary=summary_json(summarise(structured)),
        assumptions=assumptions_json(built.assumptions),
    )


def verified_json(files: VerifiedFiles, saved: str | None, page: Path | None = None) -> Json:
    """Return the answer of `lyra report verify`: the results that were written, where, and under which id they are kept."""
    written = {
        "report": str(files.report),
        "structured": str(files.data),
        "results": str(files.results),
        "page": None if page is None else str(page),
    }
    return {**document(), **files.verified.results, "written": written, "report_id": saved}
