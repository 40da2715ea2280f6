"""`lyra cases agreement`: how far several people agree."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lyra.core.errors import EXIT_OK, InvalidInput, LyraError
from lyra.core.own_result import MARKDOWN_MARK
from lyra.interfaces.cli.cases_labels import FilesArgument, LabelProjectOption, keep, labels_for, whole_number
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import refuse_unwritable, write_json, write_text
from lyra.interfaces.presenter import document

if TYPE_CHECKING:
    from lyra.cases.agreement_fields import FieldAgreement
    from lyra.cases.ratings import Level

_MOST_SEED = 2**31


def agreement(
    call: Invocation,
    files: FilesArgument = None,
    *,
    field: Annotated[list[str] | None, typer.Option("--field", metavar="FIELD", help="help.agreement_field")] = None,
    level: Annotated[list[str] | None, typer.Option("--level", metavar="FIELD=LEVEL", help="help.agreement_level")] = None,
    weights: Annotated[str | None, typer.Option("--weights", metavar="NAME", help="help.agreement_weights")] = None,
    observed: Annotated[bool, typer.Option("--observed", help="help.agreement_observed")] = False,
    replicates: Annotated[str | None, typer.Option("--replicates", metavar="N", help="help.agreement_replicates")] = None,
    seed: Annotated[str | None, typer.Option("--seed", metavar="N", help="help.agreement_seed")] = None,
    project: LabelProjectOption = None,
    plot: Annotated[str | None, typer.Option("--plot", metavar="DIR", help="help.agreement_plot")] = None,
    out: Annotated[str | None, typer.Option("--out", metavar="FILE", help="help.agreement_out")] = None,
    save: Annotated[bool, typer.Option("--save", help="help.agreement_save")] = False,
) -> int:
    """Measure agreement on every field and write the report."""
    from lyra.cases.agreement import MOST_REPLICATES, REPLICATES, Plan  # noqa: PLC0415 - numpy is slow to import
    from lyra.cases.agreement_fields import Wanted, measure_fields, unlabelled  # noqa: PLC0415 - numpy is slow to import
    from lyra.cases.ratings import Weighting  # noqa: PLC0415 - numpy is slow to import
    from lyra.interfaces.agreement_markdown import agreement_report  # noqa: PLC0415 - as above
    from lyra.interfaces.agreement_presenter import field_json  # noqa: PLC0415 - as above

    if weights is not None and weights not in {one.value for one in Weighting}:
        raise InvalidInput("agreement_bad_weights", value=weights)
    plan = Plan(
        weighting=Weighting(weights) if weights else Weighting.QUADRATIC,
        replicates=whole_number("--replicates", replicates, REPLICATES, 0, MOST_REPLICATES),
        seed=whole_number("--seed", seed, 1, 0, _MOST_SEED),
    )
    wanted = Wanted(plan, _levels(level or ()), tuple(field or ()), observed)
    target = None if out is None else Path(out)
    if target is not None:
        refuse_unwritable(target)
    labels = labels_for(call, files, project)
    found = measure_fields(labels, wanted)
    empty = unlabelled(labels)
    raters = sorted({one.rater for one in labels if one.value is not None})
    report = agreement_report(found, raters, plan, empty, call.lang)
    pictures = _draw(call, plot, found)
    if target is not None:
        _write(target, f"{MARKDOWN_MARK}\n\n{report}")
    kept = keep(call, labels) if save else None
    if call.as_json:
        written = {"out": None if target is None else str(target), "pictures": pictures, "saved": kept}
        settings = {"seed": plan.seed, "weights": plan.weighting.value, "replicates": plan.replicates}
        fields = [field_json(one) for one in found]
        write_json(document(raters=raters, **settings, agreement=fields, unlabelled=empty, **written))
        return EXIT_OK
    if target is None:
        write_text(report)
    else:
        write_text(call.say("text.agreement_written", path=target))
    for path in pictures:
        write_text(call.say("text.agreement_picture", path=path))
    if kept is not None:
        write_text(call.say("text.agreement_saved", count=kept))
    return EXIT_OK


def _levels(given: Sequence[str]) -> "Mapping[str, Level]":
    from lyra.cases.ratings import Level  # noqa: PLC0415 - numpy is slow to import

    found = {}
    for one in given:
        name, _, level = one.rpartition("=")
        if not name or level not in {known.value for known in Level}:
            raise InvalidInput("agreement_bad_level", value=one)
        found[name] = Level(level)
    return found


def _draw(call: Invocation, plot: str | None, found: "Sequence[FieldAgreement]") -> list[str]:
    """Write the pictures and return their paths; a file that is no picture of Lyra is never replaced."""
    if plot is None:
        return []
    from lyra.interfaces.agreement_pictures import picture_files  # noqa: PLC0415 - only --plot needs it
    from lyra.interfaces.svg import MARK  # noqa: PLC0415 - only --plot needs it

    folder, files = Path(plot), picture_files(found, call.lang)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in files:
            path = folder / name
            if path.exists() and MARK not in path.read_text(encoding="utf-8", errors="replace")[:1000]:
                raise InvalidInput("agreement_plot_exists", path=path)
    except OSError as failure:
        raise InvalidInput("agreement_plot_folder", path=plot, detail=failure.strerror or failure) from None
    for name, content in files.items():
        _write(folder / name, content)
    return [str(folder / name) for name in files]


def _write(target: Path, content: str) -> None:
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with draft.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(target)
    except OSError as failure:
        raise LyraError("cases_out_failed", path=target, detail=failure.strerror or failure) from failure
    finally:
        draft.unlink(missing_ok=True)
