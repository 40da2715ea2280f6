"""`lyra doctor`: whether everything Lyra stands on is there and works, one line each."""

import math
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from lyra.app import open_reading_store
from lyra.config import unknown_variables
from lyra.core.errors import EXIT_DEPENDENCY, EXIT_OK, LyraError
from lyra.core.model_choice import judge_texts
from lyra.core.records import Relation
from lyra.interfaces.cli.doctor_network import look_at_endpoints, look_at_paths, look_at_providers, network_json
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.layout import padded, width_of
from lyra.interfaces.cli.output import write_json, write_text
from lyra.interfaces.presenter import document
from lyra.interfaces.untrusted import on_one_line

OK, WARNING, FAILED = "ok", "warning", "failed"
_OLDEST_PYTHON = (3, 11)
# Earlier versions can corrupt a file when two connections write or checkpoint at once.
_OLDEST_ENGINE = (3, 51, 3)
_ENOUGH_DISK_BYTES = 500_000_000
_FRAGMENT = "At sea level, water boils at a temperature of 100 degrees Celsius."
_CLAIM = "Water boils at 100 degrees Celsius at sea level."


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: how it stands, and what was seen."""

    name: str
    status: str
    detail: str


def doctor(call: Invocation) -> int:
    """Look at everything and say for each thing whether it is in order."""
    findings = list(_examine(call))
    healthy = all(finding.status != FAILED for finding in findings)
    if call.as_json:
        checks = [{"name": one.name, "status": one.status, "detail": one.detail} for one in findings]
        write_json(document(ok=healthy, checks=checks, **_network(call)))
    else:
        names = {one.name: call.say(f"doctor.{one.name}") for one in findings}
        words = {status: call.say(f"doctor.{status}") for status in (OK, WARNING, FAILED)}
        left, middle = max(map(width_of, words.values())), max(map(width_of, names.values()))
        for one in findings:
            detail = on_one_line(one.detail)
            write_text(f"{padded(words[one.status], left)}  {padded(names[one.name], middle)}  {detail}".rstrip())
    return EXIT_OK if healthy else EXIT_DEPENDENCY


def _examine(call: Invocation) -> Iterator[Finding]:
    yield _python(call)
    yield _engine(call)
    yield _guarded(call, "settings", _settings)
    yield _guarded(call, "home", _home)
    yield _guarded(call, "disk", _disk)
    yield _guarded(call, "store", _store)
    yield _guarded(call, "models", _models)
    yield _guarded(call, "judgement", _judgement)
    yield _guarded(call, "providers", look_at_providers)
    yield _guarded(call, "paths", look_at_paths)
    yield _guarded(call, "endpoints", look_at_endpoints)


def _network(call: Invocation) -> Mapping[str, object]:
    try:
        return network_json(call)
    except LyraError:  # said as a finding already
        return {"services": [], "endpoints": []}


def _guarded(call: Invocation, name: str, look: Callable[[Invocation], tuple[str, str]]) -> Finding:
    """Return what `look` finds; a designed failure is a finding, and the other looks go on."""
    try:
        return Finding(name, *look(call))
    except LyraError as problem:
        return Finding(name, FAILED, problem.sentence(call.lang))
    except OSError as failure:
        return Finding(name, FAILED, str(failure))


def _python(call: Invocation) -> Finding:
    fine = sys.version_info >= _OLDEST_PYTHON
    return Finding("python", OK if fine else FAILED, f"{platform.python_version()} ({platform.platform(terse=True)})")


def _engine(call: Invocation) -> Finding:
    from lyra.store.database import Database  # noqa: PLC0415 - help needs none of this

    engine = Database.engine_version()
    numbers = tuple(int(part) for part in re.findall(r"\d+", engine)[:3])
    fine = numbers >= _OLDEST_ENGINE
    wanted = ".".join(map(str, _OLDEST_ENGINE))
    return Finding(
        "engine", OK if fine else FAILED, engine if fine else call.say("doctor.old_engine", engine=engine, wanted=wanted)
    )


def _settings(call: Invocation) -> tuple[str, str]:
    path = call.settings.path
    strange = [call.say("doctor.unknown_variable", name=name, nearest=near) for name, near in unknown_variables(call.environ)]
    return (WARNING, " ".join(strange)) if strange else (OK, str(path) if path.exists() else call.say("doctor.no_file"))


def _home(call: Invocation) -> tuple[str, str]:
    home = call.settings.home
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=home) as probe:
        probe.write(b"lyra")
    return OK, str(home)


def _disk(call: Invocation) -> tuple[str, str]:
    place = call.settings.home
    while not place.exists() and place != place.parent:
        place = place.parent
    free = shutil.disk_usage(place).free
    return OK if free >= _ENOUGH_DISK_BYTES else WARNING, call.say("doctor.free", size=f"{free / 1e9:.1f}")


def _store(call: Invocation) -> tuple[str, str]:
    with open_reading_store(call.settings) as store:
        problem = store.database.integrity_problem()
        facts = store.facts()
    if problem is not None:
        return FAILED, call.say("error.database_corrupted", path=facts.path, detail=problem)
    return OK, call.say("doctor.store_fine", path=facts.path, version=facts.schema_version)


def _models(call: Invocation) -> tuple[str, str]:
    chosen = call.models(call.settings)
    chosen.verify()
    return OK, ", ".join(f"{info.name} {info.version}" for info in chosen.infos())


def _judgement(call: Invocation) -> tuple[str, str]:
    """Judge and embed one sentence whose answer is known."""
    chosen = call.models(call.settings)
    (stance,) = judge_texts(chosen.stance, chosen.specialists, [(_FRAGMENT, _CLAIM)])
    (vector,) = chosen.embedder.embed([_CLAIM])
    sound = math.isclose(stance.supports + stance.refutes + stance.neutral, 1.0, abs_tol=1e-3)
    sound = sound and math.isclose(math.sqrt(sum(float(x) ** 2 for x in vector)), 1.0, abs_tol=1e-2)
    if not sound:
        return FAILED, call.say("doctor.judgement_unsound")
    label = call.say(f"label.{stance.label.value}")
    detail = call.say("doctor.judgement_seen", label=label, value=f"{stance.nli_confidence:.3f}")
    return OK if stance.label is Relation.SUPPORTS else WARNING, detail
