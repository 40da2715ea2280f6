"""What all tests share: a real store in a temporary folder, a clock that is moved by hand, and fakes at the ports."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, settings

from lyra.store.evidence_store import EvidenceStore, open_store
from lyra.workflows.bench import Bench
from tests.fakes import FakeClock, MemoryReader, make_bench

# Examples are the same on every run, so that a gate never fails by chance; the soak run draws new ones.
# A store on disk is slow beside what Hypothesis expects, and no test here is about time.
settings.register_profile("lyra", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lyra")


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def store(home: Path, clock: FakeClock) -> Iterator[EvidenceStore]:
    with open_store(home, clock, Random(7)) as opened:
        yield opened


@pytest.fixture
def reader() -> MemoryReader:
    return MemoryReader()


@pytest.fixture
def bench(store: EvidenceStore, reader: MemoryReader) -> Bench:
    return make_bench(store, reader)
