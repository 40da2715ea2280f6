"""Wrong usage: what the parser complains about, as errors that read in both languages."""

import re
from typing import Any

import typer

from lyra.core.errors import InvalidInput


def usage_problem(error: typer.TyperException, program: str) -> InvalidInput:
    """Return a complaint of the parser as one of ours. The parser's classes are private, so they are told by name."""
    details: Any = error
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else program
    kind = type(error).__name__
    if kind == "NoSuchOption":
        return _unknown_option(details.option_name, sorted(details.possibilities or ()), command)
    if kind == "BadOptionUsage":
        return InvalidInput("missing_value", name=details.option_name, command=command)
    if kind == "MissingParameter":
        return InvalidInput("missing_argument", name=_parameter_name(details.param), command=command)
    if kind == "BadParameter":
        return InvalidInput("bad_value", name=_parameter_name(details.param), detail=error.message, command=command)
    if extra := re.search(r"unexpected extra argument\S* \((.*)\)$", error.message, re.DOTALL):
        return InvalidInput("extra_argument", detail=extra[1], command=command)
    return InvalidInput("usage", detail=error.message, command=command)


def _unknown_option(name: str, near: list[str], command: str) -> InvalidInput:
    if near:
        return InvalidInput("unknown_option_near", name=name, nearest=near[0], command=command)
    return InvalidInput("unknown_option", name=name, command=command)


def _parameter_name(parameter: Any) -> str:
    if parameter is None:
        return "?"
    return str(parameter.opts[0] if parameter.param_type_name == "option" else parameter.metavar)
