"""Summaries of fetched pages by a language model, where the settings ask for them: shown to people, never judged.

A summary is no fragment: nothing is extracted from it, nothing is judged against it, and no number depends on it.
"""

from collections.abc import Mapping, Sequence

from lyra.core.gathering import SUMMARY
from lyra.workflows.gather.ground import Ground
from lyra.workflows.gather.understanding import Understanding


def summarise(ground: Ground, outcomes: Sequence[Mapping[str, object]], understanding: Understanding) -> None:
    """Sum up the pages that were just fetched, each version of a text once in a task. Each page is one transaction.

    A page in quarantine is not shown to the model. Where the model fails there is no summary, and an event says so.
    """
    if not ground.reach.summaries or ground.reach.llm is None:
        return
    known = {one.page_version_id for one in ground.store.gathered.summaries(ground.task_id)}
    for outcome in outcomes:
        version = outcome.get("page_version_id")
        if not isinstance(version, str) or outcome.get("quarantined") or version in known:
            continue
        known.add(version)
        page_id = str(outcome["page_id"])
        summary = understanding.summary(ground.store.pages.text(page_id, version)[1])
        if summary is None:
            continue
        event = {"page_id": page_id, "page_version_id": version}
        with ground.steps.writing():
            ground.steps.record(SUMMARY, version, {**event, "summary": summary, "model": understanding.way}, event)
