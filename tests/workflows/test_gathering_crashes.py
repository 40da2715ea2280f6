"""A search that is killed in the middle goes on where it was, and ends in the same graph."""

from pathlib import Path
from random import Random

from tests.gather_crashes import disturbed, draw_kills
from tests.loopback.world import loopback_world


def test_a_search_killed_five_times_ends_in_the_same_graph(tmp_path: Path) -> None:
    with loopback_world() as world:
        for name in ("calm", "rough"):
            (tmp_path / name).mkdir()
        calm, wrong = disturbed(world, tmp_path / "calm" / "home", [])
        assert not wrong
        assert calm.edges
        rough, wrong = disturbed(world, tmp_path / "rough" / "home", draw_kills(Random(5), 5))
        assert not wrong
        assert rough == calm
