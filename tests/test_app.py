"""The composition root: what is built from which setting, and what is not loaded while building."""

import os
import subprocess
import sys
from datetime import UTC
from pathlib import Path

import pytest

from lyra.app import SilentProgress, SystemClock, open_bench, open_judging_bench, open_reading_store
from lyra.config import Settings, read_settings
from lyra.core.errors import ModelError
from tests.interfaces.terminal import fake_models, no_models


def settings_for(tmp_path: Path, **variables: str) -> Settings:
    return read_settings({"home": str(tmp_path / "home")}, {"LYRA_CONFIG": os.devnull, **variables})


def test_the_bench_is_built_from_the_settings(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, LYRA_JUDGE_TOP_K="7", LYRA_SEARCH_FRAGMENTS="3", LYRA_SEARCH_MAX_CLAIMS="2")
    with open_bench(settings, SilentProgress(), fake_models()) as bench:
        assert (bench.limits.top_k, bench.limits.search_fragments, bench.limits.search_claims) == (7, 3, 2)
        assert bench.owner.endswith(f":{os.getpid()}")
        assert bench.reranker is None
    assert (tmp_path / "home" / "lyra.db").exists()


def test_a_library_file_larger_than_the_setting_is_left_alone(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, LYRA_LIBRARY_MAX_FILE_MB="1")
    large = tmp_path / "large.txt"
    large.write_bytes(b"word " * 300_000)
    with open_bench(settings, SilentProgress(), fake_models()) as bench:
        (stamp,) = bench.reader.scan(large)
        with pytest.raises(Exception, match="larger than 1 MB"):
            bench.reader.read(stamp, large)


def test_the_clock_tells_the_time_of_the_machine_in_utc() -> None:
    clock = SystemClock()
    assert clock.now().tzinfo is UTC
    assert clock.now() <= clock.now()


def test_ids_of_two_processes_do_not_meet(tmp_path: Path) -> None:
    tasks = []
    for _ in range(2):
        with open_reading_store(settings_for(tmp_path)) as store:
            tasks.append(store.tasks.create("Does it?", None, []).task_id)
    assert len(set(tasks)) == 2


def test_without_weights_nothing_is_opened_for_judging(tmp_path: Path) -> None:
    with pytest.raises(ModelError), open_judging_bench(settings_for(tmp_path), SilentProgress(), no_models):
        pass
    assert not (tmp_path / "home").exists()


def test_building_the_shipped_models_loads_no_runtime(tmp_path: Path) -> None:
    program = (
        "import os, sys\n"
        "from lyra.app import SilentProgress, open_bench\n"
        "from lyra.config import read_settings\n"
        f"settings = read_settings({{'home': {str(tmp_path / 'home')!r}}}, {{'LYRA_CONFIG': os.devnull}})\n"
        "with open_bench(settings, SilentProgress()) as bench:\n"
        "    print([name for name in ('numpy', 'onnxruntime', 'tokenizers') if name in sys.modules])\n"
    )
    environ = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
