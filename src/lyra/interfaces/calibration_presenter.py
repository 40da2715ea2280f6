"""Calibration as JSON-ready values and as lines for people: shared by the command, MCP and the web page."""

from collections.abc import Sequence

from lyra.core.calibration_metrics import Metrics
from lyra.core.calibration_records import SHIPPED, CalibrationEvent, Evaluation, FittedCalibration, SourceStats
from lyra.core.messages import render
from lyra.interfaces.presenter import Json, document
from lyra.workflows.calibration import Fitted, Measured, RolledBack, fit_report

_DECIMALS = 6
_CELLS = 20


def measured_json(measured: Measured) -> Json:
    """Return the answer of `calibration_metrics`."""
    return document(
        action=measured.action,
        sources=[_stats_json(one) for one in measured.stats],
        evaluations=[evaluation_json(one) for one in measured.evaluations],
        events=[_event_json(one) for one in measured.events],
    )


def evaluation_json(evaluation: Evaluation) -> Json:
    """Return one evaluation with its bins and classes."""
    return {
        "evaluation_id": evaluation.evaluation_id,
        "source": evaluation.source.name,
        "calibration_version": evaluation.calibration_version or SHIPPED,
        "evaluated_at": evaluation.evaluated_at,
        **_metrics_json(evaluation.metrics),
    }


def _metrics_json(metrics: Metrics) -> Json:
    return {
        "sample_count": metrics.sample_count,
        **{name: _round(getattr(metrics, name)) for name in ("accuracy", "brier", "log_loss", "ece", "mean_confidence")},
        "bins": [
            {
                "lower": _round(one.lower),
                "upper": _round(one.upper),
                "count": one.count,
                "mean_confidence": _round(one.mean_confidence),
                "accuracy": _round(one.accuracy),
            }
            for one in metrics.bins
        ],
        "classes": [
            {
                "label": one.label.value,
                "support": one.support,
                "predicted": one.predicted,
                "precision": _round(one.precision),
                "recall": _round(one.recall),
            }
            for one in metrics.classes
        ],
    }


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, _DECIMALS)


def _stats_json(stats: SourceStats) -> Json:
    return {
        "source": stats.source.name,
        "sample_count": stats.sample_count,
        "confirmed_count": stats.confirmed_count,
        "samples_by_calibration": {version or "-": count for version, count in stats.by_calibration.items()},
        "calibration_in_force": stats.in_force or SHIPPED,
        "calibration_versions": [SHIPPED, *stats.versions],
        "latest_evaluation": None if stats.latest is None else evaluation_json(stats.latest),
    }


def _event_json(event: CalibrationEvent) -> Json:
    return {
        "event_id": event.event_id,
        "source": event.source.name,
        "event_type": event.event_type,
        "calibration_version": event.calibration_version or SHIPPED,
        "previous_version": event.previous_version or SHIPPED,
        "reason": event.reason,
        "created_at": event.created_at,
    }


def fitted_json(fitted: Fitted) -> Json:
    """Return what came of a fit."""
    return document(
        source=fitted.source.name,
        applied=fitted.applied is not None,
        reason_code=fitted.outcome.reason.value,
        sample_count=fitted.outcome.sample_count,
        left_out=fitted.left_out,
        calibration_in_force=fitted.in_force or SHIPPED,
        calibration=None if fitted.applied is None else _fitted_json(fitted.applied),
        **fit_report(fitted.outcome),
    )


def _fitted_json(fitted: FittedCalibration) -> Json:
    return {
        "calibration_version": fitted.calibration.version,
        "kind": fitted.calibration.kind,
        "parameters": list(fitted.calibration.parameters),
        "base_version": fitted.base_version,
        "sample_count": fitted.sample_count,
        "created_at": fitted.created_at,
    }


def rolled_back_json(answer: RolledBack) -> Json:
    """Return what came of going back."""
    return document(
        source=answer.source.name,
        changed=answer.event is not None,
        calibration_in_force=answer.in_force or SHIPPED,
        event=None if answer.event is None else _event_json(answer.event),
    )


