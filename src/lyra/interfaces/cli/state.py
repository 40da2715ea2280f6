"""`lyra status` and `lyra config show`: how things stand. Neither loads a model."""

from typing import TYPE_CHECKING, Annotated

import typer

from lyra.app import block_rules, open_reading_store
from lyra.core.errors import EXIT_OK, ModelError
from lyra.core.oversight import Oversight
from lyra.core.records import Job, ModelInfo, Task
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.layout import padded, width_of
from lyra.interfaces.cli.output import write_json, write_text
from lyra.interfaces.governance_presenter import oversight_json, oversight_rows
from lyra.interfaces.presenter import document, models_json, problem_json
from lyra.interfaces.state_presenter import job_json, settings_json, task_json
from lyra.interfaces.untrusted import on_one_line

if TYPE_CHECKING:
    from lyra.store.evidence_store import EvidenceStore


def status(
    call: Invocation, task: Annotated[str | None, typer.Argument(metavar="TASK", help="help.argument_task")] = None
) -> int:
    """Show what the store holds, which jobs are unfinished, which models are installed and which sources are out of use."""
    with open_reading_store(call.settings) as store:
        facts, roots = store.facts(), store.library.roots()
        oversight = _oversight(call, store)
        found = None if task is None else store.tasks.get(task)
        jobs = store.jobs.unfinished() if task is None else store.jobs.of_task(task)
        waiting = len(store.interventions.all(task))
        models, problem = _models(call)
        models = tuple(map(store.calibrations.named, models))
    if call.as_json:
        database = {
            "path": facts.path,
            "engine": facts.engine,
            "schema_version": facts.schema_version,
            "size_bytes": facts.size_bytes,
        }
        write_json(
            document(
                home=str(call.settings.home),
                database=database,
                counts=facts.counts,
                roots=roots,
                task=None if found is None else task_json(found),
                jobs=[job_json(job) for job in jobs],
                models=models_json(models),
                model_problem=None if problem is None else problem_json(problem, call.lang),
                endpoints=_endpoints(call),
                waiting_for_person=waiting,
                **oversight_json(oversight, call.lang),
            )
        )
        return EXIT_OK
    rows = [
        (call.say("label.home"), str(call.settings.home)),
        (call.say("label.database"), call.say("text.database", engine=facts.engine, size=f"{facts.size_bytes / 1e6:.1f}")),
        *((call.say(f"label.count_of_{name}"), str(count)) for name, count in facts.counts.items()),
        *((call.say("label.library"), root) for root in roots),
        *_task_rows(call, found),
        *((call.say("label.job"), _job_words(call, job)) for job in jobs),
        *((call.say(f"label.model_{info.kind}"), _model_words(call, info)) for info in models),
        (call.say("label.endpoints"), ", ".join(_endpoints(call)) or call.say("label.none")),
        *([(call.say("label.waiting_for_person"), str(waiting))] if waiting else []),
        *oversight_rows(oversight, call.lang),
    ]
    if problem is not None:
        rows.append((call.say("label.models"), problem.sentence(call.lang)))
    _write_rows(rows)
    return EXIT_OK


def _oversight(call: Invocation, store: "EvidenceStore") -> Oversight:
    rules, source = block_rules(call.settings), store.policy
    path = None if source is None else source.path
    if not store.domains.all() and not store.overrides.in_force() and (path is None or not path.exists()):
        return Oversight(rules, None if path is None else str(path))
    from lyra.workflows.oversight import oversee  # noqa: PLC0415 - a home without hosts need not pay for this

    return oversee(store, rules)


def _models(call: Invocation) -> tuple[tuple[ModelInfo, ...], ModelError | None]:
    try:
        return call.models(call.settings).infos(), None
    except ModelError as problem:
        return (), problem


def _endpoints(call: Invocation) -> list[str]:
    """Return the addresses that a search asks when none are named, as the settings are."""
    settings = call.settings
    if settings.fetch.offline:
        return []
    services = [settings.providers.services.get(name) for name in settings.providers.use]
    used = [service.url for service in services if service is not None and service.url]
    return [*used, *([settings.llm.url] if settings.llm.use != "none" else [])]


def _task_rows(call: Invocation, task: Task | None) -> list[tuple[str, str]]:
    if task is None:
        return []
    return [
        (call.say("label.task"), f"{task.task_id} ({call.say(f'label.{task.status.value}')})"),
        (call.say("label.question"), task.question),
        (call.say("label.claims"), str(task.claim_count)),
        (call.say("label.edges"), str(task.edge_count)),
    ]


def _job_words(call: Invocation, job: Job) -> str:
    progress = f" {job.done}/{job.total}" if job.total else ""
    return f"{job.job_id} {job.kind} · {job.task_id} · {call.say(f'label.{job.status.value}')}{progress}"


def _model_words(call: Invocation, info: ModelInfo) -> str:
    calibration = call.say("text.calibration", version=info.calibration_version) if info.calibration_version else ""
    return f"{info.name} {info.version}{calibration}"


def _write_rows(rows: list[tuple[str, str]]) -> None:
    left = max(width_of(label) for label, _ in rows)
    write_text("\n".join(f"{padded(label, left)}  {on_one_line(value)}".rstrip() for label, value in rows))


def config_show(call: Invocation) -> int:
    """Show every setting with its value and where that comes from."""
    settings = call.settings
    if call.as_json:
        write_json(settings_json(settings))
        return EXIT_OK
    _write_rows(
        [
            *((entry.key, f"{entry.value} ({entry.origin})") for entry in settings.values),
            (call.say("label.settings_file"), str(settings.path)),
        ]
    )
    return EXIT_OK
