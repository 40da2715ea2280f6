"""Every format by the judgement of somebody else: a parser, a vocabulary, or a schema that is not the writer's."""

import csv
import hashlib
import io
import json
import zipfile
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from bibtexparser.entrypoint import parse_string
from jsonschema import Draft202012Validator
from markdown_it import MarkdownIt
from pyld import jsonld as pyld
from rispy import loads
from rocrate.rocrate import ROCrate

from lyra.core.materials import Materials
from lyra.core.records import Claim, Evidence
from lyra.interfaces.cli.bundles import zipped
from lyra.interfaces.exports.formats import FORMATS
from lyra.interfaces.exports.jsonld import TERMS
from lyra.interfaces.exports.rocrate import METADATA, PROFILE, crate_files
from tests.fakes import evidence
from tests.interfaces.exports.test_bibliographies import ARTICLE
from tests.interfaces.test_presenter import material, materials

SCHEMA = "https://schema.org/"
WEB = replace(evidence("edge_2", "refutes", 0.7, "page_2"), title="News", url="https://example.org/n", retracted=True)
LOCAL = replace(evidence("edge_3", "supports", 0.6, "page_3"), url="file:///private/cats.md", other_page_ids=("page_4",))
NEUTRAL = evidence("edge_4", "neutral", 0.6, "page_5")
EVIDENCE: list[Evidence] = [ARTICLE, WEB, LOCAL, NEUTRAL]


@pytest.fixture(params=["full", "empty"])
def found(request: pytest.FixtureRequest) -> Materials:
    return (
        materials(material(EVIDENCE), material([], Claim("claim_2", "task_1", "It does not.", "en")))
        if request.param == "full"
        else materials()
    )


def written(found: Materials, name: str) -> str:
    return FORMATS[name].text(found, "en")


# Bibliographies and tables


def test_bibtex_is_taken_by_its_parser_without_a_failed_block(found: Materials) -> None:
    library = parse_string(written(found, "bibtex"))
    assert library.failed_blocks == []
    assert len(library.entries) == (3 if found.claims else 0)


def test_ris_is_taken_by_its_parser_and_has_no_unknown_tag(found: Materials) -> None:
    records = loads(written(found, "ris"), newline="\r\n")
    assert len(records) == (3 if found.claims else 0)
    assert not any("unknown_tag" in record for record in records)


