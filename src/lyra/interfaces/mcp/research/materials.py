"""get_materials: what a task has come to, one bounded page at a time."""

from collections.abc import Sequence
from dataclasses import replace

from lyra.core.errors import InvalidInput
from lyra.core.materials import ClaimMaterial
from lyra.core.messages import render
from lyra.core.paging import ADDED
from lyra.core.records import Job, JobStatus
from lyra.interfaces.lens_presenter import opinion_json
from lyra.interfaces.mcp.arguments import GetMaterials
from lyra.interfaces.mcp.calls import Call
from lyra.interfaces.mcp.desk import Desk
from lyra.interfaces.mcp.failures import step_after_failed_job
from lyra.interfaces.mcp.fitting import budget_of, cut_texts, dicts, fit_claim, fit_lists, size_on_wire
from lyra.interfaces.mcp.marking import untrusted_json
from lyra.interfaces.mcp.shapes import MaterialsAnswer
from lyra.interfaces.mcp.toolbox import Hints, Tool
from lyra.interfaces.presenter import Json, claim_json, materials_json, models_json, models_of
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.lens import look_through
from lyra.workflows.materials import MaterialsPage, PageRequest, read_claims, read_page

UNTRUSTED = (
    "claims[].text",
    "claims[].evidence[].quote",
    "claims[].evidence[].title",
    "claims[].evidence[].authors",
    "claims[].evidence[].venue",
    "claims[].evidence[].url",
    "claims[].evidence[].locator.section",
    "claims[].evidence[].locator.path",
    "providers[].problems",
    "page_summaries",
    "lens.items",
)
_LONGEST_QUESTION = 400
# Room for the next step, in the language that takes the most bytes.
_LONGEST_STEP = 900
_SHOWN_JOBS = 5
_UNFINISHED = (JobStatus.QUEUED, JobStatus.RUNNING, JobStatus.FAILED)
_SHOWN_PROBLEMS = 5
_SHOWN_SUMMARIES = 5
_SHARE_OF_LENS = 4
# A claim without evidence, as it travels.
_SMALLEST_CLAIM_BYTES = 2_000
_ADOPTED = {"adopted": True, "not_adopted": False, None: None}


async def get_materials(call: Call, given: GetMaterials) -> Json:
    """Return a page of a task's claims."""
    return await call.in_thread(lambda: read_materials(call.desk, given))


