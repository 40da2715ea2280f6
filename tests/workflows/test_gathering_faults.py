"""Faults of one service beside a whole search: it ends in time, says what happened, and the others go on."""

from pathlib import Path
from random import Random

import pytest

from tests.gather_faults import search_beside
from tests.loopback.faults import FAULTS
from tests.loopback.world import loopback_world

RUNS = 3


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_a_search_beside_a_faulty_service_keeps_its_promises(fault: str, home: Path) -> None:
    with loopback_world() as world:
        for number in range(RUNS):
            assert search_beside(world, home / str(number), fault, Random(f"{fault} {number}")) == []
