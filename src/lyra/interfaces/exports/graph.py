"""Materials as a graph of nodes and edges, for programs that draw or measure graphs."""

from lyra.core.materials import ClaimMaterial, Materials
from lyra.core.records import Citation, Evidence, Task
from lyra.interfaces.presenter import Json, claim_json, document, evidence_json

_CLAIM = (
    "text language origin finding confidence uncertainty controversy interval alpha beta verification_status reason_code"
    " claim_adoption_status independent"
).split()
_PAGE = "url title authors year published_on doi venue retracted".split()
_STANCE = (
    "nli_label nli_confidence nli_confidence_raw model model_version calibration_version decisive is_pointer excluded_reason"
    " edge_human_corrected"
).split()
_PLACE = "page_version_id start end section page_number stale".split()


def graph(materials: Materials) -> Json:
    """Return the task, its claims, and the fragments and pages its edges reach. Both ends of every edge are nodes.

    A page that only carries a copy of a quoted text, or only joins others by being what they retell, is known by its id
    alone. Pages that share an origin, as far as a claim is concerned, are joined by an edge that says why.
    """
    task = materials.task
    evidence = [edge for material in materials.claims for edge in material.evidence]
    pages: dict[str, Json] = {edge.page_id: _page(edge) for edge in evidence}
    for edge in evidence:
        for page_id in edge.other_page_ids:
            pages.setdefault(page_id, {"id": page_id, "kind": "page"})
    for material in materials.claims:
        for group in material.independent.groups:
            for page_id in (page for link in group.links for page in (link.first_page_id, link.second_page_id)):
                pages.setdefault(page_id, {"id": page_id, "kind": "page"})
    nodes = [
        _task(task),
        *(_claim(material) for material in materials.claims),
        *{edge.fragment_id: {"id": edge.fragment_id, "kind": "fragment", "text": edge.quote} for edge in evidence}.values(),
        *pages.values(),
    ]
    sightings = {sighting["id"]: sighting for edge in evidence for sighting in _sightings(edge)}
    edges = [
        *map(_stance, evidence),
        *sightings.values(),
        *(origin for material in materials.claims for origin in _shared_origins(material)),
        *(_cites(one) for one in materials.citations if one.citing_page_id in pages and one.cited_page_id in pages),
    ]
    return document(task_id=task.task_id, nodes=nodes, edges=edges)


def _task(task: Task) -> Json:
    asked: Json = {"question": task.question, "hypothesis": task.hypothesis, "task_status": task.status.value}
    return {"id": task.task_id, "kind": "task", **asked}


def _claim(material: ClaimMaterial) -> Json:
    shown = claim_json(material)
    node: Json = {"id": material.claim.claim_id, "kind": "claim", "task_id": material.claim.task_id}
    return node | {name: shown[name] for name in _CLAIM}


def _page(edge: Evidence) -> Json:
    shown = evidence_json(edge)
    return {"id": edge.page_id, "kind": "page", **{name: shown[name] for name in _PAGE}}


def _stance(edge: Evidence) -> Json:
    shown = evidence_json(edge)
    ends: Json = {"id": edge.edge_id, "source": edge.fragment_id, "target": edge.claim_id, "relation": edge.relation.value}
    return ends | {name: shown[name] for name in _STANCE}


def _sightings(edge: Evidence) -> list[Json]:
    shown = evidence_json(edge)["locator"]
    place = {name: shown[name] for name in _PLACE} if isinstance(shown, dict) else {}
    first = _extracted(edge.fragment_id, edge.page_id) | place
    return [first, *(_extracted(edge.fragment_id, page_id) for page_id in edge.other_page_ids)]


def _extracted(fragment_id: str, page_id: str) -> Json:
    return {"id": f"{fragment_id}/{page_id}", "source": fragment_id, "target": page_id, "relation": "extracted_from"}


def _shared_origins(material: ClaimMaterial) -> list[Json]:
    claim_id = material.claim.claim_id
    return [
        {
            "id": f"{claim_id}/{link.first_page_id}/{link.second_page_id}",
            "source": link.first_page_id,
            "target": link.second_page_id,
            "relation": "shares_origin",
            "reason": link.reason,
            "claim_id": claim_id,
        }
        for group in material.independent.groups
        for link in group.links
    ]


def _cites(citation: Citation) -> Json:
    return {
        "id": citation.edge_id,
        "source": citation.citing_page_id,
        "target": citation.cited_page_id,
        "relation": "cites",
        "citation_source": citation.source,
    }
