"""Lyra checks claims against documents: every number shows its quotes, its sources and its uncertainty.

Importing this package loads nothing; each name is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lyra.api import (
        Agreement,
        ClaimMaterial,
        Confidence,
        Evidence,
        FeedbackAnswer,
        Finding,
        Judgement,
        LegalValues,
        Lyra,
        LyraError,
        Materials,
        Task,
        VerifiedReport,
        agreement,
        build_report,
        confidence,
        judge,
        legal_values,
        open,
        report_accuracy,
        validate_case,
        verify_report,
    )

    __version__: str

__all__ = [
    "Agreement",
    "ClaimMaterial",
    "Confidence",
    "Evidence",
    "FeedbackAnswer",
    "Finding",
    "Judgement",
    "LegalValues",
    "Lyra",
    "LyraError",
    "Materials",
    "Task",
    "VerifiedReport",
    "__version__",
    "agreement",
    "build_report",
    "confidence",
    "judge",
    "legal_values",
    "open",
    "report_accuracy",
    "validate_case",
    "verify_report",
]


if not TYPE_CHECKING:  # a type checker would take it as leave to use any name

    def __getattr__(name: str) -> object:
        if name == "__version__":
            return import_module("lyra.app").installed_version()
        if name in __all__:
            return getattr(import_module("lyra.api"), name)
        raise AttributeError(f"module 'lyra' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
