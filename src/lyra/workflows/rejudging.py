"""Judging again with the models in use now, claim by claim. Nothing does so unless a person asks for it."""

from collections.abc import Sequence

from lyra.core.records import Claim
from lyra.workflows.bench import Bench, Holding
from lyra.workflows.judging import judge_pairs

REJUDGE = "rejudge"


def rejudge_claims(bench: Bench, claims: Sequence[Claim], holding: Holding) -> int:
    """Judge the edges that another model, version or calibration made; returns how many were written.

    One transaction per claim, and what the present models have said is not asked again: work that was cut off goes on
    where it was. Edges that people corrected stay, and so do those that no model made.
    """
    written = 0
    with bench.progress.track("progress.rejudging", len(claims)) as step:
        for number, claim in enumerate(claims, start=1):
            stored = bench.store.rejudging.edges(claim.claim_id)
            other = [edge for edge in stored if not edge.is_by(bench.judge_of(claim.language, edge.language).info)]
            judged = judge_pairs(bench, claim, other)
            before = {edge.fragment_id: edge for edge in other}
            with bench.store.transaction():
                holding.guard(number, len(claims))
                for model, stances in judged:
                    written += bench.store.rejudging.replace(claim, before, stances, model, holding.job.job_id)
            step.advance()
    return written
