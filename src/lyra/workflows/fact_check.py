"""The fact check of a report, answered from the evidence graph: the claims of a task that have the same text."""

from dataclasses import dataclass

from lyra.core.dependence import speaks
from lyra.core.identity import normalise_text
from lyra.core.materials import ClaimMaterial
from lyra.core.records import Relation
from lyra.reports.fact_check import Weighed, status_of, with_fact_checks
from lyra.reports.model import Claim, FactCheck, Structured
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.materials import collect


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """One claim of the report with the task's claim it was answered from, if there is one."""

    claim: Claim
    status: FactCheck
    task_claim_id: str | None
    weighed: Weighed | None


@dataclass(frozen=True, slots=True)
class FactChecked:
    """The records filled in, and how each claim fared."""

    structured: Structured
    claims: tuple[CheckedClaim, ...]


def fact_check(store: EvidenceStore, structured: Structured, task_id: str) -> FactChecked:
    """Fill in the fact check of every claim from the evidence of a task. Writes nothing.

    Claims belong together when their texts are the same after folding width and white space. Raises NotFound for an unknown task.
    """
    known = {normalise_text(material.claim.text): material for material in collect(store, task_id).claims}
    checked = []
    for claim in structured.claims:
        material = known.get(normalise_text(claim.claim))
        weighed = None if material is None else _weighed(material)
        checked.append(CheckedClaim(claim, status_of(weighed), None if material is None else material.claim.claim_id, weighed))
    evidence = {one.claim.id: one.weighed for one in checked if one.weighed is not None}
    return FactChecked(with_fact_checks(structured, evidence, f"lyra:{task_id}"), tuple(checked))


def _weighed(material: ClaimMaterial) -> Weighed:
    speaking = [edge for edge in material.evidence if speaks(edge)]
    return Weighed(
        supporting=material.independent.sources,
        refuting=material.independent.refuting_sources,
        judged=len(material.evidence),
        verified=material.verification.status == "verified",
        human_refuted=any(edge.edge_human_corrected and edge.relation is Relation.REFUTES for edge in speaking),
        edge_ids=tuple(edge.edge_id for edge in speaking),
    )
