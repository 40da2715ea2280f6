"""What can be set, as the program uses it."""

from dataclasses import dataclass
from pathlib import Path

from lyra.config.network import FetchSettings, LlmSettings, ProviderSettings
from lyra.core.gather_rules import GatherRules


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """How claims are judged. `threads` 0 means all processors."""

    top_k: int
    threads: int


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How far a search goes for each query."""

    fragments: int
    max_claims: int
    gathering: GatherRules


@dataclass(frozen=True, slots=True)
class LibrarySettings:
    """What a document may cost before it is given up."""

    max_file_mb: int
    pdf_seconds: int
    pdf_memory_mb: int


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Where models are pulled from, when a person asks for it."""

    hub_url: str


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """How the store is opened: how long to wait for another process that writes."""

    busy_seconds: float


@dataclass(frozen=True, slots=True)
class QuerySettings:
    """What one statement of `lyra query` may cost."""

    seconds: float
    memory_mb: int


@dataclass(frozen=True, slots=True)
class SourceVerificationSettings:
    """When a domain is blocked automatically."""

    high_rejection_rate_threshold: float
    high_rejection_min_samples: int
    high_rejection_rule: str
    dangerous_min_pages: int


@dataclass(frozen=True, slots=True)
class Setting:
    """One value and its origin: `flag`, `environment NAME`, `file PATH` or `default`."""

    key: str
    value: str | int | float
    origin: str


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set.

    `values` lists each setting with its origin, a secret only by whether it is set; `path` is the file looked for.
    """

    home: Path
    lang: str
    judge: JudgeSettings
    search: SearchSettings
    library: LibrarySettings
    store: StoreSettings
    query: QuerySettings
    source_verification: SourceVerificationSettings
    models: ModelSettings
    fetch: FetchSettings
    providers: ProviderSettings
    llm: LlmSettings
    values: tuple[Setting, ...]
    path: Path
