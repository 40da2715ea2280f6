"""Fitted calibrators, which of them is in force, and the history of evaluations."""

import json
from dataclasses import asdict, replace

from lyra.core.calibration import Calibration
from lyra.core.calibration_metrics import Bin, ClassMetrics, Metrics
from lyra.core.calibration_records import SHIPPED, CalibrationEvent, Evaluation, FittedCalibration, NewCalibration, Source
from lyra.core.errors import NotFound
from lyra.core.records import ModelInfo, Relation
from lyra.store.database import Row, optional_text
from lyra.store.session import Session, to_json

_FITTED = """
    SELECT calibration_version, nli_model, nli_model_version, base_version, calibration_kind, parameters, sample_count, report,
           created_at
    FROM calibrations
"""
_EVENTS = """
    SELECT event_id, nli_model, nli_model_version, event_type, calibration_version, previous_version, reason, created_at
    FROM calibration_events
"""
_EVALUATIONS = """
    SELECT evaluation_id, nli_model, nli_model_version, calibration_version, metrics, evaluated_at FROM calibration_evaluations
"""


class Calibrations:
    """The calibrators of every source. Stored edges are never changed by any of this."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def in_force(self, model: ModelInfo) -> Calibration | None:
        """Return the calibrator that new judgements of a model go through; None leaves them as the model makes them."""
        version = self.version_in_force(Source(model.name, model.version))
        if version is None:
            return None
        found = self.fitted(version)
        # Another calibration of the model's own makes other numbers: what was fitted on top of the old one does not hold.
        return found.calibration if found.base_version == model.calibration_version else None

    def version_in_force(self, source: Source) -> str | None:
        """Return the version that was applied or rolled back to last; None for the model as it came."""
        row = self._database.row(
            "SELECT calibration_version FROM calibration_events WHERE nli_model = ? AND nli_model_version = ?"
            " ORDER BY event_seq DESC LIMIT 1",
            (source.model, source.model_version),
        )
        return None if row is None else optional_text(row[0])

    def named(self, model: ModelInfo) -> ModelInfo:
        """Return a model as its new judgements will name it: with the calibration in force."""
        found = self.in_force(model) if model.kind == "stance" else None
        return model if found is None else replace(model, calibration_version=found.version)

    def fitted(self, version: str) -> FittedCalibration:
        """Return a fitted calibrator. Raises NotFound, naming those there are."""
        row = self._database.row(f"{_FITTED} WHERE calibration_version = ?", (version,))
        if row is None:
            known = ", ".join([SHIPPED, *(one.calibration.version for one in self.all())])
            raise NotFound("unknown_calibration", version=version, known=known)
        return _fitted(row)

    def all(self, source: Source | None = None) -> list[FittedCalibration]:
        """Return the fitted calibrators, of one source or of all, oldest first."""
        rows = self._database.rows(f"{_FITTED} ORDER BY calibration_seq")
        return [one for one in map(_fitted, rows) if source is None or one.source == source]

    def apply(self, new: NewCalibration) -> FittedCalibration:
        """Keep a new calibrator and put it in force. One transaction."""
        with self._session.transaction():
            number = self._database.count("SELECT coalesce(max(calibration_seq), 0) + 1 FROM calibrations")
            version = f"fit-{number}"
            self._database.run(
                "INSERT INTO calibrations (calibration_version, nli_model, nli_model_version, base_version, calibration_kind,"
                " parameters, sample_count, report, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    version,
                    new.source.model,
                    new.source.model_version,
                    new.base_version,
                    new.kind,
                    json.dumps(new.parameters),
                    new.sample_count,
                    to_json(new.report),
                    self._session.now(),
                ),
            )
            self._put_in_force(new.source, "applied", version, None)
        return self.fitted(version)

    def roll_back(self, source: Source, version: str | None, reason: str | None) -> CalibrationEvent | None:
        """Put an earlier version, or the model as it came (None), in force; None if it is so already. One transaction."""
        with self._session.transaction():
            if self.version_in_force(source) == version:
                return None
            return self._put_in_force(source, "rolled_back", version, reason)

    def _put_in_force(self, source: Source, event_type: str, version: str | None, reason: str | None) -> CalibrationEvent:
        before, event_id, now = self.version_in_force(source), self._session.new_id("calibration"), self._session.now()
        self._database.run(
            "INSERT INTO calibration_events (event_id, nli_model, nli_model_version, event_type, calibration_version,"
            " previous_version, reason, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (event_id, source.model, source.model_version, event_type, version, before, reason, now),
        )
        payload = {"source": source.name, "from": before, "to": version, "reason": reason}
        self._session.log(f"calibration_{event_type}", None, payload, event_id)
        return CalibrationEvent(event_id, source, event_type, version, before, reason, now)

    def events(self, limit: int) -> list[CalibrationEvent]:
        """Return what changed, newest first."""
        return [_event(row) for row in self._database.rows(f"{_EVENTS} ORDER BY event_seq DESC LIMIT ?", (limit,))]

    def keep_evaluation(self, source: Source, metrics: Metrics) -> Evaluation:
        """Keep what samples came to. One transaction."""
        with self._session.transaction():
            evaluation_id, now, version = self._session.new_id("evaluation"), self._session.now(), self.version_in_force(source)
            self._database.run(
                "INSERT INTO calibration_evaluations (evaluation_id, nli_model, nli_model_version, calibration_version,"
                " sample_count, metrics, evaluated_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    evaluation_id,
                    source.model,
                    source.model_version,
                    version,
                    metrics.sample_count,
                    json.dumps(asdict(metrics)),
                    now,
                ),
            )
        return Evaluation(evaluation_id, source, version, metrics, now)

    def evaluations(self) -> list[Evaluation]:
        """Return the evaluations of every source, newest first."""
        return [_evaluation(row) for row in self._database.rows(f"{_EVALUATIONS} ORDER BY evaluation_seq DESC")]


def _fitted(row: Row) -> FittedCalibration:
    version, model, model_version, base, kind, parameters, count, report, created_at = row
    values = tuple(float(value) for value in json.loads(str(parameters)))
    return FittedCalibration(
        source=Source(str(model), str(model_version)),
        calibration=Calibration(str(version), str(kind), values),
        base_version=optional_text(base),
        sample_count=int(count or 0),
        report=json.loads(str(report)),
        created_at=str(created_at),
    )


def _event(row: Row) -> CalibrationEvent:
    event_id, model, model_version, event_type, version, before, reason, created_at = row
    return CalibrationEvent(
        str(event_id),
        Source(str(model), str(model_version)),
        str(event_type),
        optional_text(version),
        optional_text(before),
        optional_text(reason),
        str(created_at),
    )


def _evaluation(row: Row) -> Evaluation:
    evaluation_id, model, model_version, version, metrics, evaluated_at = row
    source = Source(str(model), str(model_version))
    return Evaluation(str(evaluation_id), source, optional_text(version), _metrics(json.loads(str(metrics))), str(evaluated_at))


def _metrics(data: dict[str, object]) -> Metrics:
    """Return metrics from the JSON of `asdict`."""
    bins, classes = data.pop("bins"), data.pop("classes")
    assert isinstance(bins, list)
    assert isinstance(classes, list)
    numbers = {name: value for name, value in data.items() if isinstance(value, int | float)}
    return Metrics(
        sample_count=int(numbers.pop("sample_count")),
        **{name: float(value) for name, value in numbers.items()},
        bins=tuple(Bin(**one) for one in bins),
        classes=tuple(ClassMetrics(**{**one, "label": Relation(one["label"])}) for one in classes),
    )
