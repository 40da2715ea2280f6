"""The settings of everything that talks to the network: fetching, providers, the language model."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lyra.config.kinds import Kind, choice, number, read_names, read_secret, read_text, switch
from lyra.config.web_address import read_address, read_hosts, read_search_address

NONE = "none"


@dataclass(frozen=True, slots=True)
class FetchSettings:
    """What fetching may cost, and whom it may reach. `browser` says when a page is opened in a real one."""

    offline: bool
    max_mb: int
    max_decoded_mb: int
    seconds: float
    connect_seconds: float
    read_seconds: float
    redirects: int
    attempts: int
    patience_seconds: float
    workers: int
    cache_mb: int
    cache_hours: float
    allow_hosts: frozenset[str]
    contact: str | None
    browser: str
    browser_path: str | None
    archive_url: str | None


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """One service: where it is, its key, how often it is asked. `url` is None where it is not set up."""

    url: str | None
    qps: float
    key: str | None = None
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """Which providers a search uses when none is named, and how each is reached."""

    use: tuple[str, ...]
    services: Mapping[str, ServiceSettings]
    openalex_max_references: int


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """The language model, if one is used at all: by which protocol, where, and how long an answer may take."""

    use: str
    url: str
    model: str
    key: str | None
    seconds: float
    max_tokens: int
    summaries: bool


_SERVICES = ("semantic_scholar", "openalex", "searxng", "browser")
_ADDRESS = Kind("an http(s) address, or none", read_address)
NETWORK_KINDS = {
    "fetch.offline": switch(),
    "fetch.max_mb": number(1, 1024, whole=True),
    "fetch.max_decoded_mb": number(1, 1024, whole=True),
    "fetch.seconds": number(0.05, 3600, whole=False),
    "fetch.connect_seconds": number(0.05, 600, whole=False),
    "fetch.read_seconds": number(0.05, 600, whole=False),
    "fetch.redirects": number(0, 20, whole=True),
    "fetch.attempts": number(1, 10, whole=True),
    "fetch.patience_seconds": number(0, 3600, whole=False),
    "fetch.workers": number(1, 64, whole=True),
    "fetch.cache_mb": number(0, 102400, whole=True),
    "fetch.cache_hours": number(0, 8760, whole=False),
    "fetch.allow_hosts": Kind("host names, or none", read_hosts),
    "fetch.contact": Kind("a mail or web address, or none", read_text),
    "fetch.browser": choice("auto", "never", "always"),
    "fetch.browser_path": Kind("a program, or none", read_text),
    "fetch.archive_url": _ADDRESS,
    "providers.use": Kind("names of providers, or none", read_names),
    "providers.semantic_scholar_url": _ADDRESS,
    "providers.semantic_scholar_key": Kind("a key, or none", read_secret, secret=True),
    "providers.semantic_scholar_qps": number(0.01, 100, whole=False),
    "providers.openalex_url": _ADDRESS,
    "providers.openalex_key": Kind("a key, or none", read_secret, secret=True),
    "providers.openalex_qps": number(0.01, 100, whole=False),
    "providers.openalex_max_references": number(1, 100, whole=True),
    "providers.searxng_url": _ADDRESS,
    "providers.searxng_qps": number(0.01, 100, whole=False),
    "providers.browser_url": Kind("an http(s) address with {query}, or none", read_search_address),
    "providers.browser_qps": number(0.01, 100, whole=False),
    "llm.use": choice(NONE, "ollama", "openai"),
    "llm.url": Kind("an http(s) address", lambda raw: _some(read_address(raw))),
    "llm.model": Kind("the name of a model", lambda raw: _some(read_text(raw))),
    "llm.key": Kind("a key, or none", read_secret, secret=True),
    "llm.seconds": number(0.05, 3600, whole=False),
    "llm.max_tokens": number(16, 32768, whole=True),
    "llm.summaries": switch(),
}
NETWORK_DEFAULTS: dict[str, int | float | str] = {
    "fetch.offline": "off",
    "fetch.max_mb": 20,
    "fetch.max_decoded_mb": 32,
    "fetch.seconds": 30.0,
    "fetch.connect_seconds": 10.0,
    "fetch.read_seconds": 15.0,
    "fetch.redirects": 5,
    "fetch.attempts": 3,
    "fetch.patience_seconds": 60.0,
    "fetch.workers": 8,
    "fetch.cache_mb": 512,
    "fetch.cache_hours": 24.0,
    "fetch.allow_hosts": NONE,
    "fetch.contact": NONE,
    "fetch.browser": "auto",
    "fetch.browser_path": NONE,
    "fetch.archive_url": "https://web.archive.org/web/2id_",
    "providers.use": NONE,
    "providers.semantic_scholar_url": "https://api.semanticscholar.org/graph/v1",
    "providers.semantic_scholar_key": NONE,
    "providers.semantic_scholar_qps": 0.33,
    "providers.openalex_url": "https://api.openalex.org",
    "providers.openalex_key": NONE,
    "providers.openalex_qps": 10.0,
    "providers.openalex_max_references": 20,
    "providers.searxng_url": NONE,
    "providers.searxng_qps": 2.0,
    "providers.browser_url": "https://html.duckduckgo.com/html/?q={query}",
    "providers.browser_qps": 0.2,
    "llm.use": NONE,
    "llm.url": "http://127.0.0.1:11434",
    "llm.model": "qwen2.5:3b",
    "llm.key": NONE,
    "llm.seconds": 60.0,
    "llm.max_tokens": 1024,
    "llm.summaries": "off",
}


def _some(text: str) -> str:
    if text == NONE:
        raise ValueError(text)
    return text


def build_fetch(values: Mapping[str, str | int | float]) -> FetchSettings:
    """Return the settings of fetching from the values in force."""

    def number_of(name: str) -> float:
        return float(values[f"fetch.{name}"])

    return FetchSettings(
        offline=values["fetch.offline"] == "on",
        max_mb=int(number_of("max_mb")),
        max_decoded_mb=int(number_of("max_decoded_mb")),
        seconds=number_of("seconds"),
        connect_seconds=number_of("connect_seconds"),
        read_seconds=number_of("read_seconds"),
        redirects=int(number_of("redirects")),
        attempts=int(number_of("attempts")),
        patience_seconds=number_of("patience_seconds"),
        workers=int(number_of("workers")),
        cache_mb=int(number_of("cache_mb")),
        cache_hours=number_of("cache_hours"),
        allow_hosts=frozenset(_listed(values["fetch.allow_hosts"])),
        contact=_given(values["fetch.contact"]),
        browser=str(values["fetch.browser"]),
        browser_path=_given(values["fetch.browser_path"]),
        archive_url=_given(values["fetch.archive_url"]),
    )


def build_providers(values: Mapping[str, str | int | float]) -> ProviderSettings:
    """Return the settings of the providers. A service whose address is not the default counts as chosen by the user."""
    services = {
        name: ServiceSettings(
            url=_given(values[f"providers.{name}_url"]),
            qps=float(values[f"providers.{name}_qps"]),
            key=_given(values.get(f"providers.{name}_key", NONE)),
            chosen=values[f"providers.{name}_url"] != NETWORK_DEFAULTS[f"providers.{name}_url"],
        )
        for name in _SERVICES
    }
    return ProviderSettings(tuple(_listed(values["providers.use"])), services, int(values["providers.openalex_max_references"]))


def build_llm(values: Mapping[str, str | int | float]) -> LlmSettings:
    """Return the settings of the language model."""
    return LlmSettings(
        use=str(values["llm.use"]),
        url=str(values["llm.url"]),
        model=str(values["llm.model"]),
        key=_given(values["llm.key"]),
        seconds=float(values["llm.seconds"]),
        max_tokens=int(values["llm.max_tokens"]),
        summaries=values["llm.summaries"] == "on",
    )


def _given(value: str | int | float) -> str | None:
    return None if value == NONE else str(value)


def _listed(value: str | int | float) -> list[str]:
    return [] if value == NONE else re.split(r"\s*,\s*", str(value))
