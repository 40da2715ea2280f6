"""Calibration on what people said: what there is, how well judgements do, fitting a calibrator, and going back.

Samples are the right answers that feedback keeps; nothing is taken from outside. No stored edge is ever changed: a calibrator
holds for judgements made after it.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from lyra.core.calibration_fit import Fit, fit
from lyra.core.calibration_metrics import Answered, measure
from lyra.core.calibration_records import (
    SHIPPED,
    CalibrationEvent,
    Evaluation,
    FittedCalibration,
    NewCalibration,
    Source,
    SourceStats,
)
from lyra.core.dependence import RETRACTION
from lyra.core.errors import InvalidInput, NotFound
from lyra.core.records import ModelInfo
from lyra.core.samples import NliSample
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.reasons import check_reason

METRICS_ACTIONS = ("get_stats", "evaluate", "get_evaluations")
MAX_EVALUATIONS = 1_000


@dataclass(frozen=True, slots=True)
class Measured:
    """The answer of `calibration_metrics`; which part is filled depends on the action."""

    action: str
    stats: tuple[SourceStats, ...] = ()
    evaluations: tuple[Evaluation, ...] = ()
    events: tuple[CalibrationEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class Fitted:
    """What came of a fit. `left_out` samples were judged on another calibration of the model and cannot be compared."""

    source: Source
    outcome: Fit
    left_out: int = 0
    applied: FittedCalibration | None = None
    in_force: str | None = None


@dataclass(frozen=True, slots=True)
class RolledBack:
    """What came of going back. `event` is None where that version was in force already."""

    source: Source
    in_force: str | None
    event: CalibrationEvent | None


def calibration_metrics(store: EvidenceStore, action: str, source: str | None = None, limit: int = 50) -> Measured:
    """Measure. `get_stats` and `get_evaluations` read only; `evaluate` keeps its result in the history.

    `source` is a model's name, or name and version as in `model/1`; without one, all are meant. Raises InvalidInput for an
    unknown action, a limit out of range, or no samples to evaluate; NotFound for a source without samples.
    """
    if action not in METRICS_ACTIONS:
        raise InvalidInput("unknown_calibration_action", action=action, known=", ".join(METRICS_ACTIONS))
    if not 1 <= limit <= MAX_EVALUATIONS:
        raise InvalidInput("calibration_limit", limit=limit, most=MAX_EVALUATIONS)
    if action == "get_stats":
        with store.reading():
            return Measured(action, stats=tuple(_stats(store, source)))
    if action == "get_evaluations":
        with store.reading():
            wanted = {one.name for one in _chosen(store, source)} if source else None
            kept = [one for one in store.calibrations.evaluations() if wanted is None or one.source.name in wanted]
            return Measured(action, evaluations=tuple(kept[:limit]), events=tuple(store.calibrations.events(limit)))
    by_source = _by_source(store)
    if not by_source:
        raise InvalidInput("calibration_no_samples")
    with store.transaction():
        found = [
            store.calibrations.keep_evaluation(one, measure([_answered(sample) for sample in by_source[one]]))
            for one in _matching(by_source, source)
        ]
        stats = tuple(_stats(store, source))
    return Measured(action, stats=stats, evaluations=tuple(found))


def calibration_fit(store: EvidenceStore, model: ModelInfo) -> Fitted:
    """Fit a calibrator to a model's samples, and put it in force if it is better. One transaction.

    It is fitted to what the model said by itself: what an earlier calibrator did to a sample is undone first. It must be
    better than the calibrator in force.
    """
    source = Source(model.name, model.version)
    with store.transaction():
        known = {one.calibration.version: one for one in store.calibrations.all(source)}
        samples = _by_source(store).get(source, [])
        usable = [answer for sample in samples if (answer := _by_itself(sample, model, known)) is not None]
        outcome = fit(usable, store.calibrations.in_force(model))
        applied = None
        if outcome.chosen is not None:
            chosen, base = outcome.chosen, model.calibration_version
            new = NewCalibration(source, chosen.kind, chosen.parameters, base, len(usable), fit_report(outcome))
            applied = store.calibrations.apply(new)
        return Fitted(source, outcome, len(samples) - len(usable), applied, store.calibrations.version_in_force(source))


def calibration_rollback(store: EvidenceStore, version: str, model: ModelInfo, reason: str | None = None) -> RolledBack:
    """Return to an earlier calibration version; `shipped` is the model as it came. Idempotent. One transaction.

    New judgements then have, bit for bit, the numbers they had under that version. `model` is the one that `shipped`
    speaks of. Raises NotFound for an unknown version, naming those there are.
    """
    said = None if reason is None else check_reason(reason)
    with store.transaction():
        if version in {SHIPPED, model.calibration_version}:
            source, wanted = Source(model.name, model.version), None
        else:
            source, wanted = store.calibrations.fitted(version).source, version
        event = store.calibrations.roll_back(source, wanted, said)
    return RolledBack(source, wanted, event)


def fit_report(outcome: Fit) -> dict[str, object]:
    """Return the cross-validated numbers of a fit, before and after, as they are kept and shown."""

    def numbers(metrics: object) -> dict[str, object]:
        return {name: getattr(metrics, name) for name in ("brier", "log_loss", "ece", "accuracy")}

    return {
        "before": None if outcome.before is None else numbers(outcome.before),
        "candidates": [
            {"kind": one.kind, "parameters": list(one.parameters), "is_better": one.is_better, "after": numbers(one.after)}
            for one in outcome.candidates
        ],
    }


def _by_source(store: EvidenceStore) -> dict[Source, list[NliSample]]:
    """Return the newest answer about each edge, by who judged it. Edges that a rule made are no judgements."""
    newest = {sample.edge_id: sample for sample in store.corrections.samples() if sample.model != RETRACTION}
    found: dict[Source, list[NliSample]] = {}
    for sample in newest.values():
        found.setdefault(Source(sample.model, sample.model_version), []).append(sample)
    return found


def _answered(sample: NliSample) -> Answered:
    return Answered(sample.probabilities, sample.predicted_label, sample.correct_label, sample.claim_id)


def _by_itself(sample: NliSample, model: ModelInfo, known: dict[str, FittedCalibration]) -> Answered | None:
    """Return a sample as the model judged it before any fitted calibrator; None where it stood on another calibration."""
    if sample.calibration_version == model.calibration_version:
        return _answered(sample)
    fitted = known.get(sample.calibration_version or "")
    if fitted is None or fitted.base_version != model.calibration_version:
        return None
    given = fitted.calibration.undo(sample.probabilities, sample.predicted_label)
    return Answered(given, sample.predicted_label, sample.correct_label, sample.claim_id)


def _stats(store: EvidenceStore, source: str | None) -> list[SourceStats]:
    by_source = _by_source(store)
    evaluations = store.calibrations.evaluations()
    return [
        SourceStats(
            source=one,
            sample_count=len(by_source.get(one, ())),
            confirmed_count=sum(sample.predicted_label is sample.correct_label for sample in by_source.get(one, ())),
            by_calibration=Counter(sample.calibration_version for sample in by_source.get(one, ())),
            in_force=store.calibrations.version_in_force(one),
            versions=tuple(fitted.calibration.version for fitted in store.calibrations.all(one)),
            latest=next((evaluation for evaluation in evaluations if evaluation.source == one), None),
        )
        for one in _chosen(store, source)
    ]


def _chosen(store: EvidenceStore, source: str | None) -> list[Source]:
    return _matching({*_by_source(store), *(one.source for one in store.calibrations.all())}, source)


def _matching(known: Iterable[Source], source: str | None) -> list[Source]:
    ordered = sorted(known, key=lambda one: one.name)
    found = [one for one in ordered if source is None or source in (one.model, one.name)]
    if source is not None and not found:
        raise NotFound("unknown_calibration_source", source=source, known=", ".join(one.name for one in ordered) or "-")
    return found
