"""What get_status, query_evidence and feedback give."""

from typing import Any, Literal

from lyra.interfaces.mcp.shapes import Answer, Job, Model, Problem, Shape, Task, Untrusted


class Override(Shape):
    """The override that holds for a domain."""

    is_overridden: bool
    decision: str | None
    matched_pattern: str | None
    rule_id: str | None
    reason: str | None
    updated_at: str | None


class BlockedDomain(Shape):
    """A domain with a reason to block it."""

    domain: str
    is_blocked: bool
    domain_block_reason: str
    block_reasons: list[str]
    block_rule: str
    domain_unblock_risk: Literal["high", "low"]
    blocked_at: str | None
    cause_id: str | None
    original_domain_category: str
    reason: str | None
    detail: str
    claim_count: int
    domain_claim_security_rejection_rate: float
    domain_claim_manual_rejection_rate: float
    domain_claim_combined_rejection_rate: float
    restore_via: str
    affected_claims: list[str]
    override: Override


class OverrideRule(Shape):
    """An override rule in force."""

    rule_id: str
    domain_pattern: str
    decision: str
    reason: str
    created_at: str
    updated_at: str


class Rates(Shape):
    """How many claims of a domain were rejected."""

    domain: str
    claim_count: int
    domain_claim_security_rejection_rate: float
    domain_claim_manual_rejection_rate: float
    domain_claim_combined_rejection_rate: float


class PageFinding(Shape):
    """What was found on a quarantined page."""

    family: str
    place: str
    excerpt: str


class QuarantinedPage(Shape):
    """A page in quarantine."""

    page_id: str
    url: str
    title: str | None
    domain: str | None
    quarantined_at: str
    cause_id: str | None
    findings: list[PageFinding]


class PolicyProblem(Shape):
    """What is wrong with the policy file."""

    code: str
    line: int | None
    detail: str


class Policy(Shape):
    """Which domain policy is in force."""

    path: str | None
    origin: str
    problem: PolicyProblem | None


class WaitingFor(Shape):
    """Something that has to happen before the task goes on."""

    kind: Literal["job", "person"]
    id: str
    status: str


class ProviderHealth(Shape):
    """How a source of documents stands. Nothing is asked of it for this."""

    name: str
    kind: str | None
    status: Literal["ok", "no_key", "refused", "nothing_found", "down"]
    in_use: bool
    endpoint: str | None
    key: str
    problem: str | None
    detail: str


class Intervention(Shape):
    """A page that waits, or waited, for a person."""

    intervention_id: str
    task_id: str
    url: str
    host: str
    wall: str
    sign: str
    status: Literal["pending", "resolved", "skipped"]
    created_at: str
    resolved_at: str | None


class AuthQueueAnswer(Answer):
    """Pages that wait for a person."""

    interventions: list[Intervention]
    omitted: dict[str, int]
    next_step: str
    untrusted: Untrusted


class SettledPage(Shape):
    """What became of a page that waited."""

    intervention: Intervention
    outcome: Literal["retried", "handed_in", "given_up"]
    job: Job | None


class ResolveAuthAnswer(Answer):
    """What was settled."""

    settled: list[SettledPage]
    omitted: dict[str, int]
    next_step: str
    untrusted: Untrusted


class StoreFacts(Shape):
    """Where the store is and what it holds."""

    home: str
    path: str
    engine: str
    schema_version: int
    size_bytes: int
    counts: dict[str, int]


class FullStatus(Shape):
    """What `detail: full` adds."""

    store: StoreFacts
    roots: list[str]
    domain_rates: list[Rates]
    quarantined_pages: list[QuarantinedPage]
    domain_policy: Policy
    block_rules: dict[str, Any]


class StatusAnswer(Answer):
    """How things stand. `omitted` says how many entries of a list were left out to keep the answer short."""

    task: Task | None
    tasks: list[Task]
    jobs: list[Job]
    waiting_for: list[WaitingFor]
    idle_seconds: float | None
    providers: list[ProviderHealth]
    models: dict[str, Model]
    model_problem: Problem | None
    config_errors: list[Problem]
    blocked_domains: list[BlockedDomain]
    domain_overrides: list[OverrideRule]
    full: FullStatus | None
    omitted: dict[str, int]
    next_step: str
    untrusted: Untrusted


class PassageLocator(Shape):
    """Where a passage stands in the stored text of a page."""

    page_version_id: str
    content_hash: str
    start: int
    end: int
    section: str | None
    page_number: int | None
    path: str | None
    stale: bool


class Passage(Shape):
    """A passage that speaks about a text."""

    fragment_id: str
    score: float
    quote: str
    locator: PassageLocator
    page_id: str
    url: str
    title: str | None
    year: int | None
    published_on: str | None
    doi: str | None
    retracted: bool
    judged_pairs: int


class TextFound(Shape):
    """The answer of a text search."""

    text: str
    task_id: str | None
    fragments_searched: int
    fragments_with_vectors: int
    passages: list[Passage]


class TableFound(Shape):
    """Rows of named columns. `truncated` is rows or size where there were more; `cut_cells` texts were cut."""

    view: str | None
    parameters: dict[str, Any]
    columns: list[str]
    rows: list[list[Any]]
    truncated: Literal["rows", "size"] | None
    cut_cells: int


class QueryAnswer(Answer):
    """Passages for a text, or rows for a view or a statement; the other is null."""

    found: TextFound | None
    table: TableFound | None
    omitted: dict[str, int]
    untrusted: Untrusted


class FeedbackRequest(Shape):
    """An action with its arguments."""

    action: str
    domain_pattern: str | None
    claim_id: str | None
    edge_id: str | None
    correct_relation: str | None
    reason: str | None


class FeedbackAnswer(Answer):
    """What became of it; `undo` takes it back where that can be done."""

    action: str
    domain_pattern: str | None
    claim_id: str | None
    edge_id: str | None
    correct_relation: str | None
    reason: str | None
    changed: bool
    cause_id: str | None
    task_id: str | None
    domains: list[str]
    undo: FeedbackRequest | None
