"""A language model over Ollama's interface or any that follows OpenAI's. It fills in a form and does nothing else.

It gets no tools and no history; its answer must fit a JSON schema, is bounded, and is asked for at most twice. Nothing in
Lyra needs it: every use has a path without.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lyra.core.errors import WebProblem
from lyra.core.ports import JsonEndpoint, Llm
from lyra.core.prompts import SYSTEM
from lyra.core.records import ModelInfo

_MAX_ANSWER_CHARS = 200_000
_AGAIN = "\n\nYour last answer did not fit the schema. Answer with one JSON value that does."


@dataclass(frozen=True, slots=True)
class LlmLimits:
    """What one answer and one question may be at most."""

    max_tokens: int = 1024
    max_prompt_chars: int = 24_000


def open_llm(protocol: str, endpoint: JsonEndpoint, model: str, limits: LlmLimits) -> Llm:
    """Return the model behind `endpoint`; `protocol` is `ollama` or `openai`. Nothing is connected to."""
    ask = {"ollama": _ask_ollama, "openai": _ask_openai}[protocol]
    return SchemaBoundLlm(protocol, endpoint, model, limits, ask)


_Ask = Callable[[JsonEndpoint, str, str, Mapping[str, object], int], object]


class SchemaBoundLlm:
    """One model behind one endpoint."""

    def __init__(self, protocol: str, endpoint: JsonEndpoint, model: str, limits: LlmLimits, ask: _Ask) -> None:
        self.info = ModelInfo(kind="llm", name=model, version=protocol)
        self.address = endpoint.address
        self._endpoint = endpoint
        self._limits = limits
        self._ask = ask

    def answer(self, prompt: str, schema: Mapping[str, object]) -> object:
        """Return a JSON value that fits `schema`.

        Raises WebProblem: of the endpoint, `prompt_too_long`, or `malformed_answer` when two answers did not fit.
        """
        if len(prompt) > self._limits.max_prompt_chars:
            raise WebProblem("prompt_too_long", url=self.address, limit=self._limits.max_prompt_chars)
        for words in (prompt, prompt + _AGAIN):
            said = self._ask(self._endpoint, self.info.name, words, schema, self._limits.max_tokens)
            found, value = _fitting(said, schema)
            if found:
                return value
        raise WebProblem("malformed_answer", url=self.address)


def _ask_ollama(endpoint: JsonEndpoint, model: str, prompt: str, schema: Mapping[str, object], max_tokens: int) -> object:
    body = {
        "model": model,
        "messages": _messages(prompt),
        "stream": False,
        "format": schema,
        "options": {"temperature": 0, "seed": 0, "num_predict": max_tokens},
    }
    return _dig(endpoint.post("api/chat", body), "message", "content")


def _ask_openai(endpoint: JsonEndpoint, model: str, prompt: str, schema: Mapping[str, object], max_tokens: int) -> object:
    body = {
        "model": model,
        "messages": _messages(prompt),
        "temperature": 0,
        "max_tokens": max_tokens,
        "response_format": {"type": "json_schema", "json_schema": {"name": "form", "strict": True, "schema": schema}},
    }
    return _dig(endpoint.post("chat/completions", body), "choices", 0, "message", "content")


def _messages(prompt: str) -> list[dict[str, str]]:
    return [{"role": "system", "content": SYSTEM}, {"role": "user", "content": prompt}]


def _dig(value: object, *path: str | int) -> object:
    """Return what stands at a path in a JSON value; None where it leads nowhere."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and len(value) > step:
            value = value[step]
        else:
            return None
    return value


def _fitting(said: object, schema: Mapping[str, object]) -> tuple[bool, object]:
    """Return whether an answer fits the schema, and its value. A fence around the JSON is forgiven, nothing else."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - slow to import, and most runs ask no model

    if not isinstance(said, str) or len(said) > _MAX_ANSWER_CHARS:
        return False, None
    text = said.strip()
    if text.startswith("```") and text.endswith("```"):
        text = text[3:-3].removeprefix("json")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False, None
    return Draft202012Validator(dict(schema)).is_valid(value), value
