"""A fresh directory of tiny weights for each test, free to be damaged."""

from pathlib import Path

import pytest

from lyra.models.weights import Weights
from tests.models.tiny import TinyWeights, make_tiny_weights


@pytest.fixture
def tiny(tmp_path: Path) -> TinyWeights:
    return make_tiny_weights(tmp_path / "weights")


@pytest.fixture
def weights(tiny: TinyWeights) -> Weights:
    return Weights(tiny.directory)
