"""The seams: what workflows ask of models, document readers, clocks and progress displays."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from lyra.core.domain_policy import Policy
from lyra.core.errors import ConfigError
from lyra.core.page_safety import Finding
from lyra.core.pages import FetchOutcome
from lyra.core.records import Document, FileStamp, Identifier, ModelInfo, Record, Stance
from lyra.core.source_reading import SourceReading
from lyra.core.works import Answer, Item, ProviderInfo, Work

if TYPE_CHECKING:  # importing numpy costs a fifth of a second that `lyra --help` must not pay
    import numpy as np
    from numpy.typing import NDArray


class Clock(Protocol):
    """Tells the time, UTC, timezone-aware."""

    def now(self) -> datetime:
        """Return the present moment."""
        ...


class WaitingClock(Clock, Protocol):
    """A clock that can also wait. `monotonic` never goes back; tests move all three together."""

    def monotonic(self) -> float:
        """Return seconds since some fixed moment."""
        ...

    def sleep(self, seconds: float) -> None:
        """Return after `seconds`, or raise to give up waiting."""
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors whose dot product is similarity."""

    @property
    def info(self) -> ModelInfo:
        """Return name and version, without loading weights."""
        ...

    @property
    def dimension(self) -> int:
        """Return the length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one unit vector per text, in order, shape (n, dimension)."""
        ...


class StanceModel(Protocol):
    """Judges whether fragments support or refute claims."""

    @property
    def info(self) -> ModelInfo:
        """Return name, version and calibration, without loading weights."""
        ...

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """Return one stance per (fragment, claim) pair, in order."""
        ...


class Reranker(Protocol):
    """Scores how much a text speaks about a query."""

    @property
    def info(self) -> ModelInfo:
        """Return name and version."""
        ...

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return one value in [0, 1] per text."""
        ...


class DocumentReader(Protocol):
    """Finds and reads documents below a folder, or one file."""

    def scan(self, root: Path) -> Iterator[FileStamp]:
        """Yield every file below `root` in a stable order, documents or not.

        Raises NotFound or InvalidInput for a root that cannot be used at all.
        """
        ...

    def is_document(self, path: str) -> bool:
        """Return whether a file of this name is of a kind that can be read."""
        ...

    def read(self, stamp: FileStamp, root: Path) -> Document:
        """Return the document, or raise DocumentProblem with the reason."""
        ...

    def holds_records(self, path: str) -> bool:
        """Return whether a file of this name holds many records, each a document: `records` reads it, not `read`."""
        ...

    def records(self, stamp: FileStamp, root: Path) -> Iterator[Record]:
        """Yield the records of a file one at a time, those that cannot be read with the reason.

        Raises DocumentProblem for a file that cannot be read at all, before the first record or where reading breaks off.
        """
        ...


class PageScanner(Protocol):
    """Looks for dangerous patterns in what was read."""

    def scan(self, document: Document) -> Sequence[Finding]:
        """Return what was found; empty for a page that may be used."""
        ...


@dataclass(frozen=True, slots=True)
class PolicyReading:
    """What the policy file says now. Without a usable file `policy` is None and `problem` says why.

    `text` is the file as it was read; None where there is no file and the shipped policy holds.
    """

    policy: Policy | None
    text: str | None = None
    problem: ConfigError | None = None


class PolicySource(Protocol):
    """Where the domain policy comes from."""

    @property
    def path(self) -> Path:
        """Return the file a person may write."""
        ...

    def read(self) -> PolicyReading:
        """Return what the file says at this moment; never raises for what stands in it."""
        ...

    def parse(self, text: str) -> Policy:
        """Return the policy of a text that was read before. Raises ConfigError."""


class SourceReader(Protocol):
    """Opens the address of a source, in a public archive where it is gone."""

    def read(self, url: str) -> SourceReading:
        """Return what came of it; a page that is gone and an outage are answers, too, and raise nothing."""
        ...


class Progress(Protocol):
    """Shows how far long work has come. `silent` implementations show nothing."""

    def track(self, code: str, total: int | None) -> "AbstractContextManager[Step]":
        """Start showing one phase, named by message code; the step it gives is advanced."""
        ...


class Step(Protocol):
    """One phase of long work."""

    def advance(self, by: int = 1) -> None:
        """Say that `by` more units are done."""
        ...


class SearchProvider(Protocol):
    """Finds things for a query. Calls may come from several threads; none raises for a service that fails."""

    @property
    def info(self) -> ProviderInfo:
        """Return name, kind and endpoint, without connecting."""
        ...

    def search(self, query: str, limit: int) -> Answer[Item]:
        """Return at most `limit` items, best first."""
        ...


class WorkProvider(SearchProvider, Protocol):
    """Also knows works by identifier, and what cites what."""

    def complete(self, identifiers: Sequence[Identifier]) -> Answer[Work]:
        """Return the works that the service knows among `identifiers` (any mix of DOI, PMID, PMCID and arXiv), batched."""
        ...

    def references(self, work: Work, limit: int) -> Answer[Work]:
        """Return at most `limit` works that `work` cites; `work` may come from another provider."""
        ...

    def citations(self, work: Work, limit: int) -> Answer[Work]:
        """Return at most `limit` works that cite `work`; `work` may come from another provider."""
        ...


class PageFetcher(Protocol):
    """Brings pages of the web as documents. Calls may come from several threads."""

    def fetch(self, url: str) -> FetchOutcome:
        """Return the page, or why there is none; never raises for what a server or a page does."""
        ...


Check = Callable[[object], object]


def accept(value: object) -> object:
    """Find nothing wrong with an answer."""
    return value


class JsonEndpoint(Protocol):
    """One service that speaks JSON over HTTP, with its key, its rates and its retries behind it."""

    @property
    def address(self) -> str:
        """Return the base address, without any key."""
        ...

    def get(self, path: str, params: Sequence[tuple[str, str]] = (), check: Check = accept) -> object:
        """Return the decoded answer. Raises WebProblem; a 404 is WebProblem `not_found`.

        `check` raises WebProblem for an answer of the wrong shape: it is asked for again, and never kept.
        """
        ...

    def post(self, path: str, body: object, params: Sequence[tuple[str, str]] = (), check: Check = accept) -> object:
        """Return the decoded answer to a JSON body, as `get` does."""
        ...


class Llm(Protocol):
    """A language model that fills in a form: no tools, no memory, never required."""

    @property
    def info(self) -> ModelInfo:
        """Return the name of the model and of the protocol it is asked by, without connecting."""
        ...

    @property
    def address(self) -> str:
        """Return the endpoint that is called."""
        ...

    def answer(self, prompt: str, schema: Mapping[str, object]) -> object:
        """Return a JSON value that fits `schema`. Raises WebProblem, `malformed_answer` after one repetition."""
        ...


class DomainUsage(Protocol):
    """Counts what was asked of each host today, over all processes of a home."""

    def take(self, host: str, day: str, max_requests: int | None, *, page: bool, max_pages: int | None) -> bool:
        """Count one request (and, with `page`, one page) if the limits allow it, and return whether they did."""
        ...
