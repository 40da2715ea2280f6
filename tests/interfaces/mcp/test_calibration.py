"""How well judgements do, from what people said, and the way back."""

from pathlib import Path
from typing import Any

import pytest
from mcp.server.lowlevel import Server
from mcp_types import ElicitResult

from lyra.app import open_reading_store
from lyra.core.calibration_records import NewCalibration, Source
from tests.interfaces.mcp.client import MODES, Talk, converse, said, settings_of
from tests.interfaces.mcp.test_confirm import AGREES, User

CLAIMS = ["Daily walking increases attention in children.", "Green tea increases attention in adults."]


def put_in_force(home: Path) -> str:
    """A calibrator of the fake judge, as a fit would leave it."""
    with open_reading_store(settings_of(home)) as store:
        new = NewCalibration(Source("keyword", "1"), "temperature", (1.5,), "none", 100, {})
        return store.calibrations.apply(new).calibration.version


@pytest.mark.parametrize("mode", MODES)
def test_answers_of_people_are_counted_and_measured(server: Server[Any], mode: str) -> None:
    async def talk_(talk: Talk) -> None:
        assert (await talk.fail("calibration_metrics", action="evaluate"))["code"] == "calibration_no_samples"
        made = await talk.ask("check_claims", claims=CLAIMS, wait_seconds=50)
        for claim in made["materials"]["claims"]:
            for edge in claim["evidence"]:
                given = {"edge_id": edge["edge_id"], "correct_relation": edge["relation"]}
                await talk.ask("feedback", action="edge_correct", **given)
        (source,) = (await talk.ask("calibration_metrics", action="get_stats"))["sources"]
        assert source["source"] == "keyword/1" and source["sample_count"] == source["confirmed_count"] > 3
        (measured,) = (await talk.ask("calibration_metrics", action="evaluate"))["evaluations"]
        assert measured["accuracy"] == 1.0 and measured["bins"] and measured["classes"]
        kept = (await talk.ask("calibration_metrics", action="get_evaluations", source="keyword"))["evaluations"]
        assert [one["evaluation_id"] for one in kept] == [measured["evaluation_id"]]

    converse(server, talk_, mode)


@pytest.mark.parametrize("mode", MODES)
def test_going_back_needs_the_users_word_and_is_kept_in_the_history(home: Path, server: Server[Any], mode: str) -> None:
    version = put_in_force(home)

    async def go_back(talk: Talk) -> Any:
        return said(await talk.call("calibration_rollback", {"version": "shipped", "reason": "worse on our field"}))

    assert converse(server, go_back, mode)["error"]["code"] == "mcp_needs_confirm"
    user = User(ElicitResult(action="decline"))
    assert converse(server, go_back, mode, elicitation_callback=user)["error"]["code"] == "mcp_declined"
    user = User(AGREES)
    answer = converse(server, go_back, mode, elicitation_callback=user)
    assert (answer["changed"], answer["calibration_in_force"], len(user.asked)) == (True, "shipped", 1)
    history = converse(server, lambda talk: talk.ask("calibration_metrics", action="get_evaluations"), mode)
    assert history["events"][0]["reason"] == "worse on our field"
    again = converse(server, lambda talk: talk.ask("calibration_rollback", version=version, confirm=True), mode)
    assert again["calibration_in_force"] == version
