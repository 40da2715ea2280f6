"""The fact check of a report, answered from the evidence graph: the claims of a task in the same words, or paired by a person."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lyra.core.dependence import speaks
from lyra.core.errors import InvalidInput
from lyra.core.identity import normalise_text
from lyra.core.materials import ClaimMaterial
from lyra.core.records import Relation
from lyra.reports.assignment import assign
from lyra.reports.fact_check import Weighed, status_of, with_fact_checks
from lyra.reports.json_text import parse_json
from lyra.reports.model import Claim, FactCheck, Structured
from lyra.reports.similarity import similarities
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.materials import collect

# Below this likeness a claim of the task is not even worth a look.
WORTH_A_LOOK = 0.4
_END = re.compile(r"[\s.。．!！]+$")
_CLAIM_NAME = re.compile(r"^[#Cc]?(\d{1,9})$")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A claim of the task that may be meant; a person decides, for one figure or one \"not\" makes another claim of it."""

    task_claim_id: str
    text: str
    similarity: float


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """One claim of the report with the task's claim it was answered from, if there is one, else with what comes nearest.

    `matched_by` is `text` or `pair`.
    """

    claim: Claim
    status: FactCheck
    task_claim_id: str | None
    weighed: Weighed | None
    matched_by: str | None = None
    suggestion: Suggestion | None = None


@dataclass(frozen=True, slots=True)
class FactChecked:
    """The records filled in, and how each claim fared."""

    structured: Structured
    claims: tuple[CheckedClaim, ...]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs that a person set: from a claim of the report to one of the task, or to none."""

    by_claim: Mapping[int, str | None] = field(default_factory=dict)
    where: str = ""


def fact_check(store: EvidenceStore, structured: Structured, task_id: str, pairs: Pairs | None = None) -> FactChecked:
    """Fill in the fact check of every claim from the evidence of a task. Writes nothing.

    Claims belong together when a person paired them, or when their texts are the same but for width, case, white space and the
    mark at their end. For the others the nearest claim of the task is suggested, never used. Raises NotFound for an unknown
    task, and InvalidInput for a pair with a claim that is not there.
    """
    set_by_hand = pairs or Pairs()
    materials = collect(store, task_id).claims
    known = {material.claim.claim_id: material for material in materials}
    same = {_compared(material.claim.text): material for material in reversed(materials)}
    _refuse_unknown(structured, known, set_by_hand)
    found = {claim.id: _material(claim, known, same, set_by_hand) for claim in structured.claims}
    used = {material.claim.claim_id for material in found.values() if material}
    open_claims = [one for one in structured.claims if not found[one.id] and one.id not in set_by_hand.by_claim]
    suggested = _suggestions(open_claims, [one for one in materials if one.claim.claim_id not in used])
    checked = []
    for claim in structured.claims:
        material = found[claim.id]
        weighed = None if material is None else _weighed(material)
        how = None if material is None else "pair" if claim.id in set_by_hand.by_claim else "text"
        answered = None if material is None else material.claim.claim_id
        checked.append(CheckedClaim(claim, status_of(weighed), answered, weighed, how, suggested.get(claim.id)))
    evidence = {one.claim.id: one.weighed for one in checked if one.weighed is not None}
    return FactChecked(with_fact_checks(structured, evidence, f"lyra:{task_id}"), tuple(checked))


def read_pairs(data: bytes, where: str) -> Pairs:
    """Return the pairs in a file: `{"#3": "claim_…", "C12": null}`. Raises InvalidInput for anything else."""
    value = parse_json(data, where)
    if not isinstance(value, dict):
        raise InvalidInput("pairs_shape", path=where)
    pairs: dict[int, str | None] = {}
    for name, task_claim in value.items():
        named = _CLAIM_NAME.match(name)
        if named is None or int(named[1]) in pairs or not (task_claim is None or isinstance(task_claim, str)):
            raise InvalidInput("pairs_shape", path=where)
        pairs[int(named[1])] = task_claim
    return Pairs(pairs, where)


def _compared(text: str) -> str:
    return _END.sub("", normalise_text(text).casefold())


def _refuse_unknown(structured: Structured, known: Mapping[str, ClaimMaterial], pairs: Pairs) -> None:
    for claim_id, task_claim in pairs.by_claim.items():
        if structured.claim(claim_id) is None:
            raise InvalidInput("override_unknown_claim", path=pairs.where, id=claim_id)
        if task_claim is not None and task_claim not in known:
            raise InvalidInput("pairs_unknown_claim", path=pairs.where, id=task_claim)


def _material(
    claim: Claim, known: Mapping[str, ClaimMaterial], same: Mapping[str, ClaimMaterial], pairs: Pairs
) -> ClaimMaterial | None:
    if claim.id in pairs.by_claim:
        task_claim = pairs.by_claim[claim.id]
        return None if task_claim is None else known[task_claim]
    return same.get(_compared(claim.claim))


def _suggestions(claims: Sequence[Claim], free: Sequence[ClaimMaterial]) -> dict[int, Suggestion]:
    """For claims without an answer, the best one-to-one assignment to the task's claims that answer nothing yet."""
    scores = similarities([claim.claim for claim in claims], [material.claim.text for material in free])
    return {
        claims[pair.row].id: Suggestion(free[pair.column].claim.claim_id, free[pair.column].claim.text, pair.score)
        for pair in assign(scores, WORTH_A_LOOK)
    }


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
