"""Records that travel between the parts. Frozen: a value once made is never changed, only replaced."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from lyra.core.page_safety import Unseen


class Relation(StrEnum):
    """How a fragment stands to a claim."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    NEUTRAL = "neutral"


class TaskStatus(StrEnum):
    """Whether a task still takes work."""

    ACTIVE = "active"
    STOPPED = "stopped"


class JobStatus(StrEnum):
    """Where a job stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


class ProviderStatus(StrEnum):
    """How a source of documents answered."""

    OK = "ok"
    THROTTLED = "throttled"
    DOWN = "down"
    REFUSED = "refused"
    NO_KEY = "no_key"
    NOTHING_FOUND = "nothing_found"


@dataclass(frozen=True, slots=True)
class Identifier:
    """A name of a page in some scheme: `doi`, `pmid`, `pmcid`, `arxiv` or `url`, value normalised."""

    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Section:
    """A span of extracted text with where it stands in the document."""

    start: int
    end: int
    heading: str | None = None
    page_number: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """What was read from one file or page: its text, and what it says of itself.

    `text` is stored as it is; every locator is a pair of code-point offsets into it. `identifiers` are the
    document's own, `references` those of other works it names or links to, which `citation_source` observed, and
    `versions` those of other versions of the same work. `published_on` keeps the precision of the source: `2021`,
    `2021-03` or `2021-03-05`. A record without an abstract is a document without text. `unseen` is what readers of
    it do not see: it is scanned and never becomes text.
    """

    text: str
    sections: tuple[Section, ...]
    title: str | None = None
    authors: tuple[str, ...] = ()
    published_on: str | None = None
    venue: str | None = None
    identifiers: tuple[Identifier, ...] = ()
    references: tuple[Identifier, ...] = ()
    retracted: bool = False
    retraction_reason: str | None = None
    extractor: str = ""
    notes: tuple[str, ...] = ()
    versions: tuple[Identifier, ...] = ()
    citation_source: str = "extraction"
    unseen: tuple[Unseen, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a file that holds many: its document, or the code of why it has none.

    `number` counts from one, `line` is where it begins, `key` what the file calls it.
    """

    number: int
    line: int
    key: str | None = None
    document: Document | None = None
    code: str | None = None
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Span:
    """One fragment's place in a text: `text[start:end]` is the quote."""

    start: int
    end: int
    section: str | None = None
    page_number: int | None = None


@dataclass(frozen=True, slots=True)
class FileStamp:
    """What the ledger knows of a file without reading it."""

    path: str
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """The state of one library file, or of one page that was to be fetched.

    `status` is read, unchanged, skipped, failed or removed; `area` names the sentences that `code` is one of. A file of
    records has a number of `records` that were read; an entry with a `line` is one record of such a file, which the file
    calls `record`.
    """

    path: str
    status: str
    code: str | None = None
    params: Mapping[str, object] = field(default_factory=dict)
    page_id: str | None = None
    fragments: int = 0
    notes: tuple[str, ...] = ()
    read_at: datetime | None = None
    records: int | None = None
    record: str | None = None
    line: int | None = None
    area: str = "document"


@dataclass(frozen=True, slots=True)
class Stance:
    """A judgement of one (fragment, claim) pair.

    The three probabilities are calibrated and add to one; `raw` is the uncalibrated probability of `label`.
    `decisive` is the span, inside the fragment text, of the sentence that decided, where one stands out.
    """

    label: Relation
    supports: float
    refutes: float
    neutral: float
    raw: float
    decisive: tuple[int, int] | None = None

    @property
    def nli_confidence(self) -> float:
        """The calibrated probability of the chosen label."""
        return {Relation.SUPPORTS: self.supports, Relation.REFUTES: self.refutes, Relation.NEUTRAL: self.neutral}[self.label]


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model as it is named beside every number it made."""

    kind: str
    name: str
    version: str
    calibration_version: str | None = None
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """One piece of research: a question with its claims."""

    task_id: str
    question: str
    hypothesis: str | None
    status: TaskStatus
    created_at: datetime
    updated_at: datetime
    claim_count: int = 0
    edge_count: int = 0


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement to be judged. Claims that people gave have no origin.

    `origin_domain` is the host of the page it was extracted from; `origin_quarantined_at` says since when that page is
    in quarantine, if it is.
    """

    claim_id: str
    task_id: str
    text: str
    language: str
    claim_adoption_status: str = "adopted"
    origin_fragment_id: str | None = None
    origin_page_id: str | None = None
    claim_rejection_reason: str | None = None
    claim_rejected_at: str | None = None
    origin_domain: str | None = None
    origin_quarantined_at: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fragment that may speak about a query, with the two raw scores it was found by."""

    fragment_id: str
    text: str
    bm25: float = 0.0
    similarity: float = 0.0
    category_weight: float = 1.0
    language: str = "und"


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its final score, best first."""

    fragment_id: str
    text: str
    score: float
    language: str = "und"


@dataclass(frozen=True, slots=True)
class Locator:
    """Where a quote stands: offsets into the stored text of one page version."""

    page_version_id: str
    content_hash: str
    start: int
    end: int
    section: str | None = None
    page_number: int | None = None
    path: str | None = None
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """A stance edge with everything a reader needs to check it.

    `sole_citation` is the page that its page retells: the one known page that it cites, if it cites one only and is
    no work with an identifier (DOI, PubMed or arXiv id) of its own.
    """

    edge_id: str
    claim_id: str
    relation: Relation
    nli_label: Relation
    nli_confidence: float
    nli_confidence_raw: float
    probabilities: tuple[float, float, float]
    model: str
    model_version: str
    calibration_version: str | None
    quote: str
    decisive: tuple[int, int] | None
    locator: Locator
    fragment_id: str
    page_id: str
    url: str
    title: str | None
    published_on: str | None
    doi: str | None
    venue: str | None
    source_domain_category: str | None
    target_domain_category: str | None
    retracted: bool
    edge_human_corrected: bool
    is_pointer: bool = False
    excluded_reason: str | None = None
    other_page_ids: tuple[str, ...] = ()
    work_keys: tuple[str, ...] = ()
    sole_citation: str | None = None
    edge_correction_reason: str | None = None
    edge_corrected_at: str | None = None
    authors: tuple[str, ...] = ()
    claim_language: str | None = None
    fragment_language: str | None = None

    @property
    def year(self) -> int | None:
        """The publication year, or None where the source gives none."""
        return int(self.published_on[:4]) if self.published_on else None


@dataclass(frozen=True, slots=True)
class Citation:
    """One page that cites another. `source` is who observed it: `semantic_scholar`, `openalex` or `extraction`."""

    edge_id: str
    citing_page_id: str
    cited_page_id: str
    source: str


@dataclass(frozen=True, slots=True)
class Job:
    """A unit of long work under a lease; `fencing_token` grows with every take-over."""

    job_id: str
    task_id: str | None
    kind: str
    payload: str
    status: JobStatus
    fencing_token: int
    attempts: int
    done: int
    total: int
    lease_owner: str | None = None
    lease_expires_at: datetime | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class ProviderReport:
    """What one source of documents did in a run. `hosts` are those that were asked beside the endpoint."""

    name: str
    status: ProviderStatus
    detail: str = ""
    endpoint: str | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[LedgerEntry, ...] = ()
    hosts: tuple[str, ...] = ()
