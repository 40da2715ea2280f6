"""`--html`: the page of a verified report, from the files of its folders."""

from pathlib import Path

PAGE = "report.html"


def write_page(source: Path, out: Path, lang: str) -> Path:
    """Write `report.html` from the report in `source` and the results in `out`; accuracy is shown where it was measured.

    Raises InvalidInput for a report that is not verified, or files that do not belong together.
    """
    from lyra.core.errors import InvalidInput  # noqa: PLC0415 - help needs none of this
    from lyra.interfaces.report_page.page import page_html  # noqa: PLC0415 - help needs none of this
    from lyra.interfaces.report_page.view import view_of  # noqa: PLC0415 - help needs none of this
    from lyra.reports.json_text import parse_json  # noqa: PLC0415 - help needs none of this
    from lyra.reports.reading import read_structured  # noqa: PLC0415 - help needs none of this
    from lyra.reports.validation import validate  # noqa: PLC0415 - help needs none of this
    from lyra.reports.verifying import decode_report  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.report_accuracy import ACCURACY  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.report_files import (  # noqa: PLC0415 - help needs none of this
        REPORT,
        RESULTS,
        VERIFIED_REPORT,
        VERIFIED_STRUCTURED,
        read_bytes,
        write_all,
    )

    def checked(path: Path, name: str) -> dict[str, object]:
        value = parse_json(read_bytes(path), str(path))
        validate(value, name, str(path))
        return value if isinstance(value, dict) else {}

    if not (out / RESULTS).is_file():
        raise InvalidInput("report_not_verified", path=out)
    data = out / VERIFIED_STRUCTURED
    structured = read_structured(read_bytes(data), str(data)).structured
    before, after = (decode_report(read_bytes(path), str(path)) for path in (source / REPORT, out / VERIFIED_REPORT))
    results = checked(out / RESULTS, "verification-results")
    accuracy = checked(out / ACCURACY, "accuracy-report") if (out / ACCURACY).is_file() else None
    page = page_html(view_of(structured, before, after, results, accuracy), lang)
    write_all(out, {out / PAGE: page})
    return out / PAGE
