"""The tree of commands: help in the language of the call, and the options that every command takes."""

import functools
import inspect
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Annotated, Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup

from lyra.core.errors import InvalidInput
from lyra.core.messages import codes
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.layout import two_columns, wrapped
from lyra.interfaces.cli.output import PLAIN_WIDTH, width, write_text

Action = Callable[..., int]

# Help texts are message codes; they become sentences when help is shown.
HomeOption = Annotated[str | None, typer.Option("--home", metavar="DIR", help="help.option_home")]
JsonOption = Annotated[bool, typer.Option("--json", help="help.option_json")]
LangOption = Annotated[str | None, typer.Option("--lang", metavar="LANG", help="help.option_lang")]
_COMMON = {"home": (HomeOption, None), "json_": (JsonOption, False), "lang": (LangOption, None)}


def with_common_options(action: Action) -> Action:
    """Return the action as a command: it is called with the Invocation, and `--home`, `--json` and `--lang` are declared.

    Their values have been read by then (see `prepare`), so the action does not get them.
    """
    signature = inspect.signature(action)
    call, *own = signature.parameters.values()

    @functools.wraps(action)
    def command(**values: Any) -> int:
        context: typer.Context = values.pop("ctx")
        for name in _COMMON:
            values.pop(name)
        return action(context.obj, **values)

    keyword = inspect.Parameter.KEYWORD_ONLY
    common = [inspect.Parameter(name, keyword, annotation=kind, default=default) for name, (kind, default) in _COMMON.items()]
    context = call.replace(name="ctx", annotation=typer.Context, kind=keyword)
    declared = [context, *(parameter.replace(kind=keyword) for parameter in own), *common]
    command.__signature__ = signature.replace(parameters=declared)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in declared}
    return command


class _AsGiven:
    """Takes texts as they are.

    Every parameter here is a text, several texts or a switch. The parser's own conversion would load pydantic,
    which takes longer than all the rest of a short command.
    """

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value; a parameter that takes several gives an empty tuple when it is absent."""
        several = param.multiple or param.nargs != 1
        return () if value is None and several else value


def _taken_as_given(declared: Sequence[Any]) -> list[Any]:
    for param in declared:
        param.get_runtime_param = _AsGiven
    return list(declared)


def _written_by_us(option: Any) -> Any:
    option.callback = _show_help
    return option


def _show_help(ctx: Any, _: Any, wanted: bool) -> None:
    if wanted:
        write_text(ctx.get_help())
        raise typer.Exit(0)


class LyraCommand(TyperCommand):
    """A command whose help comes from the catalogues."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, `--help` included."""
        return _taken_as_given(super().get_params(ctx))

    def get_help_option(self, ctx: Any) -> Any:
        """Return `--help`."""
        return _written_by_us(super().get_help_option(ctx))

    def get_help(self, ctx: Any) -> str:
        """Return the help text for the language of the call."""
        return _help(self, ctx)


class LyraGroup(TyperGroup):
    """A group whose help comes from the catalogues, and which names the nearest command for one it does not have."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, `--help` included."""
        return _taken_as_given(super().get_params(ctx))

    def get_help_option(self, ctx: Any) -> Any:
        """Return `--help`."""
        return _written_by_us(super().get_help_option(ctx))

    def get_help(self, ctx: Any) -> str:
        """Return the help text for the language of the call."""
        return _help(self, ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find a command, or raise InvalidInput with the nearest name."""
        name = args[0]
        if name not in self.commands and not name.startswith("-"):
            nearest = get_close_matches(name, list(self.commands), n=1, cutoff=0.0)[0]
            raise InvalidInput("unknown_command", name=name, nearest=nearest, command=ctx.command_path)
        return super().resolve_command(ctx, args)


def help_when_alone(ctx: typer.Context, home: HomeOption = None, json_: JsonOption = False, lang: LangOption = None) -> None:
    """Write the help of a group that was called without a command."""
    if ctx.invoked_subcommand is None:
        write_text(ctx.get_help())


def _help(command: TyperCommand | TyperGroup, ctx: Any) -> str:
    call: Invocation = ctx.obj
    columns = min(width(call.environ), PLAIN_WIDTH) - 4  # Japanese punctuation hangs over by as much
    pieces = " ".join(piece for param in command.params for piece in _usage_pieces(param))
    usage = [ctx.command_path, "[OPTIONS]", pieces, "COMMAND …" if isinstance(command, TyperGroup) else ""]
    lines = [call.say("help.usage", usage=" ".join(part for part in usage if part)), ""]
    lines += [f"  {line}" for line in wrapped(call.say(command.help or "help.lyra"), columns - 2)]
    if isinstance(command, TyperGroup):
        rows = [(name, call.say(f"{inner.help}")) for name, inner in command.commands.items()]
        lines += ["", call.say("help.commands"), *two_columns(rows, columns)]
    arguments = [param for param in command.params if isinstance(param, TyperArgument)]
    if arguments:
        rows = [(_argument_name(param), call.say(f"{param.help}")) for param in arguments]
        lines += ["", call.say("help.arguments"), *two_columns(rows, columns)]
    rows = [(_option_name(param), call.say(f"{param.help}")) for param in _options(command)]
    lines += ["", call.say("help.options"), *two_columns([*rows, ("--help", call.say("help.option_help"))], columns)]
    if f"{command.help}_examples" in codes():
        lines += ["", call.say("help.examples")]
        lines += [f"  {line}" for line in call.say(f"{command.help}_examples").splitlines()]
    return "\n".join(lines)


def _options(command: TyperCommand | TyperGroup) -> list[Any]:
    return [param for param in command.params if not isinstance(param, TyperArgument)]


def _argument_name(param: TyperArgument) -> str:
    return f"{param.metavar}{'…' if param.nargs != 1 else ''}"


def _usage_pieces(param: object) -> list[str]:
    if not isinstance(param, TyperArgument):
        return []
    name = _argument_name(param)
    return [name if param.required else f"[{name}]"]


def _option_name(param: Any) -> str:
    return " ".join([*param.opts, *([] if param.is_flag else [param.metavar])])
