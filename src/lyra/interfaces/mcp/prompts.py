"""Prompts: three ways to work with the tools, written out for a model."""

from collections.abc import Mapping
from dataclasses import dataclass

import mcp_types as types

from lyra.core.errors import InvalidInput, NotFound
from lyra.core.messages import render

_LONGEST_ARGUMENT = 20_000


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt with the names of its arguments; all of them are needed."""

    name: str
    arguments: tuple[str, ...]


PROMPTS = {
    one.name: one
    for one in (
        Prompt("research_question", ("question",)),
        Prompt("review_contradictions", ("task_id",)),
        Prompt("verify_draft", ("draft",)),
    )
}


def listed(lang: str) -> list[types.Prompt]:
    """Return the prompts as they are listed to a client."""
    return [
        types.Prompt(
            name=prompt.name,
            title=render(f"prompt.{prompt.name}_title", lang),
            description=render(f"prompt.{prompt.name}_about", lang),
            arguments=[
                types.PromptArgument(name=name, description=render(f"prompt.argument_{name}", lang), required=True)
                for name in prompt.arguments
            ],
        )
        for prompt in PROMPTS.values()
    ]


def written_out(name: str, given: Mapping[str, str], lang: str) -> types.GetPromptResult:
    """Return a prompt with its arguments filled in. Raises NotFound for an unknown one, InvalidInput for unfit arguments."""
    prompt = PROMPTS.get(name)
    if prompt is None:
        raise NotFound("mcp_unknown_prompt", name=name[:80], known=", ".join(PROMPTS))
    if set(given) != set(prompt.arguments) or not all(value.strip() for value in given.values()):
        raise InvalidInput("mcp_prompt_arguments", name=name, arguments=", ".join(prompt.arguments))
    if any(len(value) > _LONGEST_ARGUMENT for value in given.values()):
        raise InvalidInput("mcp_prompt_too_long", limit=_LONGEST_ARGUMENT)
    text = render(f"prompt.{name}", lang, **given)
    return types.GetPromptResult(
        description=render(f"prompt.{name}_about", lang),
        messages=[types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))],
    )
