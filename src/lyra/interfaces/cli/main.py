"""The `lyra` command itself: builds the tree, runs one command, and turns every failure into one sentence."""

import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from lyra.app import ModelFactory, chosen_models, installed_version
from lyra.core.errors import LyraError
from lyra.interfaces.cli import (
    auth,
    backup,
    calibration,
    cases,
    cases_adjudicate,
    cases_agreement,
    cases_check,
    cases_classify,
    check,
    doctor,
    feedback,
    lens,
    library,
    materials,
    model_commands,
    policy,
    purge,
    query,
    rejudge,
    report,
    report_measure,
    report_run,
    serve,
    state,
    task,
    trace,
)
from lyra.interfaces.cli.exit_codes import EXIT_INTERRUPTED, EXIT_PIPE_CLOSED
from lyra.interfaces.cli.invocation import Invocation, prepare
from lyra.interfaces.cli.output import note, write_json, write_text
from lyra.interfaces.cli.streams import prepare_streams, silence, write_err
from lyra.interfaces.cli.tree import (
    Action,
    HomeOption,
    JsonOption,
    LangOption,
    LyraCommand,
    LyraGroup,
    help_when_alone,
    with_common_options,
)
from lyra.interfaces.cli.usage import usage_problem
from lyra.interfaces.presenter import document, error_json
from lyra.interfaces.untrusted import on_one_line, readable

PROGRAM = "lyra"


def run(
    argv: Sequence[str] | None = None,
    models: ModelFactory = chosen_models,
    environ: Mapping[str, str] | None = None,
) -> int:
    """Run one command and return its exit code: 0 fine, 1 the answer is no, 2 bad input, 3 a dependency failed.

    Every failure is one sentence on stderr and, with `--json`, one JSON value on stdout. A traceback is shown
    only for a bug, and only with LYRA_DEBUG=1.
    """
    prepare_streams()
    arguments = [readable(argument) for argument in (sys.argv[1:] if argv is None else argv)]
    call = prepare(arguments, os.environ if environ is None else environ, models)
    try:
        return _run_guarded(call, arguments)
    except BrokenPipeError:
        silence(sys.stdout)
        return EXIT_PIPE_CLOSED


def _run_guarded(call: Invocation, arguments: list[str]) -> int:
    try:
        return _run_command(call, arguments)
    except LyraError as error:
        return _fail(call, error)
    except typer.TyperException as error:
        return _fail(call, usage_problem(error, PROGRAM))
    except (KeyboardInterrupt, typer.Abort):
        return _end(call, "interrupted", call.say("error.interrupted"), EXIT_INTERRUPTED)
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - the outermost handler: a bug ends in a sentence, too
        if call.environ.get("LYRA_DEBUG") == "1":
            write_err(traceback.format_exc())
        detail = on_one_line(f"{type(error).__name__}: {error}")
        return _fail(call, LyraError("internal", detail=detail))


def _run_command(call: Invocation, arguments: list[str]) -> int:
    root = build()
    try:
        with root.make_context(PROGRAM, arguments, obj=call) as context:
            code = root.invoke(context)
    except typer.Exit as ended:
        code = ended.exit_code
    return code if isinstance(code, int) else 0


def build() -> TyperGroup:
    """Return the tree of commands. Help texts are message codes, so that one tree serves both languages."""
    root = _group("help.lyra", _root)
    _add(root, "check", check.check)
    _add(root, "search", check.search)
    _add(root, "materials", materials.materials)
    _add(root, "query", query.query)
    _add(root, "lens", lens.lens)
    branches: dict[str, dict[str, Action]] = {
        "task": {
            "new": task.new,
            "list": task.list_,
            "show": task.show,
            "stop": task.stop,
            "delete": task.delete,
            "rejudge": rejudge.rejudge,
        },
        "library": {
            "add": library.add,
            "list": library.list_,
            "remove": library.remove,
            "text": library.text,
            "purge": purge.purge,
            "release": feedback.release,
        },
        "feedback": feedback.ACTIONS,
        "calibration": calibration.ACTIONS,
        "auth": {"list": auth.list_, "resolve": auth.resolve},
        "trace": {"claim": trace.claim, "edge": trace.edge, "domain": trace.domain},
        "models": {"list": model_commands.list_, "use": model_commands.use, "pull": model_commands.pull},
        "config": {"show": state.config_show, "domains": policy.domains},
        "cases": {
            "validate": cases.validate,
            "legal": cases.legal,
            "migrate": cases.migrate,
            "convert": cases.convert,
            "schema": cases.schema,
            "classify": cases_classify.classify,
            "check": cases_check.check,
            "agreement": cases_agreement.agreement,
            "adjudicate": cases_adjudicate.adjudicate,
            "list": cases_check.list_,
            "history": cases_check.history,
        },
        "report": {
            "build": report.build,
            "verify": report.verify,
            "accuracy": report_measure.accuracy,
            "feedback": report_measure.feedback,
            "factcheck": report_measure.factcheck,
            "run": report_run.run,
        },
    }
    for branch, actions in branches.items():
        group = _group(f"help.{branch}", help_when_alone)
        for name, action in actions.items():
            _add(group, name, action, prefix=f"{branch}_")
        root.add_typer(group, name=branch)
    _add(root, "work", check.work)
    _add(root, "status", state.status)
    _add(root, "doctor", doctor.doctor)
    _add(root, "mcp", serve.mcp)
    _add(root, "serve", serve.serve)
    _add(root, "backup", backup.backup)
    _add(root, "restore", backup.restore)
    tree = typer.main.get_command(root)
    if not isinstance(tree, TyperGroup):
        raise TypeError(tree)
    return tree


def _group(help_code: str, callback: Any) -> typer.Typer:
    group = typer.Typer(
        cls=LyraGroup,
        help=help_code,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        invoke_without_command=True,
    )
    group.callback(invoke_without_command=True, help=help_code, cls=LyraGroup)(callback)
    return group


def _add(group: typer.Typer, name: str, action: Action, prefix: str = "") -> None:
    group.command(name, cls=LyraCommand, help=f"help.{prefix}{name}")(with_common_options(action))


def _root(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="help.option_version")] = False,
    home: HomeOption = None,
    json_: JsonOption = False,
    lang: LangOption = None,
) -> None:
    if version:
        _write_version(ctx.obj)
        raise typer.Exit(0)
    help_when_alone(ctx)


def _write_version(call: Invocation) -> None:
    number = installed_version()
    if call.as_json:
        write_json(document(version=number))
    else:
        write_text(f"lyra {number}")


def _fail(call: Invocation, error: LyraError) -> int:
    return _end(call, error.code, on_one_line(error.sentence(call.lang)), error.exit_code)


def _end(call: Invocation, code: str, sentence: str, exit_code: int) -> int:
    note(sentence)
    if call.as_json:
        with suppress(LyraError):  # stdout itself may be what failed
            write_json(error_json(code, sentence))
    return exit_code
