"""`lyra report run`: build, verify and accuracy in one go."""

from pathlib import Path
from typing import Annotated

import typer

from lyra.app import SystemClock
from lyra.core.errors import EXIT_NO, EXIT_OK
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import write_json, write_text
from lyra.interfaces.cli.report import (
    AtOption,
    HtmlOption,
    KnowledgeOption,
    LlmOption,
    OutOption,
    ReplaceOption,
    StructuredArgument,
    comment_writer,
    earlier_reports,
    note_assumptions,
)
from lyra.interfaces.cli.report_measure import HumanOption, OverridesOption, show_accuracy


def run(
    call: Invocation,
    structured: StructuredArgument,
    *,
    out: OutOption,
    human: HumanOption = None,
    overrides: OverridesOption = None,
    knowledge: KnowledgeOption = None,
    at: AtOption = None,
    research_id: Annotated[str | None, typer.Option("--research-id", metavar="ID", help="help.report_research_id")] = None,
    replace: ReplaceOption = False,
    no_rewrite: Annotated[bool, typer.Option("--no-rewrite", help="help.report_no_rewrite")] = False,
    llm: LlmOption = False,
    save: Annotated[bool, typer.Option("--save", help="help.report_save")] = False,
    html: HtmlOption = False,
) -> int:
    """Build, verify and measure a report; the answer is no when verification or accuracy fails."""
    from lyra.interfaces.cli.report_html import write_page  # noqa: PLC0415 - help needs none of this
    from lyra.interfaces.report_accuracy_presenter import run_answer  # noqa: PLC0415 - help needs none of this
    from lyra.reports.reading import read_structured  # noqa: PLC0415 - help needs none of this
    from lyra.reports.results import FAIL, statistics  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.report_accuracy import AccuracyOrder, find_person, measure_files  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.report_belonging import refuse_changed_copies  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.report_files import (  # noqa: PLC0415 - help needs none of this
        BuildOrder,
        VerifyOrder,
        build_files,
        read_bytes,
        verify_files,
    )

    folder, now = Path(out), SystemClock().now()
    person, pairs, known = (None if path is None else Path(path) for path in (human, overrides, knowledge))
    measuring = AccuracyOrder(folder, now, person, pairs, known, at)
    # Whatever is wrong with the person's file, or would be lost, is said before anything is written.
    if not replace:
        refuse_changed_copies(folder)
    find_person(measuring, read_structured(read_bytes(Path(structured)), structured).structured)
    with earlier_reports(call, needed=save) as earlier, comment_writer(call, wanted=llm) as writer:
        built = build_files(BuildOrder(Path(structured), folder, now, at, research_id, known, replace))
        verified = verify_files(VerifyOrder(folder, now, None, at, known, not no_rewrite, replace), earlier, writer)
        saved = earlier.save(verified.verified)[0] if save and earlier else None
    measured = measure_files(measuring)
    page = write_page(folder, folder, call.lang) if html else None
    written = {
        "report": built.report,
        "structured": built.data,
        "verified_report": verified.report,
        "verified_structured": verified.data,
        "results": verified.results,
        "accuracy": measured.path,
        "page": page,
    }
    if call.as_json:
        write_json(run_answer(verified, measured, written, saved))
    else:
        note_assumptions(call, built.assumptions)
        status = call.say(f"label.report_{verified.verified.status}")
        write_text(call.say("text.report_verified", status=status, **statistics(verified.verified.corrected)))
        show_accuracy(call, measured, human)
        for path in written.values():
            if path is not None:
                write_text(call.say("text.file_written", path=path))
    return EXIT_NO if verified.verified.status == FAIL or not measured.accuracy.passed else EXIT_OK
