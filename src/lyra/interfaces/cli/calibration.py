"""`lyra calibration`: how well judgements agree with what people said, and whether their confidence says so."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lyra.app import open_reading_store
from lyra.core.calibration_records import SHIPPED
from lyra.core.errors import EXIT_NO, EXIT_OK, InvalidInput, LyraError, NotFound
from lyra.core.records import ModelInfo
from lyra.interfaces.cli.feedback import ReasonOption
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.numbers import whole_number
from lyra.interfaces.cli.output import refuse_bad_place, write_json, write_text

if TYPE_CHECKING:
    from lyra.workflows.calibration import Measured

_DEFAULT_SHOWN, _MOST_SHOWN = 50, 1_000

SourceOption = Annotated[str | None, typer.Option("--model", metavar="NAME", help="help.option_calibration_model")]
PictureOption = Annotated[str | None, typer.Option("--picture", metavar="FILE", help="help.option_calibration_picture")]
LimitOption = Annotated[str | None, typer.Option("--limit", metavar="N", help="help.option_calibration_limit")]


def stats(call: Invocation, *, model: SourceOption = None) -> int:
    """Show the samples of each source, and which calibration is in force."""
    from lyra.interfaces.calibration_presenter import measured_json, stats_lines  # noqa: PLC0415 - help needs none of this

    measured = _measure(call, "get_stats", model)
    if call.as_json:
        write_json(measured_json(measured))
    else:
        write_text("\n".join(stats_lines(measured.stats, call.lang)))
    return EXIT_OK


def evaluate(call: Invocation, *, model: SourceOption = None, picture: PictureOption = None) -> int:
    """Measure the judgements that people answered, and keep the result."""
    from lyra.interfaces.calibration_presenter import evaluations_lines, measured_json  # noqa: PLC0415 - as above

    _refuse_picture(picture)
    measured = _measure(call, "evaluate", model)
    _draw(call, picture, measured)
    if call.as_json:
        write_json(measured_json(measured))
        return EXIT_OK
    write_text("\n".join(evaluations_lines(measured, call.lang)))
    if picture is not None:
        write_text(call.say("text.calibration_picture_written", path=picture))
    return EXIT_OK


def history(call: Invocation, *, model: SourceOption = None, limit: LimitOption = None, picture: PictureOption = None) -> int:
    """Show earlier evaluations, and what was put in force when."""
    from lyra.interfaces.calibration_presenter import history_lines, measured_json  # noqa: PLC0415 - as above

    _refuse_picture(picture)
    shown = _DEFAULT_SHOWN if limit is None else whole_number("--limit", limit, 1, _MOST_SHOWN)
    measured = _measure(call, "get_evaluations", model, shown)
    _draw(call, picture, measured)
    if call.as_json:
        write_json(measured_json(measured))
    else:
        write_text("\n".join(history_lines(measured, call.lang)))
    return EXIT_OK


def fit(call: Invocation, *, model: SourceOption = None) -> int:
    """Fit a calibrator, and put it in force if it is better. Exit code 1: it is not, or there are too few samples."""
    from lyra.interfaces.calibration_presenter import fitted_json, fitted_lines  # noqa: PLC0415 - as above
    from lyra.workflows.calibration import calibration_fit  # noqa: PLC0415 - as above

    judge = _judge(call, model)
    with open_reading_store(call.settings) as store:
        fitted = calibration_fit(store, judge)
    if call.as_json:
        write_json(fitted_json(fitted))
    else:
        write_text("\n".join(fitted_lines(fitted, call.lang)))
    return EXIT_OK if fitted.applied is not None else EXIT_NO


def rollback(
    call: Invocation,
    version: Annotated[str, typer.Argument(metavar="VERSION", help="help.argument_calibration_version")],
    *,
    model: SourceOption = None,
    reason: ReasonOption = None,
) -> int:
    """Return to an earlier calibration version."""
    from lyra.interfaces.calibration_presenter import rolled_back_json  # noqa: PLC0415 - as above
    from lyra.workflows.calibration import calibration_rollback  # noqa: PLC0415 - as above

    judge = _judge(call, model)
    with open_reading_store(call.settings) as store:
        answer = calibration_rollback(store, version, judge, reason)
    if call.as_json:
        write_json(rolled_back_json(answer))
        return EXIT_OK
    code = "text.calibration_now" if answer.event is not None else "text.calibration_already"
    write_text(call.say(code, source=answer.source.name, version=answer.in_force or SHIPPED))
    return EXIT_OK


def _measure(call: Invocation, action: str, source: str | None, limit: int = _DEFAULT_SHOWN) -> "Measured":
    from lyra.workflows.calibration import calibration_metrics  # noqa: PLC0415 - as above

    with open_reading_store(call.settings) as store:
        return calibration_metrics(store, action, source, limit)


def _judge(call: Invocation, name: str | None) -> ModelInfo:
    """Return the judge in use that a name means; without a name, the general one."""
    judges = [info for info in call.models(call.settings).infos() if info.kind == "stance"]
    found = [info for info in judges if name is None or name in (info.name, f"{info.name}/{info.version}")]
    if not found:
        known = ", ".join(f"{info.name}/{info.version}" for info in judges)
        raise NotFound("unknown_calibration_source", source=name, known=known)
    return found[0]


def _refuse_picture(path: str | None) -> None:
    """Raise InvalidInput, before any work is done, for a picture that could not be written; only pictures are replaced."""
    if path is None:
        return
    from lyra.interfaces.svg import MARK  # noqa: PLC0415 - only a picture needs it

    target = Path(path)
    if target.is_dir():
        raise InvalidInput("out_is_directory", path=target)
    refuse_bad_place(target)
    try:
        if target.exists() and MARK not in target.read_text(encoding="utf-8", errors="replace")[:1000]:
            raise InvalidInput("calibration_picture_exists", path=target)
    except OSError as failure:
        raise InvalidInput("out_unwritable", path=target, detail=failure.strerror or failure) from None


def _draw(call: Invocation, path: str | None, measured: "Measured") -> None:
    """Write the diagram of each source's newest evaluation, whole or not at all."""
    if path is None:
        return
    from lyra.interfaces.calibration_picture import reliability_diagram  # noqa: PLC0415 - only a picture needs it

    newest = {one.source: one for one in reversed(measured.evaluations)}
    if not newest:
        raise InvalidInput("calibration_no_evaluations")
    target = Path(path)
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        draft.write_text(reliability_diagram(list(newest.values()), call.lang), encoding="utf-8", newline="\n")
        draft.replace(target)
    except OSError as failure:
        raise LyraError("calibration_picture_failed", path=target, detail=failure.strerror or failure) from failure
    finally:
        draft.unlink(missing_ok=True)


ACTIONS: dict[str, Callable[..., int]] = {
    "stats": stats,
    "evaluate": evaluate,
    "history": history,
    "fit": fit,
    "rollback": rollback,
}
