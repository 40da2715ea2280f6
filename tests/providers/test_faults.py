"""Twelve faults of services. Every run ends within its budget, says what happened, and a throttle is never "no results"."""

import pytest

from lyra.core.records import ProviderStatus
from tests.loopback.fault_runs import ENDS, OK, SERVICES, complaints, run
from tests.loopback.faults import FAULTS


@pytest.mark.parametrize("again", range(3))
@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_stays_ends_within_the_budget_and_is_said(fault: str, service: str, again: int) -> None:
    answer, seconds = run(service, fault)
    assert complaints(answer, seconds) == []
    assert (answer.status, answer.code) == ENDS[fault]
    assert bool(answer.found) == (answer.status is OK)


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("fault", sorted(set(FAULTS) - {"throttled_year", "repeating_cursor"}))
def test_a_fault_that_passes_leaves_no_trace(fault: str, service: str) -> None:
    answer, seconds = run(service, fault, times=1)
    undisturbed, _ = run(service, fault, times=0)
    assert complaints(answer, seconds) == []
    assert (answer.status, answer.found) == (OK, undisturbed.found)


def test_every_fault_of_the_list_is_tried() -> None:
    assert set(ENDS) == set(FAULTS)
    assert len(FAULTS) == 12


def test_what_came_before_a_failure_is_kept_and_the_failure_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first page of a list arrives, the second never does."""
    monkeypatch.setattr("lyra.providers.openalex._PAGE", 4)
    answer, seconds = run("openalex search", "throttled_year", first=1)
    assert complaints(answer, seconds) == []
    assert (answer.status, len(answer.found)) == (ProviderStatus.THROTTLED, 4)
