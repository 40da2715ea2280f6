"""`lyra config domains`: the domain policy in force."""

from typing import Annotated

import typer

from lyra.app import open_reading_store, shipped_policy
from lyra.core.errors import EXIT_OK
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import write_exactly, write_json, write_text
from lyra.interfaces.governance_presenter import policy_json
from lyra.interfaces.presenter import document


def domains(call: Invocation, *, shipped: Annotated[bool, typer.Option("--shipped", help="help.config_shipped")] = False) -> int:
    """Show which domain policy is in force, and what is wrong with its file."""
    from lyra.workflows.domain_gate import PolicyGate  # noqa: PLC0415 - help needs none of this

    if shipped and not call.as_json:
        write_exactly(shipped_policy())
        return EXIT_OK
    with open_reading_store(call.settings) as store:
        state, path = PolicyGate(store).policy(), None if store.policy is None else str(store.policy.path)
    policy = state.policy
    lists = {name: dict(getattr(policy, name)) for name in ("allowlist", "graylist", "denylist", "user_overrides")}
    if call.as_json:
        text = shipped_policy() if shipped else None
        counts = {name: len(entries) for name, entries in lists.items()}
        write_json(
            document(**policy_json(state, path, call.lang), entries=counts, wikipedia_mode=policy.wikipedia_mode, shipped=text)
        )
        return EXIT_OK
    write_text(call.say(f"text.policy_{state.origin}", path=path))
    if state.problem is not None:
        write_text(state.problem.sentence(call.lang))
    for name, entries in lists.items():
        write_text(f"{name}: {len(entries)}")
    write_text(f"wikipedia_mode: {policy.wikipedia_mode}")
    return EXIT_OK
