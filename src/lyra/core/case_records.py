"""What the store keeps of cases: contents, labels and decisions, each with who, when and why."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class KeptCase:
    """A case as it was last saved. `content` is its JSON text; `task_id` the task its claims were last checked in."""

    case_id: str
    content: str
    task_id: str | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Revision:
    """One content a case has had. `made_by` is the command, `saved_by` the person."""

    case_id: str
    content: str
    made_by: str
    saved_by: str | None
    reason: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class KeptAnnotation:
    """A label somebody gave to one field of one unit; None where they left it out."""

    unit: str
    field: str
    rater: str
    value: str | None
    lead_time: float | None = None
    reason: str | None = None
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Adjudication:
    """The final word on a label: the value, who decided and why, and what the consensus had proposed."""

    unit: str
    field: str
    value: str
    decided_by: str
    reason: str
    proposed_value: str | None = None
    proposed_probability: float | None = None
    created_at: datetime | None = None
