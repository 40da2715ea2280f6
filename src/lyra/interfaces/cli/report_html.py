"""`--html`: the page of a verified report, from the files of its folders."""

from pathlib import Path

PAGE = "report.html"


def write_page(source: Path, out: Path, lang: str) -> Path:
    """Write `report.html` from the report in `source` and the results in `out`.

    Accuracy is shown where it was measured on this very data, changed lines where both reports are as verification left them
    (a person may have filled one in since). Raises InvalidInput for a report that is not verified, or data of another one.
    """
    from lyra.core.errors import InvalidInput  # noqa: PLC0415 - help needs none of this
    from lyra.interfaces.report_page.page import page_html  # noqa: PLC0415 - help needs none of this
    from lyra.interfaces.report_page.view import view_of  # noqa: PLC0415 - help needs none of this
    from lyra.reports.json_text import parse_json  # noqa: PLC0415 - help needs none of this
    from lyra.reports.reading import read_structured  # noqa: PLC0415 - help needs none of this
    from lyra.reports.sections import parse_report  # noqa: PLC0415 - help needs none of this
    from lyra.reports.validation import validate  # noqa: PLC0415 - help needs none of this
    from lyra.reports.verifying import decode_report, refuse_foreign  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.report_accuracy import ACCURACY  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.report_belonging import (  # noqa: PLC0415 - help needs none of this
        REPORT,
        RESULTS,
        VERIFIED_REPORT,
        VERIFIED_STRUCTURED,
        digest_of,
        is_as_verified,
        refuse_stale_data,
    )
    from lyra.workflows.report_files import read_bytes, write_all  # noqa: PLC0415 - help needs none of this

    def checked(path: Path, name: str) -> dict[str, object]:
        value = parse_json(read_bytes(path), str(path))
        validate(value, name, str(path))
        return value if isinstance(value, dict) else {}

    if not (out / RESULTS).is_file():
        raise InvalidInput("report_not_verified", path=out)
    refuse_stale_data(source, out)
    data = out / VERIFIED_STRUCTURED
    content = read_bytes(data)
    structured = read_structured(content, str(data)).structured
    before, after = (decode_report(read_bytes(path), str(path)) for path in (source / REPORT, out / VERIFIED_REPORT))
    results = checked(out / RESULTS, "verification-results")
    accuracy = checked(out / ACCURACY, "accuracy-report") if (out / ACCURACY).is_file() else {}
    measured = accuracy if accuracy.get("data_digest") == digest_of(content) else None
    untouched = all(is_as_verified(name, source, out) for name in ("report", "verified_report"))
    refuse_foreign(parse_report(after), structured, str(out / VERIFIED_REPORT))
    page = page_html(view_of(structured, before if untouched else None, after, results, measured), lang)
    write_all(out, {out / PAGE: page})
    return out / PAGE
