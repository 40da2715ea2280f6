"""`lyra report accuracy`, `feedback` and `factcheck`: a report against a person's judgement and against the evidence."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lyra.app import SystemClock, open_reading_store
from lyra.core.errors import EXIT_NO, EXIT_OK
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import note, write_exactly, write_json, write_text
from lyra.interfaces.cli.report import AtOption, FolderArgument, HtmlOption, KnowledgeOption, StructuredArgument, note_assumptions
from lyra.interfaces.untrusted import on_one_line

if TYPE_CHECKING:
    from lyra.reports.accuracy_report import Accuracy
    from lyra.workflows.report_accuracy import MeasuredFiles

HumanOption = Annotated[str | None, typer.Option("--human", metavar="PATH", help="help.report_human")]
OverridesOption = Annotated[str | None, typer.Option("--overrides", metavar="FILE", help="help.report_overrides")]


def accuracy(
    call: Invocation,
    folder: FolderArgument,
    *,
    human: HumanOption = None,
    overrides: OverridesOption = None,
    knowledge: KnowledgeOption = None,
    at: AtOption = None,
    html: HtmlOption = False,
) -> int:
    """Measure a report against a person's evaluation, or by its own plausibility."""
    from lyra.interfaces.cli.report_html import write_page  # noqa: PLC0415 - help needs none of this
    from lyra.interfaces.report_accuracy_presenter import measured_json  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.report_accuracy import AccuracyOrder, measure_files  # noqa: PLC0415 - help needs none of this

    person, pairs, known = (None if path is None else Path(path) for path in (human, overrides, knowledge))
    files = measure_files(AccuracyOrder(Path(folder), SystemClock().now(), person, pairs, known, at))
    page = write_page(Path(folder), Path(folder), call.lang) if html else None
    if call.as_json:
        write_json(measured_json(files, page))
    else:
        note_assumptions(call, files.assumptions)
        show_accuracy(call, files, human)
        write_text(call.say("text.file_written", path=files.path))
        if page is not None:
            write_text(call.say("text.file_written", path=page))
    return EXIT_OK if files.accuracy.passed else EXIT_NO


def feedback(
    call: Invocation,
    report: Annotated[str, typer.Argument(metavar="REPORT", help="help.report_filled_in")],
    *,
    out: Annotated[str | None, typer.Option("--out", "-o", metavar="FILE", help="help.report_feedback_out")] = None,
) -> int:
    """Read a report that a person filled in back into data."""
    from lyra.interfaces.report_accuracy_presenter import feedback_answer  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.report_accuracy import read_feedback_file  # noqa: PLC0415 - help needs none of this

    files = read_feedback_file(Path(report), None if out is None else Path(out))
    found = files.feedback
    for problem in found.problems:
        note(call.say(f"text.feedback_{problem.code}", line=problem.line, found=problem.found))
    if call.as_json:
        write_json(feedback_answer(files, Path(report).name))
        return EXIT_OK
    counts = {"scores": len(found.evaluation.advantages), "claims": len(found.claims), "candidates": len(found.candidates)}
    write_text(call.say("text.feedback_read", **counts))
    write_text(call.say("text.file_written", path=files.path))
    return EXIT_OK


def factcheck(
    call: Invocation,
    structured: StructuredArgument,
    *,
    task: Annotated[str, typer.Option("--task", metavar="TASK", help="help.report_task")],
    pairs: Annotated[str | None, typer.Option("--pairs", metavar="FILE", help="help.report_pairs")] = None,
    out: Annotated[str | None, typer.Option("--out", "-o", metavar="FILE", help="help.report_factcheck_out")] = None,
) -> int:
    """Fill in the fact check of every claim from the evidence of a task."""
    from lyra.core.errors import InvalidInput  # noqa: PLC0415 - help needs none of this
    from lyra.interfaces.report_accuracy_presenter import fact_check_json  # noqa: PLC0415 - help needs none of this
    from lyra.reports.reading import read_structured  # noqa: PLC0415 - help needs none of this
    from lyra.reports.writing import structured_text  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.fact_check import fact_check, read_pairs  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.report_belonging import refuse_other_file  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.report_files import read_bytes, write_all  # noqa: PLC0415 - help needs none of this

    source, target = Path(structured), None if out is None else Path(out)
    reading = read_structured(read_bytes(source), structured)
    if target is not None and target.exists() and target.samefile(source):
        raise InvalidInput("report_out_is_input", path=target)
    if target is not None:
        refuse_other_file(target, "structured")
    set_by_hand = None if pairs is None else read_pairs(read_bytes(Path(pairs)), pairs)
    with open_reading_store(call.settings) as store:
        checked = fact_check(store, reading.structured, task, set_by_hand)
    content = structured_text(checked.structured)
    if target is not None:
        write_all(target.parent, {target: content})
    if call.as_json:
        write_json(fact_check_json(checked, task, target))
        return EXIT_OK
    note_assumptions(call, reading.assumptions)
    for one in checked.claims:
        note(f"{one.claim.name} {one.status.value}: {on_one_line(one.claim.claim)}")
        if near := one.suggestion:
            places = {"name": one.claim.name, "id": near.task_claim_id, "text": on_one_line(near.text)}
            note(call.say("text.factcheck_near", similarity=f"{near.similarity:.2f}", **places))
    if target is None:
        write_exactly(content)
    else:
        write_text(call.say("text.file_written", path=target))
    return EXIT_OK


def show_accuracy(call: Invocation, files: "MeasuredFiles", human: str | None) -> None:
    """Write the result in words, and the comparisons and broken checks as a table."""
    from lyra.interfaces.cli.tables import write_table  # noqa: PLC0415 - rich is slow to import
    from lyra.interfaces.report_accuracy_presenter import accuracy_lines, human_lines  # noqa: PLC0415 - help needs none of this

    if human is not None and files.human is None:
        note(call.say("text.accuracy_no_human", path=human, ticker=files.accuracy.structured.ticker))
    for line in human_lines(files, call.lang):
        note(on_one_line(line))
    for line in accuracy_lines(files.accuracy, call.lang):
        write_text(on_one_line(line))
    if rows := _rows(files.accuracy):
        heads = [call.say(f"label.accuracy_{name}") for name in ("claim", "ai", "human", "deviation", "class", "text")]
        write_table(call.environ, heads, rows)
    for check in files.accuracy.simplified.checks:
        if not check.kept:
            severity = call.say(f"label.severity_{check.severity}")
            write_text(on_one_line(f"{check.check_id} {severity}: {check.name}: {check.value} ({check.threshold})"))
    for suggestion in files.accuracy.full.suggestions if files.accuracy.full else ():
        write_text(on_one_line(f"- {suggestion}"))


def _rows(accuracy: "Accuracy") -> list[tuple[str, ...]]:
    if accuracy.full is None:
        return []
    pairs = (*accuracy.full.advantages.comparisons, *accuracy.full.connections.comparisons)
    return [
        (
            one.claim.name,
            f"{one.claim.confidence}%",
            f"{one.human.score}%",
            f"{one.deviation:+d}" if one.deviation else "0",
            one.severity.value,
            on_one_line(one.human.text),
        )
        for one in pairs
    ]
