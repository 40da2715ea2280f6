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
    " claim_adoption_status independent_confidence independent_uncertainty independent_controversy independent_alpha"
    " independent_beta independent_groups_for independent_groups_against"
).split()
EVIDENCE_COLUMNS = (
    "edge_id relation nli_label nli_confidence nli_confidence_raw supports refutes neutral model model_version"
    " calibration_version quote start end section page_number path stale page_version_id content_hash fragment_id page_id url"
    " title authors year published_on doi venue source_domain_category target_domain_category is_pointer excluded_reason"
    " retracted edge_human_corrected other_page_ids origin_group origin_reasons"
).split()
_INDEPENDENT = ("confidence", "uncertainty", "controversy", "alpha", "beta")
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
    told = claim | _independent(material, claim["independent"])
    shown = {column: told[column] for column in CLAIM_COLUMNS}
    origins = _origins(material)
    for edge in material.evidence:
        yield shown | _flat(evidence_json(edge)) | origins.get(edge.edge_id, {})
    if not material.evidence:
        yield shown


def _independent(material: ClaimMaterial, shown: object) -> Json:
    """Return the values after evidence is grouped by origin, under names of their own."""
    values = shown if isinstance(shown, dict) else {}
    named: Json = {f"independent_{name}": values[name] for name in _INDEPENDENT}
    sources = {"for": material.independent.sources, "against": material.independent.refuting_sources}
    return named | {f"independent_groups_{side}": count for side, count in sources.items()}


def _origins(material: ClaimMaterial) -> dict[str, Json]:
    """Return, for each edge that speaks, the number of its origin group and why the pages of that group belong together."""
    found: dict[str, Json] = {}
    for number, group in enumerate(material.independent.groups, start=1):
        reasons = sorted({link.reason for link in group.links})
        found |= {edge_id: {"origin_group": number, "origin_reasons": reasons} for edge_id in group.edge_ids}
    return found


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