def evaluations_lines(measured: Measured, lang: str) -> list[str]:
    """Return evaluations for people, with a word on judgements that were made under another calibration."""
    stats = {one.source: one for one in measured.stats}
    lines: list[str] = []
    for evaluation in measured.evaluations:
        lines += ["", *evaluation_lines(evaluation, lang)] if lines else evaluation_lines(evaluation, lang)
        about = stats.get(evaluation.source)
        if about is not None and about.judged_otherwise:
            version = about.in_force or SHIPPED
            lines.append(render("text.calibration_as_judged", lang, count=about.judged_otherwise, version=version))
    return lines


def evaluation_lines(evaluation: Evaluation, lang: str) -> list[str]:
    """Return an evaluation for people: its numbers, its classes, and the reliability diagram in characters."""
    metrics = evaluation.metrics
    version = evaluation.calibration_version or SHIPPED
    lines = [
        render("text.calibration_head", lang, source=evaluation.source.name, count=metrics.sample_count, version=version),
        render(
            "text.calibration_numbers",
            lang,
            accuracy=f"{metrics.accuracy:.3f}",
            confidence=f"{metrics.mean_confidence:.3f}",
            brier=f"{metrics.brier:.3f}",
            loss=f"{metrics.log_loss:.3f}",
            ece=f"{metrics.ece:.3f}",
        ),
    ]
    lines += [
        render(
            "text.calibration_class",
            lang,
            label=render(f"label.{one.label.value}", lang),
            support=one.support,
            precision=_shown(one.precision),
            recall=_shown(one.recall),
        )
        for one in metrics.classes
    ]
    lines.append(render("text.calibration_bins", lang))
    for one in metrics.bins:
        if one.accuracy is not None and one.mean_confidence is not None:
            bar = "█" * round(one.accuracy * _CELLS)
            numbers = f"{one.count:>5}  {one.mean_confidence:.3f}  {one.accuracy:.3f}"
            lines.append(f"  {one.lower:.1f}–{one.upper:.1f}  {numbers}  {bar}".rstrip())
    return lines


def stats_lines(stats: Sequence[SourceStats], lang: str) -> list[str]:
    """Return the sources for people."""
    if not stats:
        return [render("text.calibration_no_sources", lang)]
    lines = []
    for one in stats:
        lines.append(
            render(
                "text.calibration_source",
                lang,
                source=one.source.name,
                count=one.sample_count,
                confirmed=one.confirmed_count,
                version=one.in_force or SHIPPED,
            )
        )
        if one.latest is not None:
            metrics = one.latest.metrics
            latest = {"at": one.latest.evaluated_at, "brier": f"{metrics.brier:.3f}", "ece": f"{metrics.ece:.3f}"}
            lines.append("  " + render("text.calibration_latest", lang, **latest))
    return lines


def history_lines(measured: Measured, lang: str) -> list[str]:
    """Return evaluations and changes for people, newest first."""
    if not measured.evaluations and not measured.events:
        return [render("text.calibration_no_history", lang)]
    lines = [
        render(
            "text.calibration_evaluation",
            lang,
            at=one.evaluated_at,
            source=one.source.name,
            version=one.calibration_version or SHIPPED,
            count=one.metrics.sample_count,
            brier=f"{one.metrics.brier:.3f}",
            ece=f"{one.metrics.ece:.3f}",
        )
        for one in measured.evaluations
    ]
    lines += [
        render(
            f"text.calibration_{one.event_type}",
            lang,
            at=one.created_at,
            source=one.source.name,
            version=one.calibration_version or SHIPPED,
            previous=one.previous_version or SHIPPED,
        )
        + (f" ({one.reason})" if one.reason else "")
        for one in measured.events
    ]
    return lines


def fitted_lines(fitted: Fitted, lang: str) -> list[str]:
    """Return what came of a fit for people."""
    outcome = fitted.outcome
    lines = []
    if fitted.left_out:
        lines.append(render("text.calibration_left_out", lang, count=fitted.left_out))
    if outcome.before is not None and outcome.candidates:
        shown = [("label.calibration_before", outcome.before)]
        shown += [(f"label.calibration_{one.kind}", one.after) for one in outcome.candidates]
        lines += [
            f"  {render(code, lang)}: Brier {metrics.brier:.4f}, ECE {metrics.ece:.4f}, log loss {metrics.log_loss:.4f}"
            for code, metrics in shown
        ]
    version = fitted.in_force or SHIPPED
    words = {"source": fitted.source.name, "count": outcome.sample_count, "version": version}
    lines.append(render(f"text.calibration_fit_{outcome.reason.value}", lang, **words))
    return lines


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
