"""Checking cases against evidence: a task for each case, its sources opened, its claims judged, labels proposed."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lyra.cases.deciding import Proposal, Question, Testimony, decide, source_confidence
from lyra.cases.finality import says_not_final
from lyra.cases.model import Case
from lyra.cases.shape import read_case
from lyra.core.claim_input import check_claim
from lyra.core.dependence import group_by_origin, speaks
from lyra.core.errors import InvalidInput
from lyra.core.ports import SourceReader
from lyra.core.records import Claim, Evidence, Relation, TaskStatus
from lyra.workflows.bench import Bench
from lyra.workflows.case_sources import Attempt, Classify, OpenedSources, SourceOpener, by_address
from lyra.workflows.check import MAX_QUESTION_CHARS
from lyra.workflows.ingest import add_roots, read_library
from lyra.workflows.jobs import run_job

# How many of a source's judged fragments are asked whether the matter is still going on: those nearest to the claim.
_NEAREST = 3


@dataclass(frozen=True, slots=True)
class CheckedCase:
    """A case with its sources opened, the labels proposed for it, and the task that holds the evidence."""

    case: Case
    raw: Mapping[str, Any]
    proposal: Proposal
    task_id: str
    attempts: tuple[Attempt, ...]
    claim_ids: tuple[str, ...]
    other_edge_ids: tuple[str, ...]


def prepare_library(bench: Bench, library: Sequence[str | Path]) -> tuple[list[str], list[InvalidInput]]:
    """Read the library once, before any case; returns its roots and the paths that cannot be used."""
    roots, problems = add_roots(bench, library)
    if problems and not roots:
        raise problems[0]
    roots = roots or bench.store.library.roots()
    if roots:
        read_library(bench, roots, lambda: None)
    return roots, problems


class CaseChecker:
    """Checks one case after another against the same library."""

    def __init__(
        self, bench: Bench, roots: Sequence[str], reader: SourceReader | None = None, classify: Classify = by_address
    ) -> None:
        self._bench = bench
        self._roots = roots
        self._opener = SourceOpener(bench, reader, classify)

    def check(self, raw: Mapping[str, Any], place: str = "-") -> CheckedCase:
        """Open the sources of a case, judge its claims against them, and propose its labels.

        Every page, judgement and claim is in the store when it returns; an interrupted check is finished by `lyra work`
        and repeated without judging anything twice. Raises InvalidInput for a case without id or words,
        naming the `place` it stands at.
        """
        case = read_case(raw).case
        if not case.id:
            raise InvalidInput("cases_no_id", place=place)
        texts = [check_claim(claim.text, case.id) for claim in case.claims] or [check_claim(case.text, case.id)]
        task_id = self._task(case)
        opened = self._opener.open(case, task_id)
        seen = replace(case, sources=opened.sources)
        with self._bench.store.transaction():
            claims = [self._bench.store.tasks.add_claims(task_id, [text])[0] for text in texts]
        self._judge(task_id, opened.versions)
        evidence = self._bench.store.evidence.of_claims([*{claim.claim_id for claim in claims}])
        pages = opened.pages
        testimonies = [
            one for number, claim in enumerate(claims) for one in _testimonies(number, evidence[claim.claim_id], pages)
        ]
        proposal = self._with_details(decide(seen, testimonies), opened)
        return CheckedCase(
            _with_confidences(seen),
            raw,
            proposal,
            task_id,
            tuple(opened.attempts),
            tuple(claim.claim_id for claim in claims),
            _other_edges(claims, evidence, set(pages)),
        )

    def _task(self, case: Case) -> str:
        """Return the task of a case: the one it was checked in before if it was kept, else a new one."""
        kept = self._bench.store.cases.find(case.id)
        if kept is not None and kept.task_id is not None:
            task = self._bench.store.tasks.get(kept.task_id)
            if task.status is TaskStatus.ACTIVE:
                self._bench.store.tasks.add_roots(task.task_id, self._roots)
                return task.task_id
        question = " ".join(check_claim(case.text, case.id).split())[:MAX_QUESTION_CHARS]
        return self._bench.store.tasks.create(question, None, self._roots).task_id

    def _judge(self, task_id: str, versions: Sequence[str]) -> None:
        if not versions and not self._roots:
            return
        job = self._bench.store.jobs.add("check", task_id, json.dumps({"versions": list(versions)}))
        if run_job(self._bench, job.job_id) is None:
            raise InvalidInput("job_taken", job_id=job.job_id)

    @staticmethod
    def _with_details(proposal: Proposal, opened: OpenedSources) -> Proposal:
        """Return the proposal with what the server said in the questions about an outage."""
        said = {attempt.url: attempt.detail for attempt in opened.attempts if attempt.detail}
        questions = tuple(
            Question(one.code, {**one.params, "detail": said.get(str(one.params["url"]), one.params["detail"])})
            if "detail" in one.params
            else one
            for one in proposal.questions
        )
        confirm = tuple(Question("classify_source", {"url": url}) for url in opened.unconfirmed)
        return replace(proposal, questions=tuple(dict.fromkeys((*questions, *confirm))))


def _with_confidences(case: Case) -> Case:
    """Return the case with how far each of its sources carries by itself."""
    sources = tuple(
        replace(one, verification_confidence=source_confidence(one.source_role, one.coi_status, one.access))
        for one in case.sources
    )
    return replace(case, sources=sources)


def _testimonies(number: int, evidence: Sequence[Evidence], pages: Mapping[str, str]) -> Iterator[Testimony]:
    """Yield what each source of a case says of one claim. A text that stands on several of them speaks for the first."""
    by_url: dict[str, list[Evidence]] = {}
    for edge in evidence:
        home = next((pages[page] for page in (edge.page_id, *edge.other_page_ids) if page in pages), None)
        if home is not None and not edge.retracted and edge.excluded_reason is None:
            by_url.setdefault(home, []).append(edge)
    origins = {page: str(at) for at, group in enumerate(group_by_origin(evidence).groups) for page in group.page_ids}
    for url, edges in by_url.items():
        strongest = {relation: _strongest(edges, relation) for relation in (Relation.SUPPORTS, Relation.REFUTES)}
        support, refutation = strongest[Relation.SUPPORTS], strongest[Relation.REFUTES]
        nearest = sorted(edges, key=lambda edge: (edge.probabilities[2], edge.edge_id))[:_NEAREST]
        yield Testimony(
            url=url,
            claim=number,
            supports=support.nli_confidence if support else 0.0,
            refutes=refutation.nli_confidence if refutation else 0.0,
            quote=_decisive(refutation) if refutation else _decisive(support) if support else "",
            not_final=any(says_not_final(_decisive(edge)) for edge in nearest),
            edge_ids=tuple(edge.edge_id for edge in edges if speaks(edge)),
            origin=origins.get(edges[0].page_id, url),
        )


def _strongest(edges: Sequence[Evidence], relation: Relation) -> Evidence | None:
    told = [edge for edge in edges if speaks(edge) and edge.relation is relation]
    return max(told, key=lambda edge: (edge.nli_confidence, edge.edge_id), default=None)


def _decisive(edge: Evidence) -> str:
    return edge.quote if edge.decisive is None else edge.quote[edge.decisive[0] : edge.decisive[1]]


def _other_edges(claims: Sequence[Claim], evidence: Mapping[str, Sequence[Evidence]], pages: set[str]) -> tuple[str, ...]:
    """Return the edges from pages that are no sources of the case: for a person to look at, part of no label."""
    found = [
        edge.edge_id
        for claim in claims
        for edge in evidence[claim.claim_id]
        if speaks(edge) and not pages & {edge.page_id, *edge.other_page_ids}
    ]
    return tuple(dict.fromkeys(found))
