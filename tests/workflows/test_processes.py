"""Several processes on one store: they wait for each other, and together leave what one alone would have left."""

import subprocess
from pathlib import Path
from random import Random

from lyra.store.evidence_store import open_store
from lyra.store.migrations import known_migrations
from tests.contents import contents, faults
from tests.crashes import CLAIMS, answer, start, tell, uninterrupted, write_library
from tests.fakes import SystemClock

AT_ONCE = 4
HOMES = 6


def finished(process: "subprocess.Popen[str]") -> tuple[int, str]:
    """Exit code and complaints of a driver that was told everything."""
    said, complaints = process.communicate()
    assert said.endswith("done\n")
    return process.returncode, complaints


def test_two_checks_at_once_both_succeed(tmp_path: Path) -> None:
    library, home = write_library(tmp_path / "library"), tmp_path / "home"
    batches = (CLAIMS[:3], CLAIMS[3:])
    with start("check", home, library, *batches[0]) as first, start("check", home, library, *batches[1]) as second:
        for process in (first, second):
            assert answer(process) == "ready\n"
        for process in (first, second):
            tell(process)
        assert [finished(process) for process in (first, second)] == [(0, ""), (0, "")]
    with open_store(home, SystemClock(), Random()) as store:
        assert contents(store) == uninterrupted(tmp_path / "alone", library, *batches)
        assert faults(store) == []
        assert store.jobs.unfinished() == []


def test_a_fresh_home_can_be_opened_by_several_at_once(tmp_path: Path) -> None:
    processes = [start("open") for _ in range(AT_ONCE)]
    homes = [tmp_path / f"home{number}" for number in range(HOMES)]
    answers = []
    for home in homes:
        for process in processes:
            tell(process, str(home))
        answers += [answer(process) for process in processes]
    ends = [(*process.communicate(), process.returncode) for process in processes]
    assert ends == [("", "", 0)] * AT_ONCE
    assert answers == ["opened\n"] * AT_ONCE * HOMES
    for home in homes:
        with open_store(home, SystemClock(), Random()) as store:
            assert len(store.tasks.all()) == AT_ONCE
            assert store.database.count("SELECT count(*) FROM schema_migrations") == len(known_migrations())
            assert faults(store) == []
