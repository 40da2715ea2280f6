"""The error tree: every failure a person can meet, with the exit code it ends in.

An error carries a code and plain parameters; the sentence comes from the message catalogues, so that the
same failure reads in English and Japanese and stays a stable code for programs.
"""

from lyra.core.messages import render
from lyra.core.records import ProviderStatus

EXIT_OK = 0
EXIT_NO = 1
EXIT_BAD_INPUT = 2
EXIT_DEPENDENCY = 3


class LyraError(Exception):
    """Base of all designed failures; `code` is stable, `str()` is the English sentence."""

    exit_code = EXIT_DEPENDENCY

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    def sentence(self, lang: str = "en") -> str:
        """Return the one-sentence message (what, where, what to do) in `lang`."""
        return render(f"error.{self.code}", lang, **self.params)

    def __str__(self) -> str:
        return self.sentence()


class InvalidInput(LyraError):
    """The caller gave something that cannot be used; nothing was written for it."""

    exit_code = EXIT_BAD_INPUT


class NotFound(InvalidInput):
    """A named thing (task, page, path) does not exist."""


class ConfigError(InvalidInput):
    """A setting is unknown or has a value it cannot take."""


class StoreError(LyraError):
    """The database is missing, damaged, busy, full, read-only or from a newer version."""


class ModelError(LyraError):
    """Model weights are missing, damaged or do not fit this version."""


class HubError(LyraError):
    """A model hub is down, throttles, refuses, or sent something else than it promised."""


class LeaseLost(LyraError):
    """Another worker has taken this job over; the caller must stop writing for it."""


class DocumentProblem(LyraError):
    """One document cannot be read; recorded in the ledger while the others go on.

    `status` is what the ledger shows: `skipped` (left alone on purpose) or `failed` (tried, did not work).
    """

    exit_code = EXIT_BAD_INPUT

    def __init__(self, code: str, *, status: str = "failed", **params: object) -> None:
        super().__init__(code, **params)
        self.status = status

    def sentence(self, lang: str = "en") -> str:
        """Return the ledger's sentence for this document."""
        return render(f"document.{self.code}", lang, **self.params)


class WebProblem(LyraError):
    """One request did not bring what was asked for; the work goes on without it.

    `status` is how the service shows in a result. It is never `nothing_found`: that is an answer, not a problem.
    """

    def __init__(self, code: str, status: ProviderStatus = ProviderStatus.DOWN, **params: object) -> None:
        super().__init__(code, **params)
        self.status = status

    def sentence(self, lang: str = "en") -> str:
        """Return the sentence for this request."""
        return render(f"web.{self.code}", lang, **self.params)


class OutOfTime(WebProblem):
    """A wait that the time of the search does not allow."""

    def __init__(self) -> None:
        super().__init__("out_of_time", ProviderStatus.THROTTLED)
