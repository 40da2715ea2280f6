"""A task as an RO-Crate: its claims, sources and numbers as files, with a description of each and of how they came about.

RO-Crate 1.2 (w3id.org/ro/crate/1.2). From `provenance.json` alone every number can be computed again.
"""

import hashlib
import json
from urllib.parse import quote

from lyra.app import installed_version
from lyra.core.materials import Materials
from lyra.core.own_result import CRATE_MARK
from lyra.core.records import ModelInfo
from lyra.core.timeline import TimelineEvent
from lyra.core.times import to_text
from lyra.interfaces.exports.bibtex import bibtex
from lyra.interfaces.exports.jsonld import jsonld, name_of, source_node
from lyra.interfaces.exports.provenance import provenance
from lyra.interfaces.exports.sources import sources_of
from lyra.interfaces.presenter import Json, models_of

_DESCRIPTION = "Claims, the sources that speak for and against them, and everything their confidence follows from."
METADATA = "ro-crate-metadata.json"
PROFILE = "https://w3id.org/ro/crate/1.2"
_README = """# What is in this folder

| file | what it holds |
|---|---|
| `provenance.json` | every claim, its values, the judgements behind them in full precision, the rules, and the history |
| `claims.jsonld` | the claims as schema.org ClaimReview |
| `sources.bib` | the sources that speak for or against a claim |
| `ro-crate-metadata.json` | a description of these files and of how they came about (RO-Crate 1.2) |

Every number in `provenance.json` can be computed again from the judgements beside it; `examples/recompute.py`, which comes
with Lyra and uses nothing of it, does so and compares.

Quotes belong to their sources.
"""


def crate_files(materials: Materials, history: tuple[TimelineEvent, ...]) -> dict[str, bytes]:
    """Return the files of the bundle by name. The same materials give the same bytes."""
    files = {
        "provenance.json": _json(provenance(materials, history)),
        "claims.jsonld": _json(jsonld(materials)),
        "sources.bib": bibtex(materials).encode("utf-8", "replace"),
        "README.md": _README.encode(),
    }
    return {METADATA: _json(_metadata(materials, files)), **files}


def _json(value: Json) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode("utf-8", "backslashreplace")


def _metadata(materials: Materials, files: dict[str, bytes]) -> Json:
    task = materials.task
    models = models_of(materials)
    sources = sources_of(materials)
    claims = [
        {"@id": f"#{material.claim.claim_id}", "@type": "Claim", "name": material.claim.text, "text": material.claim.text}
        for material in materials.claims
    ]
    works = [_flat(source_node(source)) for source in sources]
    authors = {entity["@id"]: entity for node in works for entity in node[1]}
    return {
        "@context": f"{PROFILE}/context",
        "@graph": [
            {
                "@id": METADATA,
                "@type": "CreativeWork",
                "conformsTo": {"@id": PROFILE},
                "about": {"@id": "./"},
                "creator": {"@id": CRATE_MARK},
            },
            {
                "@id": "./",
                "@type": "Dataset",
                "name": f"Evidence: {task.question}",
                "description": _DESCRIPTION,
                "datePublished": to_text(task.updated_at),
                "license": {"@id": "#licence"},
                "hasPart": [{"@id": name} for name in files],
                "mentions": [{"@id": claim["@id"]} for claim in claims] + [{"@id": "#judging"}],
            },
            *(_file(name, content) for name, content in files.items()),
            {
                "@id": "#licence",
                "@type": "CreativeWork",
                "name": "Terms of the sources",
                "description": "Quotes belong to the sources they were taken from and stand here as citations.",
            },
            {
                "@id": "#judging",
                "@type": "CreateAction",
                "name": "Judging the claims against the sources",
                "startTime": to_text(task.created_at),
                "endTime": to_text(task.updated_at),
                "agent": {"@id": CRATE_MARK},
                "instrument": _one_or_all([{"@id": _model_id(model)} for model in models]) or {"@id": CRATE_MARK},
                "object": [{"@id": node["@id"]} for node, _ in works] + [{"@id": claim["@id"]} for claim in claims],
                "result": [{"@id": name} for name in files],
            },
            {
                "@id": CRATE_MARK,
                "@type": "SoftwareApplication",
                "name": "Lyra",
                "version": installed_version(),
                "url": name_of("program"),
            },
            *(_model(model) for model in models),
            *claims,
            *(node for node, _ in works),
            *authors.values(),
        ],
    }


_ABOUT = {
    "provenance.json": (
        "Claims, judgements and rules",
        "Every claim with its values, the judgements they follow from, and the rules of the arithmetic.",
        "application/json",
    ),
    "claims.jsonld": ("Claim reviews", "The claims as schema.org ClaimReview, with sources and quotes.", "application/ld+json"),
    "sources.bib": ("Sources", "The sources that speak for or against a claim, in BibTeX.", "application/x-bibtex"),
    "README.md": ("Read me", "What is in this folder, and how to compute the numbers again.", "text/markdown"),
}


def _file(name: str, content: bytes) -> Json:
    about, description, kind = _ABOUT[name]
    return {
        "@id": name,
        "@type": "File",
        "name": about,
        "description": description,
        "encodingFormat": kind,
        "contentSize": str(len(content)),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _model_id(model: ModelInfo) -> str:
    return f"#model-{model.kind}-{hashlib.sha256(f'{model.name} {model.version}'.encode()).hexdigest()[:12]}"


def _model(model: ModelInfo) -> Json:
    return {
        "@id": _model_id(model),
        "@type": "SoftwareApplication",
        "name": model.name,
        "version": model.version,
        "url": name_of(f"model:{quote(model.name)}"),
        "description": f"{model.kind} model"
        + (f", calibration {model.calibration_version}" if model.calibration_version else ""),
    }


def _flat(node: Json) -> tuple[Json, list[Json]]:
    """Return a node whose inner things are references, and these things: a crate is a flat list."""
    entities: list[Json] = []
    flat: Json = {}
    for name, value in node.items():
        inner = [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]
        named = [one | {"@id": _entity_id(one)} for one in inner]
        entities += named
        flat[name] = _one_or_all([{"@id": one["@id"]} for one in named]) if named else value
    return flat, entities


def _one_or_all(references: list[Json]) -> Json | list[Json]:
    return references[0] if len(references) == 1 else references


def _entity_id(entity: Json) -> str:
    told = json.dumps(entity, ensure_ascii=False, sort_keys=True)
    return f"#{str(entity['@type']).lower()}-{hashlib.sha256(told.encode('utf-8', 'replace')).hexdigest()[:12]}"
