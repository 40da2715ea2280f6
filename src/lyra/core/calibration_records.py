"""What is known about calibration: sources, versions, events and evaluations."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lyra.core.calibration import Calibration
from lyra.core.calibration_metrics import Metrics

# Names the model as it came, where a version is asked for.
SHIPPED = "shipped"


@dataclass(frozen=True, slots=True)
class Source:
    """Who judged: a model in one version. Calibration is per source."""

    model: str
    model_version: str

    @property
    def name(self) -> str:
        """The source as people see it."""
        return f"{self.model}/{self.model_version}"


@dataclass(frozen=True, slots=True)
class NewCalibration:
    """A calibrator that has no version yet."""

    source: Source
    kind: str
    parameters: tuple[float, ...]
    base_version: str | None
    sample_count: int
    report: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class FittedCalibration:
    """A calibrator as it was fitted: on how many samples, standing on which calibration of the model itself, how well."""

    source: Source
    calibration: Calibration
    base_version: str | None
    sample_count: int
    report: Mapping[str, object]
    created_at: str


@dataclass(frozen=True, slots=True)
class CalibrationEvent:
    """One change of what is in force; a version of None stands for the model as it came."""

    event_id: str
    source: Source
    event_type: str
    calibration_version: str | None
    previous_version: str | None
    reason: str | None
    created_at: str


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the stored samples of a source came to at one moment. `calibration_version` was in force then."""

    evaluation_id: str
    source: Source
    calibration_version: str | None
    metrics: Metrics
    evaluated_at: str


@dataclass(frozen=True, slots=True)
class SourceStats:
    """One source: its samples by calibration, what is in force, and its newest evaluation."""

    source: Source
    sample_count: int
    confirmed_count: int
    by_calibration: Mapping[str | None, int] = field(default_factory=dict)
    in_force: str | None = None
    versions: tuple[str, ...] = ()
    latest: Evaluation | None = None

    @property
    def judged_otherwise(self) -> int:
        """How many samples were judged under another calibration than the one in force."""
        by_version = ((version if version in self.versions else None, count) for version, count in self.by_calibration.items())
        return sum(count for version, count in by_version if version != self.in_force)
