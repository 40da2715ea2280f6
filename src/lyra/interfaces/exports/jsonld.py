"""Claims as JSON-LD: a schema.org ClaimReview for each, with its sources and quotes.

The context is written out, so that the file can be expanded without a network. What schema.org has no word for stands
under `lyra:`. The rating is the confidence on a scale from 0 to 1, and no verdict.
"""

from lyra.core.materials import ClaimMaterial, Materials
from lyra.core.records import Evidence
from lyra.core.times import to_text
from lyra.interfaces.exports.sources import Kind, Source, sources_of
from lyra.interfaces.presenter import SCHEMA_VERSION, Json, claim_json, evidence_json

SCHEMA_ORG = "https://schema.org/"
TERMS = "urn:lyra:term:"
CONTEXT: Json = {
    "@vocab": SCHEMA_ORG,
    "lyra": TERMS,
    "schema_version": f"{SCHEMA_ORG}schemaVersion",
    "url": {"@id": f"{SCHEMA_ORG}url", "@type": "@id"},
    "sameAs": {"@id": f"{SCHEMA_ORG}sameAs", "@type": "@id"},
}
_TYPES = {Kind.ARTICLE: "ScholarlyArticle", Kind.WEBPAGE: "WebPage", Kind.DOCUMENT: "CreativeWork"}
_NUMBERS = (
    "alpha beta uncertainty controversy interval evidence_count supporting_count refuting_count neutral_count"
    " independent_sources refuting_sources verification_status reason_code claim_adoption_status"
).split()
_INDEPENDENT = ("confidence", "uncertainty", "controversy", "alpha", "beta", "sources", "refuting_sources")
_EDGE = "relation nli_confidence model model_version calibration_version is_pointer excluded_reason edge_human_corrected".split()


def jsonld(materials: Materials) -> Json:
    """Return the task as a data set whose parts are the reviews of its claims."""
    task = materials.task
    sources = {source.page_id: source for source in sources_of(materials)}
    return {
        "@context": CONTEXT,
        "schema_version": SCHEMA_VERSION,
        "@id": name_of(task.task_id),
        "@type": "Dataset",
        "name": task.question,
        "dateCreated": to_text(task.created_at),
        "dateModified": to_text(task.updated_at),
        "hasPart": [_review(material, sources, to_text(task.updated_at)) for material in materials.claims],
    }


def name_of(identity: str) -> str:
    """Return the name under which a thing of the store is known outside of it."""
    return f"urn:lyra:{identity}"


def _review(material: ClaimMaterial, sources: dict[str, Source], when: str) -> Json:
    claim, shown = material.claim, claim_json(material)
    pages = list(dict.fromkeys(edge.page_id for edge in material.evidence if edge.page_id in sources))
    review: Json = {
        "@id": f"{name_of(claim.claim_id)}:review",
        "@type": "ClaimReview",
        "claimReviewed": claim.text,
        "inLanguage": claim.language,
        "datePublished": when,
        "author": {"@type": "Organization", "name": "Lyra"},
        "itemReviewed": {"@id": name_of(claim.claim_id), "@type": "Claim", "text": claim.text},
        "reviewRating": {
            "@type": "Rating",
            "ratingValue": shown["confidence"],
            "bestRating": 1,
            "worstRating": 0,
            "alternateName": shown["reason_code"] if material.has_evidence else shown["finding"],
            "reviewAspect": "confidence",
        },
        "citation": [source_node(sources[page_id]) for page_id in pages],
        "hasPart": [_quotation(edge) for edge in material.evidence],
    }
    review |= {f"lyra:{name}": shown[name] for name in _NUMBERS}
    return review | {"lyra:independent": _independent(shown["independent"])}


def _independent(shown: object) -> Json:
    values = shown if isinstance(shown, dict) else {}
    told: Json = {f"lyra:{name}": values[name] for name in _INDEPENDENT}
    told["lyra:groups"] = [
        {
            "lyra:pages": [{"@id": name_of(page)} for page in group["page_ids"]],
            "lyra:edges": [{"@id": name_of(edge)} for edge in group["edge_ids"]],
            "lyra:reasons": sorted({link["reason"] for link in group["links"]}),
            **{f"lyra:{side}": group[side] for side in ("supports", "refutes") if group[side] is not None},
        }
        for group in values["groups"]
    ]
    return told


def source_node(source: Source) -> Json:
    """Return a work with what is known of it, without where it lies on somebody's disk."""
    node: Json = {"@id": name_of(source.page_id), "@type": _TYPES[source.kind], "name": source.title}
    if source.authors:
        node["author"] = [{"@type": "Person", "name": author} for author in source.authors]
    if source.date:
        node["datePublished"] = "-".join(f"{part:02}" for part in source.date)
    if source.url:
        node["url"] = source.url
    if source.doi:
        node["identifier"] = {"@type": "PropertyValue", "name": "DOI", "propertyID": "doi", "value": source.doi}
        node["sameAs"] = f"https://doi.org/{source.doi}"
    if source.venue:
        node["isPartOf"] = {"@type": "Periodical", "name": source.venue}
    if source.retracted:
        node["creativeWorkStatus"] = "retracted"
    return node


def _quotation(edge: Evidence) -> Json:
    shown = evidence_json(edge)
    node: Json = {"@id": name_of(edge.edge_id), "@type": "Quotation", "text": edge.quote}
    node["isBasedOn"] = {"@id": name_of(edge.page_id)}
    return node | {f"lyra:{name}": shown[name] for name in _EDGE if shown[name] is not None}