def test_csl_fits_its_schema(found: Materials) -> None:
    schema = json.loads((Path(__file__).parent / "schemas" / "csl.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    assert list(validator.iter_errors(json.loads(written(found, "csl")))) == []
    assert list(validator.iter_errors([{"id": "x", "type": "paper", "issued": {"date-parts": []}}]))


def test_csv_is_read_strictly_with_a_cell_for_every_column(found: Materials) -> None:
    header, *rows = csv.reader(io.StringIO(written(found, "csv"), newline=""), strict=True)
    assert {len(row) for row in rows} <= {len(header)}
    assert len(rows) == (5 if found.claims else 0)


def test_markdown_has_no_html_but_its_mark(found: Materials) -> None:
    tokens = MarkdownIt("commonmark").parse(written(found, "md"))
    assert [token.content.strip() for token in tokens if token.type == "html_block"] == ["<!-- lyra result: not a source -->"]


# JSON-LD by schema.org's own vocabulary


@cache
def vocabulary() -> dict[str, Any]:
    """Schema.org as it describes itself: by the id of each class and property."""
    text = (resources.files("rocrate") / "data" / "schema.jsonld").read_text(encoding="utf-8")
    return {node["@id"].replace("schema:", SCHEMA): node for node in json.loads(text)["@graph"]}


def ids(node: Any, name: str) -> set[str]:
    values = node.get(name, [])
    listed = values if isinstance(values, list) else [values]
    return {one["@id"].replace("schema:", SCHEMA) for one in listed if isinstance(one, dict)}


def ancestors(kind: str) -> set[str]:
    return {kind}.union(*(ancestors(parent) for parent in ids(vocabulary().get(kind, {}), "rdfs:subClassOf")))


def misused(node: Any) -> list[str]:
    """The types and properties of an expanded document that schema.org does not have, or not for this type."""
    if isinstance(node, list):
        return [finding for one in node for finding in misused(one)]
    if not isinstance(node, dict):
        return []
    kinds = node.get("@type", [])
    kinds = kinds if isinstance(kinds, list) else []
    wrong = [f"no type {kind}" for kind in kinds if kind not in vocabulary()]
    fitting = set().union(*(ancestors(kind) for kind in kinds))
    for name, value in node.items():
        if name.startswith(SCHEMA):
            domains = ids(vocabulary().get(name, {}), "schema:domainIncludes")
            if not domains & fitting:
                wrong.append(f"{kinds} has no {name}")
        elif not name.startswith(("@", TERMS)):
            wrong.append(name)
        wrong += misused(value)
    return wrong


def no_network(url: str, options: object) -> Any:
    raise AssertionError(url)


def test_jsonld_expands_without_a_network_and_means_only_what_schema_org_has(found: Materials) -> None:
    expanded = pyld.expand(json.loads(written(found, "jsonld")), {"documentLoader": no_network})
    assert misused(expanded) == []
    assert misused(pyld.expand({"@context": {"@vocab": SCHEMA}, "@type": "Claim", "ratingValue": 1}))


def test_every_claim_is_a_review_with_its_rating_sources_and_quotes() -> None:
    value = json.loads(written(materials(material(EVIDENCE)), "jsonld"))
    (review,) = value["hasPart"]
    assert (review["@type"], review["claimReviewed"]) == ("ClaimReview", "It does.")
    assert (review["reviewRating"]["bestRating"], review["reviewRating"]["worstRating"]) == (1, 0)
    assert review["reviewRating"]["ratingValue"] == pytest.approx(0.595, abs=1e-3)
    assert [source["@type"] for source in review["citation"]] == ["ScholarlyArticle", "WebPage", "CreativeWork"]
    assert review["citation"][1]["creativeWorkStatus"] == "retracted"
    assert [quote["lyra:relation"] for quote in review["hasPart"]] == ["supports", "refutes", "supports", "neutral"]
    assert len(review["lyra:independent"]["lyra:groups"]) == 3
    assert "private" not in json.dumps(value)


# RO-Crate


@cache
def crate_context() -> Any:
    return json.loads((resources.files("rocrate") / "data" / "ro-crate.jsonld").read_text(encoding="utf-8"))


def crate_loader(url: str, options: object) -> Any:
    assert url.startswith("https://w3id.org/ro/crate/")
    return {"contextUrl": None, "documentUrl": url, "document": crate_context()}


def test_a_bundle_is_an_ro_crate_to_its_own_library(found: Materials, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped(crate_files(found, ())))
    crate = ROCrate(tmp_path / "a.zip")
    assert str(crate.name).startswith("Evidence: ")
    assert crate.root_dataset["license"] is not None
    assert {entity.id for entity in crate.data_entities} == {"provenance.json", "claims.jsonld", "sources.bib", "README.md"}


def test_a_bundle_has_what_the_specification_asks_for(found: Materials) -> None:
    files = crate_files(found, ())
    described = json.loads(files[METADATA])
    entities = {entity["@id"]: entity for entity in described["@graph"]}
    assert len(entities) == len(described["@graph"])
    assert entities[METADATA]["about"] == {"@id": "./"}
    assert entities[METADATA]["conformsTo"] == {"@id": PROFILE}
    assert {"name", "description", "datePublished", "license", "hasPart"} <= set(entities["./"])
    assert {part["@id"] for part in entities["./"]["hasPart"]} == set(files) - {METADATA}
    for entity in entities.values():
        assert set(entity["@type"] if isinstance(entity["@type"], list) else [entity["@type"]])
        for value in entity.values():
            for reference in value if isinstance(value, list) else [value]:
                if isinstance(reference, dict):
                    assert set(reference) == {"@id"}  # a crate is flat
                    assert reference["@id"] in {*entities, PROFILE}
    for name, content in files.items():
        if name != METADATA:
            assert entities[name]["sha256"] == hashlib.sha256(content).hexdigest()
            assert entities[name]["contentSize"] == str(len(content))


def test_the_words_of_a_bundle_are_all_in_the_context_of_ro_crate(found: Materials) -> None:
    described = json.loads(crate_files(found, ())[METADATA])
    expanded = pyld.expand(described, {"documentLoader": crate_loader})
    known = set(crate_context()["@context"])
    used = {name for entity in described["@graph"] for name in entity if not name.startswith("@")}
    assert used <= known
    assert len(expanded) == len(described["@graph"])


def test_a_bundle_tells_nothing_of_where_documents_lie() -> None:
    files = crate_files(materials(material(EVIDENCE)), ())
    assert not any(b"private" in content for content in files.values())


def test_the_same_materials_give_the_same_bytes(found: Materials) -> None:
    assert zipped(crate_files(found, ())) == zipped(crate_files(found, ()))
    with zipfile.ZipFile(io.BytesIO(zipped(crate_files(found, ())))) as bundle:
        assert bundle.testzip() is None