def read_materials(desk: Desk, given: GetMaterials) -> Json:
    """Return a page of a task's claims that fits the size asked for.

    What does not fit is on the next page: the cursor goes on after the last claim shown.
    """
    with desk.store() as store:
        page = read_page(store, given.task_id, _request(given)) if given.claim_ids is None else _named(store, given)
        ids = [material.claim.claim_id for material in page.materials.claims]
        lens = None if given.lens is None else _lens_json(store, given.lens, given.task_id, ids, desk.lang)
        unfinished = [job for job in reversed(store.jobs.of_task(given.task_id)) if job.status in _UNFINISHED][:_SHOWN_JOBS]
    budget = budget_of(given.max_kb)
    answer = {**_frame(page, desk.lang), "unfinished_jobs": [_job_json(job) for job in unfinished]}
    if lens is not None:
        lens, omitted = fit_lists(lens, ("items",), budget // _SHARE_OF_LENS)
        answer["lens"] = {**lens, "items_omitted": sum(omitted.values())}
    if size_on_wire(answer) > budget // 2:
        answer |= {name: cut_texts(answer[name], _LONGEST_QUESTION) for name in ("question", "hypothesis")}
    shown = _that_fit([_claim_json(one) for one in page.materials.claims], budget - size_on_wire(answer))
    left = ids[len(shown) :]
    answer["page"] = {
        "order": page.order,
        "claims_shown": len(shown),
        "claims_total": page.total,
        "next": page.cursors[len(shown) - 1] if left and page.cursors else page.following,
        "omitted_claim_ids": [] if given.claim_ids is None else left,
    }
    whole = not left and page.following is None
    return {**answer, "claims": shown, "next_step": _next_step(unfinished, whole, desk.lang)}


def _job_json(job: Job) -> Json:
    return {"job_id": job.job_id, "kind": job.kind, "status": job.status.value, "error": job.error}


def _next_step(unfinished: Sequence[Job], whole: bool, lang: str) -> str:
    """Say first what keeps the materials from being complete: what nobody has looked for yet is not absent."""
    if any(job.status is not JobStatus.FAILED for job in unfinished):
        return render("text.mcp_materials_growing", lang)
    if unfinished:
        return render("text.mcp_materials_failed", lang, step=step_after_failed_job(unfinished[0].error, lang))
    return render("text.mcp_materials_whole" if whole else "text.mcp_materials_more", lang)


def _request(given: GetMaterials) -> PageRequest:
    """Return the page to read: no more claims than could fit, because reading them costs as much as showing them."""
    limit = min(given.limit, max(1, budget_of(given.max_kb) // _SMALLEST_CLAIM_BYTES))
    return PageRequest(limit, given.cursor, given.order, given.evidence_per_claim, _ADOPTED[given.adopted])


def _named(store: EvidenceStore, given: GetMaterials) -> MaterialsPage:
    """Return the claims that were asked for by name, as one page."""
    if given.cursor is not None or given.adopted is not None or given.order != ADDED:
        raise InvalidInput("mcp_claims_alone")
    materials = read_claims(store, given.task_id, given.claim_ids or [], given.evidence_per_claim)
    return MaterialsPage(materials, ADDED, len(materials.claims), (), None)


def _frame(page: MaterialsPage, lang: str) -> Json:
    """Return everything of the answer but the claims, with room for the cursor."""
    answer = materials_json(replace(page.materials, claims=()), lang)
    summaries = dicts(answer["page_summaries"])
    return {
        **answer,
        "page_summaries": summaries[:_SHOWN_SUMMARIES],
        "page_summaries_omitted": max(0, len(summaries) - _SHOWN_SUMMARIES),
        "providers": [_provider_json(one) for one in dicts(answer["providers"])],
        "models": models_json(models_of(page.materials)),
        "page": {"order": page.order, "next": page.following or " " * 200, "omitted_claim_ids": []},
        "lens": None,
        "next_step": " " * _LONGEST_STEP,
        "untrusted": untrusted_json(UNTRUSTED, lang),
    }


def _provider_json(provider: Json) -> Json:
    problems = dicts(provider["problems"])
    return {**provider, "problems": problems[:_SHOWN_PROBLEMS], "problems_omitted": max(0, len(problems) - _SHOWN_PROBLEMS)}


def _claim_json(material: ClaimMaterial) -> Json:
    """Return a claim as everywhere, but for origin groups that say nothing either way: they are only counted."""
    shown = claim_json(material)
    independent = shown["independent"]
    if isinstance(independent, dict):
        groups = dicts(independent["groups"])
        speaking = [group for group in groups if group["supports"] is not None or group["refutes"] is not None]
        shown["independent"] = {**independent, "groups": speaking, "groups_omitted": len(groups) - len(speaking)}
    return {**shown, "cut": []}


def _lens_json(store: EvidenceStore, name: str, task_id: str, claim_ids: Sequence[str], lang: str) -> Json:
    opinion = opinion_json(name, task_id, look_through(store, name, task_id, claim_ids), lang)
    return {"name": name, "items": opinion["items"], "items_omitted": 0}


def _that_fit(claims: list[Json], room: int) -> list[Json]:
    """Return as many claims as there is room for: always one, shortened where it has to be."""
    shown: list[Json] = []
    for claim in claims:
        fitted = claim if shown else fit_claim(claim, room)
        room -= size_on_wire(fitted)
        if shown and room < 0:
            break
        shown.append(fitted)
    return shown


GET_MATERIALS = Tool(
    "get_materials", GetMaterials, MaterialsAnswer, Hints(read_only=True, idempotent=True), get_materials, UNTRUSTED
)
