"""A report on agreement in Markdown, ready to be pasted into a paper or a wiki."""

from collections.abc import Iterator, Sequence

from lyra.cases.agreement import COEFFICIENTS, Agreement, Estimate, PairAgreement, Plan
from lyra.cases.agreement_fields import FieldAgreement
from lyra.core.messages import render
from lyra.interfaces.markdown_text import escape

# A larger matrix is a picture, not a table.
_WIDEST_MATRIX = 8


def agreement_report(
    fields: Sequence[FieldAgreement], raters: Sequence[str], plan: Plan, unlabelled: Sequence[str], lang: str
) -> str:
    """Return the whole report."""
    lines = [
        f"# {render('text.agreement_title', lang, raters=len(raters))}",
        "",
        render("text.agreement_people", lang, raters=_joined(raters, lang)),
        "",
        *_summary(fields, lang),
    ]
    for found in fields:
        lines += ["", *_field(found, lang)]
    if unlabelled:
        lines += ["", render("text.agreement_unlabelled", lang, fields=_joined(unlabelled, lang))]
    method = render("text.agreement_method", lang, replicates=plan.replicates, seed=plan.seed, weights=plan.weighting.value)
    return "\n".join([*lines, "", method, ""])


def _joined(names: Sequence[str], lang: str) -> str:
    return render("text.list_separator", lang).join(escape(name) for name in names)


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(headers)} |", "|" + "---|" * len(headers), *(f"| {' | '.join(row)} |" for row in rows)]


def _summary(fields: Sequence[FieldAgreement], lang: str) -> list[str]:
    shown = [name for name in COEFFICIENTS if any(one.name == name for found in fields for one in found.agreement.estimates)]
    rows = []
    for found in fields:
        by_name = {one.name: one for one in found.agreement.estimates}
        cells = [_short(by_name[name]) if name in by_name else "" for name in shown]
        rows.append([escape(found.field), str(found.agreement.paired_units), *cells])
    headers = [
        render("label.agreement_field", lang),
        render("label.agreement_units", lang),
        *(render(f"label.agreement_{name}", lang) for name in shown),
    ]
    return _table(headers, rows)


def _short(estimate: Estimate) -> str:
    return "–" if estimate.value is None else f"{estimate.value:.3f}"


def shown_estimate(estimate: Estimate, raw: Estimate | None, lang: str) -> str:
    """Return the value with three decimals, or why there is none, with the raw agreement beside it."""
    if estimate.value is not None:
        return f"{estimate.value:.3f}"
    reason = render(f"text.agreement_undefined_{estimate.undefined}", lang)
    if raw is None or raw.value is None or raw is estimate:
        return reason
    return render("text.agreement_raw", lang, reason=reason, raw=f"{raw.value:.3f}")


def shown_interval(estimate: Estimate, lang: str) -> str:
    """Return the interval, or that there is none."""
    if estimate.interval is None:
        return "" if estimate.value is None else render("text.agreement_no_interval", lang)
    return f"{estimate.interval[0]:.3f} – {estimate.interval[1]:.3f}"


def _field(found: FieldAgreement, lang: str) -> Iterator[str]:
    agreement = found.agreement
    yield f"## {escape(found.field)}"
    yield ""
    yield _counts(agreement, lang)
    yield ""
    raw = agreement.estimate("percent")
    headers = [render(f"label.agreement_{name}", lang) for name in ("coefficient", "value", "interval95")]
    rows = [
        [render(f"label.agreement_{one.name}", lang), shown_estimate(one, raw, lang), shown_interval(one, lang)]
        for one in agreement.estimates
    ]
    yield from _table(headers, rows)
    if len(agreement.pairs) > 1:
        yield from _pairs(agreement.pairs, lang)
    if agreement.labels:
        yield from _labels(agreement, lang)
    for pair in agreement.pairs:
        if len(agreement.categories) <= _WIDEST_MATRIX:
            yield from _confusion(pair, agreement.categories, lang)


def _counts(agreement: Agreement, lang: str) -> str:
    return render(
        "text.agreement_counts",
        lang,
        units=agreement.units,
        paired=agreement.paired_units,
        possible=agreement.possible,
        given=agreement.ratings,
        missing=max(0, agreement.possible - agreement.ratings - agreement.not_applicable),
        na=agreement.not_applicable,
        level=render(f"label.agreement_level_{agreement.level.value}", lang),
        scale=_joined(agreement.categories[:_WIDEST_MATRIX], lang) + ("…" if len(agreement.categories) > _WIDEST_MATRIX else ""),
    )


def _pairs(pairs: Sequence[PairAgreement], lang: str) -> Iterator[str]:
    yield ""
    yield f"### {render('text.agreement_pairs', lang)}"
    yield ""
    names = [one.name for one in pairs[0].estimates]
    headers = [
        render("label.agreement_pair", lang),
        render("label.agreement_units", lang),
        *(render(f"label.agreement_{name}", lang) for name in names),
    ]
    rows = [
        [f"{escape(pair.first)} – {escape(pair.second)}", str(pair.units), *(_with_interval(one, lang) for one in pair.estimates)]
        for pair in pairs
    ]
    yield from _table(headers, rows)


def _with_interval(estimate: Estimate, lang: str) -> str:
    if estimate.value is None:
        return render(f"text.agreement_undefined_{estimate.undefined}", lang)
    interval = f" ({shown_interval(estimate, lang)})" if estimate.interval else ""
    return f"{estimate.value:.3f}{interval}"


def _labels(agreement: Agreement, lang: str) -> Iterator[str]:
    yield ""
    yield f"### {render('text.agreement_labels', lang)}"
    yield ""
    names = [one.name for one in agreement.labels[0].estimates]
    headers = [
        render("label.agreement_category", lang),
        render("label.agreement_chosen", lang),
        *(render(f"label.agreement_{name}", lang) for name in names),
    ]
    rows = [
        [
            escape(label.label),
            str(label.chosen),
            *(_with_interval(one, lang) for one in label.estimates),
        ]
        for label in agreement.labels
    ]
    yield from _table(headers, rows)


def _confusion(pair: PairAgreement, categories: Sequence[str], lang: str) -> Iterator[str]:
    yield ""
    yield f"### {render('text.agreement_confusion', lang, first=escape(pair.first), second=escape(pair.second))}"
    yield ""
    rows = [[escape(name), *map(str, counts)] for name, counts in zip(categories, pair.confusion, strict=True)]
    yield from _table(["", *(escape(name) for name in categories)], rows)
