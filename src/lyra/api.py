"""Lyra from Python: the same functions as the command, with records instead of text."""

import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

from lyra.app import ModelFactory, Models, SilentProgress, chosen_models, governance_of, open_judging_bench, open_reading_store
from lyra.cases.agreement import Agreement
from lyra.cases.findings import Finding
from lyra.cases.legal import LegalValues, legal_values
from lyra.cases.surface import agreement
from lyra.cases.validation import validate_case
from lyra.config import Settings, read_settings
from lyra.core.confidence import Confidence, confidence
from lyra.core.errors import InvalidInput, LyraError
from lyra.core.materials import ClaimMaterial, Materials
from lyra.core.model_choice import judge_texts
from lyra.core.records import Evidence, Relation, Stance, Task
from lyra.interfaces.presenter import Json, materials_json
from lyra.interfaces.report_functions import VerifiedReport, build_report, report_accuracy, verify_report
from lyra.workflows.bench import calibrated_model
from lyra.workflows.check import CheckRequest
from lyra.workflows.check import check as run_check
from lyra.workflows.feedback import FeedbackAnswer, FeedbackRequest, give_feedback
from lyra.workflows.materials import MaterialsPage, PageRequest, collect, read_page

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


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the model says of one (fragment, claim) pair; the three probabilities are calibrated and add to one."""

    label: Relation
    nli_confidence: float
    supports: float
    refutes: float
    neutral: float


class Lyra:
    """A home directory, opened: its tasks, and checks against its library. Close it, or use it in a `with` block.

    Models are loaded by the first check or judgement and kept. Not for use by several threads at once; several
    processes may open the same home.
    """

    def __init__(self, settings: Settings, models: ModelFactory = chosen_models) -> None:
        self._settings = settings
        chosen = models(settings)
        self._models: ModelFactory = lambda _: chosen
        self._chosen = chosen
        self._stack = ExitStack()
        self._store = self._stack.enter_context(open_reading_store(settings))

    def check(
        self, claims: Iterable[str] | str, library: Iterable[str | Path] | str | Path = (), question: str | None = None
    ) -> Materials:
        """Judge claims against documents in a new task and return its materials.

        `library` names folders or files; without it everything in the home's library is used. Raises
        InvalidInput, before any work, for a claim or a path that cannot be used, and ModelError without weights.
        """
        texts = (claims,) if isinstance(claims, str) else tuple(claims)
        paths = (library,) if isinstance(library, (str, Path)) else tuple(library)
        with open_judging_bench(self._settings, SilentProgress(), self._models) as bench:
            return run_check(bench, CheckRequest(texts, paths, question, strict=True)).materials

    def judge(self, pairs: Iterable[tuple[str, str]]) -> list[Judgement]:
        """Judge (fragment, claim) texts as a check would, with the calibration in force. Nothing is stored."""
        calibrated = [calibrated_model(self._store, model) for model in (self._chosen.stance, *self._chosen.specialists)]
        return _judgements(replace(self._chosen, stance=calibrated[0], specialists=tuple(calibrated[1:])), pairs)

    def tasks(self) -> list[Task]:
        """Return all tasks, newest first."""
        return self._store.tasks.all()

    def materials(self, task_id: str) -> Materials:
        """Return what a task has come to. Raises NotFound for an unknown task."""
        return collect(self._store, task_id)

    def page(self, task_id: str, request: PageRequest) -> MaterialsPage:
        """Return a page of a task's claims; `following` is the cursor of the next. Raises NotFound for an unknown task."""
        return read_page(self._store, task_id, request)

    def feedback(  # noqa: PLR0913 - the arguments of the six actions
        self,
        action: str,
        *,
        domain_pattern: str | None = None,
        claim_id: str | None = None,
        edge_id: str | None = None,
        correct_relation: str | None = None,
        reason: str | None = None,
    ) -> FeedbackAnswer:
        """Give a right answer about a domain, a claim or an edge; it takes effect at once.

        The actions and their arguments are those of `lyra feedback`. Raises InvalidInput, with nothing changed, for an
        answer that cannot be used.
        """
        request = FeedbackRequest(action, domain_pattern, claim_id, edge_id, correct_relation, reason)
        return give_feedback(governance_of(self._settings, self._store), request)

    def to_json(self, materials: Materials) -> Json:
        """Return materials as JSON-ready values, the same as `lyra materials --json` writes."""
        return materials_json(materials, self._settings.lang)

    def close(self) -> None:
        """Close the home; safe to call twice."""
        self._stack.close()

    def __enter__(self) -> "Lyra":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def open(home: str | Path | None = None) -> Lyra:
    """Open a home directory; without one, that of the settings. A fresh one gets an empty store."""
    return Lyra(read_settings({} if home is None else {"home": str(home)}, os.environ))


def judge(pairs: Iterable[tuple[str, str]]) -> list[Judgement]:
    """Judge (fragment, claim) texts with the models in use; one judgement per pair, in order.

    The model is loaded by every call: give it many pairs at once, or keep an open `Lyra` and use its `judge`.
    """
    checked = _checked(pairs)
    return _judgements(chosen_models(read_settings({}, os.environ)), checked)


def _judgements(models: Models, pairs: Iterable[tuple[str, str]]) -> list[Judgement]:
    return [_judgement(one) for one in judge_texts(models.stance, models.specialists, _checked(pairs))]


def _checked(pairs: Iterable[object]) -> Sequence[tuple[str, str]]:
    checked: list[tuple[str, str]] = []
    for position, pair in enumerate(pairs, start=1):
        match pair:
            case (str(fragment), str(claim)):
                checked.append((fragment, claim))
            case _:
                raise InvalidInput("bad_pair", position=position)
    return checked


def _judgement(stance: Stance) -> Judgement:
    return Judgement(stance.label, stance.nli_confidence, stance.supports, stance.refutes, stance.neutral)
