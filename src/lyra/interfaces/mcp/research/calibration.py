"""calibration_metrics and calibration_rollback: how well judgements do, from what people said, and the way back."""

from lyra.core.errors import NotFound
from lyra.core.messages import render
from lyra.core.records import ModelInfo
from lyra.interfaces.calibration_presenter import measured_json, rolled_back_json
from lyra.interfaces.mcp.arguments import CalibrationMetrics, CalibrationRollback
from lyra.interfaces.mcp.calls import Call
from lyra.interfaces.mcp.desk import Desk
from lyra.interfaces.mcp.fitting import budget_of, fit_lists
from lyra.interfaces.mcp.shapes_calibration import MetricsAnswer, RollbackAnswer
from lyra.interfaces.mcp.toolbox import Hints, Tool
from lyra.interfaces.presenter import Json
from lyra.workflows import calibration

_CUTTABLE = ("sources", "evaluations", "events")


async def calibration_metrics(call: Call, given: CalibrationMetrics) -> Json:
    """Measure judgements against what people said."""
    return await call.in_thread(lambda: _measure(call.desk, given))


def _measure(desk: Desk, given: CalibrationMetrics) -> Json:
    with desk.store() as store:
        measured = calibration.calibration_metrics(store, given.action, given.source, given.limit)
    shown, omitted = fit_lists(measured_json(measured), _CUTTABLE, budget_of(given.max_kb))
    return {**shown, "omitted": omitted}


async def calibration_rollback(call: Call, given: CalibrationRollback) -> Json:
    """Return to an earlier calibration, with the user's word."""
    question = render("text.mcp_ask_rollback", call.desk.lang, version=given.version)
    await call.in_thread(lambda: _refuse_unknown(call.desk, given))
    await call.confirmed(given.confirm, question)
    return await call.in_thread(lambda: _roll_back(call.desk, given))


def _refuse_unknown(desk: Desk, given: CalibrationRollback) -> None:
    """Raise what the rollback would raise, before the user is asked."""
    with desk.store() as store, store.rehearsal():
        calibration.calibration_rollback(store, given.version, _judge(desk, given.source), given.reason)


def _roll_back(desk: Desk, given: CalibrationRollback) -> Json:
    with desk.store() as store:
        return rolled_back_json(calibration.calibration_rollback(store, given.version, _judge(desk, given.source), given.reason))


def _judge(desk: Desk, name: str | None) -> ModelInfo:
    """Return the judge in use that a name means; without a name, the general one."""
    judges = [info for info in desk.models.infos() if info.kind == "stance"]
    for info in judges:
        if name is None or name in (info.name, f"{info.name}/{info.version}"):
            return info
    known = ", ".join(f"{info.name}/{info.version}" for info in judges)
    raise NotFound("unknown_calibration_source", source=name, known=known)


CALIBRATION_METRICS = Tool("calibration_metrics", CalibrationMetrics, MetricsAnswer, Hints(read_only=False), calibration_metrics)
CALIBRATION_ROLLBACK = Tool(
    "calibration_rollback",
    CalibrationRollback,
    RollbackAnswer,
    Hints(read_only=False, destructive=True, idempotent=True),
    calibration_rollback,
)
