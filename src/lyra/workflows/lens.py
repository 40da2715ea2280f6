"""Looking at a task through a lens. Nothing is written: a lens works on a store that is opened read-only, too."""

from collections.abc import Sequence

from lyra.core.identity import host_of
from lyra.core.lens_view import LensView, Opinion
from lyra.lenses import load_lens
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.domain_gate import PolicyGate
from lyra.workflows.materials import collect


def look_through(store: EvidenceStore, name: str, task_id: str, claim_ids: Sequence[str] | None = None) -> Opinion:
    """Return the opinion of a lens on a task, or on the named claims of it.

    Raises InvalidInput for an unknown lens, NotFound for an unknown task.
    """
    look = load_lens(name)
    materials = collect(store, task_id, claim_ids=claim_ids)
    gate = PolicyGate(store)
    hosts = {host_of(edge.url) for material in materials.claims for edge in material.evidence}
    hosts |= {material.claim.origin_domain for material in materials.claims}
    known = sorted(host for host in hosts if host)
    policy = gate.policy().policy if known else None
    return look(
        LensView(
            materials,
            rulings={host: gate.explain(host) for host in known},
            superseded_days={} if policy is None else {host: policy.superseded_days(host) for host in known},
        )
    )
