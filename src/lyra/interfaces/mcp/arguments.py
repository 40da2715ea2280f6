"""What the tools take. Unknown names, other types, values out of range and NaN are refused before anything is done."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from lyra.core.claim_input import MAX_CLAIM_CHARS
from lyra.core.paging import ADDED, ORDERS
from lyra.core.records import Relation
from lyra.store.queries.views import VIEWS
from lyra.workflows.check import MAX_QUESTION_CHARS
from lyra.workflows.feedback import ACTIONS

MAX_WAIT_SECONDS = 50
MAX_CLAIMS = 100
MAX_QUERIES = 20
MAX_REASON_CHARS = 2_000
_MAX_ID_CHARS = 200
_MAX_PARAMETERS = 20
_SQL_HELP = "One SELECT; it can only read. SELECT name, sql FROM sqlite_schema shows the tables."
_OF_VIEWS = {view.name: ", ".join(one.name for one in view.parameters if one.name != "task") for view in VIEWS.values()}
_LISTED_PARAMETERS = "; ".join(f"{name}: {names}" for name, names in _OF_VIEWS.items() if names)
_PARAMETERS_HELP = f"Values for :name in the SELECT, or parameters of the view: {_LISTED_PARAMETERS}."
_RELATIONS = [*(relation.value for relation in Relation), None]


class Arguments(BaseModel):
    """The arguments of a tool: exactly these, of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


Question = Annotated[str, Field(min_length=1, max_length=MAX_QUESTION_CHARS)]
Claim = Annotated[str, Field(min_length=1, max_length=MAX_CLAIM_CHARS)]
Id = Annotated[str, Field(min_length=1, max_length=_MAX_ID_CHARS)]
Reason = Annotated[str, Field(min_length=1, max_length=MAX_REASON_CHARS)]
TaskId = Annotated[str, Field(min_length=1, max_length=_MAX_ID_CHARS, description="Id of a task, as task_… .")]
WaitSeconds = Annotated[
    float,
    Field(ge=0, le=MAX_WAIT_SECONDS, description="Wait up to so many seconds for unfinished jobs; 0 answers at once."),
]
Providers = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=60)]] | None,
    Field(max_length=20, description="Sources beside the library, as semantic_scholar; null means those of the settings."),
]
MaxKb = Annotated[int, Field(ge=20, le=1000, description="Largest answer in kB; what does not fit follows with the cursor.")]
Parameter = Annotated[str, Field(max_length=2_000)] | Annotated[int, Field(ge=-(2**53), le=2**53)] | float


class Budget(Arguments):
    """What a search may cost."""

    pages: Annotated[int | None, Field(ge=0, le=100_000, description="Pages fetched at most.")] = None
    seconds: Annotated[int | None, Field(ge=1, le=604_800, description="Seconds of gathering at most.")] = None


class CreateTask(Arguments):
    """Arguments of create_task."""

    question: Annotated[Question, Field(description="The question to be answered from evidence.")]
    hypothesis: Annotated[Question | None, Field(description="What is believed now, if anything.")] = None
    budget: Annotated[Budget | None, Field(description="What each search of the task may cost.")] = None


class CheckClaims(Arguments):
    """Arguments of check_claims."""

    claims: Annotated[
        list[Claim], Field(min_length=1, max_length=MAX_CLAIMS, description="Statements to judge, one sentence each.")
    ]
    task_id: Annotated[Id | None, Field(description="Add the claims to this task; without it a task is made.")] = None
    question: Annotated[Question | None, Field(description="What the new task is about.")] = None
    providers: Providers = None
    wait_seconds: WaitSeconds = 0


class Search(Arguments):
    """Arguments of search."""

    task_id: TaskId
    queries: Annotated[
        list[Question], Field(max_length=MAX_QUERIES, description="What to look for; empty means the task's question.")
    ] = []
    urls: Annotated[list[Annotated[str, Field(min_length=1, max_length=2_000)]], Field(max_length=50)] = []
    dois: Annotated[list[Annotated[str, Field(min_length=1, max_length=300)]], Field(max_length=50)] = []
    providers: Providers = None
    budget: Annotated[Budget | None, Field(description="What this search may cost; else the task's budget.")] = None
    wait_seconds: WaitSeconds = 0


class CalibrationMetrics(Arguments):
    """Arguments of calibration_metrics."""

    action: Annotated[
        Literal["get_stats", "evaluate", "get_evaluations"],
        Field(description="evaluate measures the stored samples and keeps the result; the others only read."),
    ]
    source: Annotated[Id | None, Field(description="A model, as name or name/version; without it, all.")] = None
    limit: Annotated[int, Field(ge=1, le=1_000, description="get_evaluations: at most so many.")] = 20
    max_kb: MaxKb = 60


