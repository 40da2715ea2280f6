"""The coefficients by which cues are weighed, from their file beside the weights."""

import json
from pathlib import Path

from lyra.core.cues.names import CUES
from lyra.core.cues.weigher import Coefficients, Weights
from lyra.core.errors import ModelError
from lyra.models.reading import Part

SCHEMA_VERSION = 1
_LOGITS = 3


def read_coefficients(path: Path) -> Coefficients:
    """Return the coefficients by manner of reading. Raises ModelError `weights_manifest_broken`, naming the place."""
    try:
        root = Part("", json.loads(path.read_text(encoding="utf-8")))
        if root.whole("schema_version") != SCHEMA_VERSION:
            raise ValueError(f"schema_version ≠ {SCHEMA_VERSION}")
        parts = root.part("coefficients")
        return {name: _weights(parts.part(name)) for name in parts.names()}
    except OSError as error:
        raise ModelError("weights_missing", file=path) from error
    except (ValueError, RecursionError) as error:
        raise ModelError("weights_manifest_broken", file=path, reason=error) from error


def _weights(part: Part) -> Weights:
    cues = part.texts("cues")
    if not set(cues) <= set(CUES):
        raise ValueError(part.where("cues"))
    hidden, output = part.numbers("hidden"), part.numbers("output")
    inputs = _LOGITS + len(cues)
    if any(len(row) != inputs + 1 for row in hidden):
        raise ValueError(part.where("hidden"))
    if len(output) != _LOGITS or any(len(row) != inputs + len(hidden) + 1 for row in output):
        raise ValueError(part.where("output"))
    return Weights(cues=cues, scale=part.positive("scale"), hidden=hidden, output=(output[0], output[1], output[2]))
