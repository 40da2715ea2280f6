"""A language model that fills in forms, over both protocols."""

from collections.abc import Iterator

import orjson
import pytest

from lyra.core.errors import WebProblem
from lyra.core.records import ProviderStatus
from lyra.models.llm import LlmLimits, open_llm
from tests.loopback import ollama
from tests.loopback.client import endpoint, make_web
from tests.loopback.server import Reply, Server, json_reply, serving

SCHEMA = {
    "type": "object",
    "properties": {"score": {"type": "integer", "minimum": 0, "maximum": 10}},
    "required": ["score"],
    "additionalProperties": False,
}
PROTOCOLS = {"ollama": "", "openai": "/v1"}


@pytest.fixture(params=list(PROTOCOLS))
def protocol(request: pytest.FixtureRequest) -> Iterator[str]:
    yield request.param


def ask(server: Server, protocol: str, prompt: str = "How relevant is tea?", limits: LlmLimits | None = None) -> object:
    service = endpoint(make_web(), server.url + PROTOCOLS[protocol])
    return open_llm(protocol, service, "qwen2.5:3b", limits or LlmLimits()).answer(prompt, SCHEMA)


def test_an_answer_that_fits_the_schema_is_given(protocol: str) -> None:
    with serving(ollama.answering(lambda _: '{"score": 7}')) as server:
        assert ask(server, protocol) == {"score": 7}
    body = orjson.loads(server.requests[0].body)
    assert "tools" not in body
    assert body["model"] == "qwen2.5:3b"
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    bound = body["format"] if protocol == "ollama" else body["response_format"]["json_schema"]["schema"]
    assert bound == SCHEMA


def test_a_fence_around_the_answer_is_forgiven(protocol: str) -> None:
    with serving(ollama.answering(lambda _: '```json\n{"score": 3}\n```')) as server:
        assert ask(server, protocol) == {"score": 3}


def test_a_malformed_answer_is_asked_for_once_more(protocol: str) -> None:
    answers = iter(["I think it is very relevant.", '{"score": 9}'])
    with serving(ollama.answering(lambda _: next(answers))) as server:
        assert ask(server, protocol) == {"score": 9}
    assert len(server.requests) == 2


@pytest.mark.parametrize("said", ["", "seven", '{"score": 11}', '{"score": 7, "note": "x"}', "[" * 3000, '{"score": 7} or 8'])
def test_two_answers_that_do_not_fit_are_a_problem(protocol: str, said: str) -> None:
    with serving(ollama.answering(lambda _: said)) as server, pytest.raises(WebProblem) as problem:
        ask(server, protocol)
    assert (problem.value.code, len(server.requests)) == ("malformed_answer", 2)


@pytest.mark.parametrize("value", [{}, {"message": {}}, {"choices": []}, [], "text", {"message": {"content": 3}}])
def test_an_answer_of_another_shape_is_a_problem(protocol: str, value: object) -> None:
    with serving(lambda _: json_reply(value)) as server, pytest.raises(WebProblem, match="cannot be read"):
        ask(server, protocol)


def test_a_prompt_beyond_the_limit_is_not_sent(protocol: str) -> None:
    with serving(lambda _: Reply(b"")) as server, pytest.raises(WebProblem) as problem:
        ask(server, protocol, "x" * 101, LlmLimits(max_prompt_chars=100))
    assert problem.value.code == "prompt_too_long"
    assert server.seen == []


def test_a_model_that_is_not_there_is_down(protocol: str) -> None:
    with serving(lambda _: Reply(b"")) as server:
        pass
    with pytest.raises(WebProblem) as problem:
        ask(server, protocol)
    assert problem.value.status is ProviderStatus.DOWN
