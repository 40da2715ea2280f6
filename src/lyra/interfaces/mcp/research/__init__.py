"""The research tools, one module for each thing they are about."""

from lyra.interfaces.mcp.research import auth, calibration, checking, feedback, materials, query, status, tasks
from lyra.interfaces.mcp.toolbox import Tool

TOOLS: tuple[Tool, ...] = (
    tasks.CREATE_TASK,
    checking.CHECK_CLAIMS,
    checking.SEARCH,
    status.GET_STATUS,
    materials.GET_MATERIALS,
    query.QUERY_EVIDENCE,
    tasks.STOP_TASK,
    feedback.FEEDBACK,
    calibration.CALIBRATION_METRICS,
    calibration.CALIBRATION_ROLLBACK,
    auth.GET_AUTH_QUEUE,
    auth.RESOLVE_AUTH,
)
