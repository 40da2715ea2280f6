"""What the tools give: the records that the presenter makes, field by field. A field that is not here cannot get out."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class Shape(BaseModel):
    """A record of an answer: exactly these fields, all of them."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Answer(Shape):
    """What every answer carries."""

    schema_version: str


class Untrusted(Shape):
    """Which fields hold text that others wrote, and what that means."""

    notice: str
    fields: list[str]


class Task(Shape):
    """A task."""

    task_id: str
    question: str
    hypothesis: str | None
    task_status: Literal["active", "stopped"]
    created_at: str
    updated_at: str
    claim_count: int
    edge_count: int


class Job(Shape):
    """Long work and how far it has come."""

    job_id: str
    task_id: str | None
    kind: str
    status: Literal["queued", "running", "done", "failed", "stopped"]
    attempts: int
    done: int
    total: int
    lease_owner: str | None
    lease_expires_at: str | None
    error: str | None


class Problem(Shape):
    """An input that could not be used, while the others were."""

    code: str
    detail: str


class FileProblem(Shape):
    """A file that could not be read."""

    path: str
    status: str
    code: str | None
    detail: str
    record: str | None
    line: int | None


class Provider(Shape):
    """What one source of documents did."""

    name: str
    status: str
    detail: str
    endpoint: str | None
    counts: dict[str, int]
    hosts: list[str]
    problems: list[FileProblem]
    problems_omitted: int


class Model(Shape):
    """A model by name and version."""

    name: str
    version: str
    calibration_version: str | None


class Probabilities(Shape):
    """The three probabilities of a judgement; null for what no model judged."""

    supports: float | None
    refutes: float | None
    neutral: float | None


class Range(Shape):
    """Where the decisive words stand in a quote."""

    start: int
    end: int


class Locator(Shape):
    """Where a quote stands in the stored text of a page."""

    page_version_id: str
    content_hash: str
    start: int
    end: int
    section: str | None
    page_number: int | None
    path: str | None
    stale: bool


class Evidence(Shape):
    """One stance edge: a quote, what it says about the claim, and where it comes from."""

    edge_id: str
    relation: Literal["supports", "refutes", "neutral"]
    nli_label: Literal["supports", "refutes", "neutral"]
    nli_confidence: float | None
    nli_confidence_raw: float | None
    probabilities: Probabilities
    model: str
    model_version: str
    calibration_version: str | None
    claim_language: str | None
    fragment_language: str | None
    quote: str
    decisive: Range | None
    locator: Locator
    fragment_id: str
    page_id: str
    url: str
    title: str | None
    authors: list[str]
    year: int | None
    published_on: str | None
    doi: str | None
    venue: str | None
    source_domain_category: str | None
    target_domain_category: str | None
    is_pointer: bool
    excluded_reason: str | None
    retracted: bool
    edge_human_corrected: bool
    edge_correction_reason: str | None
    edge_corrected_at: str | None
    other_page_ids: list[str]


class Link(Shape):
    """Why two pages are one origin."""

    first_page_id: str
    second_page_id: str
    reason: str


class Group(Shape):
    """Pages that are one origin."""

    page_ids: list[str]
    links: list[Link]
    edge_ids: list[str]
    is_claim_origin: bool
    supports: float | None
    refutes: float | None


class Independent(Shape):
    """The numbers with one vote per origin."""

    confidence: float
    uncertainty: float
    controversy: float
    alpha: float
    beta: float
    sources: int
    refuting_sources: int
    groups: list[Group]
    groups_omitted: int


class Origin(Shape):
    """Where an extracted claim was found."""

    fragment_id: str
    page_id: str | None


class Years(Shape):
    """The years of the evidence that speaks."""

    oldest: int | None
    newest: int | None


class Claim(Shape):
    """A claim with its numbers and its evidence. `cut` names the fields that were shortened to fit the answer."""

    claim_id: str
    text: str
    language: str
    origin: Origin | None
    finding: Literal["evidence", "no_evidence"]
    confidence: float
    uncertainty: float
    controversy: float
    alpha: float
    beta: float
    interval: list[float]
    evidence_count: int
    supporting_count: int
    refuting_count: int
    neutral_count: int
    pointer_count: int
    excluded_count: int
    independent_sources: int
    refuting_sources: int
    independent: Independent
    verification_status: str
    reason_code: str
    claim_adoption_status: str
    claim_rejection_reason: str | None
    claim_rejected_at: str | None
    evidence_years: Years
    evidence: list[Evidence]
    evidence_omitted: int
    cut: list[str]


class Lens(Shape):
    """What a lens says about the claims shown. Items are codes, values and their sentences."""

    name: str
    items: list[dict[str, Any]]
    items_omitted: int


class Page(Shape):
    """Of what an answer is a page."""

    order: str
    claims_shown: int
    claims_total: int
    next: str | None
    omitted_claim_ids: list[str]


class PageSummary(Shape):
    """What a language model said of a page; no evidence."""

    page_id: str
    url: str
    title: str | None
    summary: str
    model: str


class UnfinishedJob(Shape):
    """Work of the task that is under way or failed, so that its materials are not complete."""

    job_id: str
    kind: str
    status: Literal["queued", "running", "failed"]
    error: str | None


class MaterialsAnswer(Answer):
    """A page of a task's claims."""

    task_id: str
    question: str
    hypothesis: str | None
    task_status: Literal["active", "stopped"]
    created_at: str
    updated_at: str
    claims: list[Claim]
    providers: list[Provider]
    models: dict[str, Model]
    endpoints: list[str]
    paths: dict[str, str]
    page_summaries: list[PageSummary]
    page_summaries_omitted: int
    page: Page
    lens: Lens | None
    unfinished_jobs: list[UnfinishedJob]
    next_step: str
    untrusted: Untrusted


class TaskAnswer(Answer):
    """A task that was made."""

    task: Task
    next_step: str


class JobAnswer(Answer):
    """Long work: a handle."""

    task_id: str
    job: Job
    problems: list[Problem]
    next_step: str


class CheckAnswer(JobAnswer):
    """A check: a handle, the claims it is about, and their materials where it was done in time."""

    claim_ids: list[str]
    materials: MaterialsAnswer | None


class StopAnswer(Answer):
    """What became of a task, and how many rows of each table went or would go."""

    task_id: str
    task_status: Literal["active", "stopped", "deleted"]
    cleanup: Literal["none", "soft", "hard"]
    dry_run: bool
    deleted: dict[str, int]
