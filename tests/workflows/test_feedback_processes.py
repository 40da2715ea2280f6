"""Feedback from several processes at once: every act is acknowledged or refused, none is lost, and histories are linear."""

from pathlib import Path

from tests.feedback_campaign import run_campaign

PROCESSES, ACTIONS_EACH = 3, 25


def test_feedback_given_at_once_is_acknowledged_or_refused_and_never_lost(tmp_path: Path) -> None:
    campaign = run_campaign(tmp_path / "home", PROCESSES, ACTIONS_EACH, seed=11)
    assert campaign.losses == []
    assert len(campaign.answers) == PROCESSES * ACTIONS_EACH
    assert campaign.count("done") + campaign.count("same") + campaign.count("refused") == PROCESSES * ACTIONS_EACH
    assert min(campaign.count("done"), campaign.count("refused")) > 0
