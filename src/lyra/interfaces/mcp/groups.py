"""The groups of tools. Research is always meant unless others are named; each group is a module of its own."""

from collections.abc import Callable
from difflib import get_close_matches

from lyra.core.errors import InvalidInput
from lyra.interfaces.mcp.toolbox import Tool


def _research() -> tuple[Tool, ...]:
    from lyra.interfaces.mcp.research import TOOLS  # noqa: PLC0415 - a group that is not asked for is not loaded

    return TOOLS


def _cases() -> tuple[Tool, ...]:
    from lyra.interfaces.mcp.cases_group import TOOLS  # noqa: PLC0415 - as above

    return TOOLS


def _reports() -> tuple[Tool, ...]:
    from lyra.interfaces.mcp.reports_group import TOOLS  # noqa: PLC0415 - as above

    return TOOLS


GROUPS: dict[str, Callable[[], tuple[Tool, ...]]] = {"research": _research, "cases": _cases, "reports": _reports}


def chosen_tools(names: str) -> tuple[Tool, ...]:
    """Return the tools of the groups in a list with commas. Raises InvalidInput for a name that is no group."""
    wanted = list(dict.fromkeys(part.strip() for part in names.split(",") if part.strip()))
    for name in wanted:
        if name not in GROUPS:
            nearest = get_close_matches(name, list(GROUPS), n=1, cutoff=0.0)[0]
            raise InvalidInput("mcp_unknown_group", name=name, nearest=nearest, known=", ".join(GROUPS))
    if not wanted:
        raise InvalidInput("mcp_no_group", known=", ".join(GROUPS))
    return tuple(tool for name in wanted for tool in GROUPS[name]())
