"""Every setting: what it takes, its default, and where its value goes."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from lyra.config.gathering import GATHERING_DEFAULTS, GATHERING_KINDS, build_gathering
from lyra.config.kinds import Kind, choice, number, read_hub_address, read_language, read_path
from lyra.config.network import NETWORK_DEFAULTS, NETWORK_KINDS, NONE, build_fetch, build_llm, build_providers
from lyra.config.records import (
    JudgeSettings,
    LibrarySettings,
    ModelSettings,
    QuerySettings,
    SearchSettings,
    Setting,
    Settings,
    SourceVerificationSettings,
    StoreSettings,
)
from lyra.core.messages import LANGUAGES
from lyra.core.rejections import RULES, BlockRules

KINDS = {
    "home": Kind("a directory", read_path),
    "lang": Kind(" | ".join(LANGUAGES), read_language),
    "judge.top_k": number(1, 200, whole=True),
    "judge.threads": number(0, 256, whole=True),
    "search.fragments": number(1, 200, whole=True),
    "search.max_claims": number(1, 200, whole=True),
    "library.max_file_mb": number(1, 4096, whole=True),
    "library.pdf_seconds": number(1, 3600, whole=True),
    "library.pdf_memory_mb": number(128, 65536, whole=True),
    "store.busy_seconds": number(0, 3600, whole=False),
    "query.seconds": number(0.1, 60, whole=False),
    "query.memory_mb": number(32, 4096, whole=True),
    "source_verification.high_rejection_rate_threshold": number(0, 1, whole=False),
    "source_verification.high_rejection_min_samples": number(1, 100_000, whole=True),
    "source_verification.high_rejection_rule": choice(*RULES),
    "source_verification.dangerous_min_pages": number(1, 1000, whole=True),
    "models.hub_url": Kind("an https address", read_hub_address),
    **GATHERING_KINDS,
    **NETWORK_KINDS,
}
DEFAULTS: dict[str, int | float | str] = {
    "judge.top_k": 20,
    "judge.threads": 0,
    "search.fragments": 10,
    "search.max_claims": 8,
    "library.max_file_mb": 64,
    "library.pdf_seconds": 60,
    "library.pdf_memory_mb": 1024,
    "store.busy_seconds": 30.0,
    "query.seconds": 1.5,
    "query.memory_mb": 128,
    "source_verification.high_rejection_rate_threshold": BlockRules().high_rejection_rate_threshold,
    "source_verification.high_rejection_min_samples": BlockRules().high_rejection_min_samples,
    "source_verification.high_rejection_rule": BlockRules().high_rejection_rule,
    "source_verification.dangerous_min_pages": BlockRules().dangerous_min_pages,
    "models.hub_url": "https://huggingface.co",
    **GATHERING_DEFAULTS,
    **NETWORK_DEFAULTS,
}
KEYS = tuple(KINDS)


def build(found: Mapping[str, Setting], path: Path) -> Settings:
    """Return the settings from their values."""

    def whole(key: str) -> int:
        return int(found[key].value)

    raw = {key: setting.value for key, setting in found.items()}
    return Settings(
        home=Path(str(found["home"].value)),
        lang=str(found["lang"].value),
        judge=JudgeSettings(whole("judge.top_k"), whole("judge.threads")),
        search=SearchSettings(whole("search.fragments"), whole("search.max_claims"), build_gathering(raw)),
        library=LibrarySettings(whole("library.max_file_mb"), whole("library.pdf_seconds"), whole("library.pdf_memory_mb")),
        store=StoreSettings(float(found["store.busy_seconds"].value)),
        query=QuerySettings(float(found["query.seconds"].value), whole("query.memory_mb")),
        source_verification=SourceVerificationSettings(
            float(found["source_verification.high_rejection_rate_threshold"].value),
            whole("source_verification.high_rejection_min_samples"),
            str(found["source_verification.high_rejection_rule"].value),
            whole("source_verification.dangerous_min_pages"),
        ),
        models=ModelSettings(str(found["models.hub_url"].value)),
        fetch=build_fetch(raw),
        providers=build_providers(raw),
        llm=build_llm(raw),
        values=tuple(_shown(setting) for setting in found.values()),
        path=path,
    )


def _shown(setting: Setting) -> Setting:
    """Return a setting as it may be shown: of a key no more than that it is set."""
    return replace(setting, value="***") if KINDS[setting.key].secret and setting.value != NONE else setting