class CalibrationRollback(Arguments):
    """Arguments of calibration_rollback."""

    version: Annotated[Id, Field(description="A calibration_version from get_stats; shipped is the model as it came.")]
    source: Annotated[Id | None, Field(description="The model that shipped speaks of, as name or name/version.")] = None
    reason: Reason | None = None
    confirm: Annotated[bool, Field(description="Needed: the user has agreed.")] = False


class GetAuthQueue(Arguments):
    """Arguments of get_auth_queue."""

    task_id: Annotated[Id | None, Field(description="Only what this task waits for.")] = None
    settled: Annotated[bool, Field(description="Also what no longer waits.")] = False


class ResolveAuth(Arguments):
    """Arguments of resolve_auth."""

    name: Annotated[str, Field(min_length=1, max_length=300, description="intervention_id, or a host for all that waits there.")]
    action: Annotated[Literal["retry", "skip"], Field(description="retry after the user got in; skip gives the page up.")]


class GetStatus(Arguments):
    """Arguments of get_status."""

    task_id: Annotated[Id | None, Field(description="Only the jobs of this task; without it, all unfinished ones.")] = None
    wait_seconds: WaitSeconds = 0
    detail: Annotated[
        Literal["brief", "full"], Field(description="full adds the store, the library, rates of domains and quarantined pages.")
    ] = "brief"


class GetMaterials(Arguments):
    """Arguments of get_materials."""

    task_id: TaskId
    claim_ids: Annotated[list[Id] | None, Field(min_length=1, max_length=50, description="Only these claims.")] = None
    adopted: Annotated[
        Literal["adopted", "not_adopted"] | None, Field(description="Only claims that are adopted, or are not.")
    ] = None
    order: Annotated[str, Field(json_schema_extra={"enum": list(ORDERS)}, max_length=40)] = ADDED
    cursor: Annotated[
        str | None, Field(min_length=1, max_length=600, description="`next` of the page before; it brings its order.")
    ] = None
    limit: Annotated[int, Field(ge=1, le=100, description="At most so many claims.")] = 10
    evidence_per_claim: Annotated[
        int, Field(ge=0, le=100, description="List at most so many pieces of evidence per claim; all are counted.")
    ] = 4
    lens: Annotated[
        Literal["contradictions", "not_adopted"] | None, Field(description="An interpretation of the claims shown.")
    ] = None
    max_kb: MaxKb = 60


class QueryEvidence(Arguments):
    """Arguments of query_evidence."""

    text: Annotated[Question | None, Field(description="Find passages about this, by words and by meaning.")] = None
    view: Annotated[str | None, Field(max_length=60, json_schema_extra={"enum": [*VIEWS, None]}, description="A named view.")] = (
        None
    )
    sql: Annotated[str | None, Field(min_length=1, max_length=20_000, description=_SQL_HELP)] = None
    parameters: Annotated[
        dict[Annotated[str, Field(max_length=64)], Parameter],
        Field(max_length=_MAX_PARAMETERS, description=_PARAMETERS_HELP),
    ] = {}
    task_id: Annotated[Id | None, Field(description="Only this task.")] = None
    limit: Annotated[int, Field(ge=1, le=200, description="At most so many rows or passages.")] = 20
    max_kb: MaxKb = 60


class StopTask(Arguments):
    """Arguments of stop_task."""

    task_id: TaskId
    cleanup: Annotated[
        Literal["none", "soft", "hard"],
        Field(description="none keeps all; soft deletes the task; hard also pages and fragments that nothing else needs."),
    ] = "none"
    dry_run: Annotated[bool, Field(description="Only count what would be deleted.")] = False
    confirm: Annotated[bool, Field(description="Needed for soft and hard: the user has agreed to the deletion.")] = False


class Feedback(Arguments):
    """Arguments of feedback."""

    action: Annotated[str, Field(max_length=60, json_schema_extra={"enum": list(ACTIONS)})]
    domain_pattern: Annotated[
        str | None, Field(max_length=300, description="example.com, or *.example.com for it and all below.")
    ] = None
    claim_id: Id | None = None
    edge_id: Id | None = None
    correct_relation: Annotated[str | None, Field(max_length=40, json_schema_extra={"enum": _RELATIONS})] = None
    reason: Annotated[Reason | None, Field(description="Why; needed but for claim_restore and edge_correct.")] = None
    confirm: Annotated[bool, Field(description="Needed to unblock a domain of high risk: the user has agreed.")] = False
