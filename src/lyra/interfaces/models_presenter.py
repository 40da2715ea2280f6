"""Models that can be used by name, as JSON-ready values."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lyra.interfaces.presenter import Json, document

if TYPE_CHECKING:  # the command line imports this module for its help, too
    from lyra.core.records import ModelInfo
    from lyra.models.shelf import ShelfModel
    from lyra.workflows.pull_model import Pulled
    from lyra.workflows.rejudge import Rejudged


def shelf_json(models: Iterable["ShelfModel"], path: str, hub_url: str) -> Json:
    """Return the answer of `models list`."""
    return document(path=path, hub_url=hub_url, models=[shelf_model_json(model) for model in models])


def shelf_model_json(model: "ShelfModel") -> Json:
    """Return one model by name."""
    return {
        **_info_json(model.info),
        "calibration_version": model.info.calibration_version,
        "in_use": model.in_use,
        "origin": model.origin,
        "source": model.source,
        "size_bytes": model.size,
        "problem_file": model.problem,
    }


def used_json(info: "ModelInfo | None", kind: str, models: Iterable["ShelfModel"]) -> Json:
    """Return the answer of `models use`: what was chosen, and everything that is in use now."""
    in_use = [{"kind": model.info.kind, "name": model.info.name} for model in models if model.in_use]
    return document(kind=kind, name=info and info.name, version=info and info.version, in_use=in_use)


def pulled_json(pulled: "Pulled", *, used: bool) -> Json:
    """Return the answer of `models pull`."""
    return document(
        **_info_json(pulled.info),
        commit=pulled.commit,
        path=str(pulled.folder),
        pulled_files=[{"path": file.path, "size_bytes": file.size} for file in pulled.files],
        in_use=used,
        endpoints=[pulled.url],
    )


def rejudged_json(rejudged: "Rejudged") -> Json:
    """Return the answer of `task rejudge`."""
    outcome = rejudged.outcome
    return document(
        task_id=outcome.task_id,
        job_id=outcome.job_id,
        status=outcome.status.value,
        edge_count=rejudged.edge_count,
        rejudged_edges=outcome.rejudged_edges,
        corrected_edges=rejudged.corrected_edges,
        new_edges=outcome.new_edges,
    )


def _info_json(info: "ModelInfo") -> Json:
    return {"name": info.name, "kind": info.kind, "version": info.version, "languages": list(info.languages)}
