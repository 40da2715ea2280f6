"""Materials as CSV (RFC 4180, UTF-8): a row for each item of evidence, with the claim it belongs to."""

import csv
import io
import re
from collections.abc import Iterator, Mapping

from lyra.core.materials import ClaimMaterial, Materials
from lyra.interfaces.presenter import Json, claim_json, evidence_json

CLAIM_COLUMNS = (
    "claim_id text language finding confidence uncertainty controversy alpha beta interval_low interval_high evidence_count"
    " supporting_count refuting_count neutral_count independent_sources refuting_sources verification_status reason_code"
    " claim_adoption_status"
).split()
EVIDENCE_COLUMNS = (
    "edge_id relation nli_label nli_confidence nli_confidence_raw supports refutes neutral model model_version"
    " calibration_version quote start end section page_number path stale page_version_id content_hash fragment_id page_id url"
    " title authors year published_on doi venue source_domain_category target_domain_category is_pointer excluded_reason"
    " retracted edge_human_corrected other_page_ids"
).split()
COLUMNS = (*CLAIM_COLUMNS, *EVIDENCE_COLUMNS)
# What a spreadsheet takes for a formula; apostrophes before it are counted in, so that the first can always be taken off.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")


def table(materials: Materials) -> str:
    """Return the table with a header. A claim without evidence has one row, with nothing in the columns of evidence."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for material in materials.claims:
        for row in _rows(material):
            writer.writerow([_cell(row.get(column)) for column in COLUMNS])
    return stream.getvalue()


def _rows(material: ClaimMaterial) -> Iterator[Mapping[str, object]]:
    claim = claim_json(material)
    interval = claim["interval"]
    if isinstance(interval, list):
        claim["interval_low"], claim["interval_high"] = interval
    shown = {column: claim[column] for column in CLAIM_COLUMNS}
    for edge in material.evidence:
        yield shown | _flat(evidence_json(edge))
    if not material.evidence:
        yield shown


def _flat(item: Json) -> Json:
    """Return an item of evidence with what stands inside its probabilities and its locator beside the rest."""
    inner = [item[name] for name in ("probabilities", "locator")]
    return item | {name: value for one in inner if isinstance(one, dict) for name, value in one.items()}


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        value = "; ".join(map(str, value))
    if isinstance(value, str) and _FORMULA.match(value):
        return f"'{value}"
    return str(value)
