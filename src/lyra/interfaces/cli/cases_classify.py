"""`lyra cases classify`: what addresses and claims tell by themselves, and what has to be asked."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lyra.core.errors import EXIT_OK
from lyra.interfaces.cli.cases_source import open_cases, refuse_existing, say_encoding, whole_rows, with_rater, write_new
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import write_json, write_text
from lyra.interfaces.presenter import Json, document

if TYPE_CHECKING:
    from lyra.cases.reading import CaseFile


def classify(
    call: Invocation,
    file: Annotated[str, typer.Argument(metavar="FILE", help="help.cases_file")],
    *,
    trail: Annotated[bool, typer.Option("--trail", help="help.classify_trail")] = False,
    project: Annotated[str | None, typer.Option("--project", metavar="ID", help="help.cases_project")] = None,
    out: Annotated[str | None, typer.Option("--out", metavar="FILE", help="help.classify_out")] = None,
) -> int:
    """Classify every case of a file; nothing is fetched."""
    from lyra.cases.classification.case import classify_case  # noqa: PLC0415 - help needs none of this
    from lyra.cases.shape import read_case  # noqa: PLC0415 - help needs none of this
    from lyra.cases.writing import format_for, write_cases  # noqa: PLC0415 - help needs none of this
    from lyra.interfaces.classification_presenter import classified_json, classified_lines, questions  # noqa: PLC0415 - as above

    source = open_cases(file, project)
    say_encoding(call, source)
    target = None if out is None else refuse_existing(out)
    counts = dict.fromkeys(("cases", "sources", "claims", "questions"), 0)
    answers: list[Json] = []
    for row in whole_rows(source):
        found = classify_case(read_case(row.data).case)
        counts["cases"] += 1
        counts["sources"] += len(found.sources)
        counts["claims"] += len(found.claims)
        counts["questions"] += sum(1 for _ in questions(found, call.lang))
        if call.as_json:
            answers.append({"row": row.number, **classified_json(found, call.lang)})
        else:
            write_text("\n".join(classified_lines(found, call.lang, trail=trail)))
    if target is not None:
        form = format_for(target.suffix)
        write_new(target, lambda stream: write_cases(lambda: _filled(source), stream, form))
    if call.as_json:
        write_json(document(path=source.name, out=out, **counts, classified=answers))
        return EXIT_OK
    write_text(call.say("text.classify_summary", **counts))
    if out is not None:
        write_text(call.say("text.classify_written", path=out))
    return EXIT_OK


def _filled(source: "CaseFile") -> Iterator[dict[str, Any]]:
    from lyra.cases.classification.case import classify_case  # noqa: PLC0415 - help needs none of this
    from lyra.cases.shape import read_case  # noqa: PLC0415 - help needs none of this
    from lyra.interfaces.classification_presenter import filled_in  # noqa: PLC0415 - help needs none of this

    for row in whole_rows(source):
        yield with_rater(row, filled_in(row.data, classify_case(read_case(row.data).case)))
