"""Recorded answers of the real services, where this machine has them: read in place, never copied."""

import base64
import gzip
import json
import zlib
from pathlib import Path

import pytest
import yaml

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "api-recordings"


def recorded(name: str) -> object:
    """The first JSON answer in a recording; skips where it is missing."""
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"the recorded answers of the services are not on this machine ({name})")
    if path.suffix == ".json":
        return json.loads(path.read_text(encoding="utf-8"))
    response = yaml.safe_load(path.read_text(encoding="utf-8"))["interactions"][0]["response"]
    body = response.get("content") or response["body"]["string"]
    data = body if isinstance(body, bytes) else body.encode()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    elif data[:4] == b"H4sI":
        data = gzip.decompress(base64.b64decode(data))
    elif data[:1] == b"\x78":
        data = zlib.decompress(data)
    return json.loads(data)
