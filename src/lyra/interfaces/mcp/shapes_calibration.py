"""What calibration_metrics and calibration_rollback give."""

from typing import Literal

from lyra.interfaces.mcp.shapes import Answer, Shape


class Bin(Shape):
    """One bar of the reliability diagram."""

    lower: float
    upper: float
    count: int
    mean_confidence: float | None
    accuracy: float | None


class ClassFound(Shape):
    """How one label does."""

    label: str
    support: int
    predicted: int
    precision: float | None
    recall: float | None


class Evaluation(Shape):
    """What the samples of a source came to at one moment."""

    evaluation_id: str
    source: str
    calibration_version: str
    evaluated_at: str
    sample_count: int
    accuracy: float | None
    brier: float | None
    log_loss: float | None
    ece: float | None
    mean_confidence: float | None
    bins: list[Bin]
    classes: list[ClassFound]


class SourceStats(Shape):
    """One source of judgements: its samples and its calibration."""

    source: str
    sample_count: int
    confirmed_count: int
    samples_by_calibration: dict[str, int]
    calibration_in_force: str
    calibration_versions: list[str]
    latest_evaluation: Evaluation | None


class CalibrationEvent(Shape):
    """A change of what is in force."""

    event_id: str
    source: str
    event_type: str
    calibration_version: str
    previous_version: str
    reason: str | None
    created_at: str


class MetricsAnswer(Answer):
    """Samples, evaluations or history, by the action."""

    action: Literal["get_stats", "evaluate", "get_evaluations"]
    sources: list[SourceStats]
    evaluations: list[Evaluation]
    events: list[CalibrationEvent]
    omitted: dict[str, int]


class RollbackAnswer(Answer):
    """Which calibration is in force now."""

    source: str
    changed: bool
    calibration_in_force: str
    event: CalibrationEvent | None
