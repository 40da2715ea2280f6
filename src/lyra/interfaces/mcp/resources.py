"""Resources: a task, a claim or a page under an address of its own, to be read without a tool."""

import re
from collections.abc import Callable
from dataclasses import asdict

import mcp_types as types

from lyra.core.errors import NotFound
from lyra.core.messages import render
from lyra.interfaces.mcp.arguments import GetMaterials
from lyra.interfaces.mcp.desk import Desk
from lyra.interfaces.mcp.fitting import cut_texts, written
from lyra.interfaces.mcp.marking import closing, opening, untrusted_json
from lyra.interfaces.mcp.research.materials import UNTRUSTED, read_materials
from lyra.interfaces.presenter import Json, document
from lyra.interfaces.state_presenter import job_json, task_json
from lyra.interfaces.untrusted import on_one_line, shortened

KINDS = ("task", "claim", "page")
TASK_TEMPLATE = "lyra://task/{id}"
_ADDRESS = re.compile(r"lyra://(task|claim|page)/([A-Za-z0-9_.-]{1,200})")
_LISTED_TASKS = 50
_LONGEST_NAME = 80
# A page travels once, as text: half as much again as an answer carries.
_PAGE_CHARS = 15_000
_JSON, _PLAIN = "application/json", "text/plain"


def listed(desk: Desk) -> list[types.Resource]:
    """Return the newest tasks as resources; claims and pages are reached by their ids."""
    with desk.store() as store:
        tasks = store.tasks.newest(_LISTED_TASKS)
    return [
        types.Resource(
            uri=f"lyra://task/{task.task_id}",
            name=task.task_id,
            title=shortened(on_one_line(task.question), _LONGEST_NAME),
            mime_type=_JSON,
        )
        for task in tasks
    ]


def task_ids(desk: Desk, beginning: str) -> list[str]:
    """Return the ids of the newest tasks that begin as told."""
    with desk.store() as store:
        return [task.task_id for task in store.tasks.newest(_LISTED_TASKS) if task.task_id.startswith(beginning)]


def templates(lang: str) -> list[types.ResourceTemplate]:
    """Return the three kinds of addresses."""
    return [
        types.ResourceTemplate(
            uri_template=f"lyra://{kind}/{{id}}",
            name=kind,
            description=render(f"tool.resource_{kind}", lang),
            mime_type=_PLAIN if kind == "page" else _JSON,
        )
        for kind in KINDS
    ]


def read(desk: Desk, address: str, fence: str) -> list[types.TextResourceContents]:
    """Return what stands at an address. Raises NotFound for one that leads nowhere."""
    known = _ADDRESS.fullmatch(address)
    if known is None:
        raise NotFound("mcp_unknown_resource", address=shortened(on_one_line(address), _LONGEST_NAME))
    kind, identity = known.groups()
    return _READERS[kind](desk, identity, address, fence)


def _task(desk: Desk, task_id: str, address: str, fence: str) -> list[types.TextResourceContents]:
    with desk.store() as store:
        task, jobs = store.tasks.get(task_id), store.jobs.of_task(task_id)
    answer = document(task=cut_texts(task_json(task)), jobs=[job_json(job) for job in jobs[-20:]])
    return [_content(address, answer)]


def _claim(desk: Desk, claim_id: str, address: str, fence: str) -> list[types.TextResourceContents]:
    with desk.store() as store:
        task_id = store.tasks.claim(claim_id).task_id
    materials = read_materials(desk, GetMaterials(task_id=task_id, claim_ids=[claim_id], evidence_per_claim=20))
    (claim,) = materials["claims"] if isinstance(materials["claims"], list) else [{}]
    answer = document(task_id=task_id, claim=claim, untrusted=untrusted_json(UNTRUSTED, desk.lang))
    return [_content(address, answer)]


def _page(desk: Desk, page_id: str, address: str, fence: str) -> list[types.TextResourceContents]:
    with desk.store() as store:
        facts = store.pages.about(page_id)
        version, text = store.pages.text(page_id)
    known: Json = {**asdict(facts), "authors": list(facts.authors[:20])}
    head = document(
        page=cut_texts(known, 400), page_version_id=version, characters=len(text), characters_shown=min(len(text), _PAGE_CHARS)
    )
    shown = f"{opening(fence, desk.lang)}\n{written(head)}\n\n{text[:_PAGE_CHARS]}\n{closing(fence)}"
    return [types.TextResourceContents(uri=address, mime_type=_PLAIN, text=shown)]


def _content(address: str, answer: Json) -> types.TextResourceContents:
    return types.TextResourceContents(uri=address, mime_type=_JSON, text=written(answer))


Reader = Callable[[Desk, str, str, str], list[types.TextResourceContents]]
_READERS: dict[str, Reader] = {"task": _task, "claim": _claim, "page": _page}
