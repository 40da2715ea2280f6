"""What `lyra doctor` says about the network: which services could be asked, which are, and what is missing for them."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict

from lyra.app.network import ServiceState, service_states
from lyra.interfaces.cli.invocation import Invocation

OK, WARNING = "ok", "warning"


def look_at_providers(call: Invocation) -> tuple[str, str]:
    """Return how the providers stand: a warning where one that is in use lacks something."""
    states = service_states(call.settings)
    worried = any(state.in_use and (state.problem or state.key == "missing") for state in states)
    return WARNING if worried else OK, "; ".join(_words(call, state) for state in states)


def look_at_endpoints(call: Invocation) -> tuple[str, str]:
    """Return which addresses a run may ask, as the settings are."""
    if call.settings.fetch.offline:
        return OK, call.say("doctor.offline")
    used = [f"{state.name} {state.endpoint}" for state in service_states(call.settings) if state.in_use and state.endpoint]
    return OK, ", ".join(used) if used else call.say("doctor.no_endpoints")


def look_at_paths(call: Invocation) -> tuple[str, str]:
    """Return by which way texts are understood, as the settings are; templates that cannot be used are found here, too."""
    llm, offline = call.settings.llm, call.settings.fetch.offline
    if llm.use == "none" or offline:
        return OK, call.say("doctor.paths_built_in")
    from lyra.app.gathering import PROMPTS_FOLDER  # noqa: PLC0415 - help needs none of this
    from lyra.models.prompt_files import load_prompts  # noqa: PLC0415 - most have no language model

    load_prompts(call.settings.home / PROMPTS_FOLDER)
    return OK, call.say("doctor.paths_llm", model=llm.model, url=llm.url)


def network_json(call: Invocation) -> Mapping[str, object]:
    """Return the part of the answer in JSON: every service with its state, and the addresses in use."""
    states = service_states(call.settings)
    offline = call.settings.fetch.offline
    used = [state.endpoint for state in states if state.in_use and state.endpoint and not offline]
    return {"services": [asdict(state) for state in states], "endpoints": used}


def _words(call: Invocation, state: ServiceState) -> str:
    said = list(_remarks(call, state))
    return f"{state.name} ({', '.join(said)})" if said else state.name


def _remarks(call: Invocation, state: ServiceState) -> Iterator[str]:
    if state.in_use:
        yield call.say("doctor.in_use")
    if state.key in ("set", "missing"):
        yield call.say(f"doctor.key_{state.key}")
    if state.detail is not None:
        yield state.detail.rstrip(".。") if state.in_use else call.say("doctor.not_set_up")
